"""In which order things happen, and what is told of them."""

from __future__ import annotations

from typing import Any

from arena_engine.crowns import GAME
from arena_engine.crowns.events import Moved, TurnBegan
from arena_engine.crowns.messages import EndTurn
from tests.engine.positions import a_card, act, card, find, move, position


def kinds(events: list[Any]) -> list[str]:
    """The names of the events."""
    return [type(event).__name__ for event in events]


def test_quiet_move_tells_the_move_and_the_change_of_turn() -> None:
    events = move(position("0:Kkg@40"), 40, 41, "kg")
    assert kinds(events) == ["Moved", "TurnEnded", "TurnBegan"]
    assert find(events, Moved) == Moved(0, 40, 41, king=False, knights=1, golden=1)


def test_one_move_goes_attack_elimination_relics() -> None:
    events = move(position("0:K@40 1:K@41", players=3), 40, 41, "K")
    order = [k for k in kinds(events) if k in {"Captured", "Eliminated", "RelicCollected"}]
    assert order == ["Captured", "Eliminated", "RelicCollected"]
    assert kinds(events)[-2:] == ["TurnEnded", "TurnBegan"]


def test_end_of_the_match_is_the_last_event() -> None:
    events = move(position("0:K@14", crowns=[3]), 14, 4, "K")
    assert kinds(events)[-1] == "MatchEnded"
    assert "TurnBegan" not in kinds(events)


def test_new_round_is_numbered() -> None:
    state = position("0:K@40 1:K@60")
    assert find(move(state, 40, 41, "K"), TurnBegan) == TurnBegan(1, 1)
    assert find(move(state, 60, 61, "K"), TurnBegan) == TurnBegan(0, 2)


def test_relics_come_back_before_the_next_turn_begins() -> None:
    state = position("1:k@60", more="turn: 1\nreturning: horse@40")
    names = kinds(move(state, 60, 61, "k"))
    assert names.index("RelicAppeared") < names.index("TurnBegan")


def test_card_is_told_before_what_it_does() -> None:
    number = card("gold")
    assert kinds(act(position(hands=[[number]]), a_card(number))) == ["CardPlayed", "CrownsChanged"]


def test_ended_turn_is_told() -> None:
    state = position(more="done: move\nmoves: 1")
    assert kinds(act(state, EndTurn())) == ["TurnEnded", "TurnBegan"]


def test_first_events_of_a_match_set_it_up() -> None:
    _, events = GAME.new(GAME.default_options(), [False, True], bytes(32), 0)
    names = kinds([event.event for event in events])
    assert names.count("RelicAppeared") == 14
    assert names[-1] == "TurnBegan"


def test_events_are_numbered_from_0_in_each_entry() -> None:
    state = position("0:k@40", relics="boat@41 loot@42")
    for _ in range(2):
        (awaited,) = state.awaited()
        packed = next(iter(state.legal_actions(awaited.seat)))
        events = state.apply(awaited.seat, packed, 0)
        assert [event.index for event in events] == list(range(len(events)))
