"""Which decision is open, and for how long."""

from __future__ import annotations

from arena_engine.crowns.messages import ChooseShield, Resign
from tests.engine.new_matches import new_match
from tests.engine.positions import a_card, act, card, move, position


def test_first_decision_is_number_1() -> None:
    (awaited,) = new_match(3).awaited()
    assert (awaited.seat, awaited.decision) == (0, 1)


def test_decision_closes_with_every_action_of_its_seat() -> None:
    state = position("0:K@40 0:k@60 0:k@70", relics="horse@41 shield@61", hands=[[card("gold")]])
    seen = [state.awaited()[0].decision]
    act(state, a_card(card("gold")))
    seen.append(state.awaited()[0].decision)
    move(state, 40, 41, "K")
    seen.append(state.awaited()[0].decision)
    move(state, 60, 61, "k")
    seen.append(state.awaited()[0].decision)
    act(state, ChooseShield(61))
    seen.append(state.awaited()[0].decision)
    assert seen == sorted(set(seen))


def test_decision_stays_open_while_another_seat_resigns() -> None:
    state = new_match(3)
    before = state.awaited()
    act(state, Resign(), seat=1)
    assert state.awaited() == before


def test_decision_closes_when_its_clock_runs_out() -> None:
    state = new_match(2, turn_seconds=30)
    (before,) = state.awaited()
    state.expire(30_000)
    (after,) = state.awaited()
    assert after.seat == 1
    assert after.decision > before.decision


def test_only_the_seat_on_turn_is_awaited() -> None:
    assert [a.seat for a in new_match(6).awaited()] == [0]


def test_only_resigning_is_allowed_at_any_time() -> None:
    state = new_match(2)
    assert state.is_any_time(Resign())
    assert not state.is_any_time(a_card(1))
    assert not state.is_any_time(ChooseShield(4))
