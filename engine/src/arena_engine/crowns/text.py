"""A whole position as text, hidden parts and draws included.

One `key: value` per line; blank lines and everything after `#` are ignored; order of lines is free except for the
first. Whatever is left out takes the value in brackets. The shortest position is four lines::

    crowns 1                  # game and rules version
    players: 2
    at 4: s0 K+2k             # seat 0: King and two Normal Knights on triangle 4
    at 91: s1 K+1k+1g         # seat 1: King, one Normal and one Golden Knight on 91

The match::

    board: standard           # or large [standard]
    players: 2                # 2-6; seats lie on the sides that the rules give this number
    clock: 30                 # seconds a turn: 0, 30, 60 or 90 [0]
    secret: 00..00            # 64 hex digits [all zeros]
    draws: relics=12 deck=39  # how many draws of each purpose were made [none]
    actions: 57               # actions taken so far [0]
    ended: escape 1           # how, and the winning seat; `limit` has none [not ended]

The turn::

    round: 3                  # [1]
    turn: 0                   # whose [0]
    decision: 9               # id of the open decision [1]
    moves: 2                  # left in this turn [1]
    done: move card           # the first move, the turn's card, or both, are behind [neither]
    shield: 12                # a Shield collected on triangle 12 waits for its owner's choice [none]
    deadline: 30000           # when the turn's clock runs out, in milliseconds [none]

One line for each seat that differs from [a living person with no Crowns, no cards, no misses]::

    seat 1: crowns=2 hand=3,17 missed=1/2
    seat 2: bot               # a bot from the start, nobody to take it back
    seat 3: bot person        # a person's seat that a bot plays for now
    seat 3: out=1             # the first to be eliminated; a seat without a King has to say so

`missed` is in a row / in all. The reserve is never written: it is 10 less the Knights on the arena.

One line for each triangle that holds anything, items parted by commas::

    at 12: s0 K+2k+1g         # K the King, k Normal Knights, g Golden Knights; parts in this order
    at 40: crown, fallen 2    # crown, horse, shield, boat or loot; and Fallen Crowns (a bare `fallen` is one)
    at 50: s1 2k, snare       # a Snare that holds in seat 1's next turn
    at 51: s1 1g, snare now   # one that holds in seat 1's turn under way

The cards and the relics on their way back::

    deck: 5 1 40              # top first [all that are nowhere else, ascending]
    discard: 2 9              # oldest first [none]
    returning: crown@40 boat@7  # in order of collection, each with where it was collected [none]
"""

from __future__ import annotations

from typing import Final

from arena_engine.crowns.kinds import Board
from arena_engine.crowns.packing import KING, golden_in, knights_in, owner_of
from arena_engine.crowns.position import BOT, HAND, PERSON, SNARE_HOLDS, Position

#: Raised by every change that would fold an old log differently.
RULES_VERSION: Final = 1
#: First line of every text.
HEADER: Final = f"crowns {RULES_VERSION}"
#: Relics by their words.
RELIC_WORDS: Final = {"crown": 1, "horse": 2, "shield": 3, "boat": 4, "loot": 5}
_WORD_OF_RELIC: Final = {number: word for word, number in RELIC_WORDS.items()}


def to_text(p: Position) -> str:
    """The position as text, always in the same form."""
    lines = [HEADER, *_match_lines(p), *_turn_lines(p)]
    lines += [_seat_line(p, seat) for seat in range(p.grid.players)]
    lines += [f"at {t}: {items}" for t in range(p.grid.size) if (items := _triangle_items(p, t))]
    lines += _pile_lines(p)
    return "\n".join(lines) + "\n"


def _match_lines(p: Position) -> list[str]:
    ended = [p.how] if p.winner < 0 else [p.how, str(p.winner)]
    lines = [
        f"board: {Board(p.grid.board).name.lower()}",
        f"players: {p.grid.players}",
        f"clock: {p.turn_seconds}",
        f"secret: {p.secret.hex()}",
        f"draws: relics={p.draws[0]} deck={p.draws[1]}",
        f"actions: {p.actions}",
    ]
    return [*lines, f"ended: {' '.join(ended)}"] if p.how else lines


def _turn_lines(p: Position) -> list[str]:
    done = ["move"] * p.has_moved + ["card"] * p.has_played_card
    lines = [
        f"round: {p.round}",
        f"turn: {p.turn}",
        f"decision: {p.decision}",
        f"moves: {p.moves_left}",
    ]
    if done:
        lines.append(f"done: {' '.join(done)}")
    if p.shield_at >= 0:
        lines.append(f"shield: {p.shield_at}")
    if p.deadline >= 0:
        lines.append(f"deadline: {p.deadline}")
    return lines


def _seat_line(p: Position, seat: int) -> str:
    flags = p.flags[seat]
    words = [f"crowns={p.crowns[seat]}"]
    hand = [str(p.hands[seat * HAND + i]) for i in range(p.hand_size[seat])]
    if hand:
        words.append(f"hand={','.join(hand)}")
    words.append(f"missed={p.missed_run[seat]}/{p.missed_all[seat]}")
    if p.out[seat]:
        words.append(f"out={p.out[seat]}")
    if flags & BOT:
        words.append("bot")
    if flags & PERSON:
        words.append("person")
    return f"seat {seat}: {' '.join(words)}"


def _triangle_items(p: Position, t: int) -> str:
    items = []
    cell = p.cells[t]
    if cell:
        items.append(f"s{owner_of(cell)} {pieces_text(cell)}")
    if relic := p.relic_at(t):
        items.append(_WORD_OF_RELIC[relic])
    if fallen := p.fallen_at(t):
        items.append("fallen" if fallen == 1 else f"fallen {fallen}")
    if snare := p.snare_at(t):
        items.append("snare now" if snare == SNARE_HOLDS else "snare")
    return ", ".join(items)


def pieces_text(pieces: int) -> str:
    """Pieces of a cell or group in short: `K+2k`."""
    parts = ["K"] if pieces & KING else []
    if knights := knights_in(pieces):
        parts.append(f"{knights}k")
    if golden := golden_in(pieces):
        parts.append(f"{golden}g")
    return "+".join(parts)


def _pile_lines(p: Position) -> list[str]:
    deck = [str(p.deck[i]) for i in range(p.deck_size - 1, -1, -1)]
    discard = [str(p.discard[i]) for i in range(p.discard_size)]
    returning = [f"{_WORD_OF_RELIC[entry & 7]}@{entry >> 3}" for entry in p.returning]
    return [
        f"{key}: {' '.join(words)}".rstrip()
        for key, words in (("deck", deck), ("discard", discard), ("returning", returning))
    ]
