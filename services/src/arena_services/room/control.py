"""What the other services ask of rooms."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from functools import partial
from typing import Any, cast

from nats.errors import Error as NatsError
from nats.js import JetStreamContext
from nats.js.api import AckPolicy, ConsumerConfig, DeliverPolicy

from arena.log.v1.entry_pb2 import Created
from arena.room.v1.room_control_service_pb2 import (
    CreateMatchRequest,
    CreateMatchResponse,
    ExpireManyRequest,
    ExpireManyResponse,
    ExpireRequest,
    ExpireResponse,
    ExpireResult,
    LoseMatchesRequest,
    LoseMatchesResponse,
    OpenHeaderReaderRequest,
    OpenHeaderReaderResponse,
)
from arena.room.v1.room_control_service_pb2_grpc import RoomControlServiceServicer
from arena_services.common.auth import Role, Tokens
from arena_services.common.channels import Channels
from arena_services.common.clock import now_ms
from arena_services.common.errors import InvalidArgumentError
from arena_services.common.log.errors import LogUnavailableError
from arena_services.common.log.subjects import stream_of, subjects_of
from arena_services.common.owners import Reign
from arena_services.common.roster import Beat
from arena_services.common.rpc import as_arena_error
from arena_services.room.commands import Expire
from arena_services.room.creation import create, player_ids
from arena_services.room.errors import SlowAnswerError, error_message
from arena_services.room.forwarding import CONTROL_SERVICE, forward, is_forwarded, onward
from arena_services.room.hall import Hall
from arena_services.room.match import Match
from arena_services.room.routing import answer, ask

_READER_NAME = re.compile(r"[a-z0-9-]{1,64}")
_FORGET_READER_SECONDS = 60.0
MOST_EXPIRIES = 256
_EXPIRY_SECONDS = 3.0


def header_consumer(reader: str, partition: int) -> tuple[str, ConsumerConfig]:
    """The consumer, and its name, by which a reader sees the headers of a partition and nothing more."""
    name = f"headers-{reader}-{partition}"
    return name, ConsumerConfig(
        name=name,
        durable_name=name,
        deliver_policy=DeliverPolicy.LAST_PER_SUBJECT,
        filter_subject=subjects_of(partition),
        ack_policy=AckPolicy.NONE,
        headers_only=True,
        inactive_threshold=_FORGET_READER_SECONDS,
        mem_storage=True,
        num_replicas=1,
    )


class RoomControlServicer(RoomControlServiceServicer):
    """Serves `arena.room.v1.RoomControlService`."""

    def __init__(
        self,
        hall: Hall,
        channels: Channels,
        tokens: Tokens,
        js: JetStreamContext,
        partitions: int,
        draw_secret: Callable[[], bytes],
    ) -> None:
        self._hall = hall
        self._channels = channels
        self._tokens = tokens
        self._js = js
        self._partitions = partitions
        self._draw_secret = draw_secret

    async def CreateMatch(self, request: CreateMatchRequest, context: Any) -> CreateMatchResponse:
        """See the proto."""
        self._tokens.caller(context).require(Role.SERVICE)
        self._hall.check_room()
        # Before the match exists: between its first entry and its being here nothing may be waited for.
        names = await self._hall.expect(request.match_id, request.players)
        announcing = self._hall.announcing(request.match_id)
        made = await create(
            self._hall.reader, self._hall.archive, request, self._draw_secret(), announcing
        )
        if isinstance(made, Created):
            return CreateMatchResponse(player_ids=player_ids(tuple(made.players)))
        loaded, writer = made
        self._hall.host(loaded, writer, names)
        return CreateMatchResponse(player_ids=player_ids(loaded.fold.players))

    async def Expire(self, request: ExpireRequest, context: Any) -> ExpireResponse:
        """See the proto."""
        self._tokens.caller(context).require(Role.SERVICE)
        return await ask(
            self._hall,
            request.match_id,
            partial(_expire_here, request),
            partial(self._expire_there, request, onward(context)),
            is_forwarded=is_forwarded(context),
        )

    async def ExpireMany(self, request: ExpireManyRequest, context: Any) -> ExpireManyResponse:
        """See the proto."""
        self._tokens.caller(context).require(Role.SERVICE)
        if len(request.expiries) > MOST_EXPIRIES:
            raise InvalidArgumentError(
                "TOO_MANY_EXPIRIES",
                f"{len(request.expiries)} expiries at once; at most {MOST_EXPIRIES} are taken.",
            )
        results = (self._expire_one(each, context) for each in request.expiries)
        return ExpireManyResponse(results=await asyncio.gather(*results))

    async def _expire_one(self, request: ExpireRequest, context: Any) -> ExpireResult:
        """One of many: none waits long for another's match."""
        try:
            async with asyncio.timeout(_EXPIRY_SECONDS):
                return ExpireResult(response=await self.Expire(request, context))
        except TimeoutError:
            return ExpireResult(error=error_message(SlowAnswerError(request.match_id)))
        except Exception as error:
            return ExpireResult(error=error_message(as_arena_error(error)))

    async def _expire_there(
        self, request: ExpireRequest, metadata: Any, room: Beat
    ) -> ExpireResponse:
        said: ExpireResponse = await forward(
            self._channels, room, CONTROL_SERVICE, "Expire", request, ExpireResponse, metadata
        )
        return said

    async def OpenHeaderReader(
        self, request: OpenHeaderReaderRequest, context: Any
    ) -> OpenHeaderReaderResponse:
        """See the proto."""
        self._tokens.caller(context).require(Role.SERVICE, Role.BOT)
        self._check_reader(request)
        stream = stream_of(request.partition)
        name, config = header_consumer(request.reader, request.partition)
        try:
            await self._js.add_consumer(stream, config)
        except (NatsError, TimeoutError) as error:
            raise LogUnavailableError(f"opening a reader of {stream}: {error!r}") from error
        return OpenHeaderReaderResponse(stream=stream, consumer=name)

    async def LoseMatches(self, request: LoseMatchesRequest, context: Any) -> LoseMatchesResponse:
        """See the proto."""
        self._tokens.caller(context).require(Role.SERVICE)
        for lost in request.matches:
            reign = Reign(request.began_ms, lost.epoch)
            self._hall.lose(lost.match_id, request.room_id, reign)
        return LoseMatchesResponse()

    def _check_reader(self, request: OpenHeaderReaderRequest) -> None:
        if not _READER_NAME.fullmatch(request.reader):
            raise InvalidArgumentError(
                "BAD_READER_NAME",
                f"{request.reader[:80]!r} is no reader's name: 1 to 64 of a-z, 0-9 and hyphens.",
            )
        if request.partition >= self._partitions:
            raise InvalidArgumentError(
                "NO_SUCH_PARTITION",
                f"There is no partition {request.partition}; the log has 0 to {self._partitions - 1}.",
            )


async def _expire_here(request: ExpireRequest, match: Match) -> ExpireResponse:
    said = await answer(match, Expire(request.decision, now_ms()))
    return cast(ExpireResponse, said)
