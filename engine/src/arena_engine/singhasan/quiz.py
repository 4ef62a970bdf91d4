"""The questions of the duel: made from the match just played, by its board and its public tallies.

A question is a template and a subject, with three choices as numbers; `p.quiz` holds template, subject and the three
choices of the question under way, then (from `ASKED_FROM` on) a key for each that was asked. The right choice is never
stored: it follows from the position, which everybody could have watched.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import append
from mypy_extensions import i64

from arena_engine.singhasan.board import PROVINCE_COUNT, PROVINCES
from arena_engine.singhasan.kinds import Colour, Ideology, Sigil
from arena_engine.singhasan.position import (
    DRAW_DUEL,
    FACT_HEADLINES,
    FACT_HIRED,
    FACT_MARCHED,
    FACT_PLAYED,
    FACT_POWERS,
    FACT_REDRAWN,
    FACT_SWORN,
    FACT_TRADES,
    KINDS,
    Position,
)

#: Choices of a question.
CHOICES: Final = 3
#: Where the keys of the questions asked begin in `p.quiz`.
ASKED_FROM: Final = 8

# Templates; what the subject is stands behind.
HOLDER: Final = 0  # province
SEATS: Final = 1  # province
SWEARS: Final = 2  # province
BORDER: Final = 3  # province
FOLLOWERS: Final = 4  # seat * PROVINCE_COUNT + province
SUPPLY: Final = 5  # seat
ANSWERS: Final = 6  # seat * KINDS + kind
MOST: Final = 7  # fact
LAST_PLAYED: Final = 8  # 0
_TEMPLATES: Final = 9
#: Most subjects of a template, so that template and subject make one key.
_SUBJECTS: Final = 64

#: Choices beside seats: nobody; and where only two claimants can be named, that both did the same.
NOBODY: Final = -1
BOTH: Final = -2

#: Templates whose choices are seats, and provinces; the others' are numbers.
_NAMES_SEATS: Final = (HOLDER, MOST, LAST_PLAYED)

#: By template, for those about a province.
_PROVINCE_WORDS: Final = (
    "To whom is {province} sworn?",
    "How many seats are there in {province}?",
    "How many followers make {province} swear?",
    "Which of these borders {province}?",
)
_MOST_WORDS: Final = {
    FACT_HIRED: "hired the most followers",
    FACT_MARCHED: "ordered the most Marches",
    FACT_HEADLINES: "called the most Headlines",
    FACT_PLAYED: "played the most Conspiracies",
    FACT_REDRAWN: "sent away the most Questions",
    FACT_POWERS: "used the legends' powers most often",
    FACT_SWORN: "heard the most oaths sworn",
    FACT_TRADES: "struck the most bargains with rivals",
}


def ask(p: Position) -> None:
    """Put the next question into `p.quiz`: one not asked before, of a template not used before where there is one."""
    fresh, known = 0, 0
    keys = []
    for template in range(_TEMPLATES):
        is_used = _is_used(p, template)
        for subject in range(_subjects(p, template)):
            key = template * _SUBJECTS + subject
            if not _was_asked(p, key) and _can_ask(p, template, subject):
                keys.append(key if is_used else key - _TEMPLATES * _SUBJECTS)
                fresh += int(not is_used)
                known += int(is_used)
    # Keys below 0 are of templates not used yet: these come first.
    wanted = [key for key in keys if key < 0] if fresh else keys
    key = wanted[p.draw(DRAW_DUEL, len(wanted))]
    if key < 0:
        key += _TEMPLATES * _SUBJECTS
    p.quiz = append(p.quiz, key)
    p.quiz[0] = key // _SUBJECTS
    p.quiz[1] = key % _SUBJECTS
    _fill_choices(p)


def right_choice(p: Position) -> i64:
    """Which of the three choices of the question under way is right."""
    template, subject = p.quiz[0], p.quiz[1]
    if template == BORDER:
        for i in range(CHOICES):
            if p.board.borders[subject] >> p.quiz[2 + i] & 1:
                return i
    right = _truth(p, template, subject)
    for i in range(CHOICES):
        if p.quiz[2 + i] == right:
            return i
    return 0


def question_text(p: Position) -> str:
    """The question under way in words."""
    template, subject = p.quiz[0], p.quiz[1]
    if template == MOST:
        return f"Who {_MOST_WORDS[subject]}?"
    if template == LAST_PLAYED:
        return "Who played the last Conspiracy?"
    if template < FOLLOWERS:
        return _PROVINCE_WORDS[template].format(province=_province(subject))
    if template == FOLLOWERS:
        who, where = claimant(p, subject // PROVINCE_COUNT), _province(subject % PROVINCE_COUNT)
        return f"How many followers has {who} in {where}?"
    if template == SUPPLY:
        return f"How many followers are left to {claimant(p, subject)} in supply?"
    ideology = Ideology(subject % KINDS + 1).name.replace("_", " ").title()
    return f"How many answers of the {ideology} has {claimant(p, subject // KINDS)} kept?"


def choice_texts(p: Position) -> tuple[str, ...]:
    """The three choices in words."""
    return tuple([_choice_text(p, p.quiz[2 + i]) for i in range(CHOICES)])


def claimant(p: Position, seat: i64) -> str:
    """A claimant by colour and sigil, as the questions name one."""
    colour, sigil = Colour(p.colour[seat]), Sigil(p.sigil[seat])
    return f"the {colour.name.title()} {sigil.name.title()}"


def _choice_text(p: Position, value: i64) -> str:
    template = p.quiz[0]
    if template == BORDER:
        return _province(value)
    if template not in _NAMES_SEATS:
        return str(value)
    if value == NOBODY:
        return "nobody"
    return "both alike" if value == BOTH else claimant(p, value)


def _province(number: i64) -> str:
    name = PROVINCES[number].name
    return f"the {name}" if " " in name else name


def _was_asked(p: Position, key: i64) -> bool:
    return any(p.quiz[i] == key for i in range(ASKED_FROM, len(p.quiz)))


def _is_used(p: Position, template: i64) -> bool:
    return any(p.quiz[i] // _SUBJECTS == template for i in range(ASKED_FROM, len(p.quiz)))


def _subjects(p: Position, template: i64) -> i64:
    """How many subjects a template has."""
    if template == FOLLOWERS:
        return p.board.players * PROVINCE_COUNT
    if template == SUPPLY:
        return p.board.players
    if template == ANSWERS:
        return p.board.players * KINDS
    if template == MOST:
        return len(_MOST_WORDS)
    return 1 if template == LAST_PLAYED else PROVINCE_COUNT


def _can_ask(p: Position, template: i64, subject: i64) -> bool:
    """Whether a question has three distinct choices of which exactly one is right."""
    if template == FOLLOWERS:
        return p.board.in_play[subject % PROVINCE_COUNT] == 1
    if template == BORDER:
        return p.board.in_play[subject] == 1 and _count_strangers(p, subject) >= CHOICES - 1
    if template <= SWEARS:
        return p.board.in_play[subject] == 1
    if template == MOST:
        return _leader(p, subject) >= 0
    return template != LAST_PLAYED or p.last_played_by >= 0


def _truth(p: Position, template: i64, subject: i64) -> i64:
    """The right answer as a number; not for `BORDER`, which has several."""
    if template == HOLDER:
        return p.sworn[subject]
    if template == SEATS:
        return p.board.seats[subject]
    if template == SWEARS:
        return p.board.swears[subject]
    if template == FOLLOWERS:
        return p.followers(subject // PROVINCE_COUNT, subject % PROVINCE_COUNT)
    if template == SUPPLY:
        return p.supply[subject]
    if template == ANSWERS:
        return p.answers[subject]
    return _leader(p, subject) if template == MOST else p.last_played_by


def _leader(p: Position, fact: i64) -> i64:
    """The seat with most of a tally; -1 where it is tied."""
    players = p.board.players
    best, leader = -1, -1
    for seat in range(players):
        tally = p.facts[fact * players + seat]
        if tally > best:
            best, leader = tally, seat
        elif tally == best:
            leader = -1
    return leader


def _count_strangers(p: Position, province: i64) -> i64:
    count = 0
    for other in range(PROVINCE_COUNT):
        count += int(_is_stranger(p, province, other))
    return count


def _is_stranger(p: Position, province: i64, other: i64) -> bool:
    """Whether a province in play neither is another nor borders it."""
    return (
        other != province
        and p.board.in_play[other] == 1
        and p.board.borders[province] >> other & 1 == 0
    )


def _fill_choices(p: Position) -> None:
    """Draw the two wrong choices and the order of all three."""
    template, subject = p.quiz[0], p.quiz[1]
    if template == BORDER:
        neighbours = [b for b in range(PROVINCE_COUNT) if p.board.borders[subject] >> b & 1]
        right = neighbours[p.draw(DRAW_DUEL, len(neighbours))]
        wrong = [b for b in range(PROVINCE_COUNT) if _is_stranger(p, subject, b)]
    else:
        right = int(_truth(p, template, subject))
        wrong = _wrong(p, template, right)
    choices = [right]
    while len(choices) < CHOICES:
        choices.append(wrong.pop(p.draw(DRAW_DUEL, len(wrong))))
    for i in range(CHOICES):
        p.quiz[2 + i] = choices.pop(p.draw(DRAW_DUEL, len(choices)))


def _wrong(p: Position, template: i64, right: int) -> list[int]:
    """Wrong choices that sound right."""
    if template in _NAMES_SEATS:
        others = [seat for seat in range(p.board.players) if seat != right]
        if template == HOLDER and right != NOBODY:
            others.append(NOBODY)
        elif len(others) < CHOICES - 1:
            others.append(BOTH if template == MOST else NOBODY)
        return others
    step = 2 if template == SEATS else 1
    near = [right - 2 * step, right - step, right + step, right + 2 * step]
    return [number for number in near if number >= 0]
