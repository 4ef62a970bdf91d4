"""People who play whatever comes, on the platform's own client, and whose connections write down what they carry."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from random import Random

import grpc

from arena.room.v1 import room_service_pb2 as pb
from arena_services.client import PlayClient, RefusedError, Seat, Step, UnreachableError
from arena_services.client.seat import SPECTATOR
from arena_services.common.channels import open_channel
from arena_services.common.clock import now_ms
from tests.witness.record import Fate, MatchRecord, Viewer, Wish

#: Longer than anything is hurt: a player who is left alone for so long is a finding.
PATIENCE_SECONDS = 120.0
#: A player of a match with a clock lets so many decisions pass; the clock decides them.
_SLEEPS = 0.02
_NAP_SECONDS = 0.5
#: Longer than any connection is hurt.
_LATE_NEWS_NAPS = 40
#: So many leave their seat to a bot instead of moving, and take it back a little later.
_LEAVES = 0.01
_AWAY_SECONDS = 4.0
#: What was true when the player looked, and is not any more.
_OVERTAKEN = frozenset(
    {"DECISION_CLOSED", "NOT_YOUR_TURN", "SEAT_HAS_BOT", "SEAT_IS_YOURS", "MATCH_FINISHED"}
)


class RecordingClient(PlayClient):
    """A Play stream that writes down every update as it comes, and every wish with its fate."""

    def __init__(
        self,
        rooms: Sequence[str],
        token: str,
        open_to: Callable[[str], grpc.aio.Channel] = open_channel,
    ) -> None:
        super().__init__(rooms, token, PATIENCE_SECONDS, open_to)
        self._records: dict[tuple[str, int], tuple[MatchRecord, Viewer]] = {}

    async def follow(self, record: MatchRecord, seat: int = SPECTATOR) -> Seat:
        """As `join`, written down in `record`."""
        viewer = Viewer(None if seat == SPECTATOR else seat)
        record.viewers.append(viewer)
        self._records[record.match_id, seat] = record, viewer
        return await self.join(record.match_id, seat)

    def _take_update(self, response: pb.PlayResponse) -> None:
        key = response.match_id, SPECTATOR if response.spectate else response.seat
        if (known := self._records.get(key)) is not None and key in self._seats:
            known[1].take(response.update, now_ms())
        super()._take_update(response)

    async def _ask(self, seat: Seat, request: pb.PlayRequest) -> pb.PlayResponse:
        act = request.act
        wish = Wish(
            seat.number, act.key.session, act.key.counter, act.SerializeToString(), now_ms()
        )
        self._records[seat.match_id, seat.number][0].wishes.append(wish)
        try:
            response = await super()._ask(seat, request)
        except RefusedError as error:
            wish.fate, wish.reason, wish.answered_ms = Fate.REFUSED, error.reason, now_ms()
            raise
        wish.fate, wish.sequence, wish.answered_ms = Fate.DONE, response.acted.sequence, now_ms()
        return response


class Player:
    """One person's seat in one match."""

    def __init__(self, record: MatchRecord, seat: Seat, think_seconds: float, rng: Random) -> None:
        self._record = record
        self._seat = seat
        self._think_seconds = think_seconds
        self._rng = rng
        self._acted_at = 0
        self._is_stopped = False
        self._is_in_earnest = False
        self._may_take_back = True
        self._news = asyncio.Event()

    def be_earnest(self) -> None:
        """Neither sleep nor leave from now on."""
        self._is_in_earnest = True

    def stop(self) -> None:
        """Finish what was begun, and play no more."""
        self._is_stopped = True
        self._news.set()

    async def play(self) -> None:
        """Play until the match has ended, or `stop`. What should not happen is noted in the record."""
        reading = asyncio.create_task(self._read(), name=f"read-{self._record.match_id}")
        try:
            while not self._is_stopped and not reading.done() and self._seat.outcome is None:
                await self._look()
        except (RefusedError, UnreachableError) as error:
            self._note(str(error))
        finally:
            reading.cancel()
            await asyncio.wait((reading,))

    async def _read(self) -> None:
        try:
            async for _ in self._seat.steps():
                self._news.set()
        except (RefusedError, UnreachableError) as error:
            self._note(str(error))
        finally:
            self._news.set()

    async def _look(self) -> None:
        """Do what is to be done now, or wait for something to happen."""
        self._news.clear()
        seat = self._seat
        if seat.holders[seat.number].is_bot and self._may_take_back:
            await self._take_back()
        elif self._is_asked:
            await self._answer()
        else:
            await self._news.wait()

    @property
    def _is_asked(self) -> bool:
        """Whether the newest position asks this seat for something that it has not answered."""
        seat = self._seat
        is_bot = seat.holders[seat.number].is_bot
        return not is_bot and seat.decision is not None and seat.sequence >= self._acted_at

    async def _answer(self) -> None:
        decision, lot = self._seat.decision, self._rng.random()
        await asyncio.sleep(self._think_seconds * self._rng.uniform(0.5, 1.5))
        if not self._is_asked or self._seat.decision != decision:
            return
        if lot < _SLEEPS and self._seat.remaining_ms() is not None:
            while self._seat.decision == decision and not self._is_hurried:
                await asyncio.sleep(_NAP_SECONDS)
        elif lot > 1 - _LEAVES and not self._is_in_earnest:
            await self._go_away()
        else:
            await self._move()

    @property
    def _is_hurried(self) -> bool:
        return self._is_in_earnest or self._is_stopped or self._seat.outcome is not None

    async def _move(self) -> None:
        """Move by the engine's yardstick."""
        latest, seat = self._seat.latest, self._seat
        game = seat.game.game
        state = game.resample(latest.common, latest.own, seat.number, self._rng)
        action = state.unpack(game.choose(state, seat.number, self._rng))
        try:
            self._acted_at = (await seat.act(action)).sequence
        except RefusedError as error:
            if error.reason not in _OVERTAKEN:
                await self._see_why(latest, error)

    async def _see_why(self, latest: Step, error: RefusedError) -> None:
        """What was chosen from may not be what is there now: in that case news are on their way."""
        for _ in range(_LATE_NEWS_NAPS):
            if self._seat.latest is not latest or self._is_stopped:
                return
            await self._wait_for_news()
        self._note(f"{error.reason}: {error}")

    async def _go_away(self) -> None:
        """Leave the seat to a bot for a while."""
        try:
            self._acted_at = (await self._seat.leave()).sequence
            await asyncio.sleep(_AWAY_SECONDS)
        except RefusedError as error:
            if error.reason not in _OVERTAKEN:
                self._note(f"{error.reason}: {error}")

    async def _take_back(self) -> None:
        """Take the seat back from its bot, where the rules allow it."""
        try:
            await self._seat.take_back()
        except RefusedError:
            self._may_take_back = False
        else:
            await self._wait_for_news()

    async def _wait_for_news(self) -> None:
        """Let what has happened arrive."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_NAP_SECONDS):
                self._news.clear()
                await self._news.wait()

    def _note(self, trouble: str) -> None:
        self._record.troubles.append(f"seat {self._seat.number}: {trouble}")
