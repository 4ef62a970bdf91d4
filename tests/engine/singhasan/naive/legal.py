"""What is listed for a seat, by the naive model: all but the plays of Conspiracies, choices and the duel."""

from __future__ import annotations

from collections.abc import Iterator

from arena_engine.singhasan.content.conspiracies import CONSPIRACIES
from arena_engine.singhasan.content.followers import FOLLOWERS
from tests.engine.singhasan.naive import payments, realm
from tests.engine.singhasan.naive.model import GOLD, KINDS, OATH, SONG, STEEL, Action, Model

MOST_OPEN_OFFERS = 3
MOST_OFFERS_A_TURN = 6
PRICE_OF_A_CARD = 4


def awaited(model: Model) -> list[int]:
    """The seats that may act."""
    match model.phase:
        case "claim":
            return [s for s in model.everybody if not model.seats[s].colour]
        case "court":
            return sorted(model.in_court)
        case "act":
            return [s for s in model.everybody if s == model.turn or _is_addressed(model, s)]
        case "shield":
            assert model.aim is not None
            return sorted(model.aim.asked)
        case "answer" | "discard":
            return [model.turn]
        case "quiz":
            return list(model.duellists)
    return []


def _is_addressed(model: Model, seat: int) -> bool:
    return any(
        offer.rival in (None, seat) and seat not in offer.declined
        for offer in model.offers.values()
    )


def legal_actions(model: Model, seat: int) -> set[Action]:
    """Everything that is listed for an awaited seat, but cards, choices and the duel."""
    match model.phase:
        case "claim":
            return set(_claims(model, seat))
        case "court":
            return {("pass",)}
        case "answer":
            return set(_answers(model, seat))
        case "act" if seat == model.turn:
            return set(_acts(model, seat))
        case "act":
            return set(_replies(model, seat))
        case "shield":
            return {("shield", True), ("shield", False)}
        case "discard":
            return set(_discards(model, seat))
    return set()


def first_free(model: Model) -> tuple[int, int]:
    """The first colour and the first sigil that nobody has."""
    colours = {s.colour for s in model.seats}
    sigils = {s.sigil for s in model.seats}
    return (
        min(set(range(1, realm.COLOURS + 1)) - colours),
        min(set(range(1, realm.SIGILS + 1)) - sigils),
    )


def _claims(model: Model, seat: int) -> Iterator[Action]:
    total = realm.STARTING[model.players][seat]
    for colour in set(range(1, realm.COLOURS + 1)) - {s.colour for s in model.seats}:
        for sigil in set(range(1, realm.SIGILS + 1)) - {s.sigil for s in model.seats}:
            yield "claim", colour, sigil, payments.even(total)
    for split in payments.splits(total):
        yield "claim", *first_free(model), split


def _answers(model: Model, seat: int) -> Iterator[Action]:
    yield "answer", 0
    yield "answer", 1
    payment = payments.of_any(model.seats[seat].stock, 3)
    if payment is not None and not model.court & {"redrawn", "noredraw"}:
        yield "redraw", payment


def _acts(model: Model, seat: int) -> Iterator[Action]:
    forbidden = model.forces[seat].forbidden
    yield ("end",)
    if "hire" not in forbidden:
        yield from _hires(model, seat)
    if "march" not in forbidden:
        yield from _marches(model, seat)
    if "power" not in forbidden:
        yield from _powers(model, seat)
    if "bank" not in forbidden:
        yield from _bank(model, seat)
    if "buy" not in forbidden and model.price is not None:
        cost = max(model.price + model.forces[seat].conspiracy, 0)
        payment = payments.of_any(model.seats[seat].stock, cost)
        if payment is not None:
            yield "buy", payment
    for number in model.offers:
        yield "withdraw", number
    has_room = len(model.offers) < MOST_OPEN_OFFERS and model.offers_made < MOST_OFFERS_A_TURN
    if "offer" not in forbidden and has_room:
        yield from _offers(model, seat)


def _hires(model: Model, seat: int) -> Iterator[Action]:
    mine, supply = model.seats[seat], model.supply(seat)
    for slot, number in enumerate(model.row):
        if not number or not supply:
            continue
        card = FOLLOWERS[number - 1]
        for with_song in (False, True):
            if with_song and not (can_sing(model, seat) and supply > card.followers):
                continue
            stock = payments.less(mine.stock, payments.one(SONG, int(with_song)))
            payment = payments.of_cost(stock, card.cost, card.any, model.forces[seat].hire)
            if payment is None:
                continue
            count = min(card.followers + with_song, supply)
            for province in model.provinces:
                for on_rifts in range(min(count, model.free_rifts(province)) + 1):
                    if count - on_rifts <= model.free(province):
                        yield "hire", slot, province, payment, on_rifts, with_song


