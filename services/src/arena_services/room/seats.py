"""Who may do what for which seat."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from arena.log.v1.entry_pb2 import Player
from arena_services.common.auth import Caller, Role
from arena_services.common.errors import FailedPreconditionError, PermissionDeniedError
from arena_services.common.log.fold import Fold
from arena_services.room.errors import NoSuchSeatError, NotYourSeatError

TAKE_BACK = "take_back"


def check_seat(fold: Fold, caller: Caller, seat: int) -> None:
    """Raise unless the caller may see what this seat sees."""
    check_viewer(fold.players, fold.state.is_bot, caller, seat)


def check_viewer(
    players: Sequence[Player], is_bot: Callable[[int], bool], caller: Caller, seat: int
) -> None:
    """As `check_seat`, of whom is known who they are and whether a bot plays a seat."""
    if seat >= len(players):
        raise NoSuchSeatError(seat, len(players))
    match caller.role:
        case Role.PLAYER:
            if not _is_person(players[seat], caller):
                raise NotYourSeatError(seat)
        case Role.BOT:
            if not is_bot(seat):
                raise FailedPreconditionError(
                    "SEAT_HAS_PERSON", f"Seat {seat} is played by its person now."
                )
        case Role.SERVICE | Role.OPERATOR:
            raise PermissionDeniedError(
                "WRONG_ROLE", f"A {caller.role} token has no seat; watch as a spectator instead."
            )


def check_wish(fold: Fold, caller: Caller, seat: int, kind: str) -> None:
    """Raise unless the caller may ask for a wish of this kind: action, leave or take_back."""
    check_seat(fold, caller, seat)
    has_bot = fold.state.is_bot(seat)
    if caller.role is Role.BOT:
        if kind != "action":
            raise PermissionDeniedError(
                "WRONG_ROLE", "A bot neither leaves a seat nor takes one back."
            )
        return
    if has_bot and kind != TAKE_BACK:
        raise FailedPreconditionError(
            "SEAT_HAS_BOT", f"A bot plays seat {seat} now; take the seat back first."
        )
    if not has_bot and kind == TAKE_BACK:
        raise FailedPreconditionError("SEAT_IS_YOURS", f"You play seat {seat} already.")


def is_person(fold: Fold, caller: Caller, seat: int) -> bool:
    """Whether the caller is the person that the seat belongs to."""
    return _is_person(fold.players[seat], caller)


def _is_person(player: Player, caller: Caller) -> bool:
    return not player.is_bot and player.player_id == caller.player_id


def check_person(players: Sequence[Player], caller: Caller, seat: int) -> None:
    """Raise unless the caller is the person that the seat belongs to, whoever plays it now."""
    if seat >= len(players):
        raise NoSuchSeatError(seat, len(players))
    if not _is_person(players[seat], caller):
        raise NotYourSeatError(seat)


def people_of(players: Iterable[Player]) -> list[str]:
    """The ids of those who are people."""
    return [player.player_id for player in players if not player.is_bot]
