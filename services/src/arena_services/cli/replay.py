"""`arena replay`: a stored match, folded again from its log; with --verify every position is held against its hash."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from nats.aio.client import Client
from rich.console import Console

from arena.log.v1.entry_pb2 import Entry, Player
from arena_services.cli import elsewhere, errors
from arena_services.cli.errors import CliError, UsageError
from arena_services.cli.evidence import entries_known
from arena_services.cli.options import shown
from arena_services.common import config, games, logs
from arena_services.common.log.errors import CorruptLogError
from arena_services.common.log.fold import Fold, fold_entry
from arena_services.common.log.reader import LogReader, Stored
from arena_services.common.log.streams import stored_partitions
from arena_services.common.log.subjects import is_match_id
from arena_services.common.nats import Login, connected
from arena_services.common.players import Players
from arena_services.local.data_folder import DataFolder
from arena_services.local.info import find_running
from arena_services.local.nats_server import NatsServer
from arena_services.local.nats_users import OPERATOR
from arena_services.local.settings import PlatformSettings

_CONNECT_SECONDS = 5.0


def command(
    match_id: Annotated[str, typer.Argument(metavar="MATCH", help="The match's id.")],
    verify: Annotated[
        bool, typer.Option("--verify", help="Compare every position with its stored hash.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Show a stored match again, folded from its log.

    Reads it from the NATS that ARENA_NATS_URL names; without, from the data folder, through the platform that runs on
    it, or by starting NATS alone for the time it takes. Exits 1 where a position differs from what was stored.
    """
    with errors.reported():
        if not is_match_id(match_id):
            raise UsageError(
                f"{match_id!r} is no match id: those are 26 characters of a-z and 2-7, as demo and play print them."
            )
        logs.set_up("arena", "cli", "auto", "error")
        report = asyncio.run(_replay(match_id, verify, Console(stderr=as_json)))
        if as_json:
            print(json.dumps(report))
        if report["problem"]:
            raise CliError(report["problem"])


async def _replay(match_id: str, is_verified: bool, console: Console) -> dict[str, Any]:
    start = time.perf_counter()
    async with _connected() as (nats, place):
        stored = await _read(nats, match_id, place)
        names = await _names(nats, stored[0].entry.created.players)
        known = await entries_known(nats, match_id, stored)
    telling = _Replay(match_id, names, is_verified, console)
    telling.run([each.entry for each in stored], is_over=bool(stored[-1].headers.result))
    telling.compare_length(known)
    return telling.report(time.perf_counter() - start)


@asynccontextmanager
async def _connected() -> AsyncIterator[tuple[Client, str]]:
    """A connection to the NATS that holds the logs, and where that is, for messages."""
    access = elsewhere.find_nats()
    if access is not None:
        async with elsewhere.nats_of(access, "arena-replay") as client:
            yield client, f"at {access.nats_url}"
        return
    data_dir = config.load(PlatformSettings).data_dir
    async with _of_folder(data_dir) as client:
        yield client, f"in {data_dir}"


@asynccontextmanager
async def _of_folder(data_dir: Path) -> AsyncIterator[Client]:
    """A connection to the NATS that holds the data folder's logs, started where none runs."""
    running = find_running(data_dir)
    if running is not None:
        login = DataFolder(data_dir).nats_login(OPERATOR)
        async with _client(running.nats_url, login) as client:
            yield client
        return
    if not (data_dir / "nats").is_dir():
        raise CliError(
            f"Nothing was ever stored in {data_dir}; set ARENA_DATA_DIR to the folder of the platform "
            "that hosted the match."
        )
    async with NatsServer(data_dir) as server, _client(server.url) as client:
        yield client


def _client(url: str, login: Login | None = None) -> AbstractAsyncContextManager[Client]:
    return connected(url, "arena-replay", _CONNECT_SECONDS, login)


