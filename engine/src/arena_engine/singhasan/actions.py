"""Actions between their dataclasses and the ints of `packing`, with a check of every value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from arena_engine.errors import MalformedActionError
from arena_engine.singhasan import packing as pk
from arena_engine.singhasan.board import PROVINCE_COUNT
from arena_engine.singhasan.discards import AMOUNT_BITS, discarded
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
from arena_engine.singhasan.offers import ASKED_CARDS, GIVEN_CARDS, asked_of
from arena_engine.singhasan.position import CONSPIRACIES, KINDS, ROW
from arena_engine.singhasan.stock import payment_of, resources_of

_MOST_SEATS: Final = 5
_MOST_TAP_MS: Final = (1 << 20) - 1
_MOST_DISCARDED: Final = (1 << AMOUNT_BITS) - 1


def pack(action: Action) -> int:
    """Pack an action dataclass. Raises `MalformedActionError` for values that no position could mean."""
    packer = _PACKERS.get(type(action))
    if packer is None:
        raise MalformedActionError(f"{type(action).__name__} is no action of Singhasan.")
    return packer(action)


def unpack(action: int) -> Action:
    """The action dataclass of a packed action. Raises `MalformedActionError` where there is none."""
    unpacker = _UNPACKERS.get(action & pk.FIELD) if action >= 0 else None
    if unpacker is None:
        raise MalformedActionError(f"{action} is no packed action of Singhasan.")
    try:
        return unpacker(action)
    except ValueError as error:
        raise MalformedActionError(
            f"{action} is no packed action of Singhasan: {error}."
        ) from error


def _within(name: str, value: int, low: int, high: int) -> int:
    if not low <= value <= high:
        raise MalformedActionError(f"{name} {value} does not exist; it goes from {low} to {high}.")
    return value


def _province(value: int, name: str = "province") -> int:
    return _within(name, value, 0, PROVINCE_COUNT - 1)


def _seat(value: int, name: str = "rival") -> int:
    return _within(name, value, 0, _MOST_SEATS - 1)


def _plus_one(value: int | None, check: Callable[[int, str], int], name: str) -> int:
    return 0 if value is None else check(value, name) + 1


def _amounts(resources: Resources) -> tuple[int, int, int, int]:
    return (resources.gold, resources.steel, resources.song, resources.oath)


def _nibbles(resources: Resources, name: str) -> int:
    packed = 0
    for kind, amount in enumerate(_amounts(resources)):
        resource = Resource(kind + 1).name.lower()
        packed |= _within(f"{name}.{resource}", amount, 0, pk.NIBBLE) << (4 * kind)
    return packed


def _payment(resources: Resources, name: str = "payment") -> int:
    return _nibbles(resources, name) << pk.PAYMENT


def _pack_claim(a: ClaimSeat) -> int:
    colour = _within("colour", a.colour, 1, len(Colour) - 1)
    sigil = _within("sigil", a.sigil, 1, len(Sigil) - 1)
    return (
        pk.CLAIM_SEAT | colour << pk.FIRST | sigil << pk.SECOND | _payment(a.resources, "resources")
    )


def _pack_hire(a: Hire) -> int:
    return (
        pk.HIRE
        | _within("slot", a.slot, 0, ROW - 1) << pk.FIRST
        | _province(a.province) << pk.SECOND
        | _within("on_rifts", a.on_rifts, 0, 4) << pk.THIRD
        | int(a.with_song) << pk.FOURTH
        | _payment(a.payment)
    )


def _pack_march(a: March) -> int:
    return (
        pk.MARCH
        | _province(a.from_province, "from_province") << pk.FIRST
        | _province(a.to_province, "to_province") << pk.SECOND
        | _seat(a.owner, "owner") << pk.THIRD
    )


def _pack_bank(a: TradeWithBank) -> int:
    taken = _within("take", a.take, 1, KINDS)
    return pk.BANK | taken << pk.FIRST | _payment(a.give, "give")


def _pack_offer(a: MakeOffer) -> int:
    packed = pk.OFFER | _plus_one(a.rival, _seat, "rival") << pk.FIRST
    for name, cards, shifts, low in (
        ("give_cards", a.give_cards, GIVEN_CARDS, 1),
        ("ask_cards", a.ask_cards, ASKED_CARDS, 0),
    ):
        if len(cards) > len(shifts):
            raise MalformedActionError(
                f"{name}: an offer names two Conspiracies of a side at most."
            )
        for card, shift in zip(cards, shifts, strict=False):
            packed |= (_within(name, card, low, CONSPIRACIES - 1 + low) + 1 - low) << shift
    return packed | _nibbles(a.ask, "ask") << pk.ASKED | _payment(a.give, "give")


def _pack_play(a: PlayConspiracy) -> int:
    return (
        pk.PLAY
        | _within("card", a.card, 1, CONSPIRACIES) << pk.FIRST
        | _plus_one(a.rival, _seat, "rival") << pk.SECOND
        | _plus_one(a.province, _province, "province") << pk.THIRD
        | _plus_one(a.to_province, _province, "to_province") << pk.FOURTH
        | _within("kind", a.kind, 0, KINDS) << pk.FIFTH
        | _within("count", a.count, 0, pk.FIELD) << pk.SIXTH
    )


def _pack_horse(a: UseWoodenHorse) -> int:
    return pk.WOODEN_HORSE | _province(a.province) << pk.FIRST | _seat(a.rival) << pk.SECOND


def _pack_stables(a: CleanTheStables) -> int:
    count = _within("count", a.count, 1, 3)
    place = _province(a.province) << pk.FIRST | _seat(a.rival) << pk.SECOND
    return pk.STABLES | place | count << pk.THIRD


def _pack_charm(a: CharmTheStones) -> int:
    start = _province(a.from_province, "from_province")
    goal = _province(a.to_province, "to_province")
    return pk.CHARM | start << pk.FIRST | goal << pk.SECOND


def _pack_discard(a: Discard) -> int:
    packed = pk.DISCARD
    for kind, amount in enumerate(_amounts(a.resources)):
        name = f"resources.{Resource(kind + 1).name.lower()}"
        packed |= _within(name, amount, 0, _MOST_DISCARDED) << (pk.FIRST + AMOUNT_BITS * kind)
    return packed


_PACKERS: Final[dict[type, Callable[..., int]]] = {
    ClaimSeat: _pack_claim,
    Pass: lambda _: pk.PASS,
    Redraw: lambda a: pk.REDRAW | _payment(a.payment),
    AnswerQuestion: lambda a: pk.ANSWER | _within("answer", a.answer, 0, 1) << pk.FIRST,
    Hire: _pack_hire,
    March: _pack_march,
    TradeWithBank: _pack_bank,
    MakeOffer: _pack_offer,
    WithdrawOffer: lambda a: pk.WITHDRAW | _within("offer", a.offer, 0, pk.FIELD) << pk.FIRST,
    AnswerOffer: lambda a: (
        pk.ANSWER_OFFER
        | _within("offer", a.offer, 0, pk.FIELD) << pk.FIRST
        | int(a.accept) << pk.SECOND
    ),
    BuyConspiracy: lambda a: pk.BUY | _payment(a.payment),
    PlayConspiracy: _pack_play,
    UseWoodenHorse: _pack_horse,
    CleanTheStables: _pack_stables,
    CharmTheStones: _pack_charm,
    RaiseWalls: lambda a: pk.WALLS | _province(a.province) << pk.FIRST,
    EndTurn: lambda _: pk.END_TURN,
    AnswerAim: lambda a: pk.SHIELD | int(a.shield) << pk.FIRST,
    Choose: lambda a: pk.CHOOSE | _within("option", a.option, 0, pk.FIELD) << pk.FIRST,
    Discard: _pack_discard,
    AnswerQuiz: lambda a: pk.QUIZ | _within("choice", a.choice, 0, 2) << pk.FIRST,
    Tap: lambda a: pk.TAP | _within("offset_ms", a.offset_ms, 0, _MOST_TAP_MS) << pk.FIRST,
}


def _first(action: int) -> int:
    return pk.field(action, pk.FIRST)


def _second(action: int) -> int:
    return pk.field(action, pk.SECOND)


def _third(action: int) -> int:
    return pk.field(action, pk.THIRD)


def _or_none(field: int) -> int | None:
    return field - 1 if field else None


def _paid(action: int) -> Resources:
    return resources_of(payment_of(action))


def _unpack_claim(action: int) -> ClaimSeat:
    return ClaimSeat(Colour(_first(action)), Sigil(_second(action)), _paid(action))


def _unpack_hire(action: int) -> Hire:
    with_song = bool(pk.field(action, pk.FOURTH))
    return Hire(_first(action), _second(action), _paid(action), _third(action), with_song)


def unpack_offer(action: int) -> MakeOffer:
    """The dataclass of a packed offer."""
    given = [(action >> shift) & pk.FIELD for shift in GIVEN_CARDS]
    asked = [(action >> shift) & pk.FIELD for shift in ASKED_CARDS]
    rival = pk.offered_to(action)
    return MakeOffer(
        _paid(action),
        resources_of(asked_of(action)),
        rival if rival >= 0 else None,
        tuple(card for card in given if card),
        tuple(place - 1 for place in asked if place),
    )


def _unpack_play(action: int) -> PlayConspiracy:
    return PlayConspiracy(
        _first(action),
        _or_none(_second(action)),
        _or_none(_third(action)),
        _or_none(pk.field(action, pk.FOURTH)),
        Ideology(pk.field(action, pk.FIFTH)),
        pk.field(action, pk.SIXTH),
    )


def _unpack_discard(action: int) -> Discard:
    return Discard(Resources(*[discarded(action, kind) for kind in range(KINDS)]))


_UNPACKERS: Final[dict[int, Callable[[int], Action]]] = {
    pk.CLAIM_SEAT: _unpack_claim,
    pk.PASS: lambda _: Pass(),
    pk.REDRAW: lambda a: Redraw(_paid(a)),
    pk.ANSWER: lambda a: AnswerQuestion(_first(a)),
    pk.HIRE: _unpack_hire,
    pk.MARCH: lambda a: March(_first(a), _second(a), _third(a)),
    pk.BANK: lambda a: TradeWithBank(_paid(a), Resource(_first(a))),
    pk.OFFER: unpack_offer,
    pk.WITHDRAW: lambda a: WithdrawOffer(_first(a)),
    pk.ANSWER_OFFER: lambda a: AnswerOffer(_first(a), bool(_second(a))),
    pk.BUY: lambda a: BuyConspiracy(_paid(a)),
    pk.PLAY: _unpack_play,
    pk.WOODEN_HORSE: lambda a: UseWoodenHorse(_first(a), _second(a)),
    pk.STABLES: lambda a: CleanTheStables(_first(a), _second(a), _third(a)),
    pk.CHARM: lambda a: CharmTheStones(_first(a), _second(a)),
    pk.WALLS: lambda a: RaiseWalls(_first(a)),
    pk.END_TURN: lambda _: EndTurn(),
    pk.SHIELD: lambda a: AnswerAim(bool(_first(a))),
    pk.CHOOSE: lambda a: Choose(_first(a)),
    pk.DISCARD: _unpack_discard,
    pk.QUIZ: lambda a: AnswerQuiz(_first(a)),
    pk.TAP: lambda a: Tap((a >> pk.FIRST) & _MOST_TAP_MS),
}
