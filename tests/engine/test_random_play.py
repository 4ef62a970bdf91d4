"""Random play from random positions: the naive model agrees, and what must hold always holds."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena_engine.crowns import GAME
from arena_engine.crowns.messages import Move, PlayCard, Resign
from arena_engine.game import State
from tests.engine.new_matches import new_match
from tests.engine.positions import RELIC_WORDS, a_card, arena, hand, view
from tests.engine.random_positions import random_position
from tests.engine.tandem import Tandem

SEEDS = st.integers(0, 2**32 - 1)
#: The same examples every time: a failure in a suite must be one's own.
SETTINGS = settings(deadline=None, derandomize=True, database=None, max_examples=30)


def play_on(state: State, rng: Random, plies: int) -> State:
    """The position after some random actions."""
    for _ in range(plies):
        for awaited in state.awaited():
            state.apply(awaited.seat, rng.choice(list(state.legal_actions(awaited.seat))), 0)
    return state


@SETTINGS
@given(seed=SEEDS)
def test_naive_model_agrees_in_random_play(seed: int) -> None:
    rng = Random(seed)
    both = Tandem(random_position(seed))
    for _ in range(12):
        actions = both.actions()
        if not actions:
            return
        if rng.random() < 0.03:
            both.resign(rng.choice(both.model.living()))
        else:
            both.take(_lively_choice(both.state, actions, rng))
    both.actions()


@pytest.mark.parametrize("players", [2, 3, 6])
def test_naive_model_agrees_in_a_whole_match(players: int) -> None:
    rng = Random(players)
    both = Tandem(new_match(players, secret=players))
    for _ in range(80):
        actions = both.actions()
        if not actions:
            break
        both.take(rng.choice(actions))


def _lively_choice(state: State, actions: list[int], rng: Random) -> int:
    """A random action, cards more often than their share of the list."""
    cards = [a for a in actions if isinstance(state.unpack(a), PlayCard)]
    return rng.choice(cards if cards and rng.random() < 0.5 else actions)


@SETTINGS
@given(seed=SEEDS, plies=st.integers(0, 25))
def test_position_after_random_play_keeps_its_invariants(seed: int, plies: int) -> None:
    state = play_on(random_position(seed), Random(seed), plies)
    shown = view(state)
    _check_pieces(shown)
    _check_cards(state, shown)
    spots = Counter((r.triangle, RELIC_WORDS[r.relic] == "fallen") for r in shown.relics)
    assert all(number == 1 for (_, is_fallen), number in spots.items() if not is_fallen)
    assert not {r.triangle for r in shown.relics if RELIC_WORDS[r.relic] != "fallen"} & {
        s.gate for s in shown.seats
    }


def _check_pieces(shown: Any) -> None:
    triangles = [f.triangle for f in shown.formations]
    assert len(triangles) == len(set(triangles))
    for seat, state in enumerate(shown.seats):
        mine = [f for f in shown.formations if f.seat == seat]
        assert all(1 <= f.king + f.knights + f.golden <= 3 for f in mine)
        assert sum(f.knights + f.golden for f in mine) + state.reserve == 10
        assert sum(f.king for f in mine) == state.is_alive
        assert state.is_bearer == (state.crowns >= 3)
        assert state.crowns <= 3


def _check_cards(state: State, shown: Any) -> None:
    hands = [number for seat in range(shown.players) for number in hand(state, seat)]
    known = [*hands, *shown.discard]
    assert len(known) == len(set(known))
    assert len(known) + shown.deck_size == 40
    assert all(len(hand(state, seat)) <= 3 for seat in range(shown.players))


@pytest.mark.parametrize(("players", "board", "relics"), [(2, "standard", 14), (6, "large", 19)])
def test_relics_of_a_match_are_never_lost(players: int, board: str, relics: int) -> None:
    state, rng = new_match(players, board=board, secret=8), Random(8)
    kinds = Counter(r.relic for r in view(state).relics)
    for _ in range(150):
        play_on(state, rng, 1)
        shown = view(state)
        lying = Counter(r.relic for r in shown.relics if RELIC_WORDS[r.relic] != "fallen")
        assert lying + Counter(r.relic for r in shown.returning) == kinds
        assert lying.total() + len(shown.returning) == relics


def test_decisions_grow_by_the_actions_of_the_seats() -> None:
    state, rng, last = new_match(3, secret=2), Random(2), 0
    for _ in range(60):
        for awaited in state.awaited():
            assert awaited.decision > last
            last = awaited.decision
            state.apply(awaited.seat, rng.choice(list(state.legal_actions(awaited.seat))), 0)


@SETTINGS
@given(seed=SEEDS, plies=st.integers(0, 10))
def test_explain_tells_listed_actions_from_others(seed: int, plies: int) -> None:
    state = play_on(random_position(seed), Random(seed), plies)
    rng = Random(seed)
    for awaited in state.awaited():
        listed = set(state.legal_actions(awaited.seat))
        assert all(state.explain(awaited.seat, packed) is None for packed in listed)
        for action in _guesses(rng, view(state)):
            packed = state.pack(action)
            reason = state.explain(awaited.seat, packed)
            assert (reason is None) == (packed in listed), (action, reason, state.to_text())
            assert reason is None or (reason.strip() and "\n" not in reason)
        assert state.explain(awaited.seat, state.pack(Resign())) is None


def _guesses(rng: Random, shown: Any) -> list[Any]:
    """Actions that look possible; many are not legal."""
    guesses: list[Any] = []
    triangles = len(arena("large" if shown.board == 2 else "standard").triangles)
    for _ in range(40):
        start = rng.choice(shown.formations)
        groups = [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0), (0, 2, 0), (0, 1, 1), (1, 1, 1)]
        king, knights, golden = rng.choice(groups)
        near = rng.choice(range(max(0, start.triangle - 30), min(triangles, start.triangle + 30)))
        guesses.append(Move(start.triangle, near, bool(king), knights, golden))
    for number in range(1, 41):
        here, there = rng.choice(shown.formations).triangle, rng.randrange(triangles)
        asked: dict[str, int] = {}
        if 4 <= number <= 8:
            asked = {"rival": rng.randrange(shown.players)}
        elif 9 <= number <= 13:
            asked = {"triangle": here, "to_triangle": there}
        elif 14 <= number <= 20 or number >= 36:
            asked = {"triangle": here}
        guesses.append(a_card(number, **asked))
    return guesses


@SETTINGS
@given(seed=SEEDS, plies=st.integers(0, 10))
def test_actions_and_texts_read_back(seed: int, plies: int) -> None:
    state = play_on(random_position(seed), Random(seed), plies)
    again = GAME.from_text(state.to_text())
    assert again.to_text() == state.to_text()
    assert again.state_hash() == state.state_hash()
    assert again.common(()) == state.common(())
    for awaited in state.awaited():
        packed = list(state.legal_actions(awaited.seat))
        assert packed == list(again.legal_actions(awaited.seat))
        actions = [state.unpack(p) for p in packed]
        assert [state.pack(a) for a in actions] == packed
        assert [GAME.table.parse(GAME.table.notation(a)) for a in actions] == actions


@SETTINGS
@given(seed=SEEDS)
def test_copies_play_on_alike_and_apart(seed: int) -> None:
    state = random_position(seed)
    before = state.to_text()
    one, other = state.clone(), GAME.from_text(before)
    play_on(one, Random(seed), 8)
    play_on(other, Random(seed), 8)
    assert one.to_text() == other.to_text()
    assert one.state_hash() == other.state_hash()
    assert state.to_text() == before


@SETTINGS
@given(seed=SEEDS, plies=st.integers(0, 8))
def test_hidden_cards_never_change_what_others_see(seed: int, plies: int) -> None:
    """Whatever a seat cannot know may be dealt anew; it sees, and may do, the same."""
    state = play_on(random_position(seed), Random(seed), plies)
    common = state.common(())
    for seat in range(view(state).players):
        own = state.own(seat, ())
        drawn = GAME.resample(common, own, seat, Random(seed))
        assert drawn.common(()) == common
        assert drawn.own(seat, ()) == own
        assert list(drawn.legal_actions(seat)) == list(state.legal_actions(seat))
        for action in list(state.legal_actions(seat))[:5]:
            assert drawn.preview(seat, action) == state.preview(seat, action)


@SETTINGS
@given(seed=SEEDS)
def test_preview_tells_what_then_happens(seed: int) -> None:
    state = random_position(seed)
    (awaited,) = state.awaited()
    seat = awaited.seat
    actions = list(state.legal_actions(seat))
    for packed in Random(seed).sample(actions, min(12, len(actions))):
        shown = state.preview(seat, packed)
        after = state.clone()
        names = [type(e.event).__name__ for e in after.apply(seat, packed, 0)]
        outcome = after.outcome()
        assert shown.wins == (outcome is not None and outcome.winner == seat)
        assert shown.is_blocked == ("Blocked" in names)
        alive = [i for i, s in enumerate(view(state).seats) if s.is_alive]
        fallen = [i for i in alive if not view(after).seats[i].is_alive]
        if not isinstance(state.unpack(packed), Resign):
            assert list(shown.kings_defeated) == fallen
            gained = view(after).seats[seat].crowns - view(state).seats[seat].crowns
            assert shown.crowns == gained


@SETTINGS
@given(seed=SEEDS, plies=st.integers(0, 8))
def test_policy_chooses_a_legal_action_also_from_what_a_seat_sees(seed: int, plies: int) -> None:
    state = play_on(random_position(seed), Random(seed), plies)
    for awaited in state.awaited():
        seat = awaited.seat
        drawn = GAME.resample(state.common(()), state.own(seat, ()), seat, Random(seed))
        chosen = GAME.choose(drawn, seat, Random(seed))
        assert state.explain(seat, chosen) is None
