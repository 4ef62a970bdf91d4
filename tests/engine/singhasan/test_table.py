"""A position drawn for a terminal."""

from __future__ import annotations

from typing import Any

import pytest

from arena_engine.singhasan import hands, lasting, phases
from arena_engine.singhasan.actions import pack
from arena_engine.singhasan.catalogue import catalogue
from arena_engine.singhasan.messages import MakeOffer, Resources
from arena_engine.singhasan.offers import do_offer
from arena_engine.singhasan.position import COURT_SWAPPED, Position
from arena_engine.singhasan.seen import Common
from arena_engine.singhasan.state import SinghasanState
from arena_engine.singhasan.table import SinghasanTable
from arena_engine.singhasan.views import own, view
from tests.engine.singhasan.boards import acting
from tests.engine.singhasan.random_play import NAMES, new_state, steps
from tests.engine.singhasan.test_duel import NOW, tied, to_the_strike

TABLE = SinghasanTable()


def draw(p: Position, seat: int = 0, **more: Any) -> str:
    mine = own(p, seat, ()) if seat >= 0 else None
    names = NAMES[: p.board.players]
    return TABLE.draw(Common((), view(p)), mine, seat, names, more.get("colour", False))


def line(drawn: str, start: str) -> str:
    (found,) = [text for text in drawn.splitlines() if text.startswith(start)]
    return found


def test_map_is_a_table_of_followers_by_province() -> None:
    drawn = draw(acting("0 capital 8+1", "1 capital 2", "1 emberfen 0+1"))
    capital = line(drawn, "Fallen Capital").split()
    assert capital[2:10] == ["8", "of", "15", "4", "1", "8+1R", "2", "·"]
    assert "sworn to Ada" in line(drawn, "Fallen Capital")
    assert "0+1R" in line(drawn, "Emberfen")
    assert "Ashfall" not in drawn, "sunk with three claimants"


def test_claimants_are_shown_with_what_everybody_may_know() -> None:
    p = acting("0 capital 8", stock={0: (1, 2, 3, 4)}, answers={0: (3, 0, 5, 0)})
    hands.take(p, 0, 7)
    found = line(draw(p, seat=1), "s0 Ada")
    assert "the Crimson Lion" in found
    assert found.split()[5:11] == ["8", "1", "2", "3", "4", "18"]
    assert "Odysseus 3; Orpheus 5; Conspiracies of" in found


def test_only_the_own_hand_is_shown() -> None:
    p = acting()
    hands.take(p, 0, 7)
    name = catalogue().conspiracies[6].name
    assert name in draw(p, seat=0)
    assert name not in draw(p, seat=1)
    assert name not in draw(p, seat=-1)


@pytest.mark.parametrize("is_swapped", [False, True])
def test_court_shows_the_question_and_both_answers_as_they_were_shuffled(is_swapped: bool) -> None:
    p = acting()
    phases.enter(p, phases.ANSWER)
    p.question, p.court = 5, COURT_SWAPPED * is_swapped
    drawn, card = draw(p), catalogue().questions[4]
    assert card.title in drawn
    assert card.text in drawn
    first, second = (card.second, card.first) if is_swapped else (card.first, card.second)
    assert line(drawn, "  answer a").endswith(first)
    assert line(drawn, "  answer b").endswith(second)


def test_hire_row_shows_prices_and_the_pile_its_cost() -> None:
    p = acting()
    p.row[0] = 3
    card = catalogue().followers[2]
    assert card.name in line(draw(p), "hire 1")
    assert line(draw(p), "hire 2") == "hire 2  nobody waits here"


def test_lasting_effects_and_offers_are_shown() -> None:
    p = acting(stock={0: (2, 0, 0, 0)})
    effect = lasting.pack(lasting.HIRE_CHANGE, 1, -2, -1, lasting.UNTIL_NEXT_TURN_END)
    lasting.begin(p, effect, 1, 4, 0)
    do_offer(p, 0, pack(MakeOffer(Resources(gold=2), Resources(oath=1))))
    drawn = draw(p)
    assert catalogue().headlines[3].name in line(drawn, "in force (1) until Ben's next turn ends")
    assert line(drawn, "offer 1") == "offer 1 to everybody: 2 Gold for 1 Oath"


def test_duel_shows_its_question_and_then_its_mark() -> None:
    p = tied()
    drawn = draw(p)
    assert [line(drawn, f"  quiz {n}") for n in (1, 2, 3)]
    to_the_strike(p)
    assert "the mark is at" in draw(p)


def test_pulse_shows_the_blade_while_it_swings_and_nothing_else() -> None:
    p = tied()
    assert TABLE.pulse(Common((), view(p)), 3000) == ""
    to_the_strike(p)
    common = Common((), view(p))
    before = p.deadline - NOW
    bars = [TABLE.pulse(common, before - ms) for ms in (0, 1500, 3000, 4500)]
    assert [bar.count("#") for bar in bars] == [0, 1, 1, 1]
    assert bars[1].index("#") < bars[2].index("#") < bars[3].index("#")
    assert bars[0].count("|") == 1


@pytest.mark.parametrize("players", [2, 5])
def test_drawing_fits_a_terminal_in_whole_matches(players: int) -> None:
    for number, (state, events) in enumerate(steps(players, 21)):
        if number % 8:
            continue
        common = state.common(events)
        for seat in (-1, 0):
            mine = state.own(seat, events) if seat >= 0 else None
            drawn = TABLE.draw(common, mine, seat, NAMES[:players], colour=False)
            assert "\x1b" not in drawn
            assert len(drawn.splitlines()) <= 60
            assert all(text == text.rstrip() for text in drawn.splitlines())


def test_drawing_before_the_start_shows_claimants_alone() -> None:
    state, _ = new_state(3)
    drawn = TABLE.draw(state.common(()), state.own(0, ()), 0, NAMES[:3], colour=False)
    assert "everybody claims a seat" in drawn
    assert "Fallen Capital" not in drawn


def test_drawing_of_the_end_names_who_takes_the_throne() -> None:
    *_, (state, events) = steps(2, 1, rounds=1)
    assert isinstance(state, SinghasanState)
    drawn = TABLE.draw(state.common(events), None, -1, NAMES[:2], colour=False)
    assert "takes the Lion Throne" in drawn.splitlines()[0]


def test_colour_is_the_claimants_own() -> None:
    p = acting("1 capital 2")
    assert "\x1b[93m" in draw(p, colour=True), "saffron"
