"""A Prometheus that scrapes a platform."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from arena_services.local import probe
from arena_services.local.platform import Platform
from arena_services.local.ports import HOST, find_free
from arena_services.local.process import Process, ProcessSpec

_CONFIGURATION = """\
global: {{scrape_interval: 500ms, scrape_timeout: 500ms}}
rule_files: {rules}
scrape_configs:
  - job_name: arena
    static_configs: [{{targets: {services}}}]
  - job_name: edge
    metrics_path: /stats/prometheus
    static_configs: [{{targets: {edges}}}]
"""


@dataclass(frozen=True)
class Prometheus:
    """Asks a running Prometheus."""

    address: str

    async def names(self) -> set[str]:
        """The names of all series, as far as they are the platform's own."""
        found = await self._get("label/__name__/values")
        return {name for name in found if name.startswith("arena_")}

    async def total(self, query: str) -> float:
        """What an expression comes to now, added up; 0 where there is nothing."""
        return sum(await self.values(query))

    async def values(self, query: str) -> list[float]:
        """What an expression comes to now, one value for each series."""
        found = await self._get(f"query?query={quote(query)}")
        return [float(each["value"][1]) for each in found["result"]]

    async def rules(self) -> list[dict[str, Any]]:
        """All rules that it was given, with what became of their last evaluation."""
        found = await self._get("rules")
        return [rule for group in found["groups"] for rule in group["rules"]]

    async def until(
        self, query: str, is_it: Callable[[float], bool] = bool, seconds: float = 15
    ) -> float:
        """What an expression comes to, once that is as asked for."""
        async with asyncio.timeout(seconds):
            while not is_it(total := await self.total(query)):
                await asyncio.sleep(0.25)
        return total

    async def _get(self, path: str) -> Any:
        reply = await probe.get(f"http://{self.address}/api/v1/{path}")
        assert reply is not None
        assert reply.status == 200, reply.body
        return json.loads(reply.body)["data"]


@asynccontextmanager
async def scraping(
    platform: Platform, folder: Path, *, rules: Path | None = None
) -> AsyncIterator[Prometheus]:
    """Have a Prometheus scrape all services of a platform while the block runs.

    `rules`: a folder of rule files for it to evaluate.
    """
    program = shutil.which("prometheus")
    assert program, "there is no `prometheus` on the PATH; tools/setup.sh prometheus installs it"
    pages = [urlsplit(process.metrics) for process in platform.processes.values()]
    configuration = _CONFIGURATION.format(
        rules=json.dumps([str(rules / "*.yaml")] if rules else []),
        services=json.dumps([p.netloc for p in pages if p.path == "/metrics"]),
        edges=json.dumps([p.netloc for p in pages if p.path == "/stats/prometheus"]),
    )
    prometheus = await _start(program, configuration, folder)
    try:
        yield Prometheus(urlsplit(prometheus.spec.ready_url).netloc)
    finally:
        await prometheus.stop(5)


async def _start(program: str, text: str, folder: Path) -> Process:
    configuration = folder / "prometheus.yml"
    configuration.write_text(text)
    (port,) = find_free(1)
    spec = ProcessSpec(
        name="prometheus",
        command=(
            program,
            f"--config.file={configuration}",
            f"--storage.tsdb.path={folder / 'prometheus'}",
            f"--web.listen-address={HOST}:{port}",
        ),
        ready_url=f"http://{HOST}:{port}/-/ready",
        log=folder / "prometheus.log",
    )
    prometheus = await Process.start(spec)
    await prometheus.wait_ready(30)
    return prometheus
