"""Reads the text form of a position, which `text` describes, and checks that it makes one."""

from __future__ import annotations

import re
from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64, u8

from arena_engine.errors import PositionTextError
from arena_engine.singhasan import text as form
from arena_engine.singhasan.board import PROVINCE_COUNT, PROVINCES, board_for
from arena_engine.singhasan.clocks import BANK, length
from arena_engine.singhasan.court import kinds_of
from arena_engine.singhasan.deal import UNDER_WAY
from arena_engine.singhasan.ending import DUEL, ENDINGS, MARK, POINTS
from arena_engine.singhasan.hands import take
from arena_engine.singhasan.kinds import Phase, Speed
from arena_engine.singhasan.legends import KEPT, SENT_AWAY
from arena_engine.singhasan.phases import QUIZ, open_decisions
from arena_engine.singhasan.position import (
    BOT,
    CLAIMED,
    CONSPIRACIES,
    FACT_COUNT,
    FOLLOWERS,
    HEADLINES,
    KINDS,
    PERSON,
    QUESTIONS,
    ROW,
    SPENT,
    Position,
)

_STANDING: Final = re.compile(r"s([0-4])=(\d{1,2})(?:\+(\d))?")
_SEAT_WORDS: Final = [
    "colour",
    "stock",
    "answers",
    "reached",
    "used",
    "missed",
    "bank",
    "decision",
    "tally",
    "duel",
    "sigil",
    "unclaimed",
    "bot",
    "person",
]
_PHASES: Final = {form.phase_word(phase): int(phase) for phase in Phase if phase}
_SPEEDS: Final = {speed.name.lower(): int(speed) for speed in Speed if speed}
_IDS: Final = {province.id: number for number, province in enumerate(PROVINCES)}


