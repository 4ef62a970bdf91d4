"""A TCP proxy in front of NATS that can hold answers back and cut connections."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Self


class Proxy:
    """`async with Proxy(port) as proxy: ... proxy.url`."""

    def __init__(self, target_port: int) -> None:
        self._target_port = target_port
        self._answers_flow = asyncio.Event()
        self._answers_flow.set()
        self._port = 0
        self._writers: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server | None = None

    async def __aenter__(self) -> Self:
        await self.mend()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.cut()

    @property
    def url(self) -> str:
        """Where clients connect."""
        return f"nats://127.0.0.1:{self._port}"

    def hold_answers(self) -> None:
        """What NATS says stays here; what it is asked still arrives there."""
        self._answers_flow.clear()

    def pass_answers(self) -> None:
        """Let through what was held back."""
        self._answers_flow.set()

    async def cut(self) -> None:
        """Break all connections and take no new ones; what was held back is lost."""
        if self._server is not None:
            self._server.close()
            self._server = None
        writers, self._writers = self._writers, set()
        for writer in writers:
            writer.transport.abort()
        self._answers_flow.set()
        for writer in writers:
            with suppress(OSError):
                await writer.wait_closed()

    async def mend(self) -> None:
        """Take connections again."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", self._port)
        self._port = self._server.sockets[0].getsockname()[1]

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, out = await asyncio.open_connection("127.0.0.1", self._target_port)
        self._writers |= {writer, out}
        with suppress(ConnectionError, OSError):
            await asyncio.gather(
                self._pump(reader, out, None), self._pump(there, writer, self._answers_flow)
            )

    async def _pump(
        self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, gate: asyncio.Event | None
    ) -> None:
        while data := await source.read(65536):
            if gate is not None:
                await gate.wait()
            sink.write(data)
            await sink.drain()
        sink.close()
