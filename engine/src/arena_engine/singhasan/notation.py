"""Actions of Singhasan in the short notation that people type in a terminal.

Provinces go by id, seats as `s0`, places in lists and in the hire row from 1, resources as `2gold+1song`. Reading is
generous: provinces and resources may be shortened to their first letters as far as these are unmistakable.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from arena_engine.errors import MalformedActionError
from arena_engine.singhasan.board import PROVINCES
from arena_engine.singhasan.duel import SWING_MS
from arena_engine.singhasan.kinds import Colour, Ideology, Resource, Sigil
from arena_engine.singhasan.messages import (
    Action,
    AnswerAim,
    AnswerOffer,
    AnswerQuestion,
    AnswerQuiz,
    BuyConspiracy,
    CharmTheStones,
    Choose,
    ClaimSeat,
    CleanTheStables,
    Discard,
    EndTurn,
    Hire,
    MakeOffer,
    March,
    Pass,
    PlayConspiracy,
    RaiseWalls,
    Redraw,
    Resources,
    Tap,
    TradeWithBank,
    UseWoodenHorse,
    WithdrawOffer,
)
from arena_engine.singhasan.words import RESOURCES, amounts

NOTATION_HELP: Final = """\
  claim crimson lion 2gold+1oath     your colour, your sigil, what you start with
  pass                               play no court card before this answer
  answer a · answer b                answer the court
  redraw 2gold+1song                 pay 3 to send the Question away
  hire 1 thornwold for 2gold+2steel  the first card of the row; `rifts 1`: one of them on a Rift; `song`: one more
  march thornwold capital s0         one loose follower of seat 0 crosses the border
  bank 3gold for song                trade with the bank
  offer s2 2gold+card7 for 1oath     to one rival, or `offer all`; `place1`: the first card of the rival's hand
  withdraw 1 · accept 1 · decline 1  offers by their place in the list
  buy 4gold+1oath                    buy the top Conspiracy
  play 7 s2 capital                  play Conspiracy 7 with what it asks for: rival, province, `to` province, kind, `x2`
  horse capital s2 · stables capital s2 3 · charm capital emberfen · walls capital     the legends' powers
  end                                end the turn
  shield · allow                     raise the Shield of Troy, or let it happen
  choose 1                           choose an option that a card gives you
  discard 1gold+2song                discard down to the limit
  quiz 1 · tap                       in the duel: choose an answer, strike now (tap 1400: at 1.4 s of the swing)"""

_WORDS: Final = "claim, pass, answer, redraw, hire, march, bank, offer, buy, play, horse, end, ..."
_MOST_DIGITS: Final = 6
_Member = TypeVar("_Member")


def notation(action: Action) -> str:
    """An action in short notation."""
    match action:
        case ClaimSeat():
            looks = f"claim {action.colour.name.lower()} {action.sigil.name.lower()}"
            words = f"{looks} {resources_notation(action.resources)}"
        case Redraw() | BuyConspiracy():
            word = "redraw" if isinstance(action, Redraw) else "buy"
            words = f"{word} {resources_notation(action.payment)}"
        case AnswerQuestion():
            words = f"answer {'ab'[action.answer]}"
        case TradeWithBank():
            words = f"bank {resources_notation(action.give)} for {action.take.name.lower()}"
        case MakeOffer() | WithdrawOffer() | AnswerOffer():
            words = _offer_notation(action)
        case Hire() | March() | PlayConspiracy():
            words = _map_notation(action)
        case UseWoodenHorse() | CleanTheStables() | CharmTheStones() | RaiseWalls():
            words = _power_notation(action)
        case Discard():
            words = f"discard {resources_notation(action.resources)}"
        case Choose():
            words = f"choose {action.option + 1}"
        case AnswerQuiz():
            words = f"quiz {action.choice + 1}"
        case Tap():
            words = f"tap {action.offset_ms}"
        case AnswerAim():
            words = "shield" if action.shield else "allow"
        case Pass():
            words = "pass"
        case _:
            words = "end"
    return words


def resources_notation(resources: Resources) -> str:
    """Amounts in short: `2gold+1song`; `nothing` for none."""
    parts = zip(amounts(resources), RESOURCES, strict=True)
    return "+".join(f"{n}{name.lower()}" for n, name in parts if n) or "nothing"


def _id(province: int) -> str:
    return PROVINCES[province].id


def _map_notation(action: Hire | March | PlayConspiracy) -> str:
    if isinstance(action, March):
        start, goal = _id(action.from_province), _id(action.to_province)
        return f"march {start} {goal} s{action.owner}"
    if isinstance(action, Hire):
        words = ["hire", str(action.slot + 1), _id(action.province)]
        words += [f"rifts {action.on_rifts}"] * (action.on_rifts > 0)
        words += ["song"] * action.with_song
        return " ".join([*words, "for", resources_notation(action.payment)])
    words = ["play", str(action.card)]
    words += [f"s{action.rival}"] if action.rival is not None else []
    words += [_id(action.province)] if action.province is not None else []
    words += [f"to {_id(action.to_province)}"] if action.to_province is not None else []
    words += [Resource(action.kind).name.lower()] if action.kind else []
    words += [f"x{action.count}"] if action.count else []
    return " ".join(words)


def _power_notation(
    action: UseWoodenHorse | CleanTheStables | CharmTheStones | RaiseWalls,
) -> str:
    match action:
        case UseWoodenHorse():
            return f"horse {_id(action.province)} s{action.rival}"
        case CleanTheStables():
            return f"stables {_id(action.province)} s{action.rival} {action.count}"
        case CharmTheStones():
            return f"charm {_id(action.from_province)} {_id(action.to_province)}"
        case RaiseWalls():
            return f"walls {_id(action.province)}"


def _offer_notation(action: MakeOffer | WithdrawOffer | AnswerOffer) -> str:
    if isinstance(action, WithdrawOffer):
        return f"withdraw {action.offer + 1}"
    if isinstance(action, AnswerOffer):
        return f"{'accept' if action.accept else 'decline'} {action.offer + 1}"
    rival = "all" if action.rival is None else f"s{action.rival}"
    give = _side(action.give, [f"card{card}" for card in action.give_cards])
    ask = _side(action.ask, [f"place{place + 1}" for place in action.ask_cards])
    return f"offer {rival} {give} for {ask}"


def _side(resources: Resources, cards: Sequence[str]) -> str:
    parts = [resources_notation(resources)] if any(amounts(resources)) else []
    return "+".join([*parts, *cards]) or "nothing"


def parse(text: str) -> Action:
    """Read short notation. Raises `MalformedActionError` that says what is allowed."""
    words = text.lower().split()
    read = _READERS.get(words[0]) if words else None
    if read is None:
        raise MalformedActionError(f"{text.strip()!r} is no action; it begins with {_WORDS}")
    return read(_Words(words[1:], f"`{words[0]}`"))


class _Words:
    """The words of an action behind its first, read one by one. Raises `MalformedActionError`."""

    def __init__(self, words: Sequence[str], of: str) -> None:
        self._words = list(words)
        self._of = of

    def fail(self, wanted: str) -> MalformedActionError:
        """What to raise where something else is wanted."""
        found = f", not {self._words[0]!r}" if self._words else ""
        return MalformedActionError(f"{self._of} needs {wanted} here{found}.")

    def end(self) -> None:
        """There must be no more."""
        if self._words:
            raise MalformedActionError(f"{self._of} takes no {self._words[0]!r} behind the rest.")

    def find(self, pattern: str) -> re.Match[str] | None:
        """The next word if it is of this form, and go on behind it."""
        match = re.fullmatch(pattern, self._words[0]) if self._words else None
        if match is not None:
            self._words.pop(0)
        return match

    def number(self, wanted: str, first: int = 0) -> int:
        """A number not below `first`."""
        match = self.find(rf"[0-9]{{1,{_MOST_DIGITS}}}")
        if match is None or int(match[0]) < first:
            raise self.fail(wanted)
        return int(match[0])

    def place(self, wanted: str) -> int:
        """A place that people count from 1, from 0."""
        return self.number(f"{wanted} (from 1)", first=1) - 1

    def one_of(self, members: Sequence[tuple[str, _Member]], wanted: str) -> _Member:
        """What a word names, or the beginning of one that fits nothing else."""
        found = self.find_one_of(members)
        if found is None:
            raise self.fail(f"{wanted} ({', '.join(name for name, _ in members)})")
        return found

    def find_one_of(self, members: Sequence[tuple[str, _Member]]) -> _Member | None:
        """Likewise; None, and nothing is read, where the word names none."""
        if not self._words:
            return None
        word = self._words[0]
        fitting = [member for name, member in members if name == word]
        fitting = fitting or [member for name, member in members if name.startswith(word)]
        if len(fitting) != 1:
            return None
        self._words.pop(0)
        return fitting[0]

    def province(self, wanted: str = "a province") -> int:
        """A province by its id."""
        return self.one_of(_PROVINCES, wanted)

    def seat(self) -> int:
        """A seat, such as s2."""
        match = self.find(r"s([0-9])")
        if match is None:
            raise self.fail("a seat, such as s2")
        return int(match[1])

    def resources(self) -> Resources:
        """Amounts, such as 2gold+1song."""
        match = self.find(r"nothing|[0-9a-z+]+")
        if match is None:
            raise self.fail("amounts, such as 2gold+1song")
        return _read_side(match[0], cards="")[0]

    def side(self, cards: str) -> tuple[Resources, tuple[int, ...]]:
        """One side of an offer: amounts, and cards by this word."""
        match = self.find(r"nothing|[0-9a-z+]+")
        if match is None:
            raise self.fail(f"amounts or cards, such as 2gold+{cards}1, or nothing")
        return _read_side(match[0], cards)

    def keyword(self, word: str) -> None:
        """Exactly this word."""
        if self.find(word) is None:
            raise self.fail(f"`{word}`")


def _members(kind: type[Colour | Sigil | Resource]) -> list[tuple[str, int]]:
    return [(member.name.lower(), int(member)) for member in kind if member]


_PROVINCES: Final = [(province.id, number) for number, province in enumerate(PROVINCES)]
_COLOURS: Final = _members(Colour)
_SIGILS: Final = _members(Sigil)
_KINDS: Final = _members(Resource)


def _read_side(text: str, cards: str) -> tuple[Resources, tuple[int, ...]]:
    four, numbers = [0, 0, 0, 0], []
    for part in [] if text == "nothing" else text.split("+"):
        amount = re.fullmatch(r"([0-9]{1,2})([a-z]+)", part)
        card = re.fullmatch(rf"{cards}([0-9]{{1,2}})", part) if cards else None
        fitting = [
            kind for name, kind in _KINDS if amount is not None and name.startswith(amount[2])
        ]
        if card is not None:
            numbers.append(int(card[1]))
        elif amount is not None and len(fitting) == 1:
            four[fitting[0] - 1] += int(amount[1])
        else:
            raise MalformedActionError(
                f"{part!r} is no amount; write like 2gold, 1steel, 3song or 1oath, joined by +."
            )
    return Resources(*four), tuple(numbers)


def _read_claim(words: _Words) -> Action:
    colour = Colour(words.one_of(_COLOURS, "a colour"))
    sigil = Sigil(words.one_of(_SIGILS, "a sigil"))
    return ClaimSeat(colour, sigil, words.resources())


def _read_answer(words: _Words) -> Action:
    return AnswerQuestion(words.one_of([("a", 0), ("b", 1)], "an answer"))


def _read_hire(words: _Words) -> Action:
    slot, province = words.place("a place in the hire row"), words.province()
    on_rifts = words.number("a number of followers") if words.find("rifts") else 0
    with_song = words.find("song") is not None
    words.keyword("for")
    return Hire(slot, province, words.resources(), on_rifts, with_song)


def _read_march(words: _Words) -> Action:
    start, goal = words.province("the province it leaves"), words.province("the province it enters")
    return March(start, goal, words.seat())


def _read_bank(words: _Words) -> Action:
    give = words.resources()
    words.keyword("for")
    return TradeWithBank(give, Resource(words.one_of(_KINDS, "a resource")))


def _read_offer(words: _Words) -> Action:
    rival = None if words.find("all") else words.seat()
    give, give_cards = words.side("card")
    words.keyword("for")
    ask, places = words.side("place")
    if 0 in places:
        raise MalformedActionError("Places in a hand count from 1; there is no place0.")
    return MakeOffer(give, ask, rival, give_cards, tuple(place - 1 for place in places))


def _read_play(words: _Words) -> Action:
    card = words.number("the number of a Conspiracy", first=1)
    rival = words.find(r"s([0-9])")
    province = words.find_one_of(_PROVINCES)
    goal = words.province() if words.find("to") else None
    kind = Ideology(words.find_one_of(_KINDS) or 0)
    count = words.find(r"x([0-9])")
    return PlayConspiracy(
        card,
        None if rival is None else int(rival[1]),
        province,
        goal,
        kind,
        0 if count is None else int(count[1]),
    )


def _read_stables(words: _Words) -> Action:
    province, rival = words.province(), words.seat()
    return CleanTheStables(province, rival, words.number("how many, 1-3", first=1))


def _read_tap(words: _Words) -> Action:
    """A tap without a time is one as late as can be: it counts for the moment at which it arrives."""
    match = words.find(rf"[0-9]{{1,{_MOST_DIGITS}}}")
    return Tap(SWING_MS if match is None else int(match[0]))


def _whole(read: Callable[[_Words], Action]) -> Callable[[_Words], Action]:
    """A reader behind whose action nothing may stand."""

    def read_whole(words: _Words) -> Action:
        action = read(words)
        words.end()
        return action

    return read_whole


_READERS: Final = {
    word: _whole(read)
    for word, read in {
        "claim": _read_claim,
        "pass": lambda _: Pass(),
        "answer": _read_answer,
        "redraw": lambda words: Redraw(words.resources()),
        "hire": _read_hire,
        "march": _read_march,
        "bank": _read_bank,
        "offer": _read_offer,
        "withdraw": lambda words: WithdrawOffer(words.place("an offer")),
        "accept": lambda words: AnswerOffer(words.place("an offer"), accept=True),
        "decline": lambda words: AnswerOffer(words.place("an offer"), accept=False),
        "buy": lambda words: BuyConspiracy(words.resources()),
        "play": _read_play,
        "horse": lambda words: UseWoodenHorse(words.province(), words.seat()),
        "stables": _read_stables,
        "charm": lambda words: CharmTheStones(words.province(), words.province()),
        "walls": lambda words: RaiseWalls(words.province()),
        "end": lambda _: EndTurn(),
        "shield": lambda _: AnswerAim(shield=True),
        "allow": lambda _: AnswerAim(shield=False),
        "choose": lambda words: Choose(words.place("an option")),
        "discard": lambda words: Discard(words.resources()),
        "quiz": lambda words: AnswerQuiz(words.place("a choice")),
        "tap": _read_tap,
    }.items()
}
