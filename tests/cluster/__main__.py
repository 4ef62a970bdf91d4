"""Installs the chart on the cluster of KUBECONFIG and does to it what operators and accidents do, with guests at play.

Rooms are added, rolled and killed, values and NATS servers changed; at the end all that guests were told is held
against the log, and everything is uninstalled. `python -m tests.cluster --image arena:1.0`, or `make test-cluster`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from arena_services.common import logs
from tests.cluster.errors import CannotRunError
from tests.cluster.helm import Helm, find_program
from tests.cluster.kube import Kube
from tests.cluster.run import Plan, Report, Test
from tests.cluster.steps import FURTHER, STEPS

_VALUES = Path(__file__).with_name("values.yaml")
_PLAIN_SECONDS = 30.0


def main() -> int:
    """Run and tell: 0 where nothing was wrong, 1 where something was, 2 where it could not be run."""
    given = _parser().parse_args()
    logs.set_up("cluster", "cluster", "auto", "error")
    os.environ.setdefault(
        "GRPC_ENABLE_FORK_SUPPORT", "0"
    )  # helm is started while gRPC's threads run
    try:
        report = asyncio.run(_run(given))
    except CannotRunError as error:
        print(f"test-cluster: {error}", file=sys.stderr)
        return 2
    except (KeyboardInterrupt, asyncio.CancelledError):
        print("test-cluster: stopped", file=sys.stderr)
        return 130
    if given.json:
        print(json.dumps(report.as_json()))
    else:
        _tell(report)
    return 1 if report.problems else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.cluster",
        description=__doc__,
        epilog="KUBECONFIG names the cluster, HELM the program where it is not on PATH.",
    )
    add = parser.add_argument
    add("--image", default="", help="the image to install: repository[:tag][@digest]")
    add(
        "--plain",
        action="store_true",
        help="on a cluster of plain processes, started for this; needs root",
    )
    names = ", ".join([*STEPS, *FURTHER])
    add("--only", default="", help=f"these steps alone, separated by commas: {names}")
    add("--guests", type=int, default=24, help="how many play at once")
    add("--think", type=float, default=2.0, help="seconds before each move")
    add("--nats", type=int, default=3, choices=(1, 3, 5), help="servers of NATS")
    add("--seed", type=int, help="of what guests do; random if not given")
    add(
        "--namespace",
        default="",
        help="made and removed, unless it is there; default: a name by lot",
    )
    add("--release", default="arena")
    add("--edge", default="", help="host:port that leads to the edge; default: found out")
    add("--nats-address", default="", help="host:port that leads to NATS; default: found out")
    add("--values", type=Path, action="append", default=[], help="further values for the chart")
    add("--set", action="append", default=[], metavar="KEY=VALUE", help="a further value")
    add("--wait", type=float, default=300.0, help="seconds that anything may take")
    add("--keep", action="store_true", help="leave it installed")
    add("--json", action="store_true", help="print the report as one JSON object")
    return parser


async def _run(given: argparse.Namespace) -> Report:
    task = asyncio.current_task()
    assert task is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    seed = random.randrange(1, 1_000_000) if given.seed is None else given.seed
    plan = _plan(given, seed)
    program = find_program()
    async with _cluster(given.plain):
        kube = Kube(plan.namespace)
        version = await kube.check()
        helm = Helm(
            program,
            plan.namespace,
            plan.release,
            plan.values,
            {**_image(plan.image), "nats.replicas": str(plan.nats), **plan.settings},
            int(plan.wait_seconds),
        )
        return await Test(plan, kube, helm, version, _Teller()).run()


def _plan(given: argparse.Namespace, seed: int) -> Plan:
    """What was asked for. Raises `CannotRunError`."""
    if not given.image and not given.plain:
        raise CannotRunError("IMAGE names no image; `make image` builds one: IMAGE=repository:tag")
    steps = [each for each in given.only.split(",") if each] or list(STEPS)
    if unknown := [each for each in steps if each not in {**STEPS, **FURTHER}]:
        raise CannotRunError(
            f"There is no step {', '.join(unknown)}; there are {', '.join([*STEPS, *FURTHER])}."
        )
    settings = dict(each.partition("=")[::2] for each in given.set)
    if missing := [str(each) for each in given.values if not each.is_file()]:
        raise CannotRunError(f"There is no file {', '.join(missing)}.")
    return Plan(
        namespace=given.namespace or f"arena-test-{random.randrange(16**6):06x}",
        release=given.release,
        image=given.image or "arena",
        steps=steps,
        guests=given.guests,
        think_seconds=given.think,
        nats=given.nats,
        seed=seed,
        wait_seconds=given.wait,
        values=[_VALUES, *given.values],
        settings=settings,
        edge=given.edge,
        nats_address=given.nats_address,
        keeps=given.keep,
    )


def _image(name: str) -> dict[str, str]:
    """An image's name as the chart takes it."""
    rest, _, digest = name.partition("@")
    repository, _, tag = rest.rpartition(":") if ":" in rest.rpartition("/")[2] else (rest, "", "")
    said = {"image.repository": repository, "image.tag": tag, "image.digest": digest}
    return {key: value for key, value in said.items() if value}


@asynccontextmanager
async def _cluster(is_plain: bool) -> AsyncIterator[None]:
    """The cluster that there is, or one of plain processes. Raises `CannotRunError`."""
    if not is_plain:
        yield
        return
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "tests.cluster.plain"),
        stdout=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    try:
        assert process.stdout is not None
        async with asyncio.timeout(_PLAIN_SECONDS):
            line = (await process.stdout.readline()).decode().strip()
        if not line:
            raise CannotRunError("The cluster of plain processes did not start.")
        os.environ["KUBECONFIG"] = line.partition("=")[2]
        yield
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


class _Teller:
    """Says on standard error what goes on, with the seconds since the start."""

    def __init__(self) -> None:
        self._start = time.monotonic()

    def __call__(self, text: str) -> None:
        """Say a line."""
        print(f"{time.monotonic() - self._start:7.1f} s  {text}", file=sys.stderr, flush=True)


def _tell(report: Report) -> None:
    print(
        f"\n{report.version}, " + ", ".join(f"{n:,} {what}" for what, n in report.figures.items())
    )
    for name, taken in report.steps.items():
        moved = f"{taken.takeovers} takeovers, the longest pause {taken.longest_pause_ms} ms"
        print(f"{name:<10} {taken.seconds:6g} s" + (f"  {moved}" if taken.takeovers else ""))
    for each in report.problems:
        print(f"- {each.wrong}, match {each.match_id or '-'}: {each.text}")
    print(report.verdict())


if __name__ == "__main__":
    sys.exit(main())
