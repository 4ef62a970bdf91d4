"""A whole position as text, hidden parts and draws included.

One `key: value` per line; blank lines and everything after `#` are ignored; order of lines is free except for the
first. Whatever is left out takes the value in brackets. The shortest position is three lines::

    singhasan 1               # game and rules version
    players: 3                # 2-5
    phase: act                # claim court answer act shield choice discard quiz strike [claim]

The match::

    speed: standard           # or swift, unhurried [standard]
    secret: 00..00            # 64 hex digits [all zeros]
    draws: questions=119 ..   # how many draws of each purpose were made [none]
    ending: sworn             # or seats, cap: what brought the end about [nothing yet]
    ended: points 2           # how the throne was decided, and the winning seat [not ended]

Plain numbers, each on a line of its own; see `Position` for what they mean::

    actions [0]  answered [the answers on the boards]  round [1]  turn [0]  decision [that of the decisions below]
    last turns [none]  last played by [none]  question [0]  deadline [none]  act clock [none]
    program, step [0]  choice seat [none]
    duel number, mark [0]  swing [none]

Bits of seats or provinces, as their numbers and ids: `in court`, `asked`, `aimed`, `shielded`, `duellists`; `marched`.
Words: `done` (answered acted), `court` (hushed lot noredraw redrawn swapped). Ints as they are packed: `tax`, lists of
them: `lasting`, `offers`, `declined`, `registers`, `quiz`. `pending: 2 4711` is an act that waits, packed, and
whose. `resume: act` is the phase to go back to.

One line for each seat that differs from [a person who has nothing, claimed with colour and sigil by seat]::

    seat 1: colour=3 sigil=2 stock=3/0/2/1 answers=2/0/0/1 reached=4/0/0/7 used=1 missed=1/2 bank=120000 decision=7
    seat 2: bot               # a bot from the start, nobody to take it back
    seat 3: bot person        # a person's seat that a bot plays for now
    seat 4: unclaimed

and `tally=0/1/0/0/2/0/0/3` (facts), `duel=3/-1` (score, answer). Where no seat has a `decision`, those that the phase
awaits are opened. Supply, oaths and levels follow from the rest and are never written.

One line for each province where anything is::

    at capital: s0=3 s1=2+1 sealed    # three of seat 0, two of seat 1 and one more on a Rift

Cards, decks with the top first::

    kept 1: 17=gold 3=oath    # the Questions of seat 1's answers [the first that have such answers, as `answers` says]
    away: 5 9                 # Questions sent away [none]
    questions: 8 2 ..         # the deck [all that are nowhere else, ascending]
    row: 3 0 17               # the hire row, 0 an empty place [empty]
    followers: 1 2 ..         # [all that are nowhere else]
    used: 4 5                 # used Follower cards [none]
    headlines: 1 2 ..         # [all that are not called]
    called: 7@0 9@0           # Headlines called, each by whom [none]
    hand 0: 12 3              # Conspiracies in the order taken [none]
    spent: 1                  # Conspiracies [none]
    pile: 2 4 ..              # [all that are nowhere else]
"""

from __future__ import annotations

from typing import Final

from arena_engine.singhasan.board import PROVINCE_COUNT, PROVINCES
from arena_engine.singhasan.ending import ENDINGS
from arena_engine.singhasan.hands import card_at, hand_size
from arena_engine.singhasan.kinds import Phase, Resource, Speed
from arena_engine.singhasan.legends import KEPT, SENT_AWAY
from arena_engine.singhasan.position import (
    BOT,
    CLAIMED,
    CONSPIRACIES,
    FACT_COUNT,
    KINDS,
    PERSON,
    QUESTIONS,
    SPENT,
    Position,
)

#: Raised by every change that would fold an old log differently.
RULES_VERSION: Final = 1
#: First line of every text.
HEADER: Final = f"singhasan {RULES_VERSION}"

