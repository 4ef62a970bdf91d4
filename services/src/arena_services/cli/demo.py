"""`arena demo`: a whole match through every service, watched line by line."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from arena_services.cli import errors, result
from arena_services.cli.options import KEEP_UNKNOWN, find_game, parse_options, shown
from arena_services.cli.owner import OwnerLookup
from arena_services.cli.stage import open_stage, program
from arena_services.client import (
    Account,
    Entrance,
    Lobby,
    Place,
    PlayClient,
    RefusedError,
    Seat,
    Step,
)
from arena_services.common import games
from arena_services.common.cancellation import check_cancelled
from arena_services.common.games import HostedGame
from arena_services.common.nats import connected
from arena_services.local.data_folder import DataFolder
from arena_services.local.nats_users import OPERATOR

CONTEXT_SETTINGS = KEEP_UNKNOWN

#: Where a match is played, in words, by its id.
_Describe = Callable[[str], Awaitable[str]]

_GUEST = "Guest"
_DEFAULT_PLAYERS = 4
_CONNECT_SECONDS = 2.0
#: A refused move whose decision is closed, or whose turn is over: what comes next says what to do.
_OVERTAKEN = frozenset({"DECISION_CLOSED", "NOT_YOUR_TURN", "SEAT_HAS_BOT", "MATCH_FINISHED"})


def command(  # noqa: PLR0913, PLR0917 - the options of a command line
    ctx: typer.Context,
    game: Annotated[str, typer.Argument(help="Which game.")] = games.hosted()[0].game.name,
    players: Annotated[int, typer.Option(help="How many.")] = _DEFAULT_PLAYERS,
    option: Annotated[list[str] | None, typer.Option(help="One of the game's, name=value.")] = None,
    pace: Annotated[int, typer.Option(min=0, help="Milliseconds to think about each move.")] = 0,
    seed: Annotated[int | None, typer.Option(help="Of the guest's choices.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
    server: Annotated[
        str | None,
        typer.Option(help="Play on a platform elsewhere: host:port or https://host[:port]."),
    ] = None,
    ca: Annotated[
        Path | None, typer.Option(help="PEM file of the authority that --server's TLS is by.")
    ] = None,
    server_name: Annotated[
        str | None, typer.Option(help="The name that --server's certificate bears.")
    ] = None,
) -> None:
    """Play a match with bots through the whole platform and show what happens.

    Uses the platform that --server names; without it the one that runs on the data folder, or starts one for the
    match. The game's own options may be given by name, such as --board large.
    """
    with errors.reported():
        hosted, unknown = find_game(game, ctx.args)
        options = parse_options(hosted.game, option or (), unknown)
        options = hosted.game.check_options(options, players)
        console = Console(stderr=as_json, highlight=False, soft_wrap=True)
        match = _Wish(hosted, players, options, pace, Random(seed), console)
        where = _entrance(server, ca, server_name)
        report = asyncio.run(_play_at(where, match) if where else _play_here(match))
        if as_json:
            print(json.dumps(report))


@dataclass(frozen=True)
class _Wish:
    """The match that was asked for."""

    hosted: HostedGame
    players: int
    options: Any
    pace_ms: int
    rng: Random
    console: Console


def _entrance(server: str | None, ca: Path | None, server_name: str | None) -> Entrance | None:
    if server is None:
        if ca or server_name:
            raise errors.UsageError("--ca and --server-name say more about --server; give it too.")
        return None
    try:
        return Entrance.parse(server, ca, server_name)
    except ValueError as error:
        raise errors.UsageError(f"--server: {error}.") from error


async def _play_here(wish: _Wish) -> dict[str, Any]:
    """On the platform of the data folder, where it can be seen which room owns the match."""
    environment = {"ARENA_BOT_THINK_MS": str(wish.pace_ms), "ARENA_BOT_WAIT_MS": "0"}
    async with open_stage(environment) as stage:
        async with Lobby(stage.info.matchmaking_address) as lobby:
            account, place = await _find_match(lobby, wish)
        login = DataFolder(Path(stage.info.data_dir)).nats_login(OPERATOR)
        async with (
            connected(stage.info.nats_url, "arena-demo", _CONNECT_SECONDS, login) as nats,
            PlayClient(place.rooms, account.token) as client,
        ):
            hint = f"verify it with: {program()} replay {place.match_id} --verify"
            return await _play(client, place, wish, OwnerLookup(stage, nats).describe, hint)


async def _play_at(entrance: Entrance, wish: _Wish) -> dict[str, Any]:
    """On a platform of which no more is known than its entrance."""

    async def describe(_: str) -> str:
        return f"at {entrance.address}"

    address = entrance.address
    async with Lobby(address, open_to=entrance.open) as lobby:
        account, place = await _find_match(lobby, wish)
    async with PlayClient([address], account.token, open_to=entrance.open) as client:
        return await _play(client, place, wish, describe)


async def _find_match(lobby: Lobby, wish: _Wish) -> tuple[Account, Place]:
    account = await lobby.sign_in(_GUEST)
    place = await lobby.queue(account, wish.hosted, wish.players, wish.options, bot_wait_ms=0)
    title = wish.hosted.game.title
    wish.console.print(f"{title}, {wish.players} players, {shown(wish.options)}")
    return account, place


async def _play(
    client: PlayClient, place: Place, wish: _Wish, describe: _Describe, hint: str = ""
) -> dict[str, Any]:
    seat = await client.join(place.match_id, place.seat)
    show = _Show(describe, seat, wish.console)
    await show.open(place)
    start = time.monotonic()
    moves = await _play_out(seat, wish.pace_ms / 1000, wish.rng, show.step)
    seconds = time.monotonic() - start
    return show.close(moves, seconds, client.reconnects, hint)


class _Show:
    """What is said about the match while it runs."""

    def __init__(self, describe: _Describe, seat: Seat, console: Console) -> None:
        self._describe = describe
        self._seat = seat
        self._console = console

    async def open(self, place: Place) -> None:
        """The match, its owner, its seats."""
        self._console.print(f"match {place.match_id}, {await self._describe(place.match_id)}")
        for number, holder in enumerate(self._seat.holders):
            kind = "bot" if holder.is_bot else "the guest, played by this command"
            self._console.print(f"  seat {number}: {holder.name} ({kind})")

    async def step(self, step: Step) -> None:
        """One step of the match, as lines."""
        table = step.game.game.table
        lines = [line for event in step.events if (line := table.tell(event, self._seat.names))]
        for line in lines:
            self._console.print(f"{step.sequence:5}  {line}", markup=False)
        if step.update.given_back_ms or (not step.events and not step.is_reset):
            owner = await self._describe(self._seat.match_id)
            pause = step.update.given_back_ms / 1000
            self._console.print(f"{step.sequence:5}  -- {owner}; {pause:.1f} s of pause")

    def close(self, moves: int, seconds: float, reconnects: int, hint: str) -> dict[str, Any]:
        """The result: shown as text, with a hint what to do with it, and returned as fields."""
        outcome = self._seat.latest.update.outcome
        names = self._seat.names
        self._console.print(_result_table(self._seat))
        self._console.print(
            f"[bold]{result.headline(outcome, names)}[/bold] "
            f"{moves} moves in {seconds:.1f} s, {moves / seconds:.0f} moves/s."
        )
        self._console.print(f"match {self._seat.match_id}")
        if hint:
            self._console.print(hint)
        return {
            "match_id": self._seat.match_id,
            "game": self._seat.game.game.name,
            "options": shown(self._seat.options),
            "players": list(names),
            **result.as_json(outcome, names),
            "moves": moves,
            "seconds": round(seconds, 3),
            "moves_per_s": round(moves / seconds, 1),
            "reconnects": reconnects,
        }


def _result_table(seat: Seat) -> Table:
    table = Table("place", "player", "seat")
    outcome = seat.latest.update.outcome
    for number in result.by_place(outcome):
        table.add_row(str(outcome.places[number]), seat.names[number], str(number))
    return table


async def _play_out(
    seat: Seat, pause_seconds: float, rng: Random, show: Callable[[Step], Any]
) -> int:
    """Play a seat to the match's end by the engine's yardstick; returns how many moves the match had.

    Entries in which nothing happened (a room took over) are none; all that came before the first snapshot are.
    """
    quiet, acted_at = 0, 0
    async for step in seat.steps():
        check_cancelled()  # showing asks NATS for the owner
        await show(step)
        quiet += not step.events and not step.is_reset
        # Until its own action is seen, the decision that a seat is shown is the old one.
        if seat.is_up_to_date and _is_asked(seat) and seat.sequence >= acted_at:
            await asyncio.sleep(pause_seconds)
            if _is_asked(seat):  # others act meanwhile: what was asked may be settled
                acted_at = await _move(seat, rng)
    created = 1
    return seat.sequence - created - quiet


def _is_asked(seat: Seat) -> bool:
    return seat.decision is not None and seat.outcome is None


async def _move(seat: Seat, rng: Random) -> int:
    """Act by the engine's yardstick; returns the sequence of that, 0 where the decision was not open any more."""
    latest, game = seat.latest, seat.game.game
    state = game.resample(latest.common, latest.own, seat.number, rng)
    action = state.unpack(game.choose(state, seat.number, rng))
    try:
        acted = await seat.act(action)
    except RefusedError as error:
        is_old = seat.latest is not latest  # what was chosen from is not what is there now
        if not is_old and error.reason not in _OVERTAKEN:
            raise
        return 0
    return acted.sequence
