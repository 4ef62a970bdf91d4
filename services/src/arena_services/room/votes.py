"""Whether the others may have a bot play for somebody who is away, in a match without a clock."""

from __future__ import annotations

from collections.abc import Collection

from arena_services.common.errors import FailedPreconditionError
from arena_services.common.log.fold import Fold
from arena_services.room.errors import NoSuchSeatError
from arena_services.room.presence import Presence

#: How long somebody may be away, and keep the match waiting, before the others can do something about it.
AWAY_SECONDS = 180.0


def is_carried(
    fold: Fold, presence: Presence, here: Collection[int], seat: int, absent_seat: int
) -> bool:
    """Whether a seat's vote to do without another one settles it: more than half of the other people who are here.

    Args:
        fold: The match.
        presence: Who has been away for how long.
        here: Seats whose people are attached.
        seat: Who votes.
        absent_seat: Against whom.

    Raises `FailedPreconditionError` where there is nothing to vote on, `NoSuchSeatError`.
    """
    _check(fold, presence, here, seat, absent_seat)
    people = {each for each, is_bot in enumerate(fold.bots()) if not is_bot} - {absent_seat}
    voters = {by for by, against in fold.votes if against == absent_seat} | {seat}
    entitled = people & {*here, *voters}
    settles = 2 * len(voters & entitled) > len(entitled)
    if not settles and (seat, absent_seat) in fold.votes:
        raise FailedPreconditionError(
            "ALREADY_VOTED",
            f"Your vote on seat {absent_seat} counts already; the others have not said yet.",
        )
    return settles


def _check(
    fold: Fold, presence: Presence, here: Collection[int], seat: int, absent_seat: int
) -> None:
    if absent_seat >= len(fold.players):
        raise NoSuchSeatError(absent_seat, len(fold.players))
    if fold.deadline_ms is not None:
        raise FailedPreconditionError(
            "CLOCK_RUNS", "A clock runs in this match; it decides for whoever is away."
        )
    if fold.state.is_bot(absent_seat):
        raise FailedPreconditionError("SEAT_HAS_BOT", f"A bot plays seat {absent_seat} already.")
    waited = presence.kept_waiting_seconds(absent_seat)
    if absent_seat == seat or absent_seat in here or waited is None or waited < AWAY_SECONDS:
        raise FailedPreconditionError(
            "SEAT_NOT_ABSENT",
            f"A bot can play seat {absent_seat} once its person has been away and kept the match waiting for "
            f"{AWAY_SECONDS:g} s.",
        )