#: Numbers with lines of their own: key, attribute, the value that is left out.
NUMBERS: Final = (
    ("actions", "actions", 0),
    ("round", "round", 1),
    ("turn", "turn", 0),
    ("last turns", "last_turns", -1),
    ("last played by", "last_played_by", -1),
    ("question", "question", 0),
    ("deadline", "deadline", -1),
    ("act clock", "act_ms", -1),
    ("program", "program", 0),
    ("step", "step", 0),
    ("choice seat", "choice_seat", -1),
    ("duel number", "duel_number", 0),
    ("mark", "mark_ms", 0),
    ("swing", "swing_at", -1),
)
#: Bits of seats.
SEAT_BITS: Final = (
    ("in court", "in_court"),
    ("asked", "asked"),
    ("aimed", "aimed"),
    ("shielded", "shielded"),
    ("duellists", "duellists"),
)
#: Lists of ints, as they are.
LISTS: Final = (
    ("lasting", "lasting"),
    ("offers", "offers"),
    ("declined", "declined"),
    ("registers", "registers"),
    ("quiz", "quiz"),
)
#: Purposes of draws, in their order.
PURPOSES: Final = (
    "questions",
    "swap",
    "followers",
    "headlines",
    "conspiracies",
    "lots",
    "duel",
)
#: Bits of `Position.court`, lowest first.
COURT_WORDS: Final = ("hushed", "lot", "noredraw", "redrawn", "swapped")
#: Resources by kind.
KIND_WORDS: Final = tuple(resource.name.lower() for resource in Resource if resource)


def to_text(p: Position) -> str:
    """The position as text, always in the same form."""
    lines = [HEADER, *_match_lines(p), *_turn_lines(p)]
    lines += [_seat_line(p, seat) for seat in range(p.board.players)]
    lines += [
        f"at {PROVINCES[province].id}: {items}"
        for province in range(PROVINCE_COUNT)
        if (items := _province_items(p, province))
    ]
    lines += _card_lines(p)
    return "\n".join(lines) + "\n"


def _match_lines(p: Position) -> list[str]:
    draws = [f"{name}={p.draws[i]}" for i, name in enumerate(PURPOSES)]
    lines = [
        f"players: {p.board.players}",
        f"speed: {Speed(p.speed).name.lower()}",
        f"secret: {p.secret.hex()}",
        f"draws: {' '.join(draws)}",
    ]
    if p.ending:
        lines.append(f"ending: {ENDINGS[p.ending - 1]}")
    if p.how:
        lines.append(f"ended: {p.how} {p.winner}")
    return lines


def _turn_lines(p: Position) -> list[str]:
    lines = [f"phase: {phase_word(p.phase)}"] if p.phase else []
    lines += [
        f"{key}: {getattr(p, name)}" for key, name, unset in NUMBERS if getattr(p, name) != unset
    ]
    lines += [f"answered: {p.answered}", f"decision: {p.decision}"]
    if p.resume_phase:
        lines.append(f"resume: {phase_word(p.resume_phase)}")
    if p.pending:
        lines.append(f"pending: {p.pending_seat} {p.pending}")
    done = ["answered"] * bool(p.has_answered) + ["acted"] * bool(p.has_acted)
    court = [word for i, word in enumerate(COURT_WORDS) if p.court >> i & 1]
    marched = [PROVINCES[i].id for i in _numbers_of(p.marched)]
    for key, words in (("done", done), ("court", court), ("marched", marched)):
        if words:
            lines.append(f"{key}: {' '.join(words)}")
    if p.court_tax:
        lines.append(f"tax: {p.court_tax}")
    for key, name in SEAT_BITS:
        if bits := getattr(p, name):
            lines.append(f"{key}: {' '.join(map(str, _numbers_of(bits)))}")
    for key, name in LISTS:
        items = list(getattr(p, name))
        if any(items) or (items and name in {"offers", "declined"}):
            lines.append(f"{key}: {' '.join(map(str, items))}")
    return lines


