"""`arena play`: a seat in a match, in the terminal or through pipes."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from random import Random
from typing import Annotated, Any

import typer

from arena.matchmaking.v1.matchmaking_service_pb2 import Ticket
from arena_services.cli import errors
from arena_services.cli.options import KEEP_UNKNOWN, find_game, parse_options, shown
from arena_services.cli.prompt import Prompt, open_prompt
from arena_services.cli.session import Session
from arena_services.cli.stage import open_stage
from arena_services.client import ClientError, Lobby, Place, PlayClient, Seat
from arena_services.common import games
from arena_services.common.games import HostedGame

CONTEXT_SETTINGS = KEEP_UNKNOWN

_BOT_THINK_MS = "400"
_LEAVE_SECONDS = 3.0


def command(
    ctx: typer.Context,
    game: Annotated[str, typer.Argument(help="Which game.")] = games.hosted()[0].game.name,
    players: Annotated[int | None, typer.Option(help="How many; the fewest by default.")] = None,
    name: Annotated[str, typer.Option(help="Your name at the table.")] = "Guest",
    option: Annotated[list[str] | None, typer.Option(help="One of the game's, name=value.")] = None,
    wait: Annotated[
        int | None, typer.Option(min=0, help="Seconds to wait for people before bots fill in.")
    ] = None,
) -> None:
    """Play a match in the terminal.

    Uses the platform that runs on the data folder, or starts one. The game's own options may be given by name, such
    as --board large. Off a terminal, commands are read from standard input, one each time you are to move.
    """
    with errors.reported():
        hosted, unknown = find_game(game, ctx.args)
        count = hosted.game.min_players if players is None else players
        options = parse_options(hosted.game, option or (), unknown)
        options = hosted.game.check_options(options, count)
        asyncio.run(_play(hosted, count, options, name, wait))


async def _play(
    hosted: HostedGame, players: int, options: Any, name: str, wait: int | None
) -> None:
    async with AsyncExitStack() as stack:
        stage = await stack.enter_async_context(open_stage({"ARENA_BOT_THINK_MS": _BOT_THINK_MS}))
        if wait is None and stage.is_own:
            wait = 0  # nobody else can be here
        async with Lobby(stage.info.matchmaking_address) as lobby:
            account = await lobby.sign_in(name)
            print(f"{hosted.game.title}, {players} players, {shown(options)}", flush=True)
            place = await lobby.queue(
                account,
                hosted,
                players,
                options,
                bot_wait_ms=None if wait is None else wait * 1000,
                on_wait=_say_waiting,
            )
        client = await stack.enter_async_context(PlayClient(place.rooms, account.token))
        await _sit_down(client, place)


def _say_waiting(ticket: Ticket) -> None:
    print(
        f"waiting for players: {ticket.people_waiting} here, "
        f"bots fill in within {max(0, ticket.bots_in_ms) / 1000:.0f} s",
        flush=True,
    )


async def _sit_down(client: PlayClient, place: Place) -> None:
    """Join the match and play it until it is over or the player is gone."""
    seat = await client.join(place.match_id, place.seat)
    prompt = open_prompt()
    session = Session(seat, prompt, Random())
    async with prompt:
        session.open()
        try:
            await _run(seat, session, prompt)
        except asyncio.CancelledError:
            await _leave(session)
            raise


async def _run(seat: Seat, session: Session, prompt: Prompt) -> None:
    news = asyncio.Event()
    async with asyncio.TaskGroup() as tasks:
        steps = tasks.create_task(_follow(seat, session, news), name="steps")
        lines = tasks.create_task(_listen(session, prompt, news), name="lines")
        await asyncio.wait((steps, lines), return_when=asyncio.FIRST_COMPLETED)
        steps.cancel()
        lines.cancel()


async def _follow(seat: Seat, session: Session, news: asyncio.Event) -> None:
    async for step in seat.steps():
        await session.take_step(step)
        news.set()


async def _listen(session: Session, prompt: Prompt, news: asyncio.Event) -> None:
    """Hand typed lines to the session. From a pipe a line is read only when there is something to decide."""
    while not session.is_over:
        while not (prompt.is_terminal or session.wants_line):
            news.clear()
            await news.wait()
        line = await prompt.line()
        if line is None:
            await session.give_up_seat()
            return
        await session.take_line(line)


async def _leave(session: Session) -> None:
    """After Ctrl-C: the others are not kept waiting."""
    try:
        async with asyncio.timeout(_LEAVE_SECONDS):
            await session.give_up_seat()
    except (ClientError, TimeoutError):
        return  # the turn clock, where there is one, does the rest
