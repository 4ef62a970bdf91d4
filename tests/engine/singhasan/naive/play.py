"""What an action does, and what the clock does, by the naive model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import cast

from arena_engine.singhasan.content.followers import FOLLOWERS
from arena_engine.singhasan.content.questions import QUESTIONS
from tests.engine.singhasan.naive import payments, realm
from tests.engine.singhasan.naive.legal import first_free
from tests.engine.singhasan.naive.model import (
    GOLD,
    KINDS,
    OATH,
    SONG,
    STEEL,
    Action,
    Aim,
    Amounts,
    Model,
    Offer,
)


@dataclass
class Draws:
    """What chance gave: Questions, each with whether it is swapped, answers by lot, cards."""

    questions: list[tuple[int, bool]] = field(default_factory=list)
    is_reshuffled: bool = False
    lots: list[int] = field(default_factory=list)
    row: dict[int, int] = field(default_factory=dict)
    conspiracy: int = 0


def play(model: Model, seat: int, action: Action, draws: Draws) -> None:
    """Take a legal action of an awaited seat."""
    word, *named = action
    if model.phase == "act" and seat == model.turn and word != "end":
        model.has_acted = True
        model.seats[seat].missed_in_a_row = 0
    _PLAYS[str(word)](model, seat, named, draws)


def expire(model: Model, draws: Draws) -> None:
    """Let the clock run out, whatever it is that the match waits for."""
    match model.phase:
        case "claim":
            for seat in model.everybody:
                if not model.seats[seat].colour:
                    total = realm.STARTING[model.players][seat]
                    _take_seat(model, seat, *first_free(model), payments.even(total))
            _begin_turn(model, 0, draws)
        case "court":
            model.in_court = set()
            _close_court(model, draws)
        case "answer":
            _give_answer(model, draws.lots[0])
        case "act":
            if not model.has_acted and not model.has_answered:
                _miss(model)
            _end_turn(model, draws)
        case "shield":
            assert model.aim is not None
            model.aim.asked = set()
            _resolve(model)
        case "discard":
            seat = model.turn
            discard = payments.of_any(model.seats[seat].stock, model.excess(seat))
            assert discard is not None
            model.seats[seat].pay(discard)
            _finish_turn(model, draws)


def _miss(model: Model) -> None:
    mine = model.seats[model.turn]
    if not mine.is_bot:
        mine.missed_in_a_row += 1
        mine.missed_in_all += 1


def _claim(model: Model, seat: int, named: list[object], draws: Draws) -> None:
    colour, sigil, stock = cast("tuple[int, int, Amounts]", tuple(named))
    _take_seat(model, seat, colour, sigil, stock)
    if all(one.colour for one in model.seats):
        _begin_turn(model, 0, draws)


def _take_seat(model: Model, seat: int, colour: int, sigil: int, stock: Amounts) -> None:
    mine = model.seats[seat]
    assert sum(stock) == realm.STARTING[model.players][seat]
    mine.colour, mine.sigil = colour, sigil
    mine.gain(stock)


def _begin_turn(model: Model, seat: int, draws: Draws) -> None:
    model.turn = seat
    model.marched = set()
    model.has_acted = model.has_answered = False
    model.seats[seat].used &= {"shield"}
    model.seats[seat].charmed = 0
    if seat == 0:
        for one in model.seats:
            one.used -= {"shield"}
    model.court = set()
    model.taxes = {}
    _draw_question(model, draws)


def _draw_question(model: Model, draws: Draws) -> None:
    """Open the window over a new Question, for every rival."""
    if draws.is_reshuffled:
        model.away = set()
    model.question, model.is_swapped = draws.questions.pop(0)
    model.away -= {model.question}
    model.in_court = set(model.rivals(model.turn))
    model.phase = "court"


def _pass(model: Model, seat: int, _named: list[object], draws: Draws) -> None:
    model.in_court -= {seat}
    if not model.in_court:
        _close_court(model, draws)


def _close_court(model: Model, draws: Draws) -> None:
    if "lot" in model.court:
        _give_answer(model, draws.lots[0])
    else:
        model.phase = "answer"


def _redraw(model: Model, seat: int, named: list[object], draws: Draws) -> None:
    model.seats[seat].pay(cast("Amounts", named[0]))
    model.court |= {"redrawn"}
    sent_away = model.question
    _draw_question(model, draws)
    model.away |= {sent_away}


def _answer(model: Model, seat: int, named: list[object], _draws: Draws) -> None:
    model.has_answered = True
    model.seats[seat].missed_in_a_row = 0
    _give_answer(model, cast("int", named[0]))


def _give_answer(model: Model, choice: int) -> None:
    mine = model.seats[model.turn]
    printed = QUESTIONS[model.question - 1]
    given = (printed.first, printed.second)[choice ^ model.is_swapped]
    kind = int(given.ideology) - 1
    mine.kept |= {model.question}
    model.question = 0
    mine.answers = payments.amounts([n + (k == kind) for k, n in enumerate(mine.answers)])
    income = model.forces[model.turn].income
    pay = [max(n + income, 0) if k == kind else n for k, n in enumerate(given.pays)]
    mine.gain(payments.amounts(pay))
    _tax(model, pay)
    if "hushed" not in model.court:
        mine.gain(payments.amounts([n // 2 for n in mine.answers]))
    model.phase = "act"


def _tax(model: Model, pay: list[int]) -> None:
    """Each rival who taxes this answer takes its part of what is left of the pay, clockwise, from the largest part."""
    for step in range(1, model.players):
        rival = (model.turn + step) % model.players
        for _ in range(model.taxes.get(rival, 0)):
            kind = pay.index(max(pay))
            if pay[kind]:
                pay[kind] -= 1
                model.seats[model.turn].pay(payments.one(kind))
                model.seats[rival].gain(payments.one(kind))


def _add(where: dict[tuple[int, str], int], at: tuple[int, str], count: int) -> None:
    where[at] = where.get(at, 0) + count
    assert where[at] >= 0
    if not where[at]:
        del where[at]


def _look_for_the_end(model: Model) -> None:
    if model.ending:
        return
    if all(model.holder(p) is not None for p in model.provinces):
        model.ending = "sworn"
    elif all(model.free(p) + model.free_rifts(p) == 0 for p in model.provinces):
        model.ending = "seats"


def _hire(model: Model, seat: int, named: list[object], _draws: Draws) -> None:
    slot, province, payment, on_rifts, with_song = cast(
        "tuple[int, str, Amounts, int, bool]", tuple(named)
    )
    mine = model.seats[seat]
    count = FOLLOWERS[model.row[slot] - 1].followers + with_song
    count = min(count, model.supply(seat))
    mine.pay(payment)
    if with_song:
        mine.pay(payments.one(SONG))
        mine.used |= {"song"}
    model.row[slot] = 0
    _add(model.standing, (seat, province), count - on_rifts)
    _add(model.on_rifts, (seat, province), on_rifts)
    called = min(on_rifts, model.headlines)
    model.headlines -= called
    model.called += [seat] * called
    _look_for_the_end(model)


def _march(model: Model, seat: int, named: list[object], _draws: Draws) -> None:
    start, _, owner = cast("tuple[str, str, int]", tuple(named))
    model.marched |= {start}
    _aim(model, seat, ("march", *named), {owner} - {seat})


def _horse(model: Model, seat: int, named: list[object], _draws: Draws) -> None:
    _use(model, seat, "horse", payments.one(GOLD, 2))
    _aim(model, seat, ("horse", *named), {cast("int", named[1])})


def _stables(model: Model, seat: int, named: list[object], _draws: Draws) -> None:
    _use(model, seat, "stables", payments.one(STEEL))
    _aim(model, seat, ("stables", *named), {cast("int", named[1])})


def _walls(model: Model, seat: int, named: list[object], _draws: Draws) -> None:
    _use(model, seat, "walls", payments.one(OATH, 2))
    model.sealed |= {str(named[0])}


def _charm(model: Model, seat: int, named: list[object], _draws: Draws) -> None:
    mine = model.seats[seat]
    if not mine.charmed:
        mine.pay(payments.one(SONG, 2))
    mine.charmed += 1
    _move(model, seat, str(named[0]), str(named[1]))


def _use(model: Model, seat: int, power: str, price: Amounts) -> None:
    model.seats[seat].used |= {power}
    model.seats[seat].pay(price)


def _aim(model: Model, seat: int, action: Action, at: set[int]) -> None:
    """Ask those who can raise the Shield; where there are none, it happens."""
    model.aim = Aim(seat, action, {rival for rival in at if model.can_raise_shield(rival)})
    if model.aim.asked:
        model.phase = "shield"
    else:
        _resolve(model)


def _shield(model: Model, seat: int, named: list[object], _draws: Draws) -> None:
    assert model.aim is not None
    model.aim.asked -= {seat}
    if named[0]:
        model.aim.shielded |= {seat}
        _use(model, seat, "shield", payments.one(OATH))
    if not model.aim.asked:
        _resolve(model)


def _resolve(model: Model) -> None:
    aim = model.aim
    assert aim is not None
    model.aim = None
    model.phase = "act"
    match aim.action:
        case "march", str(start), str(goal), int(owner) if owner not in aim.shielded:
            _move(model, owner, start, goal)
        case "horse", str(province), int(rival) if rival not in aim.shielded:
            _add(model.standing, (rival, province), -1)
            _add(model.standing, (aim.seat, province), 1)
        case "stables", str(province), int(rival), int(count) if rival not in aim.shielded:
            _add(model.standing, (rival, province), -count)
    _look_for_the_end(model)


def _move(model: Model, owner: int, start: str, goal: str) -> None:
    _add(model.standing, (owner, start), -1)
    _add(model.standing, (owner, goal), 1)
    _look_for_the_end(model)


def _bank(model: Model, seat: int, named: list[object], _draws: Draws) -> None:
    give, taken = cast("tuple[Amounts, int]", tuple(named))
    model.seats[seat].pay(give)
    model.seats[seat].gain(payments.one(taken))


def _buy(model: Model, seat: int, named: list[object], draws: Draws) -> None:
    model.seats[seat].pay(cast("Amounts", named[0]))
    model.seats[seat].hand.append(draws.conspiracy)


def _offer(model: Model, _seat: int, named: list[object], _draws: Draws) -> None:
    give, ask, rival, cards, places = cast(
        "tuple[Amounts, Amounts, int | None, tuple[int, ...], tuple[int, ...]]", tuple(named)
    )
    model.offers[model.offers_made] = Offer(rival, give, ask, cards, places)
    model.offers_made += 1


def _withdraw(model: Model, _seat: int, named: list[object], _draws: Draws) -> None:
    del model.offers[cast("int", named[0])]


def _reply(model: Model, seat: int, named: list[object], _draws: Draws) -> None:
    number, is_accepted = cast("tuple[int, bool]", tuple(named))
    offer = model.offers[number]
    if is_accepted:
        del model.offers[number]
        _trade(model, seat, offer)
        return
    offer.declined |= {seat}
    if offer.rival is not None or offer.declined == set(model.rivals(model.turn)):
        del model.offers[number]


def _trade(model: Model, rival: int, offer: Offer) -> None:
    active, partner = model.seats[model.turn], model.seats[rival]
    asked = [partner.hand[place] for place in offer.ask_places]
    for card in offer.give_cards:
        active.hand.remove(card)
        partner.hand.append(card)
    for card in asked:
        partner.hand.remove(card)
        active.hand.append(card)
    active.pay(offer.give)
    partner.pay(offer.ask)
    partner.gain(offer.give)
    active.gain(offer.ask)
    model.offers = {
        number: other
        for number, other in model.offers.items()
        if not (asked and other.ask_places) and set(other.give_cards) <= set(active.hand)
    }


def _end(model: Model, seat: int, _named: list[object], draws: Draws) -> None:
    model.seats[seat].missed_in_a_row = 0
    _end_turn(model, draws)


def _end_turn(model: Model, draws: Draws) -> None:
    """End the turn; Headlines are no part of this model, so that none may be called."""
    model.offers = {}
    model.offers_made = 0
    assert not model.called
    if model.excess(model.turn):
        model.phase = "discard"
    else:
        _finish_turn(model, draws)


def _discard(model: Model, seat: int, named: list[object], draws: Draws) -> None:
    model.seats[seat].pay(cast("Amounts", named[0]))
    _finish_turn(model, draws)


def _finish_turn(model: Model, draws: Draws) -> None:
    seat = model.turn
    _refill(model, draws)
    mine = model.seats[seat]
    if mine.missed_in_a_row and mine.has_person and not mine.is_bot:
        mine.is_bot = mine.missed_in_a_row >= 2 or mine.missed_in_all >= 3
    is_round_over = seat == model.players - 1
    if is_round_over and model.round == realm.CAP[model.players]:
        model.ending = model.ending or "cap"
        _score(model)
        return
    if model.ending:
        left = model.players if model.last_turns is None else model.last_turns - 1
        model.last_turns = left
        if not left:
            _score(model)
            return
    model.round += is_round_over
    _begin_turn(model, (seat + 1) % model.players, draws)


def _refill(model: Model, draws: Draws) -> None:
    """Fill the row; cards that fit nowhere make room for others, and none is drawn that does not fit."""
    room = max(model.free(p) + model.free_rifts(p) for p in model.provinces)
    for slot, card in enumerate(model.row):
        if card and FOLLOWERS[card - 1].followers > room:
            model.row[slot] = 0
    empty = [slot for slot, card in enumerate(model.row) if not card]
    assert sorted(draws.row) == empty
    for slot, card in draws.row.items():
        assert card not in model.row or not card
        assert not card or FOLLOWERS[card - 1].followers <= room
        model.row[slot] = card


def _score(model: Model) -> None:
    scores = [model.score(seat) for seat in model.everybody]
    best = tuple(seat for seat in model.everybody if scores[seat] == max(scores))
    if len(best) == 1:
        model.winner = best[0]
        model.phase = "ended"
    else:
        model.duellists = best
        model.phase = "quiz"


_PLAYS: dict[str, Callable[[Model, int, list[object], Draws], None]] = {
    "claim": _claim,
    "pass": _pass,
    "redraw": _redraw,
    "answer": _answer,
    "hire": _hire,
    "march": _march,
    "horse": _horse,
    "stables": _stables,
    "charm": _charm,
    "walls": _walls,
    "shield": _shield,
    "bank": _bank,
    "buy": _buy,
    "offer": _offer,
    "withdraw": _withdraw,
    "reply": _reply,
    "end": _end,
    "discard": _discard,
}

__all__ = ["KINDS", "Draws", "expire", "play"]
