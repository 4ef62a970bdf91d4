"""One match as its owner plays it: one task that works off a mailbox, so that nothing in it needs a lock.

What changes the match is worked out on a copy of the position and appended to the log; only once it is certainly
stored does the copy take the position's place, and does anybody hear of it.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Iterable
from typing import Protocol

from arena.log.v1.chat_pb2 import ChatLine
from arena.log.v1.entry_pb2 import Acted as ActedEntry
from arena.log.v1.entry_pb2 import Closed, Entry, Expired, RequestKey, SeatChanged, Voted
from arena.room.v1.room_control_service_pb2 import ExpireResponse
from arena.room.v1.room_service_pb2 import Acted, Targets
from arena_engine.errors import IllegalActionError, IllegalSelectionError
from arena_services.common import games, logs, tracing
from arena_services.common.auth import Caller, Role
from arena_services.common.cancellation import check_cancelled
from arena_services.common.clock import now_ms
from arena_services.common.errors import FailedPreconditionError, InternalError
from arena_services.common.history import End
from arena_services.common.log.errors import FencedError
from arena_services.common.log.fold import Fold
from arena_services.common.roster import Beat
from arena_services.common.rpc import as_arena_error
from arena_services.room import metrics
from arena_services.room.audience import FINISHED, MOVED, Audience
from arena_services.room.chat import Chat
from arena_services.room.clock import Standstill
from arena_services.room.commands import (
    Abandon,
    Act,
    Answer,
    Attach,
    Command,
    Expire,
    Release,
    SelectTargets,
    Void,
)
from arena_services.room.errors import BusyError, MatchFinishedError, NoSuchSeatError, NotOwnerError
from arena_services.room.mailbox import Mailbox
from arena_services.room.pen import Pen
from arena_services.room.rulings import check_action, find_repeat
from arena_services.room.seats import check_person, check_seat, check_wish, people_of
from arena_services.room.updates import Feed
from arena_services.room.viewers import Viewer
from arena_services.room.votes import is_carried

ABANDONED = "ABANDONED"
VOIDED = "VOIDED_BY_OPERATOR"
_MAILBOX = 1024

_log = logs.get()


class Owner(Protocol):
    """Whoever keeps the matches of a room."""

    def match_ended(self, match: Match) -> None:
        """The match has its result; it still answers."""

    def match_lost(self, match: Match) -> None:
        """Another room has the match; this copy answers nothing any more."""

    def match_moved_on(self, fold: Fold, stream_sequence: int) -> None:
        """An entry is stored: what the match folds to now, not to be changed, and where the entry stands."""


class Match:
    """One match. A finished one has no pen and needs none: nothing is ever appended to it."""

    def __init__(
        self,
        fold: Fold,
        feed: Feed,
        audience: Audience,
        pen: Pen | None,
        standstill: Standstill,
        chat: Chat,
        owner: Owner,
    ) -> None:
        self.match_id = fold.match_id
        self.standstill = standstill
        self.is_gone = False
        """Lost or released: ask for the match elsewhere."""
        self._fold = fold
        self._feed = feed
        self._pen = pen
        self._chat = chat
        self._owner = owner
        self._audience = audience
        self._mailbox: Mailbox[tuple[Command, tracing.Work]] = Mailbox(_MAILBOX)
        self._at_work: Command | None = None

    @property
    def is_over(self) -> bool:
        """The match has ended."""
        return self._fold.is_over

    @property
    def waiting(self) -> int:
        """How many commands wait."""
        return len(self._mailbox)

    @property
    def bots(self) -> tuple[bool, ...]:
        """For each seat, whether a bot plays it now."""
        return self._fold.bots()

    @property
    def end(self) -> End:
        """How far the match has gone."""
        return End(self._fold.sequence, self._fold.state.state_hash().hex())

    @property
    def person_time_ms(self) -> int:
        """When a person last acted, on the owner's clock."""
        return self._fold.person_time_ms

    @property
    def people(self) -> list[str]:
        """The ids of the people who have seats here."""
        return people_of(self._fold.players)

    @property
    def fold(self) -> Fold:
        """What the match folds to now; not to be changed."""
        return self._fold

    @property
    def seats_here(self) -> set[int]:
        """The seats whose people follow the match now."""
        return self._audience.people()

    @property
    def remaining_ms(self) -> int | None:
        """What the clock shows now; None while none runs."""
        return self._remaining_ms(now_ms())

    @property
    def epoch(self) -> int:
        """The epoch that this room writes under."""
        return self._fold.epoch

    def submit(self, command: Command) -> asyncio.Future[Answer]:
        """Put a command into the mailbox; the future is its answer. Raises `BusyError`, `NotOwnerError`."""
        if self.is_gone:
            raise NotOwnerError(self.match_id)
        if not self._mailbox.put((command, tracing.span("mailbox"))):
            raise BusyError(f"Match {self.match_id} has {_MAILBOX} requests waiting")
        return command.answer

    def leave(self, viewer: Viewer) -> None:
        """Send a viewer nothing more, from this moment on."""
        self._audience.leave(viewer)

    async def say(self, caller: Caller, seat: int, key: RequestKey, text: str) -> ChatLine:
        """Tell the people of the match what one of them says. Raises `ArenaError`."""
        self._check_talker(caller, seat)
        line, is_new = await self._chat.say(seat, key, text)
        if is_new:
            self._audience.say(line, self._chat.reads)
        return line

    async def mute(self, caller: Caller, seat: int, muted_seat: int, *, is_muted: bool) -> None:
        """Have a seat read another one no longer, or again. Raises `ArenaError`."""
        self._check_talker(caller, seat)
        if muted_seat >= len(self._fold.players):
            raise NoSuchSeatError(muted_seat, len(self._fold.players))
        await self._chat.mute(seat, muted_seat, is_muted=is_muted)

    def _check_talker(self, caller: Caller, seat: int) -> None:
        if self.is_gone:
            raise NotOwnerError(self.match_id)
        check_person(self._fold.players, caller, seat)
        if self.is_over:
            raise MatchFinishedError(self.match_id)

    def playable_in(self, rooms: Iterable[Beat]) -> list[Beat]:
        """Those of some rooms that know the rules of this match."""
        game = self._fold.hosted.game
        return [room for room in rooms if room.can_play(game.name, game.rules_version)]

    async def run(self) -> None:
        """Work the mailbox off until the match is lost or released."""
        try:
            with tracing.apart():
                await self._work()
        finally:
            self._close()

    async def _work(self) -> None:
        while not self.is_gone:
            check_cancelled()
            command, waiting = await self._mailbox.take()
            self._at_work = command
            with waiting.over():
                answer = await self._answer(command)
            _say(command, answer)
            self._at_work = None
            del command, answer, waiting  # the next one may be long in coming

    def lose(self) -> None:
        """Send everybody elsewhere at once: another room is known to have the match, though the log cannot be asked.

        An append that is under way comes to its end by itself. It is not known to be stored, so its answer is not known
        either: whoever repeats the request there, under its key, learns it.
        """
        self._close()
        self._mailbox.put(
            (Release(), tracing.span("mailbox"))
        )  # wakes `run`, where it waits for more

    def _close(self) -> None:
        """Send everybody, and everything that still waits, elsewhere."""
        self.is_gone = True
        self._audience.end(MOVED)
        waiting = [command for command, _ in self._mailbox.empty()]
        for command in [self._at_work, *waiting] if self._at_work else waiting:
            _say(command, NotOwnerError(self.match_id))

    async def _answer(self, command: Command) -> Answer:
        try:
            match command:
                case Act():
                    return await self._act(command)
                case Expire():
                    return await self._expire(command)
                case SelectTargets():
                    return self._targets(command)
                case Attach():
                    self._audience.attach(command, self._fold, self._remaining_ms(now_ms()))
                case Abandon():
                    await self._abandon(command.after_ms)
                case Void():
                    return await self._void()
                case Release():
                    self.is_gone = True
        except FencedError:
            metrics.APPENDS_RESOLVED.labels("fenced").inc()
            self.is_gone = True
            self._owner.match_lost(self)
            return NotOwnerError(self.match_id)
        except Exception as error:
            return as_arena_error(error)
        return None

    async def _act(self, act: Act) -> Acted:
        check_seat(self._fold, act.caller, act.seat)
        if (sequence := find_repeat(self._fold, act)) is not None:
            return Acted(sequence=sequence, repeated_request=True)
        if self._has_run_out(act.arrived_ms):
            await self._run_out(act.arrived_ms)
        if self._fold.is_over:
            raise MatchFinishedError(self.match_id)
        kind = act.wish.WhichOneof("wish") or ""
        check_wish(self._fold, act.caller, act.seat, kind)
        match kind:
            case "action":
                await self._take(act)
            case "replace_absent":
                await self._vote(act)
            case _:
                await self._change_seat(act, is_bot=kind == "leave")
        if act.caller.role is Role.PLAYER:
            self._audience.presence.see(act.seat)
        return Acted(sequence=self._fold.sequence)

    async def _take(self, act: Act) -> None:
        """Let a seat act as it wishes, if the rules allow it."""
        wish = act.wish
        action = games.unwrap(wish.action, self._fold.hosted.action, "action")
        packed = check_action(self._fold, act.seat, wish.decision, action)
        acted = ActedEntry(
            seat=act.seat,
            decision=wish.decision,
            action=wish.action,
            key=act.key,
            request_hash=act.request_hash,
        )
        await self._commit(Entry(acted=acted), act.arrived_ms, packed)

    async def _change_seat(self, act: Act, *, is_bot: bool) -> None:
        """Hand a seat from its person to a bot, or back."""
        change = SeatChanged(
            seat=act.seat, is_bot=is_bot, key=act.key, request_hash=act.request_hash
        )
        await self._commit_change(Entry(seat_changed=change), act.arrived_ms)
        self._audience.end_bots(self._fold)

    async def _commit_change(self, entry: Entry, arrived_ms: int) -> None:
        """Commit what may hand a seat over. Raises `FailedPreconditionError` where the rules forbid that."""
        try:
            await self._commit(entry, arrived_ms)
        except IllegalActionError as error:
            raise FailedPreconditionError("ILLEGAL_ACTION", str(error)) from error

    async def _vote(self, act: Act) -> None:
        """Count a vote against somebody who is away, and hand the seat over where that settles it."""
        absent = act.wish.replace_absent.seat
        audience, fold = self._audience, self._fold
        voted = Voted(
            seat=act.seat,
            absent_seat=absent,
            is_carried=is_carried(fold, audience.presence, audience.people(), act.seat, absent),
            key=act.key,
            request_hash=act.request_hash,
        )
        await self._commit_change(Entry(voted=voted), act.arrived_ms)

    async def _abandon(self, after_ms: int) -> None:
        """Close the match, if no person has acted for so long."""
        now = now_ms()
        if not self._fold.is_over and now - self._fold.person_time_ms >= after_ms:
            _log.info("match abandoned", match_id=self.match_id)
            await self._commit(Entry(closed=Closed(reason=ABANDONED)), now)

    async def _void(self) -> Acted:
        """Close the match for an operator; again, if it has to be."""
        if not self._fold.is_over:
            _log.warning("match voided", match_id=self.match_id)
            await self._commit(Entry(closed=Closed(reason=VOIDED)), now_ms())
        elif self._fold.closed != VOIDED:
            raise MatchFinishedError(self.match_id)
        return Acted(sequence=self._fold.sequence)

    async def _expire(self, expire: Expire) -> ExpireResponse:
        remaining = self._remaining_ms(expire.arrived_ms)
        if remaining is None or expire.decision != self._lowest_decision():
            return ExpireResponse(verdict=ExpireResponse.VERDICT_STALE)
        if remaining > 0:
            return ExpireResponse(verdict=ExpireResponse.VERDICT_EARLY, remaining_ms=remaining)
        await self._run_out(expire.arrived_ms)
        return ExpireResponse(verdict=ExpireResponse.VERDICT_EXPIRED)

    async def _run_out(self, arrived_ms: int) -> None:
        """Let the rules decide in the stead of those whose clock has run out."""
        await self._commit(Entry(expired=Expired(decision=self._lowest_decision())), arrived_ms)

    def _targets(self, select: SelectTargets) -> Targets:
        fold = self._fold
        check_seat(fold, select.caller, select.seat)
        if fold.is_over:
            raise MatchFinishedError(self.match_id)
        selection = games.unwrap(select.selection, fold.hosted.selection, "selection")
        try:
            targets = fold.state.targets(select.seat, selection)
        except IllegalSelectionError as error:
            raise FailedPreconditionError("ILLEGAL_SELECTION", str(error)) from error
        return Targets(
            sequence=fold.sequence, targets=games.wrap(fold.hosted.targets.encode(targets))
        )

    def _lowest_decision(self) -> int:
        return min((each.decision for each in self._fold.state.awaited()), default=0)

    def _remaining_ms(self, at_ms: int) -> int | None:
        """What the clock shows at some time, with what is still to be given back; None while none runs."""
        deadline = self._fold.deadline_ms
        return None if deadline is None else deadline + self.standstill.due(at_ms) - at_ms

    def _has_run_out(self, at_ms: int) -> bool:
        remaining = self._remaining_ms(at_ms)
        return remaining is not None and remaining <= 0

    async def _commit(self, entry: Entry, arrived_ms: int, packed: int | None = None) -> None:
        """Append an entry and, once it is stored, show it. Leaves everything as it was where that fails."""
        if self._pen is None:
            raise InternalError("NO_WRITER", f"Match {self.match_id} is only read here.")
        fold = self._fold.clone()
        entry.sequence = fold.sequence + 1
        entry.time_ms = max(fold.time_ms, arrived_ms)
        entry.epoch = fold.epoch
        entry.append_id = os.urandom(16)
        entry.given_back_ms = self.standstill.due(entry.time_ms)
        with tracing.span("apply", fold):
            events = fold.advance(entry, packed)
            entry.state_hash = fold.state.state_hash()
            moment = self._feed.make(fold, events, entry.given_back_ms)
        place = await self._pen.append(entry, fold)
        self._fold = fold
        self._feed.keep(moment)
        start = time.perf_counter()
        with tracing.span("fan-out", fold):
            self._audience.publish(fold, moment, self._remaining_ms(now_ms()))
        metrics.FAN_OUT_SECONDS.observe(time.perf_counter() - start)
        self._owner.match_moved_on(fold, place)
        if fold.is_over:
            self._audience.end(FINISHED)
            self._owner.match_ended(self)


def _say(command: Command, answer: Answer) -> None:
    """Answer a command, unless that has been done."""
    if not command.answer.done():
        command.answer.set_result(answer)
