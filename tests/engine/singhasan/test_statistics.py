"""The figures of a match, gathered from its events and positions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from arena_engine.singhasan import events as ev
from arena_engine.singhasan.kinds import Cause, Ideology, Power
from arena_engine.singhasan.messages import Resources
from arena_engine.singhasan.position import ROW
from arena_engine.singhasan.state import SinghasanState
from arena_engine.singhasan.statistics import NAMES, SinghasanStatistics, slug
from tests.engine.singhasan.boards import acting
from tests.engine.singhasan.random_play import steps

_HORSE = Ideology.GOLDEN_ROAD


def figures(*events: Any, state: SinghasanState | None = None) -> dict[str, int]:
    """What these events count, without what they leave at 0."""
    gathered = SinghasanStatistics()
    gathered.observe(_numbered(events), state or SinghasanState(acting()))
    return {name: count for name, count in gathered.figures().items() if count}


def _numbered(events: Sequence[Any]) -> list[ev.Event]:
    return [ev.Event(index, event) for index, event in enumerate(events)]


def test_every_figure_is_there_from_the_start() -> None:
    assert tuple(SinghasanStatistics().figures()) == NAMES
    assert len(set(NAMES)) == len(NAMES)
    assert sum(name.startswith("conspiracies.") for name in NAMES) == 61
    assert sum(name.startswith("headlines.") for name in NAMES) == 64


def test_resources_count_as_earned_unless_they_only_change_pockets() -> None:
    counted = figures(
        *(
            ev.ResourcesGained(0, Resources(gold=1, song=2), cause)
            for cause in (Cause.START, Cause.ANSWER, Cause.BANK, Cause.TRADE, Cause.TRIBUTE)
        ),
        ev.ResourcesLost(0, Resources(song=2), Cause.DISCARD),
        ev.ResourcesLost(0, Resources(song=5), Cause.HIRE),
    )
    assert counted == {
        "resources.gold.earned": 2,
        "resources.song.earned": 4,
        "resources.song.discarded": 2,
    }


def test_legend_counts_once_for_each_claimant_it_came_to() -> None:
    counted = figures(
        ev.LegendChanged(0, _HORSE, 3),
        ev.LegendChanged(0, _HORSE, 0),
        ev.LegendChanged(0, _HORSE, 3),
        ev.LegendChanged(1, _HORSE, 3),
        ev.LegendChanged(1, _HORSE, 5),
    )
    assert counted == {"legends.odysseus.at_3": 2, "legends.odysseus.at_5": 1}


def test_what_the_winner_did_is_counted_again() -> None:
    counted = figures(
        ev.ConspiracyPlayed(0, 1, None, None, None),
        ev.ConspiracyPlayed(1, 1, None, None, None),
        ev.HeadlineTurned(1, 1),
        ev.LegendChanged(1, _HORSE, 3),
        ev.MatchEnded("points", 1, (8, 14, 5)),
    )
    assert counted == {
        "conspiracies.assassins_in_the_night.played": 2,
        "conspiracies.assassins_in_the_night.by_winner": 1,
        "headlines.harvest_home.turned": 1,
        "headlines.harvest_home.by_winner": 1,
        "legends.odysseus.at_3": 1,
        "legends.odysseus.at_3_by_winner": 1,
        "scores.winner": 14,
        "scores.margin": 6,
    }


def test_tie_counts_with_its_strikes_and_without_a_margin() -> None:
    counted = figures(
        ev.DuelBegan((0, 1), (_HORSE, _HORSE)),
        ev.StrikeBegan(1, (0, 1), 3000, 1000),
        ev.MatchEnded("mark", 0, (8, 8)),
    )
    assert counted == {"ties": 1, "duels.strikes": 1, "scores.winner": 8}


@pytest.mark.parametrize("can_hire", [False, True])
def test_turn_without_a_legal_hire_is_counted(can_hire: bool) -> None:
    p = acting(stock={0: (9, 9, 9, 9) if can_hire else (0, 0, 0, 0)})
    p.row[ROW - 1] = 1
    gathered = SinghasanStatistics()
    gathered.observe(_numbered([ev.TurnBegan(0, 1, is_last=False)]), SinghasanState(p))
    gathered.observe(_numbered([ev.TurnEnded(0)]), SinghasanState(p))
    assert gathered.figures()["turns.without_legal_hire"] == int(not can_hire)


def test_powers_and_shields_are_counted() -> None:
    counted = figures(
        ev.PowerUsed(0, Power.WOODEN_HORSE, 0, 1),
        ev.ShieldAsked(1),
        ev.ShieldAnswered(1, is_raised=True),
    )
    assert counted == {"powers.wooden_horse.used": 1, "shields.asked": 1, "shields.raised": 1}


@pytest.mark.parametrize("players", [2, 5])
def test_whole_match_is_counted(players: int) -> None:
    gathered = SinghasanStatistics()
    for state, events in steps(players, 4, rounds=3):
        gathered.observe(events, state)
    counted = gathered.figures()
    assert counted["rounds"] == (18 if players == 2 else 16)
    assert counted["turns.all"] == 3 * players
    assert counted["resources.gold.earned"] > 0


def test_slug_keeps_letters_and_digits() -> None:
    assert slug("The Lion's Skin, twice") == "the_lions_skin_twice"
