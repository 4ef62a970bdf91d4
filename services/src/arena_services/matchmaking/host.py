"""Asks rooms to host matches, until one does or none will."""

from __future__ import annotations

from dataclasses import dataclass

import grpc
from google.protobuf.any_pb2 import Any as AnyMessage

from arena.log.v1.entry_pb2 import Player
from arena.room.v1.room_control_service_pb2 import CreateMatchRequest, CreateMatchResponse
from arena.room.v1.room_control_service_pb2_grpc import RoomControlServiceStub
from arena_services.common import games, logs, tracing
from arena_services.common.auth import Metadata
from arena_services.common.cancellation import check_cancelled
from arena_services.common.channels import Channels
from arena_services.common.lease import Lease
from arena_services.common.pauses import Pauses
from arena_services.common.players import Players
from arena_services.common.roster import Beat, Roster
from arena_services.common.rpc import reason_of
from arena_services.matchmaking import metrics
from arena_services.matchmaking.tickets import Plan, Queue

_CALL_SECONDS = 5.0
_FIRST_PAUSE_SECONDS = 0.1
_LONGEST_PAUSE_SECONDS = 2.0
#: The room may have stored the match or not: only a repeat tells.
_UNKNOWN_OUTCOME = frozenset(
    {
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.DEADLINE_EXCEEDED,
        grpc.StatusCode.CANCELLED,
        grpc.StatusCode.ABORTED,
    }
)
#: What any other room would answer as well.
_FINAL = frozenset({grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.ALREADY_EXISTS})

_log = logs.get()


class RefusedError(Exception):
    """No room will host this match. `reason` is machine-readable."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


@dataclass(frozen=True)
class Hosted:
    """A match that a room hosts."""

    room_id: str
    seats: dict[str, int]
    """By player id."""


class Host:
    """Places matches in rooms, the emptiest first."""

    def __init__(
        self, roster: Roster, channels: Channels, players: Players, metadata: Metadata
    ) -> None:
        self._roster = roster
        self._channels = channels
        self._players = players
        self._metadata = metadata
        self._load = _Load()

    def rooms(self, game: str) -> list[Beat]:
        """The rooms that can host a match of this game, the emptiest first."""
        rules_version = games.find(game).game.rules_version
        able = [room for room in self._roster.serving() if room.can_play(game, rules_version)]
        return sorted(able, key=self._load.of)

    async def addresses(self, room_id: str) -> list[str]:
        """Where clients reach rooms, the one given first; waits until a room is known."""
        await self._roster.wait_for_any()
        rooms = sorted(self._roster.serving(), key=lambda room: room.room_id != room_id)
        return [room.public_address for room in rooms]

    async def create(self, queue: Queue, plan: Plan, lease: Lease) -> Hosted:
        """Have a planned match hosted; repeats until the outcome is known.

        Raises `RefusedError`, `LeaseLostError`, `UnavailableError`.
        """
        await self._players.store({bot.player_id: bot.name for bot in plan.bots})
        request = _request(queue, plan)
        pauses = Pauses(_FIRST_PAUSE_SECONDS, _LONGEST_PAUSE_SECONDS)
        while True:
            check_cancelled()
            hosted = await self._ask_each(request, lease)
            if hosted is not None:
                return hosted
            await pauses.wait()

    async def _ask_each(self, request: CreateMatchRequest, lease: Lease) -> Hosted | None:
        """Ask every room once. None: ask again later. Raises `RefusedError` when all have refused for good."""
        refusal: RefusedError | None = None
        is_unknown = False
        for room in self.rooms(request.game):
            lease.check()
            self._load.add(room)
            try:
                response = await self._ask(room, request)
            except grpc.aio.AioRpcError as error:
                _log.warning(
                    "room did not host a match",
                    match_id=request.match_id,
                    room_id=room.room_id,
                    code=error.code().name,
                    error=error.details(),
                )
                metrics.HOST_CALLS.labels(error.code().name).inc()
                refusal = RefusedError(reason_of(error) or error.code().name, error.details() or "")
                if error.code() in _FINAL:
                    raise refusal from error
                is_unknown = is_unknown or error.code() in _UNKNOWN_OUTCOME
            else:
                metrics.HOST_CALLS.labels("OK").inc()
                return _hosted(room, request, response)
        if refusal is not None and not is_unknown:
            raise refusal
        return None

    async def _ask(self, room: Beat, request: CreateMatchRequest) -> CreateMatchResponse:
        stub = RoomControlServiceStub(self._channels.to(room.address))
        with tracing.span("create match", None, tracing.Kind.CLIENT, room.room_id):
            metadata = tracing.carried(self._metadata)
            return await stub.CreateMatch(request, metadata=metadata, timeout=_CALL_SECONDS)


class _Load:
    """How full rooms are: their last beat, and what they were given since."""

    def __init__(self) -> None:
        self._given: dict[str, tuple[Beat, int]] = {}

    def of(self, room: Beat) -> int:
        """Matches."""
        return room.matches + self._since(room)

    def add(self, room: Beat) -> None:
        """One more is being given to it."""
        self._given[room.room_id] = (room, self._since(room) + 1)

    def _since(self, room: Beat) -> int:
        beat, given = self._given.get(room.room_id, (room, 0))
        return given if beat is room else 0


def _request(queue: Queue, plan: Plan) -> CreateMatchRequest:
    players = [Player(player_id=player_id) for player_id in plan.people]
    players += [
        Player(player_id=bot.player_id, is_bot=True, bot_level=plan.bot_level) for bot in plan.bots
    ]
    return CreateMatchRequest(
        match_id=plan.match_id,
        game=queue.game,
        options=AnyMessage.FromString(queue.options),
        players=players,
    )


def _hosted(room: Beat, request: CreateMatchRequest, response: CreateMatchResponse) -> Hosted:
    seats = {player_id: seat for seat, player_id in enumerate(response.player_ids)}
    if seats.keys() != {player.player_id for player in request.players}:
        raise RefusedError("INTERNAL", f"{room.room_id} seated others: {list(seats)}")
    return Hosted(room.room_id, seats)
