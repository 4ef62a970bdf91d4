"""Helm, as a process."""

from __future__ import annotations

import asyncio
import os
import shlex
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.cluster.errors import CannotRunError, StepError

CHART = Path(__file__).resolve().parents[2] / "helm" / "arena"
_OWN = Path(__file__).resolve().parents[2] / ".venv" / "chart" / "bin" / "helm"


@dataclass(frozen=True)
class Helm:
    """One release of the chart."""

    program: str
    namespace: str
    release: str
    values: Sequence[Path]
    settings: Mapping[str, str]
    """As `--set` takes them, for every install and upgrade."""
    wait_seconds: int

    async def install(self) -> None:
        """Install and wait until all is there. Raises `StepError`."""
        await self._put("install", {})

    async def upgrade(self, further: Mapping[str, str]) -> None:
        """Upgrade with further settings, and wait until all is as it should be. Raises `StepError`."""
        await self._put("upgrade", further)

    async def test(self) -> None:
        """Have the chart's own test play a match. Raises `StepError`."""
        await self._run("test", self.release, "--timeout", f"{self.wait_seconds}s")

    async def uninstall(self) -> None:
        """Uninstall and wait until all is gone. Raises `StepError`."""
        await self._run("uninstall", self.release, "--ignore-not-found", *self._waiting)

    async def _put(self, verb: str, further: Mapping[str, str]) -> None:
        said = [*self._said(further), *self._waiting]
        flags = shlex.split(os.environ.get("HELM_FLAGS", ""))
        await self._run(verb, self.release, str(CHART), *said, *flags)

    @property
    def _waiting(self) -> Sequence[str]:
        return ("--wait", "--timeout", f"{self.wait_seconds}s")

    def _said(self, further: Mapping[str, str]) -> list[str]:
        # Held against the schema is the chart by `make chart`; not every cluster serves one.
        said = ["--disable-openapi-validation"]
        for path in self.values:
            said += ["--values", str(path)]
        for key, value in {**self.settings, **further}.items():
            how = "--set-string" if "odAnnotations" in key or "image." in key else "--set"
            said += [how, f"{key}={value}"]
        return said

    async def _run(self, verb: str, *arguments: str) -> None:
        process = await asyncio.create_subprocess_exec(
            self.program,
            *(verb, "--namespace", self.namespace, *arguments),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            start_new_session=True,  # a Ctrl-C is for us to handle, in order
        )
        try:
            told, _ = await process.communicate()
        except asyncio.CancelledError:
            process.terminate()
            await process.wait()
            raise
        if process.returncode:
            lines = told.decode(errors="replace").strip().splitlines()
            raise StepError(f"helm {verb}: " + " ".join(lines[-3:]))


def find_program() -> str:
    """The Helm to use. Raises `CannotRunError`."""
    named = os.environ.get("HELM", "")
    if named:
        found = shutil.which(named)
        if found is None:
            raise CannotRunError(f"HELM names {named}, which is no program.")
        return found
    found = shutil.which("helm") or (str(_OWN) if _OWN.exists() else None)
    if found is None:
        raise CannotRunError(
            "There is no helm on PATH. Install it, name it by HELM=..., or type: tools/setup.sh chart"
        )
    return found
