"""Who follows one match: players at their seats, bots at theirs, spectators."""

from __future__ import annotations

from collections.abc import Callable

from arena.log.v1.chat_pb2 import ChatLine
from arena_services.common.auth import Role
from arena_services.common.log.fold import Fold
from arena_services.room import metrics
from arena_services.room.commands import Attach, Ended
from arena_services.room.delay import DelayedSight
from arena_services.room.presence import Presence
from arena_services.room.seats import check_seat
from arena_services.room.updates import Feed, Moment, remaining_field
from arena_services.room.viewers import TOO_SLOW, Viewer, shown_line

FINISHED = "FINISHED"
MOVED = "MOVED"
SEAT_TAKEN_BACK = "SEAT_TAKEN_BACK"
SEAT_TAKEN_ELSEWHERE = "SEAT_TAKEN_ELSEWHERE"


class Audience:
    """The viewers of one match. None of them can keep it waiting."""

    __slots__ = (
        "_delayed",
        "_expectant",
        "_feed",
        "_viewers",
        "presence",
    )

    def __init__(self, feed: Feed, fold: Fold, spectator_delay_seconds: float = 0.0) -> None:
        self._feed = feed
        self.presence = Presence()
        """Who is there and who is away."""
        self.presence.wait_for(() if fold.is_over else fold.state.awaited())
        self._viewers: dict[Viewer, tuple[Ended, Role]] = {}
        self._delayed: DelayedSight | None = None
        self._expectant: dict[Viewer, None] = {}  # a set takes thrice as much, empty
        """Spectators who have not been shown anything yet."""
        if spectator_delay_seconds and not fold.is_over:
            self._delayed = DelayedSight(
                spectator_delay_seconds, feed.apart(), fold, self._show_spectators
            )

    def attach(self, attach: Attach, fold: Fold, remaining_ms: int | None) -> None:
        """Send a viewer what it has missed, then keep it. Raises `ArenaError` where it may not watch.

        A person's newest stream has the seat; an older one of theirs ends.
        """
        viewer = attach.viewer
        if viewer.is_gone:
            return
        if viewer.seat is not None:
            check_seat(fold, attach.caller, viewer.seat)
            if attach.caller.role is Role.PLAYER:
                self._learn_name(viewer.seat, attach.caller.name)
                if not self._takes_seat(viewer):
                    attach.ended(viewer, SEAT_TAKEN_ELSEWHERE)
                    return
        if self._is_delayed(viewer) and not fold.is_over:
            self._expect(viewer)
        else:
            _catch_up(viewer, self._feed, fold, remaining_ms)
        if fold.is_over:
            attach.ended(viewer, FINISHED)
            return
        self._viewers[viewer] = attach.ended, attach.caller.role
        self._see(viewer, attach.caller.role)
        metrics.VIEWERS.labels(_kind(viewer)).inc()

    def people(self) -> set[int]:
        """The seats whose people follow the match now."""
        return {
            viewer.seat
            for viewer, (_, role) in self._viewers.items()
            if viewer.seat is not None and role is Role.PLAYER
        }

    def _see(self, viewer: Viewer, role: Role) -> None:
        if viewer.seat is not None and role is Role.PLAYER:
            self.presence.see(viewer.seat)

    def _learn_name(self, seat: int, name: str) -> None:
        self._feed.learn_name(seat, name)
        if self._delayed is not None:
            self._delayed.feed.learn_name(seat, name)

    def _is_delayed(self, viewer: Viewer) -> bool:
        return self._delayed is not None and viewer.seat is None

    def _expect(self, viewer: Viewer) -> None:
        """Show a spectator what spectators see now, as soon as there is something."""
        delayed = self._delayed
        if delayed is not None and delayed.fold is not None:
            _catch_up(viewer, delayed.feed, delayed.fold, None)
        else:
            self._expectant[viewer] = None

    def _show_spectators(self, moment: Moment | None, remaining_ms: int | None) -> None:
        """Show spectators the next entry, or the first position."""
        spectators = [viewer for viewer in self._viewers if viewer.seat is None]
        expectant, self._expectant = self._expectant, {}
        for viewer in spectators:
            if viewer in expectant:
                self._expect(viewer)
        if moment is not None:
            self._push(moment, remaining_ms, [each for each in spectators if each not in expectant])

    def _takes_seat(self, viewer: Viewer) -> bool:
        """Whether a person's viewer has the seat from now on; whoever had it before is sent away.

        Bots are left out of this: two of them at one seat are one too many for a moment and do no harm, while a seat
        that the wrong one took would have none.
        """
        for other, (_, role) in list(self._viewers.items()):
            if other.seat == viewer.seat and role is Role.PLAYER and other is not viewer:
                # Woken after a pause, a room may attach for a client that has long gone to another one.
                if viewer.is_again and viewer.since_ms < other.since_ms:
                    return False
                self._end(other, SEAT_TAKEN_ELSEWHERE)
        return True

    def leave(self, viewer: Viewer) -> None:
        """Send a viewer nothing more."""
        self._expectant.pop(viewer, None)
        if (left := self._viewers.pop(viewer, None)) is not None:
            self._see(viewer, left[1])
            metrics.VIEWERS.labels(_kind(viewer)).dec()

    def publish(self, fold: Fold, moment: Moment, remaining_ms: int | None) -> None:
        """Send everybody what happened; cut off who is too slow to read it."""
        if fold.deadline_ms is None and not fold.is_over:
            self.presence.wait_for(fold.state.awaited())
        if self._delayed is None:
            self._push(moment, remaining_ms, list(self._viewers))
            return
        self._push(moment, remaining_ms, [each for each in self._viewers if each.seat is not None])
        self._delayed.take(fold, moment, remaining_ms)

    def _push(self, moment: Moment, remaining_ms: int | None, viewers: list[Viewer]) -> None:
        remaining = remaining_field(remaining_ms)
        metrics.UPDATES.inc(len(viewers))
        slow = [viewer for viewer in viewers if not viewer.push(moment, remaining)]
        for viewer in slow:
            self._end(viewer, TOO_SLOW)

    def say(self, line: ChatLine, reads: Callable[[int, int], bool]) -> None:
        """Tell the people what one of them said, as far as `reads` says of a seat that it reads the other."""
        shown = shown_line(line)
        for viewer, (_, role) in self._viewers.items():
            if (
                role is Role.PLAYER
                and viewer.seat is not None
                and (reads(viewer.seat, line.seat) or viewer.seat == line.seat)
            ):
                viewer.say(shown)

    def end(self, reason: str) -> None:
        """There will be no more updates, for anybody."""
        for viewer in list(self._viewers):
            self._end(viewer, reason)

    def end_bots(self, fold: Fold) -> None:
        """Show bots out of seats that people have taken back."""
        for viewer, (_, role) in list(self._viewers.items()):
            if role is Role.BOT and viewer.seat is not None and not fold.state.is_bot(viewer.seat):
                self._end(viewer, SEAT_TAKEN_BACK)

    def _end(self, viewer: Viewer, reason: str) -> None:
        ended, _ = self._viewers[viewer]
        self.leave(viewer)
        ended(viewer, reason)


def _catch_up(viewer: Viewer, feed: Feed, fold: Fold, remaining_ms: int | None) -> None:
    """Send a viewer what it lacks, or the whole position where not all of that is at hand."""
    remaining = remaining_field(remaining_ms)
    missed = feed.since(viewer.after_sequence, fold.sequence) if viewer.after_sequence else None
    for moment in [feed.snapshot(fold)] if missed is None else missed:
        viewer.push(moment, remaining)


def _kind(viewer: Viewer) -> str:
    return "spectator" if viewer.seat is None else "seat"
