"""A container as a process: its own mount namespace, user, environment and session, and the host's files below.

The project is seen at /mnt and is the image: `arena` is on PATH there, whatever image the pod names.
"""

from __future__ import annotations

import asyncio
import os
import re
import shlex
import signal
import stat
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.cluster.plain.store import Store, Thing
from tests.cluster.plain.volumes import ACCOUNT_DIR, content, field

REPOSITORY = Path(__file__).resolve().parents[3]
_IMAGE = "/mnt"
_ASIDE = "/media"
_LAST = "/tmp"  # noqa: S108 - a place to mount at
_SHIM = f"""#!/bin/sh
exec {_IMAGE}/.venv/bin/python -m arena_services.cli "$@"
"""


class Container:
    """A running process, or one that has ended."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def wait(self) -> int:
        """Wait for its end; the exit code."""
        code = await self._process.wait()
        self.signal(signal.SIGKILL)  # what it leaves behind
        return code if code >= 0 else 128 - code

    def signal(self, number: signal.Signals) -> None:
        """Send a signal: SIGKILL to all processes there are, any other to the first one alone."""
        with suppress(ProcessLookupError):
            if number == signal.SIGKILL:
                os.killpg(self._process.pid, number)
            else:
                self._process.send_signal(number)


def make_image(folder: Path) -> None:
    """Put what stands for the image's programs into a folder."""
    (folder / "bin").mkdir(parents=True)
    shim = folder / "bin" / "arena"
    shim.write_text(_SHIM)
    shim.chmod(0o755)


async def start(
    pod: Thing, folder: Path, volumes: Mapping[str, Path], environment: Mapping[str, str]
) -> Container:
    """Start a pod's container; `folder` is the cluster's, within the project."""
    (spec,) = pod["spec"]["containers"]
    security = {**pod["spec"].get("securityContext", {}), **spec.get("securityContext", {})}
    mounts = [(volumes[each["name"]], each) for each in spec.get("volumeMounts", ())]
    if "account" in volumes:
        mounts.append((volumes["account"], {"mountPath": ACCOUNT_DIR, "readOnly": True}))
    lines = ["set -e", f"mount --bind {shlex.quote(str(REPOSITORY))} {_IMAGE}"]
    lines += _uncovering(Path(sys.base_prefix))
    lines += _mounting(volumes["resolver"] / "resolv.conf", mounts)
    if security.get("readOnlyRootFilesystem"):
        lines.append("mount -o remount,bind,ro /")
    user, group = security.get("runAsUser", 0), security.get("runAsGroup", 0)
    groups = {group, security.get("fsGroup", group)}
    as_user = f"--reuid {user} --regid {group} --groups {','.join(map(str, groups))}"
    command = shlex.join([*spec["command"], *spec.get("args", ())])
    limits = "--no-new-privs --bounding-set -all --inh-caps -all --pdeathsig KILL"
    lines += ["cd /tmp", f"exec setpriv {as_user} {limits} {command}"]
    with (folder / "logs" / f"{pod['metadata']['name']}.log").open("ab") as log:
        process = await asyncio.create_subprocess_exec(
            *("unshare", "--mount", "--propagation", "private", "sh", "-c", "\n".join(lines)),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            env=dict(environment),
            start_new_session=True,
        )
    return Container(process)


def _mounting(resolver: Path, mounts: list[tuple[Path, Any]]) -> Iterator[str]:
    """Shell lines that mount; /tmp comes last, for what is mounted may lie there."""
    for ancestor in sorted({each for _, its in mounts for each in _ancestors(its["mountPath"])}):
        yield f"mount -t tmpfs none {ancestor}"
    resolv = Path("/etc/resolv.conf").resolve()
    yield f"mkdir -p {resolv.parent}; test -e {resolv} || touch {resolv}"
    yield f"mount --bind {shlex.quote(str(resolver))} {resolv}"
    for source, each in sorted(
        mounts, key=lambda each: (each[1]["mountPath"] == _LAST, str(each[0]))
    ):
        target = os.path.realpath(each["mountPath"])
        yield f"mkdir -p {target}"
        yield f"mount --bind {shlex.quote(str(source))} {target}"
        if each.get("readOnly"):
            yield f"mount -o remount,bind,ro {target}"


def _uncovering(path: Path) -> Iterator[str]:
    """Shell lines that have everybody reach a folder at its place, and nothing else of a closed folder above it."""
    closed = [each for each in path.parents if not each.stat().st_mode & stat.S_IXOTH]
    if closed:
        where = shlex.quote(str(path))
        yield f"mount --bind {where} {_ASIDE}"
        yield f"mount -t tmpfs -o mode=755 none {shlex.quote(str(closed[-1]))}"
        yield f"mkdir -p {where} && mount --move {_ASIDE} {where}"


def _ancestors(path: str) -> list[str]:
    """Where an empty disk has to lie for a folder to be made; nowhere if the folder is there."""
    real = Path(os.path.realpath(path))
    return [] if real.exists() else [str(next(each for each in real.parents if each.exists()))]


def environment_of(store: Store, pod: Thing, image: Mapping[str, str]) -> dict[str, str]:
    """A container's whole environment. Raises `Refused` where a Secret or ConfigMap is not there."""
    (spec,) = pod["spec"]["containers"]
    found = {**image, "HOSTNAME": pod["metadata"]["name"]}
    for each in spec.get("env", ()):
        found[each["name"]] = _value(store, pod, each, found)
    return found


def _value(store: Store, pod: Thing, asked: Any, known: Mapping[str, str]) -> str:
    source = asked.get("valueFrom")
    if source is None:
        text: str = asked.get("value", "")
        return re.sub(r"\$\((\w+)\)", lambda hit: known.get(hit[1], hit[0]), text)
    if "fieldRef" in source:
        return field(pod, source["fieldRef"]["fieldPath"])
    how = "secret" if "secretKeyRef" in source else "configMap"
    ref = source[f"{how}KeyRef"]
    return content(store, pod, how, ref["name"])[ref["key"]].decode()


def image_environment(folder: Path, api_host: str, api_port: int) -> dict[str, str]:
    """What the image sets, and what every pod is told of the API."""
    seen = f"{_IMAGE}/{folder.relative_to(REPOSITORY)}"
    return {
        "PATH": f"{seen}/bin:/usr/local/bin:/usr/bin:/bin",
        "PYTHONPATH": f"{_IMAGE}/services/src",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUNBUFFERED": "1",
        "ARENA_PAGE_DIR": f"{_IMAGE}/services/web/dist",
        "HOME": "/",
        "LANG": "C.UTF-8",
        "KUBERNETES_SERVICE_HOST": api_host,
        "KUBERNETES_SERVICE_PORT": str(api_port),
    }
