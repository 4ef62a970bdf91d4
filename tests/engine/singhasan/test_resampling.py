"""Whole positions drawn from what a seat, or a spectator, can know."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from arena_engine.singhasan.position import CONSPIRACIES, IN_PILE
from arena_engine.singhasan.programs import COSTS
from arena_engine.singhasan.resampling import resample
from arena_engine.singhasan.state import SinghasanState
from tests.engine.singhasan.random_play import steps

#: Every so many positions of a match are looked at.
_EVERY = 5


def drawn(state: SinghasanState, seat: int, seed: int = 0) -> SinghasanState:
    own = None if seat < 0 else state.own(seat, ())
    return SinghasanState(resample(state.common(()), own, seat, Random(seed)))


@cache
def middle() -> SinghasanState:
    """A position in the middle of a match of four, where two rivals of seat 0 hold Conspiracies; not to be changed."""
    for seed in range(50):
        for state, _ in steps(4, seed, rounds=8):
            hands = [seat.hand_costs for seat in state.common(()).view.seats[1:]]
            if state.position.actions > 120 and sum(map(bool, hands)) > 1:
                return state
    raise AssertionError("no match had two hands")


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_resampled_positions_fit_all_that_each_seat_knows(players: int) -> None:
    for number, (state, events) in enumerate(steps(players, players)):
        if number % _EVERY:
            continue
        common = state.common(events)
        for seat in range(players):
            own = state.own(seat, events)
            one = SinghasanState(resample(common, own, seat, Random(number)))
            assert one.common(()) == state.common(())
            assert one.own(seat, ()) == state.own(seat, ())
            assert list(one.legal_actions(seat)) == list(state.legal_actions(seat))


def test_resampled_position_for_a_spectator_fits_the_public_view() -> None:
    for number, (state, _) in enumerate(steps(3, 11)):
        if number % _EVERY == 0:
            assert drawn(state, -1).common(()) == state.common(())


def test_resampled_positions_fit_in_a_duel() -> None:
    phases = set()
    for seed in range(40):
        for state, _ in steps(2, seed, rounds=1):
            if state.position.duellists:
                phases.add(state.common(()).view.phase)
                for seat in range(2):
                    assert drawn(state, seat).common(()) == state.common(())
                    assert drawn(state, seat).own(seat, ()) == state.own(seat, ())
        if len(phases) > 2:
            return
    raise AssertionError(f"no duel with questions, strikes and an end came up: {phases}")


def test_resampled_position_deals_every_card_once() -> None:
    state = drawn(middle(), 1)
    p = state.position
    pile = list(p.conspiracy_pile[: p.conspiracy_size])
    assert sorted(pile) == [i + 1 for i in range(CONSPIRACIES) if p.conspiracy_at[i] == IN_PILE]
    called = [entry & 255 for entry in p.called]
    seen = state.common(()).view.turned
    headlines = [*p.headline_deck[: p.headline_size], *called, *seen]
    assert sorted(headlines) == list(range(1, 33))
    followers = [*p.follower_deck[: p.follower_size], *p.follower_used[: p.follower_used_size]]
    assert sorted([*followers, *[card for card in p.row if card]]) == list(range(1, 41))


def test_resampled_hands_of_rivals_cost_what_their_backs_show_and_differ() -> None:
    state = middle()
    rivals = [seat for seat in range(1, 4) if state.common(()).view.seats[seat].hand_costs]
    hands = set()
    for seed in range(20):
        one = drawn(state, 0, seed)
        for rival in rivals:
            costs = tuple(COSTS[card] for card in one.own(rival, ()).hand)
            assert costs == state.common(()).view.seats[rival].hand_costs
        hands.add(tuple(one.own(rivals[0], ()).hand))
    assert len(hands) > 3


def test_resampled_position_has_draws_of_its_own() -> None:
    state = middle()
    assert drawn(state, 0, 1).position.secret != state.position.secret
    decks = {bytes(drawn(state, 0, seed).position.question_deck) for seed in range(5)}
    assert len(decks) == 5


def test_resampled_position_plays_on() -> None:
    one = drawn(middle(), 2)
    before, rng = one.position.actions, Random(1)
    while one.outcome() is None and one.position.actions < before + 200:
        seat = rng.choice(one.awaited()).seat
        one.apply(seat, rng.choice(list(one.legal_actions(seat))), 0)
    assert one.position.actions > before + 50
