"""A tiny process to watch over: answers /readyz, says what it does, and behaves badly where told to.

python fake_service.py PORT [exit=CODE] [unready] [stubborn]
"""

from __future__ import annotations

import signal
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from types import FrameType


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        is_ready = "unready" not in sys.argv and not Path(f"{sys.argv[1]}.unready").exists()
        self.send_response(200 if is_ready else 503)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        pass


def _stop(number: int, _: FrameType | None) -> None:
    print(f"stopping by {signal.Signals(number).name}", flush=True)
    if "stubborn" not in sys.argv:
        sys.exit(0)


def main() -> None:
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _stop)
    print("hello", flush=True)
    for argument in sys.argv[2:]:
        if argument.startswith("exit="):
            print("cannot go on", flush=True)
            sys.exit(int(argument.removeprefix("exit=")))
    HTTPServer(("127.0.0.1", int(sys.argv[1])), _Handler).serve_forever()


if __name__ == "__main__":
    main()
