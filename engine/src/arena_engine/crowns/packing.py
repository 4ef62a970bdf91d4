"""How pieces and actions are packed into ints.

Pieces: bit 0 the King, bits 1-2 Normal Knights, bits 3-4 Golden Knights. A cell of the arena adds its owner's seat
plus one in bits 5-7, so that pieces are added to and taken from a cell by plain arithmetic; an empty cell is 0.

Actions: kind in bits 0-2, first triangle 3-10, second triangle 11-18, pieces 19-23, card 24-29, rival 30-32. What an
action does not use is 0.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from arena_engine.crowns import cards
from arena_engine.crowns.messages import Action, ChooseShield, EndTurn, Move, PlayCard, Resign
from arena_engine.errors import MalformedActionError

KING: Final = 1
KNIGHT: Final = 2
GOLDEN: Final = 8
PIECES: Final = 31
OWNER_SHIFT: Final = 5

#: Most pieces on a triangle.
STACK: Final = 3

MOVE: Final = 1
END_TURN: Final = 2
RESIGN: Final = 3
PLAY_CARD: Final = 4
CHOOSE_SHIELD: Final = 5

FIRST_SHIFT: Final = 3
SECOND_SHIFT: Final = 11
PIECES_SHIFT: Final = 19
CARD_SHIFT: Final = 24
RIVAL_SHIFT: Final = 30

#: Triangles of the larger board, and seats at the larger table: what an action may name.
_MOST_TRIANGLES: Final = 150
_MOST_SEATS: Final = 6

#: Ability of each card by number; 0 is no card.
ABILITY: Final = vec[i64]([0] + [card.ability.number for card in cards.CARDS])


def owner_of(cell: i64) -> i64:
    """Seat that holds a cell; -1 where it is empty."""
    return (cell >> OWNER_SHIFT) - 1


def knights_in(cell: i64) -> i64:
    """Normal Knights in a cell or group."""
    return (cell >> 1) & 3


def golden_in(cell: i64) -> i64:
    """Golden Knights in a cell or group."""
    return (cell >> 3) & 3


def power_of(cell: i64) -> i64:
    """How many pieces a cell or group has."""
    return (cell & KING) + ((cell >> 1) & 3) + ((cell >> 3) & 3)


def speed_of(pieces: i64) -> i64:
    """Steps that a group may take: those of its slowest piece."""
    if pieces & KING:
        return 1
    return 2 if knights_in(pieces) else 3


def pieces_of(king: bool, knights: int, golden: int) -> int:
    """Pack a group."""
    return int(king) + knights * KNIGHT + golden * GOLDEN


def kind_of(action: i64) -> i64:
    """Kind of a packed action."""
    return action & 7


def first_of(action: i64) -> i64:
    """First triangle of a packed action."""
    return (action >> FIRST_SHIFT) & 255


def second_of(action: i64) -> i64:
    """Second triangle of a packed action."""
    return (action >> SECOND_SHIFT) & 255


def group_of(action: i64) -> i64:
    """Pieces of a packed action."""
    return (action >> PIECES_SHIFT) & PIECES


def card_of(action: i64) -> i64:
    """Card of a packed action."""
    return (action >> CARD_SHIFT) & 63


def rival_of(action: i64) -> i64:
    """Rival of a packed action."""
    return (action >> RIVAL_SHIFT) & 7


def move_action(start: i64, goal: i64, pieces: i64) -> i64:
    """Pack a move."""
    return MOVE | (start << FIRST_SHIFT) | (goal << SECOND_SHIFT) | (pieces << PIECES_SHIFT)


def card_action(card: i64, rival: i64, first: i64, second: i64) -> i64:
    """Pack a card's use; 0 for what its ability does not name."""
    return (
        PLAY_CARD
        | (card << CARD_SHIFT)
        | (rival << RIVAL_SHIFT)
        | (first << FIRST_SHIFT)
        | (second << SECOND_SHIFT)
    )


def pack(action: Action) -> int:
    """Pack an action dataclass. Raises `MalformedActionError` for values that no position could mean."""
    if isinstance(action, Move):
        return _pack_move(action)
    if isinstance(action, EndTurn):
        return END_TURN
    if isinstance(action, Resign):
        return RESIGN
    if isinstance(action, PlayCard):
        return _pack_card(action)
    if isinstance(action, ChooseShield):
        return CHOOSE_SHIELD | _triangle(action.triangle, "triangle") << FIRST_SHIFT
    raise MalformedActionError(f"{type(action).__name__} is no action of Crowns.")


def _pack_move(move: Move) -> int:
    if not (0 <= move.knights <= STACK and 0 <= move.golden <= STACK):
        raise MalformedActionError("A move takes between 0 and 3 Knights of each sort.")
    if not 1 <= int(move.king) + move.knights + move.golden <= STACK:
        raise MalformedActionError("A move takes 1-3 pieces.")
    start = _triangle(move.from_triangle, "from_triangle")
    goal = _triangle(move.to_triangle, "to_triangle")
    return move_action(start, goal, pieces_of(move.king, move.knights, move.golden))


def _pack_card(play: PlayCard) -> int:
    if not 1 <= play.card <= cards.DECK_SIZE:
        raise MalformedActionError(f"Card {play.card} does not exist; cards go from 1 to 40.")
    ability = cards.card(play.card).ability
    needs_rival = ability.number == cards.SNATCH
    needs_triangle = ability.number in {cards.SNEAK, cards.AEGIS, cards.SNARE}
    needs_goal = ability.number == cards.SNEAK
    for name, value, is_needed in (
        ("rival", play.rival, needs_rival),
        ("triangle", play.triangle, needs_triangle),
        ("to_triangle", play.to_triangle, needs_goal),
    ):
        if (value is not None) != is_needed:
            raise MalformedActionError(
                f"{ability.name} (card {play.card}) {'needs' if is_needed else 'takes no'} {name}."
            )
    rival = play.rival or 0
    if not 0 <= rival < _MOST_SEATS:
        raise MalformedActionError(f"Seat {rival} does not exist; seats go from 0 to 5.")
    first = _triangle(play.triangle or 0, "triangle")
    second = _triangle(play.to_triangle or 0, "to_triangle")
    return card_action(play.card, rival, first, second)


def _triangle(value: int, name: str) -> int:
    if not 0 <= value < _MOST_TRIANGLES:
        raise MalformedActionError(f"{name} {value} does not exist; triangles go from 0 to 149.")
    return value


def unpack(action: int) -> Action:
    """The action dataclass of a packed action. Raises `MalformedActionError` where there is none."""
    kind = action & 7
    if kind == MOVE:
        pieces = group_of(action)
        return Move(
            first_of(action),
            second_of(action),
            bool(pieces & KING),
            knights_in(pieces),
            golden_in(pieces),
        )
    if kind == END_TURN:
        return EndTurn()
    if kind == RESIGN:
        return Resign()
    if kind == PLAY_CARD and 1 <= card_of(action) <= cards.DECK_SIZE:
        return _unpack_card(action)
    if kind == CHOOSE_SHIELD:
        return ChooseShield(first_of(action))
    raise MalformedActionError(f"{action} is no packed action of Crowns.")


def _unpack_card(action: int) -> PlayCard:
    number = card_of(action)
    ability = cards.card(number).ability.number
    return PlayCard(
        number,
        rival=rival_of(action) if ability == cards.SNATCH else None,
        triangle=first_of(action) if ability in {cards.SNEAK, cards.AEGIS, cards.SNARE} else None,
        to_triangle=second_of(action) if ability == cards.SNEAK else None,
    )
