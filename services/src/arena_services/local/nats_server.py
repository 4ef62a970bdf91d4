"""nats-server from its wheel, with JetStream on a folder that survives restarts."""

from __future__ import annotations

import json
import shutil
import signal
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Self
from urllib.parse import quote

from arena_services.common.nats import Login
from arena_services.common.tls import Tls
from arena_services.local import nats_users, ports
from arena_services.local.data_folder import DataFolder, write_private
from arena_services.local.errors import NatsMissingError
from arena_services.local.process import Process, ProcessSpec

MAX_PAYLOAD_BYTES = 1024 * 1024
READY_SECONDS = 30.0
_GRACE_SECONDS = 10.0
#: A stream that could not be written once, on a full disk for example, takes nothing more until NATS starts anew.
_PATIENCE_SECONDS = 30.0
#: NATS itself would give two, which a busy machine may exceed.
_HANDSHAKE_SECONDS = 5


@dataclass(frozen=True)
class ClusterPlace:
    """A server's place in a cluster."""

    name: str
    """Of the server."""
    port: int
    """Where this server listens for the others."""
    routes: tuple[str, ...]
    """host:port of the servers of the cluster, of all or of some."""
    cluster: str = "arena"
    """The cluster's name."""
    login: Login | None = None
    """What the servers show to each other; None: whoever reaches their ports may join."""

    def render_peers(self) -> list[str]:
        """The lines of a configuration about the other servers, and what is shown to them and asked of them."""
        if self.login is None:
            return [f"  routes: {json.dumps([f'nats://{route}' for route in self.routes])}"]
        user, password = self.login.user, self.login.password
        routes = [f"nats://{user}:{quote(password, safe='')}@{route}" for route in self.routes]
        shown = f"user: {json.dumps(user)}, password: {json.dumps(password)}"
        return [f"  routes: {json.dumps(routes)}", f"  authorization {{{shown}}}"]


@dataclass(frozen=True)
class NatsConfig:
    """What is written into a server's configuration file."""

    port: int
    monitor_port: int
    sync_always: bool = True
    """Whether an append is acknowledged only once the disk has it."""
    cluster: ClusterPlace | None = None
    logins: tuple[Login, ...] = ()
    """Of those who may connect; where there are none, everybody may, and do everything."""
    host: str = ports.HOST
    """The address it listens on."""
    store_bytes: int | None = None
    """How much JetStream may store; None: as much as NATS takes by itself, three quarters of what is free."""
    tls: Tls | None = None
    """What it shows to clients and to the other servers, whose certificates have to be of the same authority."""

    @property
    def url(self) -> str:
        """Where clients connect."""
        return f"{'tls' if self.tls else 'nats'}://{self.host}:{self.port}"

    @property
    def monitor_url(self) -> str:
        """Its monitoring page."""
        return f"http://{self.host}:{self.monitor_port}"

    def render(self, store: Path) -> str:
        """The configuration file; `store` is JetStream's folder."""
        lines = [
            f"server_name: {json.dumps(self.cluster.name if self.cluster else 'arena')}",
            f"listen: {json.dumps(f'{self.host}:{self.port}')}",
            f"http: {json.dumps(f'{self.host}:{self.monitor_port}')}",
            f"max_payload: {MAX_PAYLOAD_BYTES}",
            "jetstream {",
            f"  store_dir: {json.dumps(str(store))}",
            *(["  sync_interval: always"] if self.sync_always else []),
            *([f"  max_file_store: {self.store_bytes}"] if self.store_bytes else []),
            "}",
            *_rendered_tls(self.tls),
        ]
        if self.logins:
            lines += [
                "authorization {",
                "  users: [",
                *nats_users.rendered(self.logins),
                "  ]",
                "}",
            ]
        if self.cluster:
            lines += [
                "cluster {",
                f"  name: {json.dumps(self.cluster.cluster)}",
                f"  listen: {json.dumps(f'{self.host}:{self.cluster.port}')}",
                *self.cluster.render_peers(),
                *_rendered_tls(self.tls, "  "),
                # Clients know all servers, and keep to the addresses they were given: there may be a proxy behind them.
                "  no_advertise: true",
                "}",
            ]
        return "\n".join(lines) + "\n"


