"""Keeps out of a service's process what a library loads only in case it is needed. Imported first, for its effect.

Not for programs that merely use the client: they may need it.
"""

from __future__ import annotations

import sys

# nats-py loads aiohttp where that is installed, for WebSockets: an eighth of the time that a service takes to start,
# and 8 MB of each process. Nothing here speaks those, nor kubernetes.aio, for whose sake it is installed.
sys.modules.setdefault("aiohttp", None)  # type: ignore[arg-type]  # an import fails as if it were not installed
