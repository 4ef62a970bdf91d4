"""What the command line does with every game of this build."""

from __future__ import annotations

from dataclasses import fields

import pytest

from arena_engine.game import Game
from arena_services.cli.options import describe
from arena_services.common import games
from tests.e2e.conftest import RunningPlatform
from tests.e2e.program import arena

each_game = pytest.mark.parametrize(
    "game", [hosted.game for hosted in games.hosted()], ids=lambda game: game.name
)


@each_game
def test_demo_of_the_most_players_comes_to_a_result_that_replays(
    platform: RunningPlatform, game: Game
) -> None:
    players = str(game.max_players)
    words = ["demo", game.name, "--players", players, "--json"]
    result = arena(platform.data_dir, *words).json()
    assert result["how"] in game.endings
    assert len(result["places"]) == game.max_players
    replayed = arena(platform.data_dir, "replay", result["match_id"], "--verify", "--json").json()
    assert replayed["verified"] is True
    assert replayed["state_hash"] == result["state_hash"]


@each_game
def test_a_whole_match_is_played_through_pipes(platform: RunningPlatform, game: Game) -> None:
    players = str(game.min_players)
    lines = "moves\nhint\nboard\nrules\nauto\n"
    done = arena(platform.data_dir, "play", game.name, "--players", players, lines=lines)
    assert done.exit_code == 0, done.err
    assert "Traceback" not in done.err
    assert "Your move:" in done.out
    assert "The bot would play" in done.out
    assert "wins:" in done.out
    assert "2. " in done.out


@each_game
def test_simulation_counts_every_ending(platform: RunningPlatform, game: Game) -> None:
    words = ["simulate", game.name, "--players", str(game.min_players), "--games", "2", "--json"]
    report = arena(platform.data_dir, *words).json()
    assert list(report["endings"]) == list(game.endings)
    assert sum(report["endings"].values()) == 2
    assert report["rounds"]["max"] >= 1


@each_game
def test_unknown_option_lists_the_games_own(platform: RunningPlatform, game: Game) -> None:
    done = arena(platform.data_dir, "demo", game.name, "--shoe-size", "9")
    assert done.exit_code == 2
    assert describe(game) in done.err
    assert all(field.name in done.err for field in fields(game.types.options))
