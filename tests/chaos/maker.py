"""Makes matches as matchmaking does: asks a room to host one, and another room when that does not answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from types import MappingProxyType
from typing import Any, Self

import grpc

from arena.log.v1.entry_pb2 import Player
from arena.room.v1.room_control_service_pb2 import CreateMatchRequest
from arena.room.v1.room_control_service_pb2_grpc import RoomControlServiceStub
from arena_services.client.errors import LASTING_CODES
from arena_services.common import games
from arena_services.common.auth import Tokens
from arena_services.common.channels import Channels
from arena_services.common.log.subjects import new_match_id
from arena_services.common.pauses import Pauses
from tests.services.running import TOKEN_KEY
from tests.witness.record import MatchRecord

_CREATE_SECONDS = 5.0
_MOST_PLAYERS = 4
_WITH_BOT = 0.3
#: What games are played with beside their defaults: clocks that run.
_OPTIONS: Mapping[str, Sequence[Mapping[str, Any]]] = MappingProxyType(
    {"crowns": ({}, {"turn_seconds": 30}), "singhasan": ({"speed": 2},)}
)


@dataclass(frozen=True)
class Wanted:
    """A match to be made."""

    match_id: str
    request: CreateMatchRequest

    @classmethod
    def draw(cls, people: Sequence[str], rng: Random) -> Self:
        """Any game of this build, for some of these people, perhaps with a bot."""
        match_id = new_match_id()
        hosted = rng.choice(games.hosted())
        game = hosted.game
        count = rng.randint(game.min_players, min(_MOST_PLAYERS, game.max_players))
        chosen = replace(game.default_options(), **rng.choice(_OPTIONS.get(game.name, ({},))))
        seats = [Player(player_id=each) for each in rng.sample(list(people), count)]
        if rng.random() < _WITH_BOT:
            seats[0] = Player(player_id=f"bot-{match_id}", is_bot=True)
        options = games.wrap(hosted.options.encode(game.check_options(chosen, count)))
        request = CreateMatchRequest(
            match_id=match_id, game=game.name, options=options, players=seats
        )
        return cls(match_id, request)


@dataclass(frozen=True)
class Made:
    """A match that was made."""

    record: MatchRecord
    seats: Mapping[str, int]
    """Its people's seats, by player id."""


class Maker:
    """Asks rooms, by name and address, for matches."""

    def __init__(self, rooms: Mapping[str, str], channels: Channels) -> None:
        self._rooms = rooms
        self._channels = channels
        self._metadata = Tokens(TOKEN_KEY).service_metadata("chaos")

    async def make(self, wanted: Wanted, rng: Random) -> Made:
        """Ask until a room has made it, always for the same match. Raises `AioRpcError` for what cannot pass."""
        pauses = Pauses(0.1, 1.0)
        asked: set[str] = set()
        while True:
            name, address = rng.choice(list(self._rooms.items()))
            asked.add(name)
            stub = RoomControlServiceStub(self._channels.to(address))
            try:
                made = await stub.CreateMatch(
                    wanted.request, metadata=self._metadata, timeout=_CREATE_SECONDS
                )
            except grpc.aio.AioRpcError as error:
                if error.code() in LASTING_CODES:
                    raise
                await pauses.wait()
                continue
            record = MatchRecord(
                wanted.match_id, wanted.request.game, name if len(asked) == 1 else None
            )
            people = {player.player_id for player in wanted.request.players if not player.is_bot}
            seats = {each: seat for seat, each in enumerate(made.player_ids) if each in people}
            return Made(record, seats)