def from_text(text: str) -> Position:
    """Read a position. Raises `PositionTextError` that names the line and what is wrong with it."""
    lines = [line for raw in text.splitlines() if (line := raw.partition("#")[0].strip())]
    if not lines or lines[0] != form.HEADER:
        found = repr(lines[0]) if lines else "nothing"
        raise PositionTextError(f"A position starts with {form.HEADER!r}, not with {found}.")
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
        if "players" not in self.entries:
            raise PositionTextError("players: is missing.")
        players = _number("players", self.entries.pop("players"), 2, 5)
        speed = self._word("speed", "standard", _SPEEDS)
        p = Position(board_for(players), self._secret(), speed)
        self._match(p)
        self._turn(p)
        for seat in range(players):
            self._seat(p, seat)
        for province in range(PROVINCE_COUNT):
            self._province(p, province)
        self._questions(p)
        self._cards(p)
        self._decisions(p)
        if self.entries:
            raise PositionTextError(f"{next(iter(self.entries))!r} means nothing here.")
        _check_whole(p)
        return p

    def _secret(self) -> bytes:
        word = self.entries.pop("secret", "00" * 32)
        if not re.fullmatch(r"[0-9a-f]{64}", word):
            raise PositionTextError("secret: is not 64 hex digits.")
        return bytes.fromhex(word)

    def _word(self, key: str, default: str, words: dict[str, int]) -> int:
        word = self.entries.pop(key, default)
        if word not in words:
            raise PositionTextError(f"{key}: {word!r} is none of {', '.join(words)}.")
        return words[word]

    def _words(self, key: str, words: list[str]) -> list[int]:
        """The places, among `words`, of those that a line has."""
        found = []
        for word in self.entries.pop(key, "").split():
            if word not in words:
                raise PositionTextError(f"{key}: {word!r} is none of {', '.join(words)}.")
            found.append(words.index(word))
        return found

    def _numbers(self, key: str, low: int, high: int) -> list[int]:
        words = self.entries.pop(key, "").split()
        return [_number(key, word, low, high) for word in words]

    def _match(self, p: Position) -> None:
        for word in self.entries.pop("draws", "").split():
            name, _, value = word.partition("=")
            if name not in form.PURPOSES:
                raise PositionTextError(f"draws: {name!r} is no purpose of draws.")
            p.draws[form.PURPOSES.index(name)] = _number("draws", value)
        if "ending" in self.entries:
            p.ending = self._word("ending", "", {word: i + 1 for i, word in enumerate(ENDINGS)})
        if words := self.entries.pop("ended", "").split():
            if words[0] not in {POINTS, DUEL, MARK} or words[1:2] != words[1:] or not p.ending:
                raise PositionTextError("ended: is not how (points, duel, mark) and a seat.")
            p.how = words[0]
            p.winner = _number("ended", "".join(words[1:]), 0, p.board.players - 1)

    def _turn(self, p: Position) -> None:
        last = p.board.players - 1
        p.phase = 0 if p.how else self._word("phase", "claim", _PHASES)
        p.resume_phase = self._word("resume", "none", {**_PHASES, "none": 0})
        for key, name, unset in form.NUMBERS:
            if key in self.entries:
                setattr(p, name, _number(key, self.entries.pop(key), min(unset, 0)))
        if max(p.turn, p.choice_seat, p.last_played_by) > last or p.question > QUESTIONS:
            raise PositionTextError("turn, choice seat, last played by or question: out of range.")
        for key, name in form.SEAT_BITS:
            setattr(p, name, sum({1 << seat for seat in self._numbers(key, 0, last)}))
        p.marched = sum({1 << i for i in self._words("marched", list(_IDS))})
        p.court = sum({1 << i for i in self._words("court", list(form.COURT_WORDS))})
        done = self._words("done", ["answered", "acted"])
        p.has_answered, p.has_acted = int(0 in done), int(1 in done)
        p.court_tax = _number("tax", self.entries.pop("tax", "0"))
        if pending := self.entries.pop("pending", "").split():
            p.pending_seat = _number("pending", pending[0], 0, last)
            p.pending = _number("pending", "".join(pending[1:]))
        for key, name in form.LISTS:
            items = self._numbers(key, -9, 2**62)
            missing = len(getattr(p, name)) - len(items)
            if items and name in {"registers", "quiz"} and missing > 0:
                raise PositionTextError(f"{key}: {missing} numbers are missing.")
            if items:
                setattr(p, name, vec[i64](items))
        if len(p.offers) != len(p.declined):
            raise PositionTextError("declined: needs one entry for each offer.")

    def _seat(self, p: Position, seat: int) -> None:
        key = f"seat {seat}"
        words: dict[str, str] = {}
        for part in self.entries.pop(key, "").split():
            name, _, value = part.partition("=")
            if name not in _SEAT_WORDS or name in words:
                raise PositionTextError(f"{key}: {part!r} is not one of {', '.join(_SEAT_WORDS)}.")
            words[name] = value
        is_person = "person" in words or "bot" not in words
        is_claimed = ("unclaimed" not in words and p.phase != Phase.CLAIM) or "colour" in words
        is_claimed = is_claimed and words.get("colour") != "0"
        p.flags[seat] = BOT * ("bot" in words) | PERSON * is_person | CLAIMED * is_claimed
        chosen = str(seat + 1) if is_claimed else "0"
        p.colour[seat] = _number(key, words.get("colour", chosen), 0, 5)
        p.sigil[seat] = _number(key, words.get("sigil", chosen), 0, 5)
        p.used[seat] = _number(key, words.get("used", "0"))
        bank = str(length(p, BANK))
        p.bank_ms[seat] = _number(key, words.get("bank", bank))
        p.decisions[seat] = _number(key, words.get("decision", "0"))
        p.missed_run[seat], p.missed_all[seat] = _several(key, words.get("missed", "0/0"), 2)
        p.duel_score[seat], p.duel_answer[seat] = _several(key, words.get("duel", "0/-1"), 2, -1)
        zeros = "/".join(["0"] * KINDS)
        answers = _several(key, words.get("answers", zeros), KINDS)
        reached = _several(key, words.get("reached", zeros), KINDS)
        stock = _several(key, words.get("stock", zeros), KINDS)
        for kind in range(KINDS):
            p.stock[seat * KINDS + kind] = stock[kind]
            p.answers[seat * KINDS + kind] = answers[kind]
            p.reached[seat * KINDS + kind] = reached[kind]
        tally = words.get("tally", "/".join(["0"] * FACT_COUNT))
        for fact, count in enumerate(_several(key, tally, FACT_COUNT)):
            p.facts[fact * p.board.players + seat] = count

    def _province(self, p: Position, province: int) -> None:
        key = f"at {PROVINCES[province].id}"
        text = self.entries.pop(key, None)
        if text is None:
            return
        board = p.board
        if not board.in_play[province]:
            raise PositionTextError(f"{key}: is not in play with {board.players} claimants.")
        seats = board.seats[province] - board.rifts[province] - board.wildfolk
        rifts = board.rifts[province]
        for item in text.split():
            if item == "sealed":
                p.sealed[province] = 1
                continue
            match = _STANDING.fullmatch(item)
            if not match or int(match[1]) >= board.players:
                raise PositionTextError(f"{key}: {item!r} is not like s0=3, s1=2+1 or sealed.")
            seat, standing, on_rifts = int(match[1]), int(match[2]), int(match[3] or 0)
            p.standing[seat * PROVINCE_COUNT + province] = standing
            p.on_rifts[seat * PROVINCE_COUNT + province] = on_rifts
            p.supply[seat] -= standing + on_rifts
            seats -= standing
            rifts -= on_rifts
            if standing + on_rifts >= board.swears[province]:
                p.sworn[province] = seat
        if seats < 0 or rifts < 0:
            raise PositionTextError(f"{key}: more followers than seats, or than Rifts.")
        if p.sealed[province] and p.sworn[province] < 0:
            raise PositionTextError(f"{key}: is Sealed and sworn to nobody.")

    def _questions(self, p: Position) -> None:
        if p.question:
            p.question_at[p.question - 1] = u8(UNDER_WAY)
        for away in self._numbers("away", 1, QUESTIONS):
            _put_question(p, away, SENT_AWAY)
        for seat in range(p.board.players):
            key = f"kept {seat}"
            for word in self.entries.pop(key, "").split():
                number, _, kind = word.partition("=")
                if kind not in form.KIND_WORDS:
                    raise PositionTextError(f"{key}: {word!r} is not like 17=gold.")
                place = KEPT + seat * KINDS + form.KIND_WORDS.index(kind)
                _put_question(p, _number(key, number, 1, QUESTIONS), place)
        for at in range(p.board.players * KINDS):
            _keep(p, at)
        counted = sum(p.answers)
        p.answered = _number("answered", self.entries.pop("answered", str(counted)), counted)
        free = [i + 1 for i in range(QUESTIONS) if p.question_at[i] == 0]
        deck = self._pile("questions", free, QUESTIONS)
        if sorted(deck) != free:
            raise PositionTextError(
                "questions: the deck is not all Questions that are nowhere else."
            )
        p.question_size = len(deck)
        p.question_deck = _filled(deck[::-1], QUESTIONS)

    def _cards(self, p: Position) -> None:
        row = self._numbers("row", 0, FOLLOWERS) or [0] * ROW
        used = self._pile("used", [], FOLLOWERS)
        taken = [*(card for card in row if card), *used]
        rest = [i for i in range(1, FOLLOWERS + 1) if i not in taken]
        deck = self._pile("followers", rest, FOLLOWERS)
        if len(row) != ROW or sorted(taken + deck) != list(range(1, FOLLOWERS + 1)):
            raise PositionTextError("row, used and followers together are not the 40 cards.")
        for slot, card in enumerate(row):
            p.row[slot] = card
        p.follower_size, p.follower_used_size = len(deck), len(used)
        p.follower_deck = _filled(deck[::-1], FOLLOWERS)
        p.follower_used = _filled(used, FOLLOWERS)
        self._headlines(p)
        self._conspiracies(p)

    def _headlines(self, p: Position) -> None:
        called = []
        for word in self.entries.pop("called", "").split():
            card, _, seat = word.partition("@")
            called.append(_number("called", card, 1, HEADLINES))
            caller = _number("called", seat, 0, p.board.players - 1)
            p.called = append(p.called, called[-1] | caller << 8)
        rest = [i for i in range(1, HEADLINES + 1) if i not in called]
        deck = self._pile("headlines", rest, HEADLINES)
        if len({*deck, *called}) != len(deck) + len(called):
            raise PositionTextError("headlines: a card is in two places.")
        p.headline_size = len(deck)
        p.headline_deck = _filled(deck[::-1], HEADLINES)

    def _conspiracies(self, p: Position) -> None:
        out = self._pile("spent", [], CONSPIRACIES)
        for card in out:
            p.conspiracy_at[card - 1] = u8(SPENT)
        for seat in range(p.board.players):
            hand = self._pile(f"hand {seat}", [], CONSPIRACIES)
            for card in hand:
                take(p, seat, card)
            out += hand
        rest = [i for i in range(1, CONSPIRACIES + 1) if i not in out]
        pile = self._pile("pile", rest, CONSPIRACIES)
        if sorted(out + pile) != list(range(1, CONSPIRACIES + 1)):
            raise PositionTextError("hands, spent and pile together are not the 30 Conspiracies.")
        p.conspiracy_size = len(pile)
        p.conspiracy_pile = _filled(pile[::-1], CONSPIRACIES)

    def _pile(self, key: str, default: list[int], most: int) -> list[int]:
        return self._numbers(key, 1, most) if key in self.entries else default

    def _decisions(self, p: Position) -> None:
        newest = max(p.decisions)
        p.decision = _number("decision", self.entries.pop("decision", str(newest)), newest)
        if newest == 0 and p.phase < QUIZ:
            open_decisions(p)