def phase_word(phase: int) -> str:
    """A phase by its word."""
    return Phase(phase).name.lower()


def _numbers_of(bits: int) -> list[int]:
    return [i for i in range(PROVINCE_COUNT) if bits >> i & 1]


def _seat_line(p: Position, seat: int) -> str:
    players = p.board.players
    at = slice(seat * KINDS, (seat + 1) * KINDS)
    tally = [p.facts[fact * players + seat] for fact in range(FACT_COUNT)]
    numbers: list[tuple[str, list[int], list[int]]] = [
        ("colour", [p.colour[seat]], []),
        ("sigil", [p.sigil[seat]], []),
        ("stock", list(p.stock[at]), [0] * KINDS),
        ("answers", list(p.answers[at]), [0] * KINDS),
        ("reached", list(p.reached[at]), [0] * KINDS),
        ("used", [p.used[seat]], [0]),
        ("missed", [p.missed_run[seat], p.missed_all[seat]], [0, 0]),
        ("bank", [p.bank_ms[seat]], []),
        ("decision", [p.decisions[seat]], [0]),
        ("tally", tally, [0] * FACT_COUNT),
        ("duel", [p.duel_score[seat], p.duel_answer[seat]], [0, -1]),
    ]
    words = [
        f"{key}={'/'.join(map(str, values))}" for key, values, unset in numbers if values != unset
    ]
    flags = p.flags[seat]
    words += ["unclaimed"] * (not flags & CLAIMED)
    words += ["bot"] * bool(flags & BOT) + ["person"] * bool(flags & PERSON)
    return f"seat {seat}: {' '.join(words)}"


def _province_items(p: Position, province: int) -> str:
    items = []
    for seat in range(p.board.players):
        at = seat * PROVINCE_COUNT + province
        standing, on_rifts = p.standing[at], p.on_rifts[at]
        if standing or on_rifts:
            items.append(f"s{seat}={standing}" + (f"+{on_rifts}" if on_rifts else ""))
    if p.sealed[province]:
        items.append("sealed")
    return " ".join(items)


def _card_lines(p: Position) -> list[str]:
    lines = [
        f"kept {seat}: {' '.join(kept)}"
        for seat in range(p.board.players)
        if (kept := _kept(p, seat))
    ]
    lines += [
        f"hand {seat}: {' '.join(map(str, hand))}"
        for seat in range(p.board.players)
        if (hand := [card_at(p, seat, i) for i in range(hand_size(p, seat))])
    ]
    away = [i + 1 for i in range(QUESTIONS) if p.question_at[i] == SENT_AWAY]
    spent = [i + 1 for i in range(CONSPIRACIES) if p.conspiracy_at[i] == SPENT]
    piles: tuple[tuple[str, list[int]], ...] = (
        ("away", away),
        ("questions", list(p.question_deck[: p.question_size])[::-1]),
        ("row", list(p.row)),
        ("followers", list(p.follower_deck[: p.follower_size])[::-1]),
        ("used", list(p.follower_used[: p.follower_used_size])),
        ("headlines", list(p.headline_deck[: p.headline_size])[::-1]),
        ("spent", spent),
        ("pile", list(p.conspiracy_pile[: p.conspiracy_size])[::-1]),
    )
    lines += [f"{key}: {' '.join(map(str, cards))}".rstrip() for key, cards in piles]
    called = [f"{entry & 255}@{entry >> 8}" for entry in p.called]
    return [*lines, f"called: {' '.join(called)}"] if called else lines


def _kept(p: Position, seat: int) -> list[str]:
    """The Questions whose answers a seat keeps, each with what its answer stands for."""
    found = []
    for i in range(QUESTIONS):
        place = p.question_at[i] - KEPT
        if place >= 0 and place // KINDS == seat:
            found.append(f"{i + 1}={KIND_WORDS[place % KINDS]}")
    return found
