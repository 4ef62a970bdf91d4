"""Reads the text form of a position, which `text` describes, and checks that it makes one."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from librt.vecs import vec
from mypy_extensions import u8

from arena_engine.crowns.cards import DECK_SIZE
from arena_engine.crowns.endings import ESCAPE, LAST_KING, LIMIT
from arena_engine.crowns.grid import Grid, grid_for
from arena_engine.crowns.kinds import TURN_SECONDS, Board, Relic
from arena_engine.crowns.packing import (
    KING,
    OWNER_SHIFT,
    STACK,
    golden_in,
    knights_in,
    pieces_of,
    power_of,
)
from arena_engine.crowns.position import (
    ALIVE,
    BEARER,
    BOT,
    HAND,
    KNIGHTS,
    PERSON,
    SNARE_HOLDS,
    SNARE_WAITS,
    Position,
    add_returning,
    bare_position,
)
from arena_engine.crowns.text import HEADER, RELIC_WORDS
from arena_engine.errors import PositionTextError

_FORMATION: Final = re.compile(r"s([0-5]) (?:(K)\+?)?(?:([1-3])k\+?)?(?:([1-3])g)?(?<!\+)")


def from_text(text: str) -> Position:
    """Read a position. Raises `PositionTextError` that names the line and what is wrong with it."""
    lines = [line for raw in text.splitlines() if (line := raw.partition("#")[0].strip())]
    if not lines or lines[0] != HEADER:
        found = repr(lines[0]) if lines else "nothing"
        raise PositionTextError(f"A position starts with {HEADER!r}, not with {found}.")
    entries: dict[str, str] = {}
    for line in lines[1:]:
        key, colon, value = line.partition(":")
        key = " ".join(key.split())
        if not colon:
            raise PositionTextError(f"{line!r} is not of the form `key: value`.")
        if key in entries:
            raise PositionTextError(f"{key!r} is given twice.")
        entries[key] = value.strip()
    return _Reader(entries).read()


class _Reader:
    """Reads the entries of one text; every key is taken out once, what is left over is an error."""

    def __init__(self, entries: dict[str, str]) -> None:
        self.entries = entries

    def read(self) -> Position:
        grid = self._grid()
        seconds = self._number("clock", 0, 0, 90)
        if seconds not in TURN_SECONDS:
            raise PositionTextError(f"clock: {seconds} is none of 0, 30, 60, 90.")
        p = bare_position(grid, self._secret(), seconds)
        draws = self._assignments("draws", self.entries.pop("draws", ""), ("relics", "deck"))
        p.draws[0] = _natural("draws", draws.get("relics", "0"))
        p.draws[1] = _natural("draws", draws.get("deck", "0"))
        p.actions = self._number("actions", 0)
        for seat in range(grid.players):
            self._seat(p, seat)
        for t in range(grid.size):
            self._triangle(p, t)
        self._turn(p)
        self._piles(p)
        self._end(p)
        if self.entries:
            raise PositionTextError(f"{next(iter(self.entries))!r} means nothing here.")
        _check_whole(p)
        return p

    def _grid(self) -> Grid:
        word = self.entries.pop("board", "standard")
        boards = {"standard": Board.STANDARD, "large": Board.LARGE}
        if word not in boards:
            raise PositionTextError(f"board: {word!r} is neither standard nor large.")
        if "players" not in self.entries:
            raise PositionTextError("players: is missing.")
        return grid_for(boards[word], self._number("players", 2, 2, 6))

    def _secret(self) -> bytes:
        word = self.entries.pop("secret", "00" * 32)
        if not re.fullmatch(r"[0-9a-f]{64}", word):
            raise PositionTextError("secret: is not 64 hex digits.")
        return bytes.fromhex(word)

    def _number(self, key: str, default: int, low: int = 0, high: int = 2**62) -> int:
        value = _natural(key, self.entries.pop(key, str(default)))
        if not low <= value <= high:
            raise PositionTextError(f"{key}: {value} is not between {low} and {high}.")
        return value

    def _assignments(self, key: str, text: str, names: tuple[str, ...]) -> dict[str, str]:
        found = {}
        for word in text.split():
            name, _, value = word.partition("=")
            if name not in names or name in found:
                raise PositionTextError(f"{key}: {word!r} is not one of {', '.join(names)}.")
            found[name] = value
        return found

    def _seat(self, p: Position, seat: int) -> None:
        key = f"seat {seat}"
        text = self.entries.pop(key, "")
        names = ("crowns", "hand", "missed", "out", "bot", "person")
        words = self._assignments(key, text, names)
        p.crowns[seat] = _natural(key, words.get("crowns", "0"))
        if p.crowns[seat] > BEARER:
            raise PositionTextError(f"{key}: nobody holds more than 3 Crowns.")
        run, slash, total = words.get("missed", "0/0").partition("/")
        p.missed_run[seat] = _natural(key, run)
        p.missed_all[seat] = _natural(key, total if slash else "")
        p.out[seat] = _natural(key, words.get("out", "0"))
        is_person = "person" in words or "bot" not in words
        p.flags[seat] = ALIVE * (p.out[seat] == 0) | BOT * ("bot" in words) | PERSON * is_person
        hand = [_natural(key, word) for word in words.get("hand", "").split(",") if word]
        if len(hand) > HAND:
            raise PositionTextError(f"{key}: a hand has at most 3 cards.")
        for i, card in enumerate(hand):
            p.hands[seat * HAND + i] = card
        p.hand_size[seat] = len(hand)

    def _triangle(self, p: Position, t: int) -> None:
        key = f"at {t}"
        text = self.entries.pop(key, None)
        if text is None:
            return
        for item in (part.strip() for part in text.split(",")):
            word, _, count = item.partition(" ")
            if match := _FORMATION.fullmatch(item):
                self._formation(p, t, match)
            elif item in RELIC_WORDS and p.relic_at(t) == 0:
                p.set_relic(t, RELIC_WORDS[item])
            elif word == "fallen" and p.fallen_at(t) == 0:
                fallen = _natural(key, count or "1")
                if not 1 <= fallen < p.grid.players:
                    raise PositionTextError(f"{key}: {fallen} Kings cannot have fallen.")
                p.add_fallen(t, fallen)
            elif item in {"snare", "snare now"} and p.snare_at(t) == 0:
                p.set_snare(t, SNARE_WAITS if item == "snare" else SNARE_HOLDS)
            else:
                raise PositionTextError(f"{key}: {item!r} is no formation, relic or Snare.")

    def _formation(self, p: Position, t: int, match: re.Match[str]) -> None:
        seat = int(match[1])
        pieces = pieces_of(match[2] is not None, int(match[3] or 0), int(match[4] or 0))
        if not 1 <= power_of(pieces) <= STACK:
            raise PositionTextError(f"at {t}: a formation has 1-3 pieces.")
        if seat >= p.grid.players or not p.is_alive(seat):
            raise PositionTextError(f"at {t}: seat {seat} is not in the match.")
        if p.cells[t] != 0:
            raise PositionTextError(f"at {t}: only one formation stands on a triangle.")
        p.cells[t] = pieces | (seat + 1) << OWNER_SHIFT
        p.reserve[seat] -= knights_in(pieces) + golden_in(pieces)
        if p.reserve[seat] < 0:
            raise PositionTextError(f"at {t}: seat {seat} has more than {KNIGHTS} Knights.")
        if pieces & KING:
            if p.king_at[seat] >= 0:
                raise PositionTextError(f"at {t}: seat {seat} has a second King.")
            p.king_at[seat] = t

    def _turn(self, p: Position) -> None:
        p.round = self._number("round", 1, 1)
        p.turn = self._number("turn", 0, 0, p.grid.players - 1)
        p.decision = self._number("decision", 1, 1)
        p.moves_left = self._number("moves", 1)
        for word in self.entries.pop("done", "").split():
            if word == "move":
                p.has_moved = True
            elif word == "card":
                p.has_played_card = True
            else:
                raise PositionTextError(f"done: {word!r} is neither move nor card.")
        if "shield" in self.entries:
            p.shield_at = self._number("shield", 0, 0, p.grid.size - 1)
        if "deadline" in self.entries:
            p.deadline = self._number("deadline", 0)

    def _piles(self, p: Position) -> None:
        discard = self._cards("discard", [])
        held = [card for card in p.hands if card]
        rest = [c for c in range(1, DECK_SIZE + 1) if c not in held and c not in discard]
        deck = self._cards("deck", rest)
        if sorted(held + discard + deck) != list(range(1, DECK_SIZE + 1)):
            raise PositionTextError("Hands, deck and discard together are not the 40 cards.")
        places = [0] * DECK_SIZE
        p.deck = vec[u8]((deck[::-1] + places)[:DECK_SIZE])
        p.discard = vec[u8]((discard + places)[:DECK_SIZE])
        p.deck_size = len(deck)
        p.discard_size = len(discard)
        for word in self.entries.pop("returning", "").split():
            relic, _, place = word.partition("@")
            triangle = _natural("returning", place)
            if relic not in RELIC_WORDS or triangle >= p.grid.size:
                raise PositionTextError(f"returning: {word!r} is not relic@triangle.")
            add_returning(p, RELIC_WORDS[relic], triangle)

    def _cards(self, key: str, default: list[int]) -> list[int]:
        if key not in self.entries:
            return default
        return [_natural(key, word) for word in self.entries.pop(key).split()]

    def _end(self, p: Position) -> None:
        words = self.entries.pop("ended", "").split()
        if not words:
            return
        how, *rest = words
        if how == LIMIT and not rest:
            p.how = how
        elif how in {ESCAPE, LAST_KING} and len(rest) == 1:
            p.winner = _natural("ended", rest[0])
            if p.winner >= p.grid.players:
                raise PositionTextError(f"ended: there is no seat {p.winner}.")
            p.how = how
        else:
            raise PositionTextError("ended: is not `escape SEAT`, `last_king SEAT` or `limit`.")


def _natural(key: str, word: str) -> int:
    if not re.fullmatch(r"[0-9]{1,18}", word):
        raise PositionTextError(f"{key}: {word!r} is no number.")
    return int(word)


def _check_whole(p: Position) -> None:
    for seat in range(p.grid.players):
        if p.is_alive(seat) and p.king_at[seat] < 0:
            raise PositionTextError(f"seat {seat} has no King and is not said to be out.")
        if not p.is_alive(seat) and (p.crowns[seat] or p.hand_size[seat]):
            raise PositionTextError(f"seat {seat} is out and holds Crowns or cards.")
    if sorted(o for o in p.out if o) != list(range(1, sum(o > 0 for o in p.out) + 1)):
        raise PositionTextError("out: the eliminated are not numbered from 1.")
    checks: tuple[tuple[Callable[[int], bool], str], ...] = (
        (lambda t: p.snare_at(t) != 0 and p.cells[t] == 0, "a Snare holds nobody"),
        (
            lambda t: p.relic_at(t) > Relic.CROWN and (p.cells[t] != 0 or p.fallen_at(t) != 0),
            "only Crowns share a triangle with pieces or one another",
        ),
        (
            lambda t: p.relic_at(t) != 0 and p.grid.is_gate[t] != 0,
            "no relic lies on a Gate in play",
        ),
    )
    for t in range(p.grid.size):
        for is_wrong, reason in checks:
            if is_wrong(t):
                raise PositionTextError(f"at {t}: {reason}.")
    if not p.how:
        if not p.is_alive(p.turn):
            raise PositionTextError(f"turn: seat {p.turn} is out.")
        if p.shield_at < 0 and p.moves_left == 0:
            raise PositionTextError("moves: 0 are left, so the turn is over.")
