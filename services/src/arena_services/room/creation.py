"""Makes a match: checks what is asked, writes the first entry."""

from __future__ import annotations

import os
import secrets
from contextlib import AbstractAsyncContextManager
from hashlib import blake2b

from google.protobuf.any_pb2 import Any as AnyMessage
from pydantic import SecretStr

from arena.log.v1.entry_pb2 import Created, Entry, Player
from arena.room.v1.room_control_service_pb2 import CreateMatchRequest
from arena_engine.errors import OptionsError
from arena_services.common import games
from arena_services.common.clock import now_ms
from arena_services.common.errors import AlreadyExistsError, InvalidArgumentError
from arena_services.common.games import HostedGame
from arena_services.common.log.errors import FencedError
from arena_services.common.log.fold import Fold
from arena_services.common.log.reader import LogReader
from arena_services.common.log.subjects import is_match_id
from arena_services.common.log.writer import LogWriter
from arena_services.room.archive import Archive
from arena_services.room.takeover import Loaded
from arena_services.room.updates import Feed

_SECRET_BYTES = 32
_LONGEST_ID = 64
FIRST_EPOCH = 1


def draw_secret(test_secrets: SecretStr | None = None) -> bytes:
    """A secret for a match that nobody can guess; the same one each time where tests say what it is made of."""
    if test_secrets is None:
        return secrets.token_bytes(_SECRET_BYTES)
    text = test_secrets.get_secret_value().encode()
    return blake2b(text, digest_size=_SECRET_BYTES).digest()


async def create(
    reader: LogReader,
    archive: Archive,
    request: CreateMatchRequest,
    secret: bytes,
    announcing: AbstractAsyncContextManager[None],
) -> tuple[Loaded, LogWriter] | Created:
    """Append a match's first entry; what was created before, if this was a repeat of that.

    `announcing` is entered for the append: others may hear of the match before its maker knows that it is stored.
    Raises `InvalidArgumentError`, `AlreadyExistsError`, `LogFullError`.
    """
    created = _created(request, secret)
    entry = Entry(
        sequence=1, time_ms=now_ms(), epoch=FIRST_EPOCH, append_id=os.urandom(16), created=created
    )
    fold, events = Fold.begin(request.match_id, entry)
    entry.state_hash = fold.state.state_hash()
    writer = LogWriter(reader, request.match_id, 0)
    try:
        async with announcing:
            await writer.append(
                entry.SerializeToString(),
                fold.headers(entry).to_nats(),
                entry.epoch,
                entry.append_id,
            )
    except FencedError:
        return await _earlier(archive, request.match_id, created)
    feed = Feed()
    feed.keep(feed.make(fold, events, 0))
    return Loaded(fold, feed), writer


async def _earlier(archive: Archive, match_id: str, wanted: Created) -> Created:
    """What was created under this id, if it is what is wanted now."""
    origin = await archive.origin(match_id)
    if origin is None or _content(origin.created) != _content(wanted):
        raise AlreadyExistsError(
            "MATCH_EXISTS", f"Match {match_id} exists already, with another content."
        )
    return origin.created


def _content(created: Created) -> tuple[str, int, bytes, list[bytes]]:
    """What the caller chose, without what was drawn."""
    players = sorted(player.SerializeToString(deterministic=True) for player in created.players)
    return created.game, created.rules_version, created.options.value, players


def _created(request: CreateMatchRequest, secret: bytes) -> Created:
    if not is_match_id(request.match_id):
        raise InvalidArgumentError(
            "BAD_MATCH_ID",
            f"{request.match_id[:40]!r} is no match id: 26 characters of a-z and 2-7.",
        )
    hosted = games.find(request.game)
    _check_players(request)
    order = hosted.game.seat_order(len(request.players), secret)
    return Created(
        game=hosted.game.name,
        rules_version=hosted.game.rules_version,
        options=_options(hosted, request),
        players=[request.players[index] for index in order],
        secret=secret,
    )


def _options(hosted: HostedGame, request: CreateMatchRequest) -> AnyMessage:
    game = hosted.game
    options = (
        games.unwrap(request.options, hosted.options, "options")
        if request.HasField("options")
        else game.default_options()
    )
    count = len(request.players)
    if not game.min_players <= count <= game.max_players:
        raise InvalidArgumentError(
            "BAD_PLAYER_COUNT",
            f"{game.title} is for {game.min_players} to {game.max_players} players; {count} were given.",
        )
    try:
        checked = game.check_options(options, count)
    except OptionsError as error:
        raise InvalidArgumentError("BAD_OPTIONS", str(error)) from error
    return games.wrap(hosted.options.encode(checked))


def _check_players(request: CreateMatchRequest) -> None:
    ids = [player.player_id for player in request.players]
    if not all(0 < len(each) <= _LONGEST_ID for each in ids) or len(set(ids)) < len(ids):
        raise InvalidArgumentError(
            "BAD_PLAYERS", f"Players need ids of 1 to {_LONGEST_ID} characters, each another one."
        )


def player_ids(players: tuple[Player, ...]) -> list[str]:
    """Player ids by seat."""
    return [player.player_id for player in players]
