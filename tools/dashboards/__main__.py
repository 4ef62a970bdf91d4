"""Writes the Grafana dashboards: `python -m tools.dashboards`. With --check only tells whether they are current."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from tools.dashboards import bots, matchmaking, nats, overview, room
from tools.dashboards.model import render

FOLDER = Path(__file__).resolve().parents[2] / "helm/arena/files/dashboards"
DASHBOARDS = tuple(each.DASHBOARD for each in (overview, room, matchmaking, bots, nats))


def files() -> dict[Path, str]:
    """The text of every dashboard's file."""
    return {
        FOLDER / f"{each.name}.json": json.dumps(render(each), indent=2, ensure_ascii=False) + "\n"
        for each in DASHBOARDS
    }


def main() -> int:
    """Run the command line; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.dashboards", description=__doc__)
    parser.add_argument("--check", action="store_true", help="only tell whether they are current")
    wanted = files()
    if not parser.parse_args().check:
        for path, text in wanted.items():
            path.write_text(text)
        return 0
    found = {path: path.read_text() for path in FOLDER.glob("*.json")}
    stale = sorted(path.name for path in {*wanted, *found} if wanted.get(path) != found.get(path))
    if stale:
        print(f"not what tools/dashboards makes: {', '.join(stale)}; run make gen", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
