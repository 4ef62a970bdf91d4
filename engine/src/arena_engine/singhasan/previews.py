"""What an action would do, as far as its seat may know.

Acts on the board and at the bank, Conspiracies and choices are carried out on a copy, up to the first thing that
somebody else decides, and told by what everybody would see. What would turn something hidden up (an answer, the next
Question, called Headlines, the next cards) is not carried out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from arena_engine.singhasan import events as ev
from arena_engine.singhasan import packing as pk
from arena_engine.singhasan.actions import unpack_offer
from arena_engine.singhasan.aim import SHIELD_OATH, aims_of, can_raise, expire_shield, start
from arena_engine.singhasan.board import PROVINCE_COUNT
from arena_engine.singhasan.choices import do_choose
from arena_engine.singhasan.discards import discarded, excess
from arena_engine.singhasan.ending import score
from arena_engine.singhasan.hire import do_hire
from arena_engine.singhasan.messages import OathChange, Preview, Resources
from arena_engine.singhasan.outlook import foretold, who
from arena_engine.singhasan.position import KINDS, Position
from arena_engine.singhasan.stock import do_bank, payment_of, resources_of
from arena_engine.singhasan.words import capital, card_text, count_of, listed
from arena_engine.singhasan.words import resources_text as amounts_text

#: Any state but 0 puts draws on the quick generator, so that a preview shows nothing of the match's own draws.
_PREVIEW_DRAWS: Final = 1
_AIMED: Final = (pk.MARCH, pk.PLAY, pk.WOODEN_HORSE, pk.STABLES, pk.CHARM, pk.WALLS)
_CARRIED_OUT: Final = (*_AIMED, pk.HIRE, pk.BANK, pk.CHOOSE)
#: Not raising the Shield of Troy: what it brings is what is aimed at the seat.
_LET_IT_HAPPEN: Final = pk.SHIELD
_NOTHING: Final = Resources()


def preview(p: Position, seat: int, action: int) -> Preview:
    """What a legal action would do."""
    kind = pk.kind_of(action)
    if kind in _CARRIED_OUT or action == _LET_IT_HAPPEN:
        return _carried_out(p, seat, action)
    if kind in (pk.OFFER, pk.ANSWER_OFFER):
        return _trade(p, seat, action)
    cost = gain = _NOTHING
    said = ""
    if kind == pk.CLAIM_SEAT:
        gain = resources_of(payment_of(action))
        said = f"you start with {amounts_text(gain)}"
    elif kind == pk.REDRAW:
        cost = resources_of(payment_of(action))
        said = f"for {amounts_text(cost)} another Question comes"
    elif kind == pk.BUY:
        cost = resources_of(payment_of(action))
        said = f"for {amounts_text(cost)} the top Conspiracy is yours, unseen by others"
    elif kind == pk.DISCARD:
        cost = Resources(*[discarded(action, resource) for resource in range(KINDS)])
        said = f"puts {amounts_text(cost)} away"
    elif kind == pk.SHIELD:
        cost = Resources(oath=SHIELD_OATH)
        said = "for 1 Oath it does nothing to you"
    elif kind == pk.ANSWER:
        said = "what it stands for, and pays, shows once it is given"
    elif kind == pk.END_TURN:
        said = _ending(p, seat)
    return _preview(p, seat, cost=cost, gain=gain, said=said)


def _preview(p: Position, seat: int, *, cost: Resources, gain: Resources, said: str) -> Preview:
    """A preview of what leaves the board as it is."""
    return Preview(cost, gain, (), 0, (), score(p, seat), _sentence([said]))


def _sentence(said: Sequence[str]) -> str:
    text = capital("; ".join(words for words in said if words))
    return f"{text}." if text else ""


def _ending(p: Position, seat: int) -> str:
    """What the end of a turn brings; what has to be discarded, only where no Headline comes before."""
    if p.called:
        are = "is" if len(p.called) == 1 else "are"
        return f"ends your turn, and {count_of(len(p.called), 'Headline')} {are} turned up"
    over = excess(p, seat)
    return f"ends your turn, and you discard {over}" if over > 0 else "ends your turn"


def _trade(p: Position, seat: int, action: int) -> Preview:
    """An offer made or answered. To make one costs nothing yet."""
    if pk.kind_of(action) == pk.OFFER:
        offer = unpack_offer(action)
        said = f"if accepted, you give {_goods(offer.give, offer.give_cards)}"
        said += f" and get {_goods(offer.ask, offer.ask_cards)}"
        return _preview(p, seat, cost=_NOTHING, gain=_NOTHING, said=said)
    if not pk.field(action, pk.SECOND):
        return _preview(p, seat, cost=_NOTHING, gain=_NOTHING, said="")
    offer = unpack_offer(p.offers[pk.field(action, pk.FIRST)])
    said = f"you give {_goods(offer.ask, offer.ask_cards)}"
    said += f" and get {_goods(offer.give, offer.give_cards)}"
    return _preview(p, seat, cost=offer.ask, gain=offer.give, said=said)


def _goods(resources: Resources, cards: tuple[int, ...]) -> str:
    """One side of an offer; Conspiracies are counted only."""
    parts = [] if resources == _NOTHING else [amounts_text(resources)]
    if cards:
        parts.append("a Conspiracy" if len(cards) == 1 else f"{len(cards)} Conspiracies")
    return listed(parts)


def _carried_out(p: Position, seat: int, action: int) -> Preview:
    after = p.clone()
    after.fast = _PREVIEW_DRAWS
    events: list[ev.EventBody] = []
    after.log = events
    shields = _shields(p, seat, action)
    _carry_out(after, seat, action)
    cost, gain = _balance(events, seat)
    return Preview(
        cost=cost,
        gain=gain,
        oaths=_oaths(p, after),
        headlines=_calls(events),
        shields=shields,
        score=score(after, seat),
        text=_sentence(_told(after, seat, events, cost, gain, shields)) or _printed(action),
    )


def _shields(p: Position, seat: int, action: int) -> tuple[int, ...]:
    """The seats that could raise the Shield of Troy against an act."""
    if pk.kind_of(action) not in _AIMED:
        return ()
    aims = aims_of(p, seat, action)
    return tuple(r for r in range(p.board.players) if aims >> r & 1 and can_raise(p, r))


def _carry_out(after: Position, seat: int, action: int) -> None:
    """Take an action on a copy; nobody raises a Shield."""
    kind = pk.kind_of(action)
    if kind == pk.HIRE:
        do_hire(after, seat, action)
    elif kind == pk.BANK:
        do_bank(after, seat, action)
    elif kind == pk.CHOOSE:
        do_choose(after, seat, action)
    else:
        if action != _LET_IT_HAPPEN:
            start(after, seat, action, 0)
        if after.asked:
            expire_shield(after)


def _printed(action: int) -> str:
    """What a Conspiracy says, for one of which nothing shows at once; empty for other actions."""
    if pk.kind_of(action) != pk.PLAY:
        return ""
    return card_text(0, pk.field(action, pk.FIRST))


def _balance(events: Sequence[ev.EventBody], seat: int) -> tuple[Resources, Resources]:
    """What a seat loses in all, and what it gains."""
    lost, gained = [0] * KINDS, [0] * KINDS
    for event in events:
        if isinstance(event, ev.ResourcesLost | ev.ResourcesGained) and event.seat == seat:
            total = lost if isinstance(event, ev.ResourcesLost) else gained
            four = (event.resources.gold, event.resources.steel, event.resources.song)
            for kind, amount in enumerate((*four, event.resources.oath)):
                total[kind] += amount
    return Resources(*lost), Resources(*gained)


def _oaths(before: Position, after: Position) -> tuple[OathChange, ...]:
    return tuple(
        OathChange(province, after.sworn[province] if after.sworn[province] >= 0 else None)
        for province in range(PROVINCE_COUNT)
        if before.sworn[province] != after.sworn[province]
    )


def _calls(events: Sequence[ev.EventBody]) -> int:
    """How many Headlines are called."""
    return sum(isinstance(event, ev.HeadlineCalled) for event in events)


def _told(
    after: Position,
    seat: int,
    events: Sequence[ev.EventBody],
    cost: Resources,
    gain: Resources,
    shields: tuple[int, ...],
) -> list[str]:
    """All of it in a few words each, ending with what others may do about it."""
    said = [f"costs {amounts_text(cost)}"] if cost != _NOTHING else []
    if gain != _NOTHING:
        said.append(f"brings {amounts_text(gain)}")
    said += [words for event in events if (words := foretold(event, seat))]
    if calls := _calls(events):
        said.append(f"calls {count_of(calls, 'Headline')}")
    if after.choice_seat >= 0:
        chooser = after.choice_seat
        said.append(f"then {who(chooser, seat)} choose{'' if chooser == seat else 's'}")
    return said + [f"seat {rival} may raise the Shield of Troy" for rival in shields]
