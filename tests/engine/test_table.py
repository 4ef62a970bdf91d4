"""The game as text for terminals."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from arena_engine.crowns import GAME
from arena_engine.crowns.cards import CARDS
from arena_engine.crowns.messages import ChooseShield, EndTurn, Resign
from arena_engine.errors import MalformedActionError
from tests.engine.new_matches import new_match
from tests.engine.positions import a_card, a_move, card, legal, move, position
from tests.engine.random_positions import random_position

NAMES = ["Ada", "Ben", "Cleo", "Dov", "Eve", "Fay"]
TABLE = GAME.table
EXAMPLES: list[Any] = [
    EndTurn(),
    Resign(),
    ChooseShield(40),
    a_move(40, 41, "k"),
    a_move(4, 14, "Kkg"),
    a_move(149, 0, "ggg"),
    a_card(1),
    a_card(5, rival=0),
    a_card(10, triangle=40, to_triangle=0),
    a_card(15, triangle=0),
]


@pytest.mark.parametrize("action", EXAMPLES)
def test_notation_reads_back(action: Any) -> None:
    assert TABLE.parse(TABLE.notation(action)) == action


def test_notation_of_every_legal_action_is_its_own() -> None:
    hand = [card("red"), card("violet"), card("black")]
    state = position("0:Kkg@40 1:k@43", crowns=[0, 1], hands=[hand])
    actions = legal(state)
    assert len({TABLE.notation(a) for a in actions}) == len(actions)
    assert len({TABLE.phrase(a, NAMES) for a in actions}) == len(actions)


@pytest.mark.parametrize("text", ["", "fly", "move", "4-", "4->", "play", "9999 1 K", "shield x"])
def test_notation_that_means_nothing_is_refused(text: str) -> None:
    with pytest.raises(MalformedActionError):
        TABLE.parse(text)


@pytest.mark.parametrize("players", [2, 6])
@pytest.mark.parametrize("board", ["standard", "large"])
def test_drawing_fits_a_terminal(players: int, board: str) -> None:
    state = new_match(players, board=board)
    drawn = TABLE.draw(state.common(()), state.own(0, ()), 0, NAMES[:players], colour=False)
    assert "\x1b" not in drawn
    assert len(drawn.splitlines()) <= 60
    assert all(name in drawn for name in NAMES[:players])


def test_drawing_with_colour_uses_it() -> None:
    state = new_match(2)
    assert "\x1b[" in TABLE.draw(state.common(()), state.own(0, ()), 0, NAMES[:2], colour=True)


def test_drawing_for_a_spectator_shows_no_hand() -> None:
    one = position(hands=[[1], [2]])
    other = position(hands=[[7], [9]])
    drawn = [TABLE.draw(s.common(()), None, -1, NAMES[:2], colour=False) for s in (one, other)]
    assert drawn[0] == drawn[1]


def test_every_event_of_a_match_is_told_or_left_out() -> None:
    state, events = GAME.new(GAME.default_options(), [False, False], bytes(32), 0)
    for event in state.common(events).events:
        assert isinstance(TABLE.tell(event, NAMES[:2]), str)


def test_every_event_of_random_matches_is_told_in_one_line() -> None:
    """Turns that end are the only thing not worth a line; no card is named that is hidden."""
    told: set[str] = set()
    for seed in range(60):
        state, rng = random_position(seed), Random(seed)
        for _ in range(8):
            for awaited in state.awaited():
                packed = rng.choice(list(state.legal_actions(awaited.seat)))
                events = state.apply(awaited.seat, packed, 0)
                for event in state.common(events).events:
                    line = TABLE.tell(event, NAMES)
                    kind = type(event.event).__name__
                    told.add(kind)
                    assert "\n" not in line
                    assert line.endswith(".") == (kind != "TurnEnded")
                    if kind == "CardDrawn":
                        assert not any(c.name in line for c in CARDS)
    assert len(told) >= 15


def test_events_of_the_clock_are_told() -> None:
    more = "clock: 30\ndeadline: 30000\nseat 0: missed=1/1"
    events = position("0:K@40", more=more).expire(30_000)
    lines = [TABLE.tell(event, NAMES) for event in events]
    assert any("misses" in line and "Ada" in line for line in lines)
    assert any("bot" in line for line in lines)


def test_drawing_shows_the_end_and_the_eliminated() -> None:
    state = position("0:K@14", players=3, crowns=[3], out=[2])
    move(state, 14, 4, "K")
    drawn = TABLE.draw(state.common(()), None, -1, NAMES[:3], colour=False)
    assert "eliminated" in drawn
    assert "wins" in drawn


def test_help_explains_the_notation() -> None:
    assert len(TABLE.help()) > 100
