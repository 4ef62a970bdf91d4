"""A TCP proxy, in front of NATS or a room, that can slow connections down, hold back what they carry, and cut them."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Self

_HOST = "127.0.0.1"


class Proxy:
    """`async with Proxy(port) as proxy: ... proxy.url`, or `proxy.address`."""

    def __init__(self, target_port: int) -> None:
        self.delay_seconds = 0.0
        """How long what arrives here waits, either way, before it is sent on."""
        self.connections = 0
        """How many there were so far."""
        self._target_port = target_port
        self._requests_flow = _open_gate()
        self._answers_flow = _open_gate()
        self._port = 0
        self._writers: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server | None = None

    async def __aenter__(self) -> Self:
        await self.mend()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.cut()

    @property
    def address(self) -> str:
        """Where clients connect, host:port."""
        return f"{_HOST}:{self._port}"

    @property
    def url(self) -> str:
        """Where clients of NATS connect."""
        return f"nats://{self.address}"

    def hold_answers(self) -> None:
        """What the server says stays here; what it is asked still arrives there."""
        self._answers_flow.clear()

    def pass_answers(self) -> None:
        """Let through what was held back."""
        self._answers_flow.set()

    def stall(self) -> None:
        """Nothing gets through either way, though connections stay open."""
        self._requests_flow.clear()
        self._answers_flow.clear()

    def resume(self) -> None:
        """Let everything through again, at once."""
        self.delay_seconds = 0.0
        self._requests_flow.set()
        self._answers_flow.set()

    async def cut(self) -> None:
        """Break all connections and take no new ones; what was held back is lost."""
        if self._server is not None:
            self._server.close()
            self._server = None
        await self.reset()

    async def reset(self) -> None:
        """Break all connections, new ones welcome; what was held back is lost."""
        writers, self._writers = self._writers, set()
        for writer in writers:
            writer.transport.abort()
        self.resume()
        for writer in writers:
            with suppress(OSError):
                await writer.wait_closed()

    async def mend(self) -> None:
        """Take connections again."""
        self._server = await asyncio.start_server(self._serve, _HOST, self._port)
        self._port = self._server.sockets[0].getsockname()[1]

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            there, out = await asyncio.open_connection(_HOST, self._target_port)
        except OSError:
            writer.transport.abort()  # as a server that is not there answers
            return
        pair = {writer, out}
        self._writers |= pair
        try:
            await asyncio.gather(
                self._pump(reader, out, self._requests_flow),
                self._pump(there, writer, self._answers_flow),
            )
        except OSError:
            for each in pair:
                each.transport.abort()
        finally:
            self._writers -= pair

    async def _pump(
        self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, gate: asyncio.Event
    ) -> None:
        while data := await source.read(65536):
            if self.delay_seconds:
                await asyncio.sleep(self.delay_seconds)
            if not gate.is_set():
                await gate.wait()
            sink.write(data)
            await sink.drain()
        sink.close()


def _open_gate() -> asyncio.Event:
    gate = asyncio.Event()
    gate.set()
    return gate
