"""The platform on one machine: NATS, rooms, matchmaking, bot, timer, fleet and the edge, each a process.

The fleet adds rooms and takes them away where the settings leave a choice; with a fixed number of rooms there is none.

async with Platform(PlatformSettings(data_dir=folder, ports="auto")) as platform:
    ... platform.matchmaking_address, platform.rooms["room-1"].pid
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from typing import Self

from arena_services.local import nats_server, nats_users, ports
from arena_services.local.data_folder import DataFolder
from arena_services.local.desk import Desk
from arena_services.local.info import PlatformInfo, ProcessInfo
from arena_services.local.nats_server import NatsConfig
from arena_services.local.ports import HOST, Port
from arena_services.local.process import ProcessSpec
from arena_services.local.room_pool import RoomPool
from arena_services.local.settings import PlatformSettings
from arena_services.local.supervisor import Supervised

NATS = "nats"
EDGE = "edge"
MATCHMAKING = "matchmaking"
FLEET = "fleet"
ROOM = "room"
# In the order in which they stop, each kind once the one before it has: those that ask before those that answer.
_STOP_ORDER = (FLEET, EDGE, "bot", "timer", MATCHMAKING, ROOM, NATS)
# On top of the grace time that a process is told of, before it is killed.
_GRACE_MARGIN_SECONDS = 3.0


@dataclass(frozen=True)
class _Place:
    """Where a process is to run."""

    name: str
    service: str
    port: Port
    metrics: Port


class Platform:
    """A running platform, as an async context manager. Leaves no process behind, not even when killed outright."""

    def __init__(
        self,
        settings: PlatformSettings,
        *,
        environment: Mapping[str, str] | None = None,
        changed: Callable[[ProcessInfo], None] = lambda _: None,
    ) -> None:
        """`environment`: `ARENA_*` settings of the services; `changed` hears of each change of a process's state."""
        self._settings = settings
        self._environment = dict(environment or {})
        self._told = changed
        self._folder = DataFolder(settings.data_dir)
        self._held = ExitStack()
        self._places: dict[str, _Place] = {}
        self._kept: dict[str, Supervised] = {}
        self._pool = RoomPool({}, 0, 0)
        self._desk: Desk | None = None
        self._is_announced = False

    async def __aenter__(self) -> Self:
        """Start everything; returns once every process is ready. Raises `LocalError`."""
        with ExitStack() as held:
            held.enter_context(self._folder)
            self._places = {place.name: place for place in _lay_out(self._settings)}
            if self._settings.ports == "fixed":
                ports.check(
                    [
                        port
                        for place in self._places.values()
                        for port in (place.port, place.metrics)
                    ]
                )
            try:
                await self._start()
            except BaseException:
                await self._stop()
                raise
            self._held = held.pop_all()
        return self

    async def __aexit__(self, *_: object) -> None:
        """Stop everything: bots and timer, matchmaking, rooms, NATS."""
        with self._held:
            await self._stop()

    @property
    def nats_url(self) -> str:
        """Where NATS is."""
        return f"nats://{self.processes[NATS].address}"

    @property
    def matchmaking_address(self) -> str:
        """host:port of the service that a client starts with."""
        return self._address(MATCHMAKING)

    @property
    def page_url(self) -> str | None:
        """What people open in a browser; None without an edge."""
        return f"http://{self._address(EDGE)}/" if EDGE in self._places else None

    @property
    def rooms(self) -> dict[str, ProcessInfo]:
        """The rooms as they are now, by name: room-1, room-2..."""
        return {name: info for name, info in self.processes.items() if info.service == ROOM}

    @property
    def processes(self) -> dict[str, ProcessInfo]:
        """All processes as they are now, by name, NATS first; of rooms those that are to run, or run still."""
        return {name: self._describe(name) for name in self._kept if self._is_shown(name)}

    def info(self) -> PlatformInfo:
        """All of it, as other commands find it in the data folder."""
        return PlatformInfo(
            pid=os.getpid(),
            data_dir=str(self._folder.path),
            nats_url=self.nats_url,
            matchmaking_address=self.matchmaking_address,
            page_url=self.page_url,
            processes=tuple(self.processes.values()),
        )

    async def kill(self, name: str) -> None:
        """Kill a process outright and wait until it is dead. It is started anew."""
        await self._kept[name].kill()

    def send(self, name: str, number: signal.Signals) -> None:
        """Send a process a signal, such as SIGSTOP to let it hang."""
        self._kept[name].send(number)

    async def stop(self, name: str) -> None:
        """Stop a process in order and keep it stopped."""
        await self._kept[name].stop(self._stop_seconds)

    def start(self, name: str) -> None:
        """Have a stopped process run again."""
        self._kept[name].start()

    async def restart(self, name: str) -> None:
        """Stop a process in order, start it again, wait until it is ready."""
        await self.stop(name)
        self.start(name)
        await self.wait_ready(name)

    async def wait_ready(self, name: str) -> None:
        """Wait until a process is ready. Raises `ProcessFailedError`."""
        await self._kept[name].wait_ready(self._settings.ready_seconds)

    @property
    def _stop_seconds(self) -> float:
        return self._settings.grace_seconds + _GRACE_MARGIN_SECONDS

    def _is_shown(self, name: str) -> bool:
        return self._places[name].service != ROOM or self._pool.is_shown(name)

    async def _start(self) -> None:
        for name, spec in self._specs().items():
            self._kept[name] = Supervised(spec, self._changed)
        rooms = {name: self._kept[name] for name in self._names(ROOM)}
        self._pool = RoomPool(rooms, self._settings.rooms.floor, self._stop_seconds)
        if FLEET in self._places:
            self._desk = await Desk(self._pool).open()
            self._kept[FLEET] = Supervised(self._fleet_spec(self._desk), self._changed)
        self.start(NATS)
        await self.wait_ready(NATS)
        services = [name for name in self.processes if name != NATS]
        for name in services:
            self.start(name)
        await self._wait_all(services)
        self._is_announced = True
        self.info().write(self._folder)

    async def _wait_all(self, names: Sequence[str]) -> None:
        try:
            async with asyncio.TaskGroup() as tasks:
                for name in names:
                    tasks.create_task(self.wait_ready(name), name=f"wait for {name}")
        except ExceptionGroup as group:
            raise group.exceptions[0] from None

    async def _stop(self) -> None:
        self._is_announced = False
        self._folder.info.unlink(missing_ok=True)
        if self._desk is not None:
            self._desk.close()
        await self._pool.settle()
        for service in _STOP_ORDER:
            names = [name for name in self._names(service) if name in self._kept]
            await asyncio.gather(*(self.stop(name) for name in names))

    def _names(self, service: str) -> list[str]:
        return [name for name, place in self._places.items() if place.service == service]

    def _nats(self) -> NatsConfig:
        return NatsConfig(
            self._places[NATS].port.number,
            self._places[NATS].metrics.number,
            logins=tuple(self._folder.nats_login(user.name) for user in nats_users.USERS),
        )

    def _specs(self) -> dict[str, ProcessSpec]:
        """How to run everything but the fleet."""
        specs = {NATS: nats_server.spec(self._nats(), self._folder)}
        for place in self._places.values():
            if place.service == EDGE:
                specs[place.name] = self._service(place, self._edge_environment(), "ready")
            elif place.service not in {NATS, FLEET}:
                specs[place.name] = self._service(place, self._common(place.service), "readyz")
        return specs

    def _fleet_spec(self, desk: Desk) -> ProcessSpec:
        environment = {
            "ARENA_FLEET_FLOOR": str(self._settings.rooms.floor),
            "ARENA_FLEET_CEILING": str(self._settings.rooms.ceiling),
            "ARENA_FLEET_MACHINE": desk.address,
            "ARENA_FLEET_MACHINE_KEY": desk.key,
            "ARENA_FLEET_NATS_PAGES": f"{HOST}:{self._places[NATS].metrics.number}",
            **self._common(FLEET),
        }
        return self._service(self._places[FLEET], environment, "readyz")

    def _common(self, service: str) -> dict[str, str]:
        """What every service is told."""
        login = self._folder.nats_login(service)
        return {
            "ARENA_NATS_USER": login.user,
            "ARENA_NATS_PASSWORD": login.password,
            "ARENA_NATS_URL": self._nats().url,
            "ARENA_TOKEN_KEY": self._folder.token_key(),
            "ARENA_GRACE_SECONDS": str(self._settings.grace_seconds),
            **self._environment,
        }

    def _edge_environment(self) -> dict[str, str]:
        return {
            "ARENA_MATCHMAKING_ADDRESSES": self._address(MATCHMAKING),
            # Those too that do not run yet: the edge asks each whether it is well.
            "ARENA_ROOM_ADDRESSES": ",".join(map(self._address, self._names(ROOM))),
            "ARENA_PAGE_DIR": str(self._settings.page_dir.absolute()),
            **self._environment,
        }

    def _address(self, name: str) -> str:
        return f"{HOST}:{self._places[name].port.number}"

    def _service(self, place: _Place, common: Mapping[str, str], ready: str) -> ProcessSpec:
        metrics = f"{HOST}:{place.metrics.number}"
        return ProcessSpec(
            name=place.name,
            command=(sys.executable, "-m", f"arena_services.{place.service}"),
            ready_url=f"http://{metrics}/{ready}",
            log=self._folder.log(place.name),
            environment={
                **common,
                "ARENA_INSTANCE": place.name,
                "ARENA_LISTEN": f"{HOST}:{place.port.number}",
                "ARENA_METRICS_LISTEN": metrics,
            },
        )

    def _changed(self, kept: Supervised) -> None:
        self._told(self._describe(kept.spec.name))
        if self._is_announced:
            with suppress(OSError):  # a full disk must not keep what dies from being started anew
                self.info().write(self._folder)

    def _describe(self, name: str) -> ProcessInfo:
        place, kept = self._places[name], self._kept[name]
        metrics = f"http://{HOST}:{place.metrics.number}"
        pages = {NATS: "", EDGE: "/stats/prometheus"}
        return ProcessInfo(
            name=name,
            service=place.service,
            state=kept.state,
            address=self._address(name),
            metrics=metrics + pages.get(name, "/metrics"),
            pid=kept.pid,
            restarts=kept.restarts,
            last_failure=str(kept.last_failure) if kept.last_failure else None,
            log=str(kept.spec.log),
        )


