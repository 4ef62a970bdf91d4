"""What viewers are sent: one update for each entry, serialized once, and the recent ones kept for those who resume.

An update is joined from byte strings that hold distinct fields of one `Update` message: what is common to all viewers,
what one seat alone may see, and what the clock shows at the moment of sending. The order of fields on the wire is free
in protobuf, so the joined string is an `Update` like any other.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

from arena.log.v1.entry_pb2 import Player
from arena.room.v1.room_service_pb2 import Awaited, Outcome, SeatHolder, Update, Vote
from arena_services.common.encoding import length_tag, varint, varint_tag
from arena_services.common.games import HostedGame, packed
from arena_services.common.log.fold import Fold

#: How many updates are kept for viewers who resume, and recalled from the log when a room takes a match in. Each is a
#: whole view: who lacks more is shown the present position alone, and misses no more than what happened in between.
RECENT = 8
_COMMON_TAG = length_tag(Update.COMMON_FIELD_NUMBER)
_OWN_TAG = length_tag(Update.OWN_FIELD_NUMBER)
_REMAINING_TAG = varint_tag(Update.REMAINING_MS_FIELD_NUMBER)

#: For each seat its name to show, and whether a bot plays it.
Seating: TypeAlias = tuple[tuple[str, bool], ...]


class Moment:
    """One entry, or a whole position, as bytes for everybody and for each seat."""

    __slots__ = ("common", "own", "seating", "sequence")

    def __init__(
        self, sequence: int, seating: Seating, common: bytes, own: tuple[bytes, ...]
    ) -> None:
        self.sequence = sequence
        self.seating = seating
        self.common = common
        """The fields of the `Update` that are the same for everybody."""
        self.own = own
        """For each seat the field that it alone is told."""

    def for_viewer(self, seat: int | None, remaining: bytes) -> bytes:
        """The `Update` for a seat, or a spectator (None). `remaining` comes from `remaining_field`."""
        if seat is None:
            return self.common + remaining
        return self.common + self.own[seat] + remaining


def remaining_field(remaining_ms: int | None) -> bytes:
    """The field that tells what the clock shows; nothing where no clock runs."""
    return b"" if remaining_ms is None else _REMAINING_TAG + varint(max(0, remaining_ms))


class Recalled(NamedTuple):
    """An entry whose update is only made if somebody resumes from before it."""

    fold: Fold
    events: Sequence[Any]
    given_back_ms: int

    @property
    def sequence(self) -> int:
        """Of the entry."""
        return self.fold.sequence


class _Hands:
    """What each seat was told last, as it was written then: mostly it is told the same again."""

    __slots__ = ("_last",)

    def __init__(self) -> None:
        self._last: dict[int, tuple[Any, bytes]] = {}

    def field(self, hosted: HostedGame, seat: int, own: Any) -> bytes:
        """The field that tells a seat what it alone may know."""
        last = self._last.get(seat)
        if last is not None and last[0] == own:
            return last[1]
        written = packed(hosted.own, own)
        field = _OWN_TAG + varint(len(written)) + written
        self._last[seat] = (own, field)
        return field


class Feed:
    """The recent updates of one match."""

    __slots__ = (
        "_hands",
        "_names",
        "_recent",
        "_shown",
        "_snapshot",
    )

    def __init__(self) -> None:
        self._recent: deque[Moment | Recalled] = deque(maxlen=RECENT)
        self._names: dict[int, str] = {}
        self._shown: Seating = ()
        self._hands = _Hands()
        self._snapshot: Moment | None = None

    def apart(self) -> Feed:
        """Another feed under the same names, with no update in it yet."""
        twin = Feed()
        twin._names = self._names.copy()
        return twin

    def make(self, fold: Fold, events: Sequence[Any], given_back_ms: int) -> Moment:
        """The update of the entry that was folded last, to be kept once that is stored."""
        seating = self._seating(fold)
        update = _update(fold, given_back_ms)
        if seating != self._shown:
            update.seats.extend(holders(fold.players, seating))
        return _moment(fold, update, events, seating, self._hands)

    def keep(self, moment: Moment) -> None:
        """Keep the next update for those who resume."""
        self._shown = moment.seating
        self._recent.append(moment)
        self._snapshot = None

    def since(self, after_sequence: int, sequence: int) -> list[Moment] | None:
        """The updates behind a sequence up to the present one; None where they are not all at hand."""
        if after_sequence == sequence:
            return []
        recent = self._recent
        if not recent or not recent[0].sequence - 1 <= after_sequence < sequence:
            return None
        return [self._shown_as(each) for each in recent if each.sequence > after_sequence]

    def recall(self, recalled: Recalled) -> None:
        """Keep an entry that was stored before this room had the match."""
        self._recent.append(recalled)

    def _shown_as(self, recent: Moment | Recalled) -> Moment:
        return recent if isinstance(recent, Moment) else self.make(*recent)

    def snapshot(self, fold: Fold) -> Moment:
        """The whole position, for viewers who have nothing to go on from."""
        if self._snapshot is None:
            self._snapshot = self.opening(fold, (), 0)
        return self._snapshot

    def opening(self, fold: Fold, events: Sequence[Any], given_back_ms: int) -> Moment:
        """The whole position, and what has just led to it."""
        update = _update(fold, given_back_ms)
        update.reset = True
        update.game = fold.hosted.game.name
        update.options.CopyFrom(fold.options)
        seating = self._seating(fold)
        update.seats.extend(holders(fold.players, seating))
        return _moment(fold, update, events, seating, self._hands)

    def learn_name(self, seat: int, name: str) -> None:
        """Note how the person of a seat wants to be called. Names are no part of the match and are not stored."""
        if self._names.get(seat) != name:
            self._names[seat] = name
            self._snapshot = None

    def _seating(self, fold: Fold) -> Seating:
        names, players = self._names, fold.players
        seating = tuple(
            [
                (names.get(seat) or stand_in(players, seat), is_bot)
                for seat, is_bot in enumerate(fold.bots())
            ]
        )
        # Kept with every update: as one object while it stays the same.
        return self._shown if seating == self._shown else seating


def bare(fold: Fold, events: Sequence[Any], given_back_ms: int) -> Moment:
    """The update of the entry that was folded last, without what changes later: who sits there under which name."""
    nameless = tuple(("", is_bot) for is_bot in fold.bots())
    return _moment(fold, _update(fold, given_back_ms), events, nameless, _Hands())


def _update(fold: Fold, given_back_ms: int) -> Update:
    """All that an update tells everybody, but for the game's own message."""
    update = Update(
        sequence=fold.sequence,
        time_ms=fold.time_ms,
        given_back_ms=given_back_ms,
        outcome=outcome_of(fold),
        votes=(Vote(seat=seat, absent_seat=absent) for seat, absent in sorted(fold.votes)),
    )
    if not fold.is_over:
        update.awaited.extend(
            Awaited(seat=seat, decision=decision) for seat, decision in fold.state.awaited()
        )
    return update


