"""Hurts a platform under load and checks that nothing was lost: `python -m tests.chaos [--minutes 5] [--seed N]`."""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import shutil
import sys
from pathlib import Path

from arena_services.common import logs
from arena_services.local.errors import LocalError
from tests.chaos.run import Plan, run
from tests.chaos.schedule import Kind
from tests.chaos.stage import Layout


def main() -> int:
    """Run and tell; 0 where nothing was wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    parser.add_argument("--minutes", type=float, default=5.0, help="how long things are hurt")
    parser.add_argument("--seed", type=int, help="of faults and matches; random if not given")
    parser.add_argument("--matches", type=int, default=100, help="how many go on at once")
    parser.add_argument("--think", type=float, default=2.0, help="seconds before each move")
    parser.add_argument("--rooms", type=int, default=3)
    parser.add_argument("--nats", type=int, default=3, help="1: a single server, or a cluster")
    kinds = sorted(kind.value for kind in Kind)
    parser.add_argument(
        "--only", choices=kinds, metavar="KIND", help=f"hurt in one way alone: {', '.join(kinds)}"
    )
    parser.add_argument("--out", type=Path, default=Path("build/chaos"))
    parser.add_argument("--json", action="store_true", help="print the report as one JSON object")
    given = parser.parse_args()
    seed = random.randrange(1, 1_000_000) if given.seed is None else given.seed
    folder: Path = given.out / f"seed-{seed}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    layout = Layout(given.rooms, given.nats)
    only = tuple(Kind) if given.only is None else (Kind(given.only),)
    logs.set_up("chaos", "chaos", "auto", "error")
    try:
        # Not on uvloop: processes are started while gRPC's threads run, which its way of forking does not survive.
        report = asyncio.run(
            run(Plan(seed, given.minutes, given.matches, given.think, layout, folder, only))
        )
    except LocalError as error:
        print(f"chaos: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("chaos: stopped", file=sys.stderr)
        return 130
    shutil.rmtree(folder / "nats", ignore_errors=True)
    report.write(folder)
    if given.json:
        print(json.dumps(report.as_json()))
    else:
        print(report.as_page())
        print(f"Written to {folder}; the same schedule again: make chaos SEED={seed}\n")
    print(report.verdict(), file=sys.stderr if given.json else sys.stdout)
    return 1 if report.problems else 0


if __name__ == "__main__":
    sys.exit(main())