def _rendered_tls(tls: Tls | None, indent: str = "") -> list[str]:
    """The lines about TLS with whoever connects, or with the other servers."""
    if tls is None:
        return []
    files = {"cert_file": tls.cert_file, "key_file": tls.key_file, "ca_file": tls.ca_file}
    lines = [
        "tls {",
        *(f"  {name}: {json.dumps(str(file))}" for name, file in files.items()),
        "  verify: true",
        f"  timeout: {_HANDSHAKE_SECONDS}",
        "}",
    ]
    return [indent + line for line in lines]


def spec(config: NatsConfig, folder: DataFolder, name: str = "nats") -> ProcessSpec:
    """Write the configuration and say how to run it. Raises `NatsMissingError`."""
    path = folder.path / "nats.conf"
    write_private(path, config.render(folder.path / "nats"))
    return ProcessSpec(
        name=name,
        command=(program(), "--config", str(path)),
        ready_url=f"{config.monitor_url}/healthz",
        log=folder.log(name),
        patience_seconds=_PATIENCE_SECONDS,
    )


def program() -> str:
    """The server's program. Raises `NatsMissingError`."""
    beside = str(Path(sys.executable).parent)
    found = shutil.which("nats-server", path=beside) or shutil.which("nats-server")
    if found is None:
        raise NatsMissingError
    return found


class NatsServer:
    """NATS alone, on free ports: `async with NatsServer(data_dir) as nats: ... nats.url`.

    Holds the data folder. Not watched over: what kills it has to start it again. Ports stay the same across that.
    """

    def __init__(
        self,
        data_dir: Path,
        *,
        sync_always: bool = True,
        cluster: ClusterPlace | None = None,
        logins: tuple[Login, ...] = (),
    ) -> None:
        port, monitor_port = ports.find_free(2)
        self.config = NatsConfig(port, monitor_port, sync_always, cluster, logins)
        self._folder = DataFolder(data_dir)
        self._held = ExitStack()
        self._process: Process | None = None

    @property
    def url(self) -> str:
        """Where clients connect."""
        return self.config.url

    @property
    def process(self) -> Process:
        """The process that runs, or ran last."""
        if self._process is None:
            raise RuntimeError("the server was never started")
        return self._process

    async def __aenter__(self) -> Self:
        """Start it. Raises `LocalError`."""
        with ExitStack() as held:
            held.enter_context(self._folder)
            await self.start()
            self._held = held.pop_all()
        return self

    async def __aexit__(self, *_: object) -> None:
        """Stop it."""
        with self._held:
            await self.stop()

    async def start(self, *, ready_seconds: float = READY_SECONDS) -> None:
        """Start it and wait until it is ready; with `ready_seconds` 0 only start it."""
        name = self.config.cluster.name if self.config.cluster else "nats"
        self._process = await Process.start(spec(self.config, self._folder, name))
        if ready_seconds:
            await self.wait_ready(ready_seconds)

    async def wait_ready(self, seconds: float = READY_SECONDS) -> None:
        """Wait until it is ready. Raises `ProcessFailedError`; the server is gone then."""
        try:
            await self.process.wait_ready(seconds)
        except BaseException:
            await self.kill()
            raise

    async def stop(self) -> None:
        """Stop it in order, paused or not."""
        if self._process is not None and self._process.exit_code is None:
            self.resume()
            await self._process.stop(_GRACE_SECONDS)

    async def kill(self) -> None:
        """Kill it outright, as a crash would."""
        self.process.send(signal.SIGKILL)
        await self.process.wait()

    def pause(self) -> None:
        """Let it hang: connections stay open, nothing is answered."""
        self.process.send(signal.SIGSTOP)

    def resume(self) -> None:
        """Let it go on."""
        self.process.send(signal.SIGCONT)

    async def restart(self) -> None:
        """Stop it in order and start it again."""
        await self.stop()
        await self.start()


def cluster_places(names: Sequence[str]) -> list[ClusterPlace]:
    """Places for the servers of one cluster, on free ports."""
    free = ports.find_free(len(names))
    routes = tuple(f"{ports.HOST}:{port}" for port in free)
    return [ClusterPlace(name, port, routes) for name, port in zip(names, free, strict=True)]
