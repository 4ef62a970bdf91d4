"""What is stored tells without playing: a person's matches, and finished matches from their beginning.

Any room answers from the logs, and from the archive where a log is gone, whoever has or had the match.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import aclosing

from arena.room.v1.room_service_pb2 import (
    ListMyMatchesRequest,
    ListMyMatchesResponse,
    MatchPlayer,
    MatchSummary,
    Outcome,
    ReplayRequest,
)
from arena_services.common import games, logs
from arena_services.common.encoding import length_tag, varint
from arena_services.common.errors import FailedPreconditionError, InvalidArgumentError
from arena_services.common.history import End, History, Pointer
from arena_services.common.log.errors import CorruptLogError
from arena_services.common.log.headers import EntryHeaders
from arena_services.common.log.reader import LogReader, Stored
from arena_services.common.log.subjects import is_match_id
from arena_services.room.archive import Archive, Origin
from arena_services.room.errors import (
    ArchiveDamagedError,
    MatchNotFoundError,
    NoCapableRoomError,
    NoSuchSeatError,
)
from arena_services.room.replay import Teller, folds
from arena_services.room.updates import Moment, bare, remaining_field

_PAGE_SIZE = 20
_LONGEST_PAGE = 50
_MOST_RUNNING = 50
#: Logs that are asked for at once: matches that are played come first.
_ASKED_AT_ONCE = 8
_UPDATE_TAG = length_tag(1)

_log = logs.get()

Names = Callable[[Iterable[str]], Awaitable[Mapping[str, str]]]


class Library:
    """Reads what is stored for those who ask."""

    def __init__(self, reader: LogReader, archive: Archive, history: History, names: Names) -> None:
        """`names` tells what players are called, by id."""
        self._reader = reader
        self._archive = archive
        self._history = history
        self._names = names
        self._asking = asyncio.Semaphore(_ASKED_AT_ONCE)

    async def matches_of(
        self, player_id: str, request: ListMyMatchesRequest
    ) -> ListMyMatchesResponse:
        """See the proto."""
        size, before = _page(request)
        pointers = await self._history.of(player_id)
        running = [each for each in pointers if each.end is None][:_MOST_RUNNING]
        over = [each for each in pointers if each.end and (not before or each.order < before)]
        page = over[:size]
        shown = page if before else [*running, *page]
        found = await asyncio.gather(*(self._summary(player_id, each) for each in shown))
        summaries = [summary for summary in found if summary is not None]
        await self._name(summaries)
        is_more = len(over) > size
        return ListMyMatchesResponse(
            matches=summaries, next_page_token=str(page[-1].order) if is_more else ""
        )

    async def _summary(self, player_id: str, pointer: Pointer) -> MatchSummary | None:
        async with self._asking:
            origin = await self._origin(pointer.match_id)
            tail = await self._reader.tail(pointer.match_id)
        if origin is None or tail is None:
            return None
        summary = _summary(player_id, pointer.match_id, origin, tail)
        if summary.HasField("outcome") and pointer.end is None:
            # Its room went before it could say so.
            end = End(tail.entry.sequence, tail.entry.state_hash.hex())
            await self._history.end(pointer.match_id, [player_id], end)
        return summary

    async def _origin(self, match_id: str) -> Origin | None:
        try:
            return await self._archive.origin(match_id)
        except ArchiveDamagedError as error:
            _log.error("match not listed", match_id=match_id, error=str(error))
            return None  # the other matches are to be seen all the same

    async def _name(self, summaries: Sequence[MatchSummary]) -> None:
        players = [player for summary in summaries for player in summary.players]
        names = await self._names({player.player_id for player in players})
        for player in players:
            player.name = names.get(player.player_id, "")

    async def replay(self, request: ReplayRequest) -> AsyncGenerator[bytes, None]:
        """The serialized responses of a replay. Raises `ArenaError`, also in its midst.

        Raises `NoCapableRoomError` before the first one where only rooms that play by other rules can tell it.
        """
        seat = request.seat if request.HasField("seat") else None
        origin, tail = await self._finished(request.match_id, seat)
        players = origin.created.players
        teller = Teller(origin.created, await self._names(player.player_id for player in players))
        moments = self._moments(request, origin, tail)
        async with aclosing(moments):
            async for moment in moments:
                update = teller.tell(moment).for_viewer(seat, remaining_field(None))
                yield _UPDATE_TAG + varint(len(update)) + update

    async def _finished(self, match_id: str, seat: int | None) -> tuple[Origin, Stored]:
        """How it began, and the last entry, of a match that has ended and has such a seat."""
        tail = await self._reader.tail(match_id) if is_match_id(match_id) else None
        origin = await self._archive.origin(match_id) if tail else None
        if tail is None or origin is None:
            raise MatchNotFoundError(match_id)
        if not tail.headers.result:
            raise FailedPreconditionError(
                "MATCH_NOT_FINISHED",
                f"Match {match_id} goes on; it can be replayed once it has ended, and watched until then.",
            )
        seats = len(origin.created.players)
        if seat is not None and seat >= seats:
            raise NoSuchSeatError(seat, seats)
        return origin, tail

    async def _is_told_by_log(self, match_id: str, origin: Origin) -> bool:
        """Whether a match that is still in the log is told from there. Raises `NoCapableRoomError`."""
        created = origin.created
        if games.can_play(created.game, created.rules_version):
            return True
        if await self._archive.has(match_id):
            return False
        raise NoCapableRoomError(created.game, created.rules_version)

    async def _moments(
        self, request: ReplayRequest, origin: Origin, tail: Stored
    ) -> AsyncGenerator[Moment, None]:
        """The bare updates that are asked for."""
        match_id, told = request.match_id, request.after_sequence
        if origin.is_log_whole and await self._is_told_by_log(match_id, origin):
            entries = self._reader.follow(match_id, tail.stream_sequence)
            try:
                async with aclosing(entries), aclosing(folds(match_id, entries)) as folded:
                    async for each in folded:
                        if each.sequence > told:
                            yield bare(*each)
                            told = each.sequence
                    return
            except CorruptLogError:
                # Purged just now.
                if not await self._archive.has(match_id):
                    raise
        for moment in await self._archive.replay(match_id):
            if moment.sequence > told:
                await asyncio.sleep(0)  # as for a log
                yield moment


def _page(request: ListMyMatchesRequest) -> tuple[int, int]:
    """How many finished matches, and before which order; 0 for the first page."""
    size, token = request.page_size or _PAGE_SIZE, request.page_token
    if size > _LONGEST_PAGE or (token and not (token.isascii() and token.isdigit())):
        raise InvalidArgumentError(
            "BAD_PAGE",
            f"page_size can be 1 to {_LONGEST_PAGE} (it is {size}), and page_token what an earlier answer gave.",
        )
    return size, int(token or 0)


def _summary(player_id: str, match_id: str, origin: Origin, tail: Stored) -> MatchSummary:
    created, headers = origin.created, tail.headers
    ids = [player.player_id for player in created.players]
    seat = ids.index(player_id) if player_id in ids else 0
    return MatchSummary(
        match_id=match_id,
        game=created.game,
        options=created.options,
        seat=seat,
        players=[
            MatchPlayer(player_id=player.player_id, is_bot=player.is_bot)
            for player in created.players
        ],
        create_time_ms=origin.time_ms,
        update_time_ms=headers.time_ms,
        is_awaited=seat in headers.awaited and seat not in headers.bots,
        outcome=_outcome(headers),
    )


def _outcome(headers: EntryHeaders) -> Outcome | None:
    if not headers.result:
        return None
    return Outcome(how=headers.how, places=headers.places)