def _put_question(p: Position, question: int, place: int) -> None:
    if p.question_at[question - 1]:
        raise PositionTextError(f"Question {question} is in two places.")
    p.question_at[question - 1] = u8(place)


def _keep(p: Position, at: int) -> None:
    """Give a seat the Questions of its answers of a kind, where the text counts them only."""
    place = u8(KEPT + at)
    kept = sum(p.question_at[i] == place for i in range(QUESTIONS))
    if kept not in {0, p.answers[at]}:
        raise PositionTextError(f"kept {at // KINDS}: are not as many as `answers` says.")
    for i in range(QUESTIONS):
        if kept == p.answers[at]:
            return
        if p.question_at[i] == 0 and at % KINDS in kinds_of(i + 1):
            p.question_at[i] = place
            kept += 1
    raise PositionTextError(f"seat {at // KINDS}: there are not so many answers in the deck.")


def _filled(cards: list[int], size: int) -> vec[u8]:
    return vec[u8]([*cards, *[0] * (size - len(cards))])


def _number(key: str, word: str, low: int = 0, high: int = 2**62) -> int:
    if not re.fullmatch(r"-?[0-9]{1,19}", word):
        raise PositionTextError(f"{key}: {word!r} is no number.")
    value = int(word)
    if not low <= value <= high:
        raise PositionTextError(f"{key}: {value} is not between {low} and {high}.")
    return value


def _several(key: str, text: str, count: int, low: int = 0) -> list[int]:
    words = text.split("/")
    if len(words) != count:
        raise PositionTextError(f"{key}: {text!r} is not {count} numbers parted by strokes.")
    return [_number(key, word, low) for word in words]


def _check_whole(p: Position) -> None:
    for seat in range(p.board.players):
        if p.supply[seat] < 0:
            raise PositionTextError(f"seat {seat} has more than {p.board.supply} followers.")
    for name, chosen in (("colour", p.colour), ("sigil", p.sigil)):
        taken = [number for number in chosen if number]
        if len(set(taken)) != len(taken):
            raise PositionTextError(f"{name}: two seats have chosen the same.")
    for words, needs, what in (
        (Phase.SHIELD, p.asked != 0 and p.pending != 0, "asked and pending"),
        (Phase.CHOICE, p.choice_seat >= 0 and p.program != 0, "choice seat and program"),
        (Phase.COURT, p.in_court != 0, "in court"),
        (Phase.ANSWER, p.question != 0, "question"),
    ):
        if p.phase == words and not needs:
            raise PositionTextError(f"phase: {words.name.lower()} needs {what}.")