def _lay_out(settings: PlatformSettings) -> Iterator[_Place]:
    """Every process with its ports."""
    services = [
        (NATS, NATS, settings.nats_port, "ARENA_NATS_PORT"),
        (MATCHMAKING, MATCHMAKING, settings.matchmaking_port, "ARENA_MATCHMAKING_PORT"),
        ("bot", "bot", settings.bot_port, "ARENA_BOT_PORT"),
        ("timer", "timer", settings.timer_port, "ARENA_TIMER_PORT"),
    ]
    services += [
        (f"room-{number + 1}", ROOM, settings.room_port + number, "ARENA_ROOM_PORT")
        for number in range(settings.rooms.ceiling)
    ]
    if settings.edge:
        services.append((EDGE, EDGE, settings.edge_port, "ARENA_EDGE_PORT"))
    if not settings.rooms.is_fixed:
        services.append((FLEET, FLEET, settings.fleet_port, "ARENA_FLEET_PORT"))
    free = iter(ports.find_free(2 * len(services)) if settings.ports == "auto" else ())
    for index, (name, service, number, setting) in enumerate(services):
        metrics, metrics_setting = settings.metrics_port + index - 1, "ARENA_METRICS_PORT"
        if name == NATS:
            metrics, metrics_setting = settings.nats_monitor_port, "ARENA_NATS_MONITOR_PORT"
        yield _Place(
            name,
            service,
            Port(next(free, number), name, setting),
            Port(next(free, metrics), f"{name} (monitoring)", metrics_setting),
        )
