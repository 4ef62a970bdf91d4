"""`python -m tests.hostile [--requests N] [--seed N] [--json]`: exits 1 where anything got in, broke, or leaked."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from arena_services.common import logs
from tests.hostile import campaign


def show(report: dict[str, Any]) -> None:
    """The report for people; its last line says how it went."""
    for title in ("asked", "answers"):
        print(f"{title}:")
        for name, count in report[title].items():
            print(f"  {count:>8,}  {name}")
    for fault in report["first_faults"]:
        print(f"FAULT {fault}")
    print(
        f"{report['requests']:,} hostile requests (seed {report['seed']}) in {report['seconds']:g} s, beside "
        f"{report['honest_acts']:,} honest ones in {report['victims']} matches: "
        f"{report['faults'] or 'no'} faults"
    )


def main() -> int:
    """Attack and tell."""
    parser = argparse.ArgumentParser(prog="python -m tests.hostile", description=__doc__)
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    given = parser.parse_args()
    logs.set_up("hostile", "hostile", "auto", "error")
    with tempfile.TemporaryDirectory() as folder:
        report = asyncio.run(campaign.run(given.requests, given.seed, Path(folder)))
    if given.json:
        print(json.dumps(report))
    else:
        show(report)
    return 1 if report["faults"] else 0


if __name__ == "__main__":
    sys.exit(main())
