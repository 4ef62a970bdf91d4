"""`python -m arena_services.cli`: the same as `arena`."""

from __future__ import annotations

from arena_services.cli.main import main

if __name__ == "__main__":
    main()
