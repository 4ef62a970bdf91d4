"""What a seat cannot know may be otherwise: it sees, is told and may do the same, before an action and after it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from librt.vecs import vec
from mypy_extensions import i64, u8

from arena_engine.errors import IllegalSelectionError
from arena_engine.singhasan import packing as pk
from arena_engine.singhasan.content.questions import QUESTIONS
from arena_engine.singhasan.events import ConspiracyTaken
from arena_engine.singhasan.kinds import Phase, Power
from arena_engine.singhasan.messages import HireCard, Legend, Scheme, Selection, Warrior
from arena_engine.singhasan.offers import GIVEN_CARDS
from arena_engine.singhasan.packing import FIELD, kind_of
from arena_engine.singhasan.position import CONSPIRACIES, HELD, ROW, SPENT, Position
from arena_engine.singhasan.programs import COSTS
from arena_engine.singhasan.quiz import CHOICES
from arena_engine.singhasan.state import SinghasanState
from tests.engine.singhasan.matches import new_match
from tests.engine.singhasan.random_positions import random_position

SEEDS = st.integers(0, 2**32 - 1)
SETTINGS = settings(deadline=None, derandomize=True, database=None, max_examples=40)
#: Actions after which nothing has been drawn or turned up. Offers: without cards, whose numbers are hidden.
QUIET = {
    pk.HIRE,
    pk.MARCH,
    pk.BANK,
    pk.BUY,
    pk.WOODEN_HORSE,
    pk.STABLES,
    pk.CHARM,
    pk.WALLS,
    pk.WITHDRAW,
    pk.ANSWER_OFFER,
    pk.OFFER,
}
POWERS = (
    Power.WOODEN_HORSE,
    Power.CLEAN_THE_STABLES,
    Power.CHARM_THE_STONES,
    Power.WALLS_OF_TROY,
)


def disguised(state: SinghasanState, seat: int, rng: Random) -> SinghasanState:
    """The same position with all that is hidden from a seat (-1: a spectator) dealt anew."""
    p = state.clone().position
    p.secret = rng.randbytes(32)
    p.question_deck = _shuffled(p.question_deck, p.question_size, rng)
    p.follower_deck = _shuffled(p.follower_deck, p.follower_size, rng)
    _swap_headlines(p, rng)
    _swap_conspiracies(p, seat, rng)
    if p.phase == Phase.QUIZ:
        p.duel_answer = vec[i64](
            [
                answer if other == seat or answer < 0 else rng.randrange(CHOICES)
                for other, answer in enumerate(p.duel_answer)
            ]
        )
    return SinghasanState(p)


def _shuffled(deck: vec[u8], size: int, rng: Random) -> vec[u8]:
    cards = list(deck[:size])
    rng.shuffle(cards)
    return vec[u8]([*cards, *deck[size:]])


def _swap_headlines(p: Position, rng: Random) -> None:
    """Called Headlines and those of the deck change places."""
    hidden = [*p.headline_deck[: p.headline_size], *(u8(entry & 0xFF) for entry in p.called)]
    rng.shuffle(hidden)
    p.called = vec[i64]([int(hidden.pop()) | entry & ~0xFF for entry in p.called])
    p.headline_deck = vec[u8](hidden)


def _swap_conspiracies(p: Position, seat: int, rng: Random) -> None:
    """Cards that cost the same change places, in the pile and in the hands of the others."""
    places = {i + 1: int(p.conspiracy_at[i]) for i in range(CONSPIRACIES)}
    hidden = [card for card, place in places.items() if place not in {SPENT, HELD + seat}]
    become = {card: card for card in places}
    for cost in set(map(int, COSTS)):
        alike = [card for card in hidden if COSTS[card] == cost]
        become |= dict(zip(alike, rng.sample(alike, len(alike)), strict=True))
    was = {other: card - 1 for card, other in become.items()}
    cards = range(1, CONSPIRACIES + 1)
    p.conspiracy_at = vec[u8]([p.conspiracy_at[was[card]] for card in cards])
    p.conspiracy_order = vec[u8]([p.conspiracy_order[was[card]] for card in cards])
    pile = p.conspiracy_pile[: p.conspiracy_size]
    p.conspiracy_pile = vec[u8]([u8(become[int(card)]) for card in pile])
    p.offers = vec[i64]([_renamed(offer, become) for offer in p.offers])


def _renamed(offer: int, become: dict[int, int]) -> int:
    """An offer with the cards that it gives renamed."""
    for shift in GIVEN_CARDS:
        if card := offer >> shift & FIELD:
            offer += (become[card] - card) << shift
    return offer


def selections(state: SinghasanState, seat: int) -> Iterator[Selection]:
    """All that a seat may pick up, and what it may not."""
    for slot in range(ROW):
        yield from (HireCard(slot, with_song=song) for song in (False, True))
    for presence in state.common(()).view.presences:
        yield Warrior(presence.province, presence.seat)
    for power in POWERS:
        yield Legend(power)
    for card in state.own(seat, ()).hand:
        yield Scheme(card)
        yield from (Scheme(card, rival=rival) for rival in range(state.position.board.players))


def picked_up(state: SinghasanState, seat: int, selection: Selection) -> Any:
    """Its targets, or why it cannot be picked up."""
    try:
        return state.targets(seat, selection)
    except IllegalSelectionError as error:
        return str(error)


def check_seat(state: SinghasanState, seat: int, rng: Random) -> None:
    """Assert that nothing a seat asks depends on what is hidden from it."""
    other = disguised(state, seat, rng)
    assert other.common(()) == state.common(())
    assert other.own(seat, ()) == state.own(seat, ())
    listed = list(state.legal_actions(seat))
    assert list(other.legal_actions(seat)) == listed
    for action in rng.sample(listed, min(6, len(listed))):
        assert other.preview(seat, action) == state.preview(seat, action)
    guesses = [*range(pk.CLAIM_SEAT, pk.TAP + 1), *(a ^ 1 << rng.randrange(5, 40) for a in listed)]
    for guess in rng.sample(guesses, min(20, len(guesses))):
        assert other.explain(seat, guess) == state.explain(seat, guess)
    found = list(selections(state, seat))
    for selection in rng.sample(found, min(6, len(found))):
        assert picked_up(other, seat, selection) == picked_up(state, seat, selection)
    for actor, _ in state.awaited():
        quiet = [action for action in state.legal_actions(actor) if _is_quiet(action)]
        if quiet:
            check_action(state.clone(), other.clone(), actor, rng.choice(quiet), seat)


def _is_quiet(action: int) -> bool:
    names_cards = kind_of(action) == pk.OFFER and any(action >> s & FIELD for s in GIVEN_CARDS)
    return kind_of(action) in QUIET and not names_cards


def check_action(
    one: SinghasanState, other: SinghasanState, actor: int, action: int, seat: int
) -> None:
    """Assert that a seat is told the same of an action in both."""
    events, others = one.apply(actor, action, 0), other.apply(actor, action, 0)
    assert one.common(events) == other.common(others)
    cards_move = any(isinstance(event.event, ConspiracyTaken) for event in events)
    if actor != seat and not cards_move:
        assert one.own(seat, events) == other.own(seat, others)


def walked(state: SinghasanState, rng: Random, actions: int) -> SinghasanState:
    """The position after some random actions of random kinds, or as far as the match goes."""
    for _ in range(actions):
        if state.outcome() is not None:
            break
        seat = rng.choice(state.awaited()).seat
        by_kind: dict[int, list[int]] = {}
        for action in state.legal_actions(seat):
            by_kind.setdefault(kind_of(action), []).append(action)
        state.apply(seat, rng.choice(by_kind[rng.choice(list(by_kind))]), 0)
    return state


@SETTINGS
@given(seed=SEEDS, actions=st.integers(0, 15))
def test_hidden_things_change_nothing_for_who_cannot_know_them(seed: int, actions: int) -> None:
    rng = Random(seed)
    state = walked(random_position(seed), rng, actions)
    for seat in range(state.position.board.players):
        check_seat(state, seat, rng)
    assert disguised(state, -1, rng).common(()) == state.common(())


def last_round(phase: Phase) -> Sequence[SinghasanState]:
    """Positions of a phase, from the last rounds of matches."""
    found: list[SinghasanState] = []
    for seed in range(40):
        rng = Random(seed)
        state = new_match(2 + seed % 3, secret=seed)
        state.position.round = state.position.board.round_cap
        while state.outcome() is None and len(found) < 5:
            if state.position.phase == phase:
                found.append(state.clone())
            walked(state, rng, 1)
    return found


@pytest.mark.parametrize("phase", [Phase.COURT, Phase.QUIZ, Phase.STRIKE], ids=lambda p: p.name)
def test_hidden_things_change_nothing_in_the_court_and_in_the_duel(phase: Phase) -> None:
    found, rng = last_round(phase), Random(0)
    assert found
    for state in found:
        for seat in range(state.position.board.players):
            check_seat(state, seat, rng)


def test_nothing_tells_an_answer_from_the_other_before_it_is_given() -> None:
    """Not the preview, not the view: only the words of the Question do."""
    for question in range(1, len(QUESTIONS) + 1):
        state = random_position(3)
        state.position.phase = Phase.ANSWER
        state.position.question = question
        one, two = (state.preview(state.position.turn, pk.ANSWER | a << pk.FIRST) for a in (0, 1))
        assert (one.cost, one.gain, one.oaths) == (two.cost, two.gain, two.oaths)
        assert one.text.replace(" A", " B") == two.text
