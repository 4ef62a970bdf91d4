"""The yardstick player: sees what is one action away, knows what its seat knows, and brings matches to an end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from arena_engine.singhasan import duel, policy, quiz
from arena_engine.singhasan.aim import start
from arena_engine.singhasan.board import board_for
from arena_engine.singhasan.content.followers import FOLLOWERS
from arena_engine.singhasan.kinds import Phase
from arena_engine.singhasan.march import march_action
from arena_engine.singhasan.packing import (
    ANSWER,
    ANSWER_OFFER,
    BANK,
    BUY,
    CHOOSE,
    CLAIM_SEAT,
    END_TURN,
    FIRST,
    HIRE,
    MARCH,
    OFFER,
    PASS,
    PLAY,
    QUIZ,
    REDRAW,
    SECOND,
    SHIELD,
    STABLES,
    TAP,
    WALLS,
    WOODEN_HORSE,
    field,
    kind_of,
)
from arena_engine.singhasan.phases import open_decisions
from arena_engine.singhasan.position import Position
from arena_engine.singhasan.resampling import resample
from arena_engine.singhasan.state import SinghasanState
from arena_engine.singhasan.turns import apply_action, first_position
from tests.engine.singhasan.boards import (
    CAPITAL,
    EMBERFEN,
    HOLLOWMERE,
    THORNWOLD,
    VEILHAVEN,
    acting,
    packed,
)
from tests.engine.singhasan.schemes import hold, in_court

#: Follower cards that bring one follower for two kinds and two of any, and three for two of each.
ONE_FOR_ANY = next(n for n, card in enumerate(FOLLOWERS, 1) if card.cost == (1, 0, 1, 0))
THREE_FOR_ALL = next(n for n, card in enumerate(FOLLOWERS, 1) if card.cost == (2, 2, 2, 2))


def chosen(p: Position, seat: int = 0, seed: int = 1) -> int:
    open_decisions(p)
    return policy.choose(p, seat, Random(seed))


def matches(players: int, count: int = 1, seed: int = 0) -> Iterator[SinghasanState]:
    """Every position of some matches of bots, before the bots whose turn it is act."""
    for number in range(count):
        rng = Random(f"{players} {seed} {number}")
        board = board_for(players)
        state = SinghasanState(first_position(board, rng.randbytes(32), 1, [True] * players, 0))
        while state.outcome() is None:
            yield state
            seat = rng.choice(state.awaited()).seat
            state.apply(seat, policy.choose(state.position, seat, rng), 0)
        yield state


def test_hire_goes_where_it_brings_an_oath() -> None:
    p = acting("0 emberfen 4", "0 kingsmarch 3", stock={0: (3, 1, 1, 0)})
    p.row[0] = ONE_FOR_ANY
    action = chosen(p)
    assert kind_of(action) == HIRE
    assert field(action, SECOND) == EMBERFEN


def test_hire_keeps_away_from_a_province_that_is_a_rivals() -> None:
    p = acting("1 emberfen 5", "0 emberfen 1", "0 hollowmere 1", stock={0: (3, 1, 1, 0)})
    p.row[0] = ONE_FOR_ANY
    action = chosen(p)
    assert kind_of(action) == HIRE
    assert field(action, SECOND) != EMBERFEN


def test_three_followers_that_fill_a_majority_are_hired_together() -> None:
    p = acting("0 veilhaven 2", "0 emberfen 1", stock={0: (2, 2, 2, 2)})
    p.row[1] = THREE_FOR_ALL
    action = chosen(p)
    assert (kind_of(action), field(action, SECOND)) == (HIRE, VEILHAVEN)


def test_follower_that_an_oath_can_spare_marches_to_tip_the_next_province() -> None:
    p = acting("0 emberfen 6", "0 hollowmere 4", "1 hollowmere 2")
    action = chosen(p)
    assert (kind_of(action), field(action, FIRST), field(action, SECOND)) == (
        MARCH,
        EMBERFEN,
        HOLLOWMERE,
    )


def test_wooden_horse_that_breaks_an_oath_is_used() -> None:
    p = acting("1 capital 8", "0 capital 2", stock={0: (2, 0, 0, 0)}, answers={0: (5, 0, 0, 0)})
    action = chosen(p)
    assert (kind_of(action), field(action, FIRST), field(action, SECOND)) == (
        WOODEN_HORSE,
        CAPITAL,
        1,
    )


def test_stables_take_as_many_as_they_can() -> None:
    p = acting("1 capital 8", "0 capital 1", stock={0: (0, 1, 0, 0)}, answers={0: (0, 5, 0, 0)})
    action = chosen(p)
    assert kind_of(action) == STABLES
    assert field(action, 15) == 3


def test_walls_go_up_around_a_sworn_province() -> None:
    p = acting("0 thornwold 6", stock={0: (0, 0, 0, 2)}, answers={0: (0, 0, 0, 5)})
    assert chosen(p) == WALLS | THORNWOLD << FIRST


def test_bank_is_asked_for_what_a_hire_lacks() -> None:
    p = acting("0 emberfen 4", stock={0: (6, 0, 0, 0)})
    p.row[0] = ONE_FOR_ANY
    action = chosen(p)
    assert kind_of(action) == BANK
    assert field(action, FIRST) == 3
    apply_action(p, 0, action, 0)
    assert kind_of(chosen(p)) == HIRE


def test_bank_is_asked_for_what_a_power_lacks() -> None:
    p = acting("0 thornwold 6", stock={0: (2, 0, 0, 1)}, answers={0: (3, 0, 0, 5)})
    action = chosen(p)
    assert (kind_of(action), field(action, FIRST)) == (BANK, 4)


def test_bank_is_left_alone_where_it_leads_to_nothing() -> None:
    p = acting(stock={0: (3, 0, 0, 0)})
    assert chosen(p) == END_TURN


def test_conspiracy_is_bought_for_what_nothing_else_takes() -> None:
    p = acting(stock={0: (9, 0, 0, 0)})
    p.conspiracy_pile[0] = 1
    p.conspiracy_size = 1
    assert kind_of(chosen(p)) == BUY


def test_deed_that_breaks_an_oath_is_played() -> None:
    p = acting("1 thornwold 6", "0 thornwold 1")
    hold(p, 0, "Assassins in the Night")
    action = chosen(p)
    assert kind_of(action) == PLAY
    assert field(action, 15) == THORNWOLD + 1


def test_deed_that_would_hardly_hurt_is_kept() -> None:
    p = acting("2 thornwold 1", "1 emberfen 5")
    hold(p, 0, "Assassins in the Night")
    p.standing[9 + EMBERFEN] -= 5
    p.on_rifts[9 + EMBERFEN] += 5
    assert chosen(p) == END_TURN


def test_court_card_is_played_in_the_window() -> None:
    p = in_court("1 emberfen 5")
    p.in_court = 0b101
    hold(p, 0, "Poisoned Ink")
    assert kind_of(chosen(p)) == PLAY


def test_seat_without_court_cards_passes() -> None:
    p = in_court("1 emberfen 5")
    hold(p, 0, "Assassins in the Night")
    assert chosen(p) == PASS


def test_shield_is_raised_for_an_oath_and_not_for_a_stray_follower() -> None:
    horse = WOODEN_HORSE | CAPITAL << FIRST | 1 << SECOND
    march = march_action(CAPITAL, THORNWOLD, 1)
    for followers, act, is_raised in (
        (("1 capital 8",), horse, 1),
        (("1 capital 1", "0 capital 3"), march, 0),
    ):
        p = acting(
            *followers,
            stock={0: (2, 0, 0, 0), 1: (0, 0, 0, 1)},
            answers={0: (5, 0, 0, 0), 1: (0, 0, 0, 3)},
        )
        start(p, 0, act, 0)
        assert p.phase == Phase.SHIELD
        assert chosen(p, 1) == SHIELD | is_raised << FIRST


def test_offer_is_accepted_by_a_seat_that_gains_and_declined_by_one_that_does_not() -> None:
    for theirs, is_accepted in (((0, 5, 0, 0), 1), ((5, 0, 0, 0), 0)):
        p = acting(stock={0: (1, 0, 0, 0), 1: theirs})
        asked = packed(steel=1) if is_accepted else packed(gold=5)
        apply_action(p, 0, OFFER | 2 << FIRST | packed(gold=1) << 44 | asked << 28, 0)
        action = chosen(p, 1)
        assert (kind_of(action), field(action, SECOND)) == (ANSWER_OFFER, is_accepted)


def test_offer_is_made_where_both_sides_gain_and_once_a_turn() -> None:
    p = acting(stock={0: (9, 0, 0, 0), 1: (0, 9, 0, 0)})
    kinds = Counter(kind_of(chosen(p, seed=seed)) for seed in range(20))
    assert kinds[OFFER] > 0
    offer = next(a for seed in range(20) if kind_of(a := chosen(p, seed=seed)) == OFFER)
    apply_action(p, 0, offer, 0)
    assert all(kind_of(chosen(p, seed=seed)) != OFFER for seed in range(20))


def test_answers_are_drawn_by_lot() -> None:
    for swapped in (0, 16):
        p = acting()
        p.phase, p.question, p.court = Phase.ANSWER, 1, swapped
        drawn = Counter(chosen(p, seed=seed) for seed in range(200))
        assert set(drawn) == {ANSWER, ANSWER | 1 << FIRST}
        assert min(drawn.values()) > 60


def test_question_is_sent_away_seldom_and_only_for_what_would_be_discarded() -> None:
    rich, poor = acting(stock={0: (4, 4, 4, 4)}), acting(stock={0: (1, 1, 1, 1)})
    counts = []
    for p in (rich, poor):
        p.phase, p.question = Phase.ANSWER, 1
        counts.append(sum(kind_of(chosen(p, seed=seed)) == REDRAW for seed in range(100)))
    assert 5 < counts[0] < 50
    assert counts[1] == 0


def test_duellist_is_right_as_often_as_stated() -> None:
    p = acting("0 emberfen 5", "1 hollowmere 5")
    duel.begin(p, 0b11, 0)
    answers = [policy.choose(p, 0, Random(seed)) for seed in range(2_000)]
    right = QUIZ | int(quiz.right_choice(p)) << FIRST
    assert abs(answers.count(right) / 20 - policy.QUIZ_RIGHT) < 4
    assert len(set(answers)) == 3


def test_duellist_strikes_within_the_stated_spread() -> None:
    p = acting()
    p.phase, p.mark_ms = Phase.STRIKE, 1_500
    taps = [policy.choose(p, 0, Random(seed)) for seed in range(500)]
    off = [abs(int(tap >> FIRST) - int(p.mark_ms)) for tap in taps]
    assert {kind_of(tap) for tap in taps} == {TAP}
    assert max(off) <= policy.TAP_SPREAD_MS
    assert sum(off) / len(off) < policy.TAP_SPREAD_MS / 2


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_action_of_a_whole_match_is_legal_and_choosing_changes_nothing(players: int) -> None:
    kinds = set()
    for number, state in enumerate(matches(players)):
        for seat, _ in state.awaited():
            before = state.state_hash() if number % 10 == 0 else b""
            action = policy.choose(state.position, seat, Random(number))
            assert state.explain(seat, action) is None, (state.to_text(), state.unpack(action))
            assert not before or state.state_hash() == before
            kinds.add(kind_of(action))
    assert {CLAIM_SEAT, PASS, ANSWER, HIRE, MARCH, BANK, BUY, CHOOSE, END_TURN} <= kinds


@pytest.mark.parametrize("players", [2, 4])
def test_choice_depends_on_nothing_that_the_seat_cannot_know(players: int) -> None:
    for number, state in enumerate(matches(players, seed=5)):
        for seat, _ in state.awaited():
            one = resample(state.common(()), state.own(seat, ()), seat, Random(number))
            assert policy.choose(one, seat, Random(7)) == policy.choose(
                state.position, seat, Random(7)
            ), state.to_text()


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_match_of_policies_is_short(players: int) -> None:
    most = 0
    for state in matches(players, count=2, seed=9):
        most = max(most, state.position.actions)
    assert most < 1_000
