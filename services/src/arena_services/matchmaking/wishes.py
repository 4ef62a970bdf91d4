"""What a player asks a queue for, checked: the way from a request to a ticket."""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Final

from arena.matchmaking.v1.matchmaking_service_pb2 import CreateTicketRequest
from arena_engine.errors import OptionsError
from arena_services.common import games
from arena_services.common.errors import (
    FailedPreconditionError,
    InvalidArgumentError,
    NotFoundError,
)
from arena_services.matchmaking.config import LONGEST_BOT_WAIT_MS
from arena_services.matchmaking.tickets import Queue

LONGEST_REQUEST_ID: Final = 64
_TABLE = re.compile(r"[A-Za-z0-9-]{6,64}")
_BOT_LEVEL = re.compile(r"[a-z0-9_-]{0,32}")


@dataclass(frozen=True)
class Wish:
    """A checked wish for a match."""

    request_id: str
    request_hash: str
    queue: Queue
    bot_wait_ms: int | None
    bot_level: str


def read(request: CreateTicketRequest, default_bot_wait_ms: int, seated: Queue | None) -> Wish:
    """The wish of a request. `seated`: what those wait for who sit at its private table, None where nobody does.

    Raises `InvalidArgumentError` for what could never become a match, and for a table `NotFoundError` or
    `FailedPreconditionError`.
    """
    return Wish(
        request_id=_request_id(request.request_id),
        request_hash=_hash(request),
        queue=_table(request, seated) if request.table else _queue(request),
        bot_wait_ms=_bot_wait_ms(request, None if request.table else default_bot_wait_ms),
        bot_level=_bot_level(request.bot_level),
    )


def _table(request: CreateTicketRequest, seated: Queue | None) -> Queue:
    if not _TABLE.fullmatch(request.table):
        raise InvalidArgumentError(
            "BAD_TABLE",
            f"The table is {request.table[:70]!r}; a code has 6 to 64 letters, digits and hyphens.",
        )
    if not request.game:
        if seated is None:
            raise NotFoundError(
                "UNKNOWN_TABLE",
                f"Nobody sits at table {request.table}; the match has begun, or all have left. "
                "Name a game to open the table again.",
            )
        return seated
    wanted = _queue(request)
    if seated is not None and seated != wanted:
        raise FailedPreconditionError(
            "TABLE_DIFFERS",
            f"Those at table {request.table} wait for another match of {seated.game}; "
            "join them without naming a game, or open another table.",
        )
    return wanted


def _queue(request: CreateTicketRequest) -> Queue:
    hosted = games.find(request.game)
    game = hosted.game
    if not game.min_players <= request.players <= game.max_players:
        raise InvalidArgumentError(
            "PLAYERS_OUT_OF_RANGE",
            f"{game.title} is for {game.min_players} to {game.max_players} players; "
            f"the request asks for {request.players}.",
        )
    try:
        options = game.check_options(_options(request, hosted), request.players)
    except OptionsError as error:
        raise InvalidArgumentError("BAD_OPTIONS", str(error)) from error
    message = games.wrap(hosted.options.encode(options))
    data = message.SerializeToString(deterministic=True)
    return Queue(game.name, request.players, data, request.table)


def _options(request: CreateTicketRequest, hosted: games.HostedGame) -> Any:
    """The options asked for, as the game's dataclass."""
    if not request.HasField("options"):
        return hosted.game.default_options()
    return games.unwrap(request.options, hosted.options, "options")


def _request_id(request_id: str) -> str:
    if not 1 <= len(request_id) <= LONGEST_REQUEST_ID:
        raise InvalidArgumentError(
            "BAD_REQUEST_ID",
            f"The request_id has {len(request_id)} characters; give a random one of 1 to "
            f"{LONGEST_REQUEST_ID}, the same for repeats of the same wish.",
        )
    return request_id


def _bot_wait_ms(request: CreateTicketRequest, default: int | None) -> int | None:
    if not request.HasField("bot_wait_ms"):
        return default
    if not 0 <= request.bot_wait_ms <= LONGEST_BOT_WAIT_MS:
        raise InvalidArgumentError(
            "BAD_BOT_WAIT",
            f"bot_wait_ms is {request.bot_wait_ms}; it can be 0 (bots at once) to "
            f"{LONGEST_BOT_WAIT_MS}.",
        )
    return request.bot_wait_ms


def _bot_level(level: str) -> str:
    if not _BOT_LEVEL.fullmatch(level):
        raise InvalidArgumentError(
            "BAD_BOT_LEVEL",
            f"bot_level is {level[:40]!r}; it can have up to 32 of a-z, 0-9, '_' and '-'.",
        )
    return level


def _hash(request: CreateTicketRequest) -> str:
    data = request.SerializeToString(deterministic=True)
    return blake2b(data, digest_size=16, person=b"arena-ticket").hexdigest()
