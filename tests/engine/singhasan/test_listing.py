"""Listed and explained: of the forms that are listed, `explain` takes exactly what the list has."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from arena_engine.singhasan import packing as pk
from arena_engine.singhasan.board import PROVINCE_COUNT
from arena_engine.singhasan.cards import play_action
from arena_engine.singhasan.hire import MOST_HIRED, canonical_hire, hire_action
from arena_engine.singhasan.kinds import Phase
from arena_engine.singhasan.march import march_action
from arena_engine.singhasan.packing import FIRST, SECOND, SIXTH
from arena_engine.singhasan.position import CONSPIRACIES, HELD, KINDS, ROW, Position
from arena_engine.singhasan.powers import STABLES_MOST, power_action
from arena_engine.singhasan.state import SinghasanState
from tests.engine.singhasan.matches import new_match
from tests.engine.singhasan.random_positions import random_position

SEEDS = st.integers(0, 2**32 - 1)
SETTINGS = settings(deadline=None, derandomize=True, database=None, max_examples=40)
PLACES = range(PROVINCE_COUNT)


def check_forms(state: SinghasanState, seat: int, guesses: Iterator[int]) -> None:
    """Assert of each guess that it is legal exactly where it is listed, and else refused in one line."""
    listed = set(state.legal_actions(seat))
    assert all(state.explain(seat, action) is None for action in listed)
    for action in guesses:
        reason = state.explain(seat, action)
        assert (reason is None) == (action in listed), (state.unpack(action), reason)
        assert reason is None or (reason[0].isupper() and reason.endswith("."))
        assert reason is None or "\n" not in reason


def acts(p: Position, seat: int) -> Iterator[int]:
    """Every March, use of a power, and hire for its canonical payment, that the numbers allow."""
    rivals = range(p.board.players)
    for start in PLACES:
        for goal in PLACES:
            yield power_action(pk.CHARM, start, goal)
            yield from (march_action(start, goal, owner) for owner in rivals)
        for rival in rivals:
            yield power_action(pk.WOODEN_HORSE, start, rival)
            counts = range(STABLES_MOST + 1)
            yield from (power_action(pk.STABLES, start, rival, count) for count in counts)
        yield power_action(pk.WALLS, start)
    for slot in range(ROW):
        for with_song in range(2):
            payment = max(canonical_hire(p, seat, p.row[slot], with_song), 0)
            for place in PLACES:
                for on_rifts in range(MOST_HIRED + 1):
                    yield hire_action(slot, place, on_rifts, with_song, payment)


def plays(p: Position, seat: int, rng: Random) -> Iterator[int]:
    """Plays of each held card, and of one that is not held, some with what the card does not ask for."""
    held = [i + 1 for i in range(CONSPIRACIES) if p.conspiracy_at[i] == HELD + seat]
    for card in [*held, rng.randint(1, CONSPIRACIES)]:
        for _ in range(60):
            rival = rng.choice([-1, *range(p.board.players)])
            start, goal = rng.choice([-1, *PLACES]), rng.choice([-1, -1, *PLACES])
            kind = rng.choice([-1, -1, *range(KINDS)])
            yield play_action(card, rival, start, goal, kind) | rng.choice([0, 0, 1, 2]) << SIXTH


@SETTINGS
@given(seed=SEEDS)
def test_explain_takes_in_the_act_step_exactly_what_is_listed(seed: int) -> None:
    state, rng = random_position(seed), Random(seed)
    p = state.position
    if p.phase == Phase.ACT:
        check_forms(state, p.turn, acts(p, p.turn))
        check_forms(state, p.turn, plays(p, p.turn, rng))
        places = [pk.WITHDRAW | place << FIRST for place in range(6)]
        check_forms(state, p.turn, iter([*places, pk.END_TURN, pk.PASS, pk.ANSWER, pk.SHIELD]))


def others(p: Position) -> Iterator[int]:
    """Actions of the other phases."""
    yield from (pk.PASS, pk.END_TURN, pk.SHIELD, pk.SHIELD | 1 << FIRST)
    yield from (pk.ANSWER | answer << FIRST for answer in range(2))
    yield from (pk.CHOOSE | option << FIRST for option in range(32))
    yield from (pk.QUIZ | choice << FIRST for choice in range(3))
    for place in range(6):
        yield from (pk.ANSWER_OFFER | place << FIRST | accept << SECOND for accept in range(2))
    yield march_action(0, 1, p.turn)


def starts() -> Iterator[SinghasanState]:
    """Matches in their last round before seats are claimed, then crowded positions."""
    for players in (2, 3, 4, 5):
        state = new_match(players, secret=players)
        state.position.round = state.position.board.round_cap
        yield state
    yield from (random_position(seed) for seed in range(20))


def test_explain_takes_in_every_phase_exactly_what_is_listed() -> None:
    phases, rng = set(), Random(0)
    for state in starts():
        p, actions = state.position, 0
        while state.outcome() is None and actions < 40:
            phases.add(p.phase)
            for seat in range(p.board.players):
                check_forms(state, seat, others(p))
                if p.phase == Phase.COURT:
                    check_forms(state, seat, plays(p, seat, rng))
            seat = rng.choice(state.awaited()).seat
            legal = list(state.legal_actions(seat))
            is_last = legal[-1] == pk.END_TURN and rng.random() < 0.2
            state.apply(seat, legal[-1] if is_last else rng.choice(legal), 0)
            actions += 1
    assert phases >= set(Phase) - {Phase.UNSPECIFIED, Phase.STRIKE}
