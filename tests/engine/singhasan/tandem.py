"""The engine and the naive model side by side: the same positions, the same actions, compared at every step.

What a Conspiracy or a Headline does is not in the naive model. Where one takes effect, the model is set up anew from
what is seen, and the two are held to the guard that no card breaks instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena_engine.game import PackedAction
from arena_engine.singhasan import events as ev
from arena_engine.singhasan import lasting, messages
from arena_engine.singhasan.board import PROVINCES
from arena_engine.singhasan.kinds import Ending, Phase, Power
from arena_engine.singhasan.position import Position
from arena_engine.singhasan.seen import SeatView, View
from arena_engine.singhasan.state import SinghasanState
from tests.engine.singhasan.naive import (
    Aim,
    Draws,
    Force,
    Model,
    Offer,
    Seat,
    awaited,
    expire,
    legal_actions,
    play,
)
from tests.engine.singhasan.naive.model import Action, Amounts

IDS = [province.id for province in PROVINCES]
FORBIDDEN = {
    lasting.FORBID_MARCH: "march",
    lasting.FORBID_HIRE: "hire",
    lasting.FORBID_BANK: "bank",
    lasting.FORBID_OFFER: "offer",
    lasting.FORBID_BUY: "buy",
    lasting.FORBID_POWER: "power",
}
POWERS = {
    Power.WOODEN_HORSE: "horse",
    Power.CLEAN_THE_STABLES: "stables",
    Power.SONG_OF_THE_ROAD: "song",
    Power.SHIELD_OF_TROY: "shield",
    Power.WALLS_OF_TROY: "walls",
}
COURT = ("hushed", "lot", "noredraw")
PHASES = {phase: phase.name.lower() for phase in Phase if phase} | {Phase.UNSPECIFIED: "ended"}
#: Events that tell of a card at work.
OF_CARDS = (ev.ConspiracyPlayed, ev.HeadlineTurned, ev.ChoiceMade)


def four(resources: messages.Resources) -> Amounts:
    """Resources as the naive model writes them."""
    return resources.gold, resources.steel, resources.song, resources.oath


def mirrored(state: SinghasanState) -> Model:
    """The naive model of an engine position, made from what its seats see."""
    view = state.common(()).view
    model = Model(
        players=view.players,
        seats=[_seat(state, number, seat) for number, seat in enumerate(view.seats)],
        forces=[_force(state.position, seat) for seat in range(view.players)],
        protected={name for i, name in enumerate(IDS) if lasting.is_protected(state.position, i)},
        sealed={IDS[i] for i, province in enumerate(view.provinces) if province.is_sealed},
        phase=PHASES[view.phase],
        turn=view.turn,
        round=view.round,
        ending="" if view.ending == Ending.UNSPECIFIED else view.ending.name.lower(),
        last_turns=view.last_turns,
        question=view.question,
        is_swapped=view.is_swapped,
        away=set(view.sent_away) - {view.question},
        court={word for bit, word in enumerate(COURT) if view.court_cards >> bit & 1}
        | ({"redrawn"} if view.is_redrawn else set()),
        taxes={s: n for s in range(view.players) if (n := view.court_tax >> 4 * s & 15)},
        in_court=set(view.in_court),
        row=list(view.row),
        marched={IDS[number] for number in view.marched},
        called=list(view.called),
        headlines=view.headline_deck,
        offers=_offers(state, view),
        offers_made=view.offers_made,
        price=view.top_cost if view.pile_size else None,
        has_acted=view.has_acted,
        has_answered=view.has_answered,
        aim=_aim(view),
        duellists=() if view.duel is None else view.duel.seats,
        winner=None if view.ended is None else view.ended.winner,
    )
    for one in view.presences:
        at = one.seat, IDS[one.province]
        model.standing |= {at: one.standing} if one.standing else {}
        model.on_rifts |= {at: one.on_rifts} if one.on_rifts else {}
    _compare_what_follows(model, view)
    return model


def _compare_what_follows(model: Model, view: View) -> None:
    """What the view says and the naive model counts for itself."""
    for province, shown in zip(IDS, view.provinces, strict=True):
        assert shown.is_in_play == (province in model.provinces)
        if shown.is_in_play:
            assert shown.sworn == model.holder(province), province
            assert shown.wildfolk == model.wildfolk
    for seat, one in enumerate(view.seats):
        assert one.supply == model.supply(seat)
        assert one.score == model.score(seat)
        assert one.limit == model.limit(seat)


def _seat(state: SinghasanState, number: int, seen: SeatView) -> Seat:
    gold, steel, song, oath = seen.resources
    answers = seen.answers
    return Seat(
        colour=int(seen.colour),
        sigil=int(seen.sigil),
        stock=(gold, steel, song, oath),
        answers=(answers[0], answers[1], answers[2], answers[3]),
        kept=set(seen.kept),
        hand=list(state.own(number, ()).hand),
        used={POWERS[power] for power in seen.used if power in POWERS},
        charmed=seen.charms,
        missed_in_a_row=seen.missed_in_a_row,
        missed_in_all=seen.missed_in_all,
        is_bot=seen.is_bot,
        has_person=seen.has_person,
    )


def _force(p: Position, seat: int) -> Force:
    return Force(
        lasting.hire_change(p, seat),
        lasting.conspiracy_change(p, seat),
        lasting.limit_change(p, seat),
        lasting.income_change(p, seat),
        frozenset(word for what, word in FORBIDDEN.items() if lasting.is_forbidden(p, seat, what)),
    )


def _offers(state: SinghasanState, view: View) -> dict[int, Offer]:
    cards = {offered.offer: offered.cards for offered in state.own(view.turn, ()).offered}
    return {
        offer.offer: Offer(
            offer.rival,
            four(offer.give),
            four(offer.ask),
            cards.get(offer.offer, ()),
            offer.ask_cards,
            set(offer.declined),
        )
        for offer in view.offers
    }


def _aim(view: View) -> Aim | None:
    if view.aim is None:
        return None
    aim = view.aim
    return Aim(aim.seat, plain(aim.action), set(aim.asked), set(aim.shielded))


def plain(action: Any) -> Action:  # noqa: C901, PLR0911, PLR0912 - one case for each kind
    """An action of the engine as the naive model writes it."""
    match action:
        case messages.ClaimSeat(colour, sigil, resources):
            return "claim", int(colour), int(sigil), four(resources)
        case messages.Pass():
            return ("pass",)
        case messages.Redraw(payment):
            return "redraw", four(payment)
        case messages.AnswerQuestion(answer):
            return "answer", answer
        case messages.Hire(slot, province, payment, on_rifts, with_song):
            return "hire", slot, IDS[province], four(payment), on_rifts, with_song
        case messages.March(start, goal, owner):
            return "march", IDS[start], IDS[goal], owner
        case messages.TradeWithBank(give, taken):
            return "bank", four(give), int(taken) - 1
        case messages.MakeOffer(give, ask, rival, cards, places):
            return "offer", four(give), four(ask), rival, cards, places
        case messages.WithdrawOffer(offer):
            return "withdraw", offer
        case messages.AnswerOffer(offer, accept):
            return "reply", offer, accept
        case messages.BuyConspiracy(payment):
            return "buy", four(payment)
        case messages.UseWoodenHorse(province, rival):
            return "horse", IDS[province], rival
        case messages.CleanTheStables(province, rival, count):
            return "stables", IDS[province], rival, count
        case messages.CharmTheStones(start, goal):
            return "charm", IDS[start], IDS[goal]
        case messages.RaiseWalls(province):
            return "walls", IDS[province]
        case messages.EndTurn():
            return ("end",)
        case messages.AnswerAim(shield):
            return "shield", shield
        case messages.Discard(resources):
            return "discard", four(resources)
    return "card", action


def draws_of(events: Sequence[Any]) -> Draws:
    """What chance gave in these events."""
    draws = Draws()
    for event in events:
        match event.event:
            case ev.QuestionDrawn(_, question, is_swapped):
                draws.questions.append((question, is_swapped))
            case ev.QuestionsReshuffled():
                draws.is_reshuffled = True
            case ev.Answered(_, _, answer, by_lot=True):
                draws.lots.append(answer)
            case ev.HireRowChanged(slot, card):
                draws.row[slot] = card
            case ev.ConspiracyBought(_, card, _):
                draws.conspiracy = card
    return draws


class Tandem:
    """One position, kept twice. Every method asserts that the two agree."""

    def __init__(self, state: SinghasanState, model: Model | None = None) -> None:
        self.state = state
        self.model = mirrored(state) if model is None else model

    def actions(self, seat: int) -> list[PackedAction]:
        """The engine's legal actions for a seat; those that are no cards must be the naive model's, none twice."""
        packed = list(self.state.legal_actions(seat))
        actions = [plain(self.state.unpack(p)) for p in packed]
        assert len(actions) == len(set(actions))
        proper = {action for action in actions if action[0] != "card"}
        expected = legal_actions(self.model, seat) if seat in self.awaited() else set()
        assert proper == expected, (proper ^ expected, self.state.to_text())
        return packed

    def awaited(self) -> list[int]:
        """The seats that are awaited; who chooses for a card is the engine's to say."""
        seats = [one.seat for one in self.state.awaited()]
        if self.model.phase not in {"choice", "quiz", "strike"}:
            assert seats == awaited(self.model)
        return seats

    def take(self, seat: int, action: PackedAction, now_ms: int = 0) -> None:
        """Take a legal action in both."""
        plainly = plain(self.state.unpack(action))
        before = self.state.clone()
        events = self.state.apply(seat, action, now_ms)
        if plainly[0] == "card" or self._is_of_cards(events):
            self._set_up_anew(before)
            return
        play(self.model, seat, plainly, draws_of(events))
        self._compare(before)

    def expire(self, now_ms: int) -> None:
        """Let the clock run out in both."""
        before = self.state.clone()
        events = self.state.expire(now_ms)
        if self.model.phase in {"choice", "quiz", "strike"} or self._is_of_cards(events):
            self._set_up_anew(before)
            return
        expire(self.model, draws_of(events))
        self._compare(before)

    def branch(self) -> Tandem:
        """An independent copy of both."""
        return Tandem(self.state.clone(), self.model.copy())

    def _is_of_cards(self, events: Sequence[Any]) -> bool:
        """Whether a card was at work: turned up, played, or let through by who may have raised the Shield."""
        aim = self.model.aim
        was_aimed = aim is not None and aim.action[0] == "card"
        return was_aimed or any(isinstance(event.event, OF_CARDS) for event in events)

    def _compare(self, before: SinghasanState) -> None:
        engine, naive = mirrored(self.state), self.model
        # What cards in force do, and what the next back shows, is not the naive model's to know.
        naive.forces, naive.protected, naive.price = engine.forces, engine.protected, engine.price
        assert engine == naive, before.to_text()

    def _set_up_anew(self, before: SinghasanState) -> None:
        was, self.model = self.model, mirrored(self.state)
        check_guard(was, self.model, before)


def check_guard(before: Model, after: Model, start: SinghasanState) -> None:
    """What no card does: touch Rifts, Sealed provinces or, but to enter them, protected ones; add answers; unseal."""
    assert after.on_rifts == before.on_rifts, start.to_text()
    assert after.sealed == before.sealed, start.to_text()
    for province in before.provinces:
        for seat in before.everybody:
            was = before.standing.get((seat, province), 0)
            now = after.standing.get((seat, province), 0)
            assert province not in before.sealed or now == was, start.to_text()
            assert province not in before.protected or now >= was, start.to_text()
        assert after.free(province) >= 0, start.to_text()
    for mine, past in zip(after.seats, before.seats, strict=True):
        assert min(mine.stock) >= 0, start.to_text()
        gained = [a - b for a, b in zip(mine.answers, past.answers, strict=True)]
        assert sum(n for n in gained if n > 0) <= int(before.phase in {"court", "shield"}), (
            start.to_text()
        )
    assert all(after.supply(seat) >= 0 for seat in after.everybody), start.to_text()
    assert not before.ending or after.ending == before.ending, start.to_text()
