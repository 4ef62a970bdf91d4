"""Events and actions of Crowns in words and in short notation. Seats go by the names given, in order of seat."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from arena_engine.crowns import events as ev
from arena_engine.crowns.cards import AEGIS, CARDS, DECK_SIZE, SNARE, SNATCH, SNEAK
from arena_engine.crowns.kinds import Relic
from arena_engine.crowns.messages import Action, ChooseShield, EndTurn, Move, PlayCard, Resign
from arena_engine.errors import MalformedActionError

_RELIC_NAMES: Final = (
    "nothing",
    "a Crown",
    "a Horse",
    "a Shield",
    "a Boat",
    "a Loot card",
    "a Fallen Crown",
)

NOTATION_HELP: Final = """\
  12-14 K+1k     from 12 to 14 go the King and one Normal Knight; onto a rival's triangle that is an attack
  12-14 1k+1g    1-3k are Normal Knights, 1-3g Golden ones
  card 22        play card 22; with a triangle where it needs one: card 15 12
  card 5 s2      Snatch from seat 2
  card 9 12 40   Sneak from 12 to 40
  shield 12      gild a Normal Knight on 12
  end            end the turn with moves left
  resign         give up, at any time"""

_PIECES: Final = r"(?:(K)\+?)?(?:([1-3])k\+?)?(?:([1-3])g)?(?<!\+)"
_MOVE: Final = re.compile(rf"(\d{{1,3}})-(\d{{1,3}}) (?=\S){_PIECES}")
_CARD: Final = re.compile(r"card (\d{1,2})(?: s(\d))?(?: (\d{1,3}))?(?: (\d{1,3}))?")
_SHIELD: Final = re.compile(r"shield (\d{1,3})")


def relic_name(relic: Relic) -> str:
    """A relic with its article."""
    return _RELIC_NAMES[relic]


def group_notation(king: bool, knights: int, golden: int) -> str:
    """Pieces in short: `K+2k`."""
    parts = ["K"] * king
    parts += [f"{knights}k"] * (knights > 0)
    parts += [f"{golden}g"] * (golden > 0)
    return "+".join(parts)


def notation(action: Action) -> str:
    """An action in short notation."""
    if isinstance(action, Move):
        pieces = group_notation(action.king, action.knights, action.golden)
        return f"{action.from_triangle}-{action.to_triangle} {pieces}"
    if isinstance(action, EndTurn):
        return "end"
    if isinstance(action, Resign):
        return "resign"
    if isinstance(action, ChooseShield):
        return f"shield {action.triangle}"
    words = [f"card {action.card}"]
    words += [f"s{action.rival}"] if action.rival is not None else []
    words += [str(t) for t in (action.triangle, action.to_triangle) if t is not None]
    return " ".join(words)


def parse(text: str) -> Action:
    """Read short notation. Raises `MalformedActionError` that says what is allowed."""
    words = " ".join(text.split())
    if words == "end":
        return EndTurn()
    if words == "resign":
        return Resign()
    if match := _MOVE.fullmatch(words):
        start, goal, king, knights, golden = match.groups()
        return Move(int(start), int(goal), king is not None, int(knights or 0), int(golden or 0))
    if match := _CARD.fullmatch(words):
        number, *rest = (None if word is None else int(word) for word in match.groups())
        return PlayCard(number or 0, *rest)
    if match := _SHIELD.fullmatch(words):
        return ChooseShield(int(match[1]))
    raise MalformedActionError(
        f"{words!r} is no action; write like `12-14 K+1k`, `card 22`, `shield 12`, `end` or `resign`."
    )


def _pieces_phrase(king: bool, knights: int, golden: int) -> str:
    parts = ["King"] * king
    if knights:
        parts.append("Knight" if knights == 1 else f"{knights} Knights")
    if golden:
        parts.append("Golden Knight" if golden == 1 else f"{golden} Golden Knights")
    return " and ".join(parts) if len(parts) < 3 else f"{parts[0]}, {parts[1]} and {parts[2]}"


def phrase(action: Action, names: Sequence[str]) -> str:
    """An action as a short line for a list of choices."""
    if isinstance(action, Move):
        pieces = _pieces_phrase(action.king, action.knights, action.golden)
        return f"{pieces}: {action.from_triangle} to {action.to_triangle}"
    if isinstance(action, EndTurn):
        return "End the turn"
    if isinstance(action, Resign):
        return "Resign"
    if isinstance(action, ChooseShield):
        return f"Gild a Knight on {action.triangle}"
    return _card_phrase(action.card, action.rival, action.triangle, action.to_triangle, names)


def _card_phrase(
    number: int,
    rival: int | None,
    triangle: int | None,
    goal: int | None,
    names: Sequence[str],
) -> str:
    if not 1 <= number <= DECK_SIZE:
        return f"Card {number}"
    card = CARDS[number - 1]
    ability = card.ability.number
    text = f"{card.name} ({card.ability.name})"
    if ability == SNATCH and rival is not None:
        return f"{text} against {_name(names, rival)}"
    if ability == SNEAK:
        return f"{text} from {triangle} to {goal}"
    return f"{text} on {triangle}" if ability in {AEGIS, SNARE} else text


def _name(names: Sequence[str], seat: int) -> str:
    return names[seat] if seat < len(names) else f"Seat {seat}"


def tell(event: ev.EventBody, names: Sequence[str]) -> str:
    """One event as a sentence; empty for what is not worth one."""
    match event:
        case ev.TurnEnded():
            return ""
        case ev.MatchEnded():
            return _tell_end(event, names)
        case ev.RelicAppeared() | ev.DeckReshuffled():
            return _tell_arena(event)
        case ev.TurnBegan() | ev.TurnMissed() | ev.SeatHandedOver() | ev.SnareChanged():
            return _tell_course(event, names)
        case ev.Moved() | ev.Captured() | ev.Blocked() | ev.BlockadeStruck() | ev.Eliminated():
            return _tell_pieces(event, names)
        case _:
            return f"{_name(names, event.seat)} {_tell_gain(event, names)}."


def _tell_arena(event: ev.RelicAppeared | ev.DeckReshuffled) -> str:
    if isinstance(event, ev.DeckReshuffled):
        return f"The discard pile becomes a new deck of {event.cards} cards."
    return f"{_capital(relic_name(event.relic))} appears on {event.triangle}."


def _tell_course(
    event: ev.TurnBegan | ev.TurnMissed | ev.SeatHandedOver | ev.SnareChanged,
    names: Sequence[str],
) -> str:
    name = _name(names, event.seat)
    match event:
        case ev.TurnBegan():
            return f"Round {event.round}: {name}'s turn."
        case ev.TurnMissed():
            return f"{name} misses a turn: {event.in_a_row} in a row, {event.in_all} in all."
        case ev.SeatHandedOver():
            return f"A bot plays for {name} now." if event.is_bot else f"{name} is back."
        case ev.SnareChanged():
            change = "is snared" if event.is_snared else "is free of its Snare"
            return f"{name}'s formation on {event.triangle} {change}."


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def _tell_end(event: ev.MatchEnded, names: Sequence[str]) -> str:
    if event.winner is None:
        return "The match ends level: it has gone on too long without a person in it."
    name = _name(names, event.winner)
    if event.how == "escape":
        return f"{name} escapes with three Crowns and wins."
    return f"{name} is the last King standing and wins."


def _tell_pieces(
    event: ev.Moved | ev.Captured | ev.Blocked | ev.BlockadeStruck | ev.Eliminated,
    names: Sequence[str],
) -> str:
    name = _name(names, event.seat)
    match event:
        case ev.Moved():
            pieces = _pieces_phrase(event.king, event.knights, event.golden)
            return f"{name} moves {pieces} from {event.from_triangle} to {event.to_triangle}."
        case ev.Captured():
            pieces = _pieces_phrase(event.king, event.knights, event.golden)
            return f"{name} defeats {_name(names, event.rival)}'s {pieces} on {event.triangle}."
        case ev.Blocked():
            rival = _name(names, event.rival)
            return f"A Golden Knight of {rival} stops {name}'s attack on {event.to_triangle}."
        case ev.BlockadeStruck():
            struck = "the King" if event.king_defeated else "a Knight"
            what = "breaks a Golden shield" if event.shield_broken else f"strikes down {struck}"
            return f"{name} {what} of {_name(names, event.rival)} at the Gate on {event.triangle}."
        case ev.Eliminated():
            if event.by_seat is None:
                return f"{name} resigns; a Fallen Crown lies on {event.triangle}."
            by = _name(names, event.by_seat)
            return f"{by} eliminates {name}; a Fallen Crown lies on {event.triangle}."


def _tell_gain(
    event: ev.RelicCollected
    | ev.RelicWasted
    | ev.CrownsChanged
    | ev.MovesGained
    | ev.Gilded
    | ev.Spawned
    | ev.CardDrawn
    | ev.CardPlayed,
    names: Sequence[str],
) -> str:
    match event:
        case ev.RelicCollected():
            return f"collects {relic_name(event.relic)} on {event.triangle}"
        case ev.RelicWasted():
            return f"gets nothing from {relic_name(event.relic)}: {event.reason}"
        case ev.CrownsChanged():
            crowns = "1 Crown" if event.crowns == 1 else f"{event.crowns} Crowns"
            return f"holds {crowns}{' and is the Crown Bearer' if event.is_bearer else ''}"
        case ev.MovesGained():
            return f"has {event.moves_left} moves left"
        case ev.Gilded():
            return f"gilds a Knight on {event.triangle}"
        case ev.Spawned():
            return f"places a Knight at the Gate on {event.triangle}"
        case ev.CardDrawn():
            return f"draws {CARDS[event.card - 1].name if event.card else 'a card'}"
        case ev.CardPlayed():
            played = _card_phrase(event.card, event.rival, event.triangle, event.to_triangle, names)
            return f"plays {played}"
