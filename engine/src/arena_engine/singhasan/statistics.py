"""The figures of one match of Singhasan, gathered from its events: what simulations report and balance is judged by.

Cards go by their names, in lower snake case. What only some claimants do is counted again for who takes the throne
(`by_winner`): a card, or a legend, is as good as its share of winners.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from arena_engine.game import State
from arena_engine.singhasan import events as ev
from arena_engine.singhasan.content.conspiracies import CONSPIRACIES
from arena_engine.singhasan.content.headlines import HEADLINES
from arena_engine.singhasan.hire import fill_hires
from arena_engine.singhasan.kinds import Cause, Ideology, Phase, Power
from arena_engine.singhasan.listing import ActionList
from arena_engine.singhasan.messages import Resources
from arena_engine.singhasan.state import SinghasanState
from arena_engine.singhasan.words import LEGENDS, RESOURCES, amounts


def slug(name: str) -> str:
    """A name as part of a figure's name.

    >>> slug("The Lion's Skin")
    'the_lions_skin'
    """
    return re.sub(r"[^a-z0-9]+", "_", name.lower().replace("'", "")).strip("_")


_KINDS: Final = tuple(name.lower() for name in RESOURCES)
_LEGENDS: Final = tuple(name.lower() for name in LEGENDS)
_CONSPIRACIES: Final = tuple(slug(card.name) for card in CONSPIRACIES)
_HEADLINES: Final = tuple(slug(card.name) for card in HEADLINES)
#: Powers that are used, and do not only hold.
_POWERS: Final = tuple(
    power.name.lower()
    for power in Power
    if power not in {Power.UNSPECIFIED, Power.MANY_HARBOURS, Power.LIONS_SKIN, Power.SHIELD_OF_TROY}
)
#: Gains that only move resources from one pocket to another, or are there from the start.
_NOT_EARNED: Final = frozenset({Cause.START, Cause.BANK, Cause.TRADE})
_MATCH: Final = (
    "rounds",
    "turns.all",
    "turns.without_legal_hire",
    "turns.missed",
    "scores.winner",
    "scores.margin",
    "ties",
    "duels.strikes",
    "questions.sent_away",
    "questions.by_lot",
    "answers.lost",
    "hires.cards",
    "hires.followers",
    "hires.on_rifts",
    "marches.own",
    "marches.of_rivals",
    "provinces.sworn",
    "provinces.broken",
    "provinces.sealed",
    "followers.removed",
    "shields.asked",
    "shields.raised",
    "conspiracies.bought",
    "offers.made",
    "offers.accepted",
)

#: Every figure, in the order of a report.
NAMES: Final[tuple[str, ...]] = (
    *_MATCH,
    *(f"legends.{name}.at_{level}" for name in _LEGENDS for level in ("3", "5")),
    *(f"legends.{name}.at_{level}_by_winner" for name in _LEGENDS for level in ("3", "5")),
    *(f"powers.{name}.used" for name in _POWERS),
    *(f"resources.{kind}.{what}" for kind in _KINDS for what in ("earned", "discarded")),
    *(f"conspiracies.{name}.{what}" for name in _CONSPIRACIES for what in ("played", "by_winner")),
    *(f"headlines.{name}.{what}" for name in _HEADLINES for what in ("turned", "by_winner")),
)

#: Events that count once each, whatever they say.
_SIMPLE: Final[dict[type, str]] = {
    ev.TurnEnded: "turns.all",
    ev.TurnMissed: "turns.missed",
    ev.DuelBegan: "ties",
    ev.StrikeBegan: "duels.strikes",
    ev.QuestionSentAway: "questions.sent_away",
    ev.AnswerLost: "answers.lost",
    ev.ProvinceSworn: "provinces.sworn",
    ev.ProvinceBroke: "provinces.broken",
    ev.ProvinceSealed: "provinces.sealed",
    ev.ShieldAsked: "shields.asked",
    ev.ConspiracyBought: "conspiracies.bought",
    ev.OfferMade: "offers.made",
}


class SinghasanStatistics:
    """Counts over one match; see `NAMES`.

    `turns.without_legal_hire` are turns in whose act step no hire was legal at any time. `legends.*` count claimants
    who came so far at some time. `resources.*.earned` are all gains but starting resources, bank and trades.
    """

    def __init__(self) -> None:
        self._figures = dict.fromkeys(NAMES, 0)
        self._by_seat: Counter[tuple[str, int]] = Counter()
        """How often each seat did what counts again for the winner, by the figure's name."""
        self._reached: set[tuple[int, Ideology, int]] = set()
        self._could_hire = False
        self._hires = ActionList()

    def observe(self, events: Sequence[Any], state: State) -> None:
        """Take in what an action led to, and the position that it led to."""
        for event in events:
            self._observe(event.event)
        if not self._could_hire:
            self._could_hire = self._is_hire_legal(state)

    def _is_hire_legal(self, state: State) -> bool:
        if not isinstance(state, SinghasanState):
            raise TypeError(f"{type(state).__name__} is no position of Singhasan.")
        p = state.position
        if p.phase != Phase.ACT:
            return False
        self._hires.clear()
        fill_hires(p, p.turn, self._hires)
        return self._hires.count > 0

    def figures(self) -> dict[str, int]:
        """The counts so far, every name present."""
        return dict(self._figures)

    def _observe(self, event: ev.EventBody) -> None:
        match event:
            case ev.TurnBegan():
                self._figures["rounds"] = max(self._figures["rounds"], event.round)
                self._could_hire = False
            case ev.Answered():
                self._add("questions.by_lot", int(event.by_lot))
            case ev.Hired():
                self._could_hire = True
                self._add("hires.cards")
                self._add("hires.followers", event.followers)
                self._add("hires.on_rifts", event.on_rifts)
            case ev.Marched():
                self._add("marches.own" if event.owner == event.seat else "marches.of_rivals")
            case ev.FollowersRemoved():
                self._add("followers.removed", event.count)
            case ev.LegendChanged():
                self._observe_legend(event)
            case ev.PowerUsed():
                self._add(f"powers.{event.power.name.lower()}.used")
            case ev.ResourcesGained() if event.cause not in _NOT_EARNED:
                self._add_resources(event.resources, "earned")
            case ev.ResourcesLost() if event.cause == Cause.DISCARD:
                self._add_resources(event.resources, "discarded")
            case _:
                self._observe_rest(event)
        if isinstance(event, ev.TurnEnded) and not self._could_hire:
            self._add("turns.without_legal_hire")

    def _observe_rest(self, event: ev.EventBody) -> None:
        match event:
            case ev.ConspiracyPlayed():
                self._add_of(event.seat, f"conspiracies.{_CONSPIRACIES[event.card - 1]}", "played")
            case ev.HeadlineTurned():
                self._add_of(event.seat, f"headlines.{_HEADLINES[event.headline - 1]}", "turned")
            case ev.ShieldAnswered():
                self._add("shields.raised", int(event.is_raised))
            case ev.OfferAnswered():
                self._add("offers.accepted", int(event.accepted))
            case ev.MatchEnded():
                self._end(event)
            case _ if (name := _SIMPLE.get(type(event))) is not None:
                self._add(name)

    def _observe_legend(self, event: ev.LegendChanged) -> None:
        key = (event.seat, event.ideology, event.level)
        if event.level and key not in self._reached:
            self._reached.add(key)
            name = f"legends.{_LEGENDS[event.ideology - 1]}.at_{event.level}"
            self._add(name)
            self._by_seat[f"{name}_by_winner", event.seat] += 1

    def _end(self, event: ev.MatchEnded) -> None:
        best, second = sorted(event.scores, reverse=True)[:2]
        self._figures["scores.winner"] = event.scores[event.winner]
        self._figures["scores.margin"] = best - second
        for (name, seat), count in self._by_seat.items():
            if seat == event.winner:
                self._add(name, count)

    def _add(self, name: str, count: int = 1) -> None:
        self._figures[name] += count

    def _add_of(self, seat: int, name: str, what: str) -> None:
        self._add(f"{name}.{what}")
        self._by_seat[f"{name}.by_winner", seat] += 1

    def _add_resources(self, resources: Resources, what: str) -> None:
        for kind, amount in zip(_KINDS, amounts(resources), strict=True):
            self._add(f"resources.{kind}.{what}", amount)