def _moment(
    fold: Fold, update: Update, events: Sequence[Any], seating: Seating, hands: _Hands
) -> Moment:
    state, hosted = fold.state, fold.hosted
    common = packed(hosted.common, state.common(events))
    seats = range(len(seating))
    return Moment(
        fold.sequence,
        seating,
        update.SerializeToString() + _COMMON_TAG + varint(len(common)) + common,
        tuple([hands.field(hosted, seat, state.own(seat, events)) for seat in seats]),
    )


def outcome_of(fold: Fold) -> Outcome | None:
    """How the match ended; None while it has not."""
    if fold.closed:
        return Outcome(how=fold.closed, state_hash=fold.state.state_hash().hex())
    outcome = fold.state.outcome()
    if outcome is None:
        return None
    return Outcome(how=outcome.how, places=outcome.places, state_hash=fold.state.state_hash().hex())


def stand_in(players: Sequence[Player], seat: int) -> str:
    """What a seat is called while nobody has said."""
    return f"{'Bot' if players[seat].is_bot else 'Player'} {seat + 1}"


def holders(players: Sequence[Player], seating: Seating) -> list[SeatHolder]:
    """Who sits where, as it is told."""
    return [
        SeatHolder(
            player_id=player.player_id, name=name, is_bot=is_bot, has_person=not player.is_bot
        )
        for player, (name, is_bot) in zip(players, seating, strict=True)
    ]