async def _read(nats: Client, match_id: str, place: str) -> list[Stored]:
    partitions = await stored_partitions(nats.jetstream())
    reader = LogReader(nats, partitions or 1)
    tail = await reader.tail(match_id) if partitions else None
    if tail is None:
        raise CliError(
            f"There is no match {match_id} {place}; compare the id, or set ARENA_DATA_DIR to the folder of the "
            "platform that hosted it, or ARENA_NATS_URL where that runs elsewhere."
        )
    return await reader.read(match_id, tail.stream_sequence)


async def _names(nats: Client, players: Iterable[Player]) -> list[str]:
    """What the players are called, by seat."""
    accounts = await Players.open(nats.jetstream(), replicas=1)
    ids = [player.player_id for player in players]
    names = await accounts.names(ids)
    return [names[player_id] for player_id in ids]


class _Replay:
    """Folds a log and tells it."""

    def __init__(
        self, match_id: str, names: Sequence[str], is_verified: bool, console: Console
    ) -> None:
        self._match_id = match_id
        self._names = names
        self._is_verified = is_verified
        self._console = console
        self._fold: Fold | None = None
        self._entries = 0
        self._actions = 0
        self._problem: str | None = None

    def run(self, entries: Sequence[Entry], *, is_over: bool) -> None:
        """Fold all. Hidden things are shown of a match that is over, and of no other."""
        try:
            for entry in entries:
                self._fold, events = fold_entry(self._match_id, self._fold, entry)
                self._entries += 1
                self._actions += entry.WhichOneof("body") == "acted"
                shown_events = events if is_over else self._fold.state.common(events).events
                self._tell(self._fold, entry, shown_events)
                if self._is_verified:
                    self._fold.verify(entry)
        except CorruptLogError as error:
            self._problem = error.message

    def compare_length(self, known: int) -> None:
        """Note where a log is shorter than is known from elsewhere."""
        if self._problem is None and self._entries < known:
            self._problem = (
                f"The log of match {self._match_id} has lost its end: it holds {self._entries} entries, and {known} "
                "were stored."
            )

    def _tell(self, fold: Fold, entry: Entry, events: Iterable[Any]) -> None:
        if entry.sequence == 1:
            self._introduce(fold)
        table = fold.hosted.game.table
        lines = [line for event in events if (line := table.tell(event, self._names))]
        if entry.WhichOneof("body") == "claimed":
            lines.insert(0, f"-- {entry.claimed.room_id} took the match over")
        if entry.WhichOneof("body") == "closed":
            lines.append(f"-- closed: {entry.closed.reason}")
        for line in lines:
            self._say(f"{entry.sequence:5}  {line}")

    def _introduce(self, fold: Fold) -> None:
        options = games.unwrap(fold.options, fold.hosted.options, "options")
        self._say(
            f"match {self._match_id}: {fold.hosted.game.title}, {len(self._names)} players, {shown(options)}"
        )

    def report(self, seconds: float) -> dict[str, Any]:
        """The end of it: shown as text, returned as fields."""
        fold = self._fold
        outcome = fold.state.outcome() if fold else None
        state_hash = fold.state.state_hash().hex() if fold else ""
        if self._problem is None:
            self._say(f"{self._entries} entries, {self._actions} actions, state hash {state_hash}")
            if self._is_verified:
                self._say("verified: every position has the hash that was stored with it")
            if fold and not fold.is_over:
                self._say("the log does not end: the match goes on, or what followed is lost")
        winner = None if outcome is None else outcome.winner
        return {
            "match_id": self._match_id,
            "game": fold.hosted.game.name if fold else None,
            "players": list(self._names),
            "is_over": fold.is_over if fold else False,
            "winner": None if winner is None else self._names[winner],
            "winner_seat": winner,
            "how": (outcome.how if outcome else fold.closed or None) if fold else None,
            "entries": self._entries,
            "actions": self._actions,
            "state_hash": state_hash,
            "verified": self._is_verified and self._problem is None,
            "problem": self._problem,
            "seconds": round(seconds, 3),
        }

    def _say(self, text: str) -> None:
        self._console.print(text, markup=False, highlight=False, soft_wrap=True)
