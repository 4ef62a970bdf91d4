"""What events alone tell of a position: kept from them as anybody sees them, it must be what the view then shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from arena_engine.singhasan import events as ev
from arena_engine.singhasan.messages import Resources
from arena_engine.singhasan.programs import COSTS
from arena_engine.singhasan.seen import View


@dataclass
class Ledger:
    """The part of a view that events tell all about. Lists go by seat."""

    looks: list[tuple[int, int]]
    stock: list[Counter[int]]
    answers: list[Counter[int]]
    kept: list[set[int]]
    hands: list[Counter[int]]
    """How many Conspiracies of each cost."""
    bots: list[bool]
    standing: Counter[tuple[int, int]]
    on_rifts: Counter[tuple[int, int]]
    sworn: dict[int, int]
    sealed: set[int]
    turn: int
    round: int
    question: int
    deck: int
    away: set[int]
    row: list[int]
    called: list[int]
    headlines: int
    turned: set[int]
    pile: int
    spent: set[int]
    chips: set[int]
    offers: dict[int, set[int]]
    """Whom each open offer still waits for."""
    ending: int
    ended: ev.MatchEnded | None

    def enter(self, events: Sequence[ev.Event]) -> None:
        """Take in what happened."""
        for event in events:
            enter = getattr(self, f"_{type(event.event).__name__}", None)
            if enter is not None:
                enter(event.event)

    def _SeatClaimed(self, e: ev.SeatClaimed) -> None:
        self.looks[e.seat] = (int(e.colour), int(e.sigil))

    def _TurnBegan(self, e: ev.TurnBegan) -> None:
        self.turn, self.round = e.seat, e.round

    def _QuestionDrawn(self, e: ev.QuestionDrawn) -> None:
        self.question = e.question
        self.deck -= 1

    def _QuestionSentAway(self, e: ev.QuestionSentAway) -> None:
        assert e.question == self.question
        self.away.add(e.question)

    def _QuestionsReshuffled(self, e: ev.QuestionsReshuffled) -> None:
        assert len(self.away) == e.questions
        self.away.clear()
        self.deck = e.questions

    def _Answered(self, e: ev.Answered) -> None:
        assert e.question == self.question
        self.question = 0
        self.kept[e.seat].add(e.question)
        self.answers[e.seat][int(e.ideology) - 1] += 1

    def _AnswerLost(self, e: ev.AnswerLost) -> None:
        self.kept[e.seat].remove(e.question)
        self.away.add(e.question)
        self.answers[e.seat][int(e.ideology) - 1] -= 1

    def _LegendChanged(self, e: ev.LegendChanged) -> None:
        count = self.answers[e.seat][int(e.ideology) - 1]
        assert e.level == (5 if count >= 5 else 3 if count >= 3 else 0)

    def _ResourcesGained(self, e: ev.ResourcesGained) -> None:
        self.stock[e.seat].update(_counted(e.resources))

    def _ResourcesLost(self, e: ev.ResourcesLost) -> None:
        self.stock[e.seat].subtract(_counted(e.resources))

    def _Hired(self, e: ev.Hired) -> None:
        self.row[self.row.index(e.card)] = 0
        self.standing[e.seat, e.province] += e.followers - e.on_rifts
        self.on_rifts[e.seat, e.province] += e.on_rifts

    def _HireRowChanged(self, e: ev.HireRowChanged) -> None:
        self.row[e.slot] = e.card

    def _FollowersPlaced(self, e: ev.FollowersPlaced) -> None:
        self.standing[e.seat, e.province] += e.count

    def _FollowersRemoved(self, e: ev.FollowersRemoved) -> None:
        self.standing[e.seat, e.province] -= e.count

    def _FollowersMoved(self, e: ev.FollowersMoved) -> None:
        self.standing[e.seat, e.from_province] -= e.count
        self.standing[e.seat, e.to_province] += e.count

    def _FollowerReplaced(self, e: ev.FollowerReplaced) -> None:
        self.standing[e.from_seat, e.province] -= 1
        self.standing[e.to_seat, e.province] += 1

    def _Marched(self, e: ev.Marched) -> None:
        self.standing[e.owner, e.from_province] -= 1
        self.standing[e.owner, e.to_province] += 1

    def _ProvinceSworn(self, e: ev.ProvinceSworn) -> None:
        assert e.province not in self.sworn
        self.sworn[e.province] = e.seat

    def _ProvinceBroke(self, e: ev.ProvinceBroke) -> None:
        assert self.sworn.pop(e.province) == e.seat
        assert e.province not in self.sealed

    def _ProvinceSealed(self, e: ev.ProvinceSealed) -> None:
        assert self.sworn[e.province] == e.seat
        self.sealed.add(e.province)

    def _HeadlineCalled(self, e: ev.HeadlineCalled) -> None:
        self.called.append(e.seat)
        self.headlines -= 1

    def _HeadlineTurned(self, e: ev.HeadlineTurned) -> None:
        assert self.called.pop(0) == e.seat
        self.turned.add(e.headline)

    def _LastingBegan(self, e: ev.LastingBegan) -> None:
        self.chips.add(e.chip)

    def _LastingEnded(self, e: ev.LastingEnded) -> None:
        self.chips.remove(e.chip)

    def _ConspiracyBought(self, e: ev.ConspiracyBought) -> None:
        assert not e.card
        self.hands[e.seat][e.cost] += 1
        self.pile -= 1

    def _ConspiracyTaken(self, e: ev.ConspiracyTaken) -> None:
        assert not e.card
        self.hands[e.from_seat][e.cost] -= 1
        self.hands[e.to_seat][e.cost] += 1

    def _ConspiracyPlayed(self, e: ev.ConspiracyPlayed) -> None:
        self._spend(e.seat, e.card)

    def _ConspiracyLost(self, e: ev.ConspiracyLost) -> None:
        self._spend(e.seat, e.card)

    def _spend(self, seat: int, card: int) -> None:
        self.hands[seat][COSTS[card]] -= 1
        self.spent.add(card)

    def _OfferMade(self, e: ev.OfferMade) -> None:
        rivals = set(range(len(self.stock))) - {e.seat}
        self.offers[e.offer] = rivals if e.rival is None else {e.rival}

    def _OfferAnswered(self, e: ev.OfferAnswered) -> None:
        self.offers[e.offer].remove(e.seat)
        if e.accepted or not self.offers[e.offer]:
            del self.offers[e.offer]

    def _OfferWithdrawn(self, e: ev.OfferWithdrawn) -> None:
        del self.offers[e.offer]

    def _SeatHandedOver(self, e: ev.SeatHandedOver) -> None:
        assert self.bots[e.seat] != e.is_bot
        self.bots[e.seat] = e.is_bot

    def _EndTriggered(self, e: ev.EndTriggered) -> None:
        assert not self.ending
        self.ending = int(e.ending)

    def _MatchEnded(self, e: ev.MatchEnded) -> None:
        self.ended = e


def _counted(resources: Resources) -> Counter[int]:
    amounts = (resources.gold, resources.steel, resources.song, resources.oath)
    return Counter(dict(enumerate(amounts)))


def ledger_of(view: View) -> Ledger:
    """The ledger that a view gives."""
    seats = view.seats
    everybody = set(range(view.players))
    return Ledger(
        looks=[(int(one.colour), int(one.sigil)) for one in seats],
        stock=[Counter(dict(enumerate(one.resources))) for one in seats],
        answers=[Counter(dict(enumerate(one.answers))) for one in seats],
        kept=[set(one.kept) for one in seats],
        hands=[Counter(one.hand_costs) for one in seats],
        bots=[one.is_bot for one in seats],
        standing=Counter({(one.seat, one.province): one.standing for one in view.presences}),
        on_rifts=Counter({(one.seat, one.province): one.on_rifts for one in view.presences}),
        sworn={n: one.sworn for n, one in enumerate(view.provinces) if one.sworn is not None},
        sealed={n for n, one in enumerate(view.provinces) if one.is_sealed},
        turn=view.turn,
        round=view.round,
        question=view.question,
        deck=view.question_deck,
        away=set(view.sent_away),
        row=list(view.row),
        called=list(view.called),
        headlines=view.headline_deck,
        turned=set(view.turned),
        pile=view.pile_size,
        spent=set(view.spent),
        chips={chip.chip for chip in view.chips},
        offers={
            one.offer: ({one.rival} if one.rival is not None else everybody - {view.turn})
            - set(one.declined)
            for one in view.offers
        },
        ending=int(view.ending),
        ended=view.ended,
    )


def tells(before: View, events: Sequence[Any], after: View) -> bool:
    """Whether events lead from one view to the other, as far as a ledger goes."""
    ledger = ledger_of(before)
    ledger.enter(events)
    return ledger == ledger_of(after)