def can_sing(model: Model, seat: int) -> bool:
    """Whether Song of the Road is awake, unused, affordable and allowed."""
    mine = model.seats[seat]
    is_awake = mine.answers[SONG] >= 3 and "power" not in model.forces[seat].forbidden
    return is_awake and "song" not in mine.used and mine.stock[SONG] >= 1


def _marches(model: Model, seat: int) -> Iterator[Action]:
    for start in model.provinces:
        if start in model.marched or model.is_guarded(start) or not model.has_sway(seat, start):
            continue
        for owner in model.everybody:
            wears_skin = owner != seat and model.seats[owner].answers[STEEL] >= 3
            if not model.loose(owner, start) or wears_skin:
                continue
            for goal in model.provinces:
                if frozenset({start, goal}) in realm.BORDERS and model.can_enter(goal):
                    yield "march", start, goal, owner


def _powers(model: Model, seat: int) -> Iterator[Action]:
    mine = model.seats[seat]
    hittable = [
        (p, r)
        for p in model.provinces
        for r in model.rivals(seat)
        if model.standing.get((r, p)) and not model.is_guarded(p)
    ]
    if mine.answers[GOLD] >= 5 and "horse" not in mine.used and mine.stock[GOLD] >= 2:
        yield from (("horse", p, r) for p, r in hittable if model.supply(seat))
    if mine.answers[STEEL] >= 5 and "stables" not in mine.used and mine.stock[STEEL] >= 1:
        for p, r in hittable:
            most = min(model.standing[r, p], 3) if model.count(seat, p) else 0
            yield from (("stables", p, r, count) for count in range(1, most + 1))
    is_paid = mine.charmed == 1 or (mine.charmed == 0 and mine.stock[SONG] >= 2)
    if mine.answers[SONG] >= 5 and is_paid:
        yield from _charms(model, seat)
    if mine.answers[OATH] >= 5 and "walls" not in mine.used and mine.stock[OATH] >= 2:
        sworn = (p for p in model.provinces if model.holder(p) == seat)
        yield from (("walls", p) for p in sworn if p not in model.sealed)


def _charms(model: Model, seat: int) -> Iterator[Action]:
    for start in model.provinces:
        if model.standing.get((seat, start)) and not model.is_guarded(start):
            for goal in model.provinces:
                if goal != start and model.can_enter(goal):
                    yield "charm", start, goal


def bank_price(model: Model, seat: int) -> int:
    """How many the bank takes for one."""
    return 2 if model.seats[seat].answers[GOLD] >= 3 else 3


def _bank(model: Model, seat: int) -> Iterator[Action]:
    stock, price = model.seats[seat].stock, bank_price(model, seat)
    gifts = [payments.one(k, price) for k in KINDS if stock[k] >= price]
    mix = payments.of_any(stock, price)
    if not gifts and mix is not None:
        gifts = [mix]
    for gift in gifts:
        yield from (("bank", gift, taken) for taken in KINDS if not gift[taken])


def _offers(model: Model, seat: int) -> Iterator[Action]:
    stock, rivals = model.seats[seat].stock, model.rivals(seat)
    for given in KINDS:
        for asked in KINDS:
            having = [r for r in rivals if model.seats[r].stock[asked]]
            if stock[given] and given != asked and having:
                for rival in (None, *having):
                    yield "offer", payments.one(given), payments.one(asked), rival, (), ()
    for rival in rivals:
        price = payments.of_any(model.seats[rival].stock, PRICE_OF_A_CARD)
        if price is not None:
            for card in model.seats[seat].hand:
                yield "offer", payments.NOTHING, price, rival, (card,), ()
        price = payments.of_any(stock, PRICE_OF_A_CARD)
        if price is not None and model.seats[rival].hand:
            yield "offer", price, payments.NOTHING, rival, (), (0,)


def _replies(model: Model, seat: int) -> Iterator[Action]:
    active, mine = model.seats[model.turn], model.seats[seat]
    for number, offer in model.offers.items():
        if offer.rival not in (None, seat) or seat in offer.declined:
            continue
        yield "reply", number, False
        holds_given = all(card in active.hand for card in offer.give_cards)
        holds_asked = all(place < len(mine.hand) for place in offer.ask_places)
        if active.has(offer.give) and mine.has(offer.ask) and holds_given and holds_asked:
            yield "reply", number, True


def _discards(model: Model, seat: int) -> Iterator[Action]:
    stock, excess = model.seats[seat].stock, model.excess(seat)
    for spared in (None, *KINDS):
        discard = payments.of_any(stock, excess, spared)
        if discard is not None:
            yield "discard", discard


def cost_of(card: int) -> int:
    """What the back of a Conspiracy says."""
    return CONSPIRACIES[card - 1].cost
