"""How the test reaches a Service from outside: whatever works of what a cluster may offer, found out by trying.

An address that was given; a load balancer's; a port of the nodes; the pods' own addresses, where the test runs among
them; the Service's name or its virtual address, likewise. Neither port-forward nor exec: not every cluster has them.
Clients meet one local address, a door, behind which pods may come and go.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

from tests.cluster.errors import StepError
from tests.cluster.kube import Kube, Thing, is_ready

_HOST = "127.0.0.1"
_CONNECT_SECONDS = 2.0
_REFRESH_SECONDS = 1.0

Hello = Callable[[str], Awaitable[bool]]
"""Whether what is wanted answers at an address."""


@dataclass(frozen=True)
class Wanted:
    """A Service to be reached."""

    service: str
    port: int
    hello: Hello
    given: str = ""
    """host:port, which decides; or empty."""
    how_to_give: str = ""
    """The setting by which one would be given."""


class Door:
    """A local address that leads to a Service."""

    def __init__(self, kube: Kube, wanted: Wanted) -> None:
        self.way = ""
        """How the Service is reached, in words."""
        self._kube = kube
        self._wanted = wanted
        self._targets: list[str] = []
        self._turns = itertools.count()
        self._links: set[asyncio.Task[None]] = set()
        self._port = 0

    @property
    def address(self) -> str:
        """Where clients connect, host:port."""
        return f"{_HOST}:{self._port}"

    @asynccontextmanager
    async def opened(self, seconds: float) -> AsyncIterator[Door]:
        """Open while the block runs. Raises `StepError` where no way leads there within some seconds."""
        await self._find_way(seconds)
        server = await asyncio.start_server(self._let_in, _HOST, 0)
        self._port = server.sockets[0].getsockname()[1]
        refreshing = asyncio.create_task(self._refresh(), name=f"door-{self._wanted.service}")
        try:
            yield self
        finally:
            server.close()
            for task in (refreshing, *self._links):
                task.cancel()

    async def _find_way(self, seconds: float) -> None:
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        while True:
            ways = await self._ways()
            for way, addresses in ways.items():
                for address in addresses:
                    if await self._wanted.hello(address):
                        self.way, self._targets = way, [address]
                        return
            if loop.time() > until:
                tried = "; ".join(f"{way}: {', '.join(at) or 'none'}" for way, at in ways.items())
                raise StepError(
                    f"{self._wanted.service} answers nowhere ({tried}). Name an address that leads to it: "
                    f"{self._wanted.how_to_give}=host:port"
                )
            await asyncio.sleep(_REFRESH_SECONDS)

    async def _refresh(self) -> None:
        while True:
            with suppress(Exception):  # the API may be away for a while; what is known stays
                self._targets = (await self._ways()).get(self.way) or self._targets
            await asyncio.sleep(_REFRESH_SECONDS)

    async def _ways(self) -> dict[str, list[str]]:
        if self._wanted.given:
            return {"the address given": [self._wanted.given]}
        kube, port = self._kube, self._wanted.port
        service = await kube.find("services", self._wanted.service)
        selector = ",".join(f"{k}={v}" for k, v in service["spec"]["selector"].items())
        pods = await kube.find_all("pods", selector)
        name, virtual = self._wanted.service, service["spec"].get("clusterIP")
        return {
            "a load balancer": [f"{host}:{port}" for host in _balancers(service)],
            "a port of the nodes": list(_node_ports(service, await kube.nodes())),
            "pods' addresses": [f"{p['status']['podIP']}:{port}" for p in pods if is_ready(p)],
            "the Service's name": [f"{name}.{kube.namespace}.svc.cluster.local:{port}"],
            "the Service's address": [f"{virtual}:{port}"]
            if virtual not in {None, "", "None"}
            else [],
        }

    async def _let_in(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._links.add(task)
        try:
            await self._link(reader, writer)
        except (OSError, asyncio.CancelledError):
            pass
        finally:
            writer.transport.abort()
            self._links.discard(task)

    async def _link(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far = await self._connect()
        if far is None:
            return
        far_reader, far_writer = far
        ways = [
            asyncio.create_task(_pour(reader, far_writer), name="door-in"),
            asyncio.create_task(_pour(far_reader, writer), name="door-out"),
        ]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            far_writer.transport.abort()

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter] | None:
        first = next(self._turns)
        for number in range(len(self._targets)):
            address = self._targets[(first + number) % len(self._targets)]
            if (found := await connect(address)) is not None:
                return found
        return None


async def connect(address: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter] | None:
    """A connection to an address, or None."""
    host, _, port = address.rpartition(":")
    try:
        async with asyncio.timeout(_CONNECT_SECONDS):
            return await asyncio.open_connection(host, int(port))
    except (OSError, TimeoutError):
        return None


async def greets(address: str, said: bytes, answer: bytes) -> bool:
    """Whether whoever is at an address answers as it should."""
    if (found := await connect(address)) is None:
        return False
    reader, writer = found
    try:
        async with asyncio.timeout(_CONNECT_SECONDS):
            writer.write(said)
            return (await reader.readline()).startswith(answer)
    except (OSError, TimeoutError):
        return False
    finally:
        writer.transport.abort()


async def is_edge(address: str) -> bool:
    """Whether an edge answers."""
    return await greets(
        address,
        b"GET /healthz HTTP/1.1\r\nHost: edge\r\nConnection: close\r\n\r\n",
        b"HTTP/1.1 200",
    )


async def is_nats(address: str) -> bool:
    """Whether NATS answers."""
    return await greets(address, b"", b"INFO ")


async def _pour(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()


def _balancers(service: Thing) -> Iterator[str]:
    for each in service.get("status", {}).get("loadBalancer", {}).get("ingress") or ():
        if host := each.get("ip") or each.get("hostname"):
            yield host


def _node_ports(service: Thing, nodes: Sequence[Thing]) -> Iterator[str]:
    ports = [each["nodePort"] for each in service["spec"]["ports"] if each.get("nodePort")]
    for node in nodes:
        for each in node.get("status", {}).get("addresses") or ():
            if ports and each["type"] in {"InternalIP", "ExternalIP"}:
                yield f"{each['address']}:{ports[0]}"
