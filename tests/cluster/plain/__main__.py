"""Runs a cluster until it is stopped: `python -m tests.cluster.plain [--nodes 3]`."""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
from pathlib import Path

from tests.cluster.plain.cluster import cluster
from tests.cluster.plain.container import REPOSITORY


def main() -> int:
    """Run it; what is printed is how to reach it."""
    parser = argparse.ArgumentParser(prog="python -m tests.cluster.plain", description=__doc__)
    parser.add_argument("--nodes", type=int, default=3, help="names for pods to be spread over")
    parser.add_argument("--folder", type=Path, default=REPOSITORY / "build" / "cluster" / "plain")
    given = parser.parse_args()
    if os.geteuid() != 0:
        print(
            "plain: needs root, for pods have mounts, users and names of their own", file=sys.stderr
        )
        return 2
    # Children come from a process with threads of gRPC.
    os.environ["GRPC_ENABLE_FORK_SUPPORT"] = "0"
    asyncio.run(_run(given.folder.resolve(), given.nodes))
    return 0


async def _run(folder: Path, nodes: int) -> None:
    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    async with cluster(folder, nodes) as kubeconfig:
        print(f"export KUBECONFIG={kubeconfig}", flush=True)
        await stopped.wait()


if __name__ == "__main__":
    sys.exit(main())
