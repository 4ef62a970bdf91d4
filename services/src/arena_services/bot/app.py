"""Wires the bot service."""

from __future__ import annotations

import asyncio

from arena_services.bot.config import BotSettings
from arena_services.bot.link import Link
from arena_services.bot.peers import Peers
from arena_services.bot.player import Player
from arena_services.bot.thinking import Thinker
from arena_services.common.auth import Role
from arena_services.common.channels import Channels
from arena_services.common.log.header_reader import HeaderReader
from arena_services.common.roster import Roster
from arena_services.common.service import Bindings


async def bind(bindings: Bindings[BotSettings]) -> None:
    """Follow rooms, other bots and the log's headers, and play."""
    settings = bindings.settings
    rooms = Roster()
    await rooms.follow(bindings.nats)
    channels = Channels(settings.tls)
    bindings.closers.push_async_callback(channels.close)
    thinker = Thinker(settings.bot_workers, settings.bot_inline_ms / 1000)

    metadata = bindings.tokens.service_metadata("bot", Role.BOT)
    link = Link(rooms, channels, metadata)
    peers = Peers(bindings.nats, settings.instance)
    player = Player(link.send, peers.is_mine, thinker, settings.bot_think_ms / 1000)
    reader = HeaderReader(
        bindings.nats,
        rooms,
        channels,
        metadata,
        name=f"bot-{settings.instance}",
        partitions=settings.log_partitions,
        deliver=player.take,
    )

    async def follow() -> None:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(link.run(player.opened, player.heard), name="link")
            await peers.settle()
            tasks.create_task(peers.run(lambda: link.is_up, player.review), name="peers")
            tasks.create_task(reader.run(), name="headers")

    async def play() -> None:
        try:
            await player.run(follow)
        finally:
            await thinker.close()

    bindings.tasks.create_task(play(), name="player")
    bindings.on_drain.append(peers.leave)
