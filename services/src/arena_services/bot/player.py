"""Plays this process's share of all seats that bots have."""

from __future__ import annotations

import asyncio
import itertools
import random
import secrets
import time
from collections.abc import Awaitable, Callable

from arena.log.v1.entry_pb2 import RequestKey
from arena.room.v1.room_service_pb2 import (
    Act,
    Attach,
    Detach,
    Detached,
    Error,
    PlayRequest,
    PlayResponse,
)
from arena_services.bot.metrics import (
    ACTIONS,
    ERRORS,
    FAILED_DECISIONS,
    SEATS,
    UPDATE_TO_ACT_SECONDS,
)
from arena_services.bot.seat import Leave, Seat, Send, Step, Think
from arena_services.bot.thinking import Question, Thinker
from arena_services.common import logs, tracing
from arena_services.common.log.headers import EntryHeaders

#: Of the time a clock leaves, the share that a bot may spend on its pause.
_SHARE_OF_CLOCK = 0.5

_log = logs.get()


class Player:
    """Finds seats in the log's headers, attaches those that are its own, and answers their decisions."""

    def __init__(
        self,
        send: Callable[[PlayRequest], None],
        is_mine: Callable[[str, int, str, int], bool],
        thinker: Thinker,
        think_seconds: float,
    ) -> None:
        """`send` writes to the Play stream; `is_mine` says whether this process plays a seat.

        It is given a match, the seat, the match's game and the version of its rules.
        """
        self._send = send
        self._is_mine = is_mine
        self._thinker = thinker
        self._tasks: asyncio.TaskGroup
        self._think_seconds = think_seconds
        self._session = secrets.token_bytes(16)
        self._counter = itertools.count(1)
        self._waiting: dict[str, EntryHeaders] = {}
        """Matches that wait for a bot, of whichever process."""
        self._seats: dict[tuple[str, int], Seat] = {}
        SEATS.set_function(lambda: len(self._seats))

    async def run(self, follow: Callable[[], Awaitable[None]]) -> None:
        """Play for as long as `follow` runs, which calls all that follows."""
        async with asyncio.TaskGroup() as self._tasks:
            await follow()

    def take(self, match_id: str, headers: EntryHeaders) -> None:
        """Follow a match to where its newest entry left it."""
        if headers.bots and not headers.result:
            self._waiting[match_id] = headers
            self._join(match_id, headers)
        else:
            self._waiting.pop(match_id, None)

    def review(self) -> None:
        """Give up the seats that others play from now on, and take those that fell to this process."""
        for match_id, number in list(self._seats):
            seat = self._seats[match_id, number]
            if not self._is_mine(match_id, number, seat.game, seat.rules_version):
                self._leave(match_id, number)
        for match_id, headers in self._waiting.items():
            self._join(match_id, headers)

    def opened(self) -> None:
        """A new stream is there: attach everything where it was left, and ask again what had no answer."""
        for seat in self._seats.values():
            self._attach(seat)
            if seat.pending is not None:
                self._send(_act(seat, seat.pending))

    def heard(self, response: PlayResponse) -> None:
        """The room said something."""
        seat = self._seats.get((response.match_id, response.seat))
        if seat is None:
            return
        match response.WhichOneof("response"):
            case "update":
                self._do(seat, seat.updated(response.update))
            case "acted":
                self._acted(seat, response)
            case "error":
                self._refused(seat, response.id, response.error)
            case "detached":
                self._detached(seat, response.detached)

    def _join(self, match_id: str, headers: EntryHeaders) -> None:
        game, rules_version = headers.game, headers.rules_version
        for number in headers.bots:
            if (match_id, number) in self._seats:
                continue
            if self._is_mine(match_id, number, game, rules_version):
                seat = self._seats[match_id, number] = Seat(match_id, number, game, rules_version)
                self._attach(seat)

    def _attach(self, seat: Seat) -> None:
        seat.attach_id = next(self._counter)
        self._send(
            PlayRequest(
                id=seat.attach_id,
                match_id=seat.match_id,
                seat=seat.seat,
                attach=Attach(after_sequence=seat.sequence),
            )
        )

    def _leave(self, match_id: str, number: int) -> None:
        del self._seats[match_id, number]
        self._send(PlayRequest(match_id=match_id, seat=number, detach=Detach()))

    def _acted(self, seat: Seat, response: PlayResponse) -> None:
        ACTIONS.labels(seat.game).inc()
        self._do(seat, seat.acted(response.id, response.acted.sequence))

    def _refused(self, seat: Seat, request_id: int, error: Error) -> None:
        ERRORS.labels(error.reason or str(error.code)).inc()
        _log.debug(
            "a room refused",
            match_id=seat.match_id,
            seat=seat.seat,
            reason=error.reason,
            error=error.message,
        )
        if request_id != seat.attach_id:
            self._do(seat, seat.refused(request_id, error))
            return
        pause = seat.not_attached(error)
        if pause is None:
            self._do(seat, Leave())
        else:
            self._later(seat, pause, lambda: self._attach(seat))

    def _detached(self, seat: Seat, detached: Detached) -> None:
        match detached.reason:
            case "FINISHED" | "SEAT_TAKEN_BACK":
                del self._seats[seat.match_id, seat.seat]
            case "DETACHED":
                pass  # the answer to our own wish
            case _:
                self._attach(seat)

    def _do(self, seat: Seat, step: Step) -> None:
        match step:
            case Think():
                self._tasks.create_task(
                    self._think(seat, step), name=f"think-{seat.match_id}-{seat.seat}"
                )
            case Send(act, after_seconds):
                self._later(seat, after_seconds, lambda: self._send(_act(seat, act)))
            case Leave():
                self._leave(seat.match_id, seat.seat)

    def _later(self, seat: Seat, after_seconds: float, do: Callable[[], None]) -> None:
        """Do something after a pause, if the seat is still played then."""
        if not after_seconds:
            do()
            return

        def do_if_held() -> None:
            if self._is_held(seat):
                do()

        asyncio.get_running_loop().call_later(after_seconds, do_if_held)

    async def _think(self, seat: Seat, think: Think) -> None:
        """Make one decision and send it."""
        seen = time.monotonic()
        pause = max(think.after_seconds, self._pause(seat))
        await asyncio.sleep(pause)
        if not self._is_held(seat) or seat.thinking != think.decision or seat.latest is None:
            return
        question = Question(
            game=seat.game,
            seat=seat.seat,
            common=seat.latest.common.SerializeToString(),
            own=seat.latest.own.SerializeToString(),
            seed=random.getrandbits(64),
        )
        with tracing.begin(
            "bot",
            links=(self._cause(seat),),
            match_id=seat.match_id,
            seat=seat.seat,
            game=seat.game,
        ):
            await self._decide(seat, think, question, seen + pause)

    async def _decide(self, seat: Seat, think: Think, question: Question, began: float) -> None:
        """Answer a question, and send what comes of it."""
        try:
            action = await self._thinker.decide(question)
        except Exception as error:  # one seat's fault must not stop all others
            FAILED_DECISIONS.labels(seat.game).inc()
            _log.error("a decision failed", match_id=seat.match_id, seat=seat.seat, exc_info=error)
            step = seat.failed_to_choose(think.decision)
        else:
            key = RequestKey(session=self._session, counter=next(self._counter))
            step = seat.chosen(think.decision, action, key)
            UPDATE_TO_ACT_SECONDS.observe(time.monotonic() - began)
        if self._is_held(seat):
            self._do(seat, step)

    def _cause(self, seat: Seat) -> str:
        """Traceparent of the newest entry that the seat's match is known by."""
        headers = self._waiting.get(seat.match_id)
        return headers.traceparent if headers else ""

    def _pause(self, seat: Seat) -> float:
        """How long a bot seems to think: as set, but not past half of what its clock leaves."""
        if seat.latest is None or not seat.latest.HasField("remaining_ms"):
            return self._think_seconds
        left = max(0, seat.latest.remaining_ms) / 1000
        return min(self._think_seconds, left * _SHARE_OF_CLOCK)

    def _is_held(self, seat: Seat) -> bool:
        return self._seats.get((seat.match_id, seat.seat)) is seat


def _act(seat: Seat, act: Act) -> PlayRequest:
    """A request to act, under the id of its key's counter."""
    return PlayRequest(
        id=act.key.counter,
        match_id=seat.match_id,
        seat=seat.seat,
        traceparent=tracing.traceparent(),
        act=act,
    )
