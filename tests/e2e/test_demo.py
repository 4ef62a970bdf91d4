from __future__ import annotations

import json
import shlex
import subprocess

import pytest

from tests.e2e.conftest import RunningPlatform
from tests.e2e.program import ROOT, arena


def test_demo_json_prints_one_object_with_the_result(platform: RunningPlatform) -> None:
    done = arena(
        platform.data_dir, "demo", "crowns", "--players", "2", "--board", "large", "--json"
    )
    assert done.exit_code == 0, done.err
    result = done.json()
    assert result["how"] in {"escape", "last_king"}
    assert result["winner"] in result["players"]
    assert len(result["players"]) == 2
    assert result["moves"] > 10
    assert result["seconds"] > 0
    assert "board=large" in result["options"]
    assert len(result["match_id"]) == 26


def test_demo_tells_what_happens_line_by_line(platform: RunningPlatform) -> None:
    done = arena(platform.data_dir, "demo", "--players", "3")
    assert done.exit_code == 0, done.err
    assert "Crowns, 3 players, board=standard" in done.out
    assert "owned by room-" in done.out
    assert "moves King" in done.out
    assert "moves/s" in done.out


def test_replay_of_a_demo_comes_to_the_same_state(platform: RunningPlatform) -> None:
    result = arena(platform.data_dir, "demo", "--players", "2", "--json").json()
    replayed = arena(platform.data_dir, "replay", result["match_id"], "--verify", "--json")
    assert replayed.exit_code == 0, replayed.err
    again = replayed.json()
    assert again["verified"] is True
    assert again["state_hash"] == result["state_hash"]
    assert again["winner_seat"] == result["winner_seat"]
    assert again["how"] == result["how"]
    # A room that takes the match over before the demo has joined looks like a move to it.
    assert again["actions"] <= result["moves"] < again["entries"]


def test_replay_tells_the_moves_and_the_hash(platform: RunningPlatform) -> None:
    result = arena(platform.data_dir, "demo", "--players", "2", "--json").json()
    done = arena(platform.data_dir, "replay", result["match_id"])
    assert done.exit_code == 0, done.err
    assert "moves King" in done.out
    assert result["state_hash"] in done.out


def test_replay_of_an_unknown_match_says_what_to_do(platform: RunningPlatform) -> None:
    done = arena(platform.data_dir, "replay", "a" * 26)
    assert done.exit_code == 1
    assert "no match" in done.err
    assert "ARENA_DATA_DIR" in done.err


def test_replay_of_what_is_no_match_id_is_refused(platform: RunningPlatform) -> None:
    done = arena(platform.data_dir, "replay", "nonsense")
    assert done.exit_code == 2
    assert "26 characters" in done.err


def test_demo_of_an_unknown_game_lists_those_there_are(platform: RunningPlatform) -> None:
    done = arena(platform.data_dir, "demo", "checkers")
    assert done.exit_code == 2
    assert "crowns" in done.err


def test_demo_with_too_many_players_says_how_many_may_play(platform: RunningPlatform) -> None:
    done = arena(platform.data_dir, "demo", "crowns", "--players", "7")
    assert done.exit_code == 2
    assert "2-6" in done.err


def test_demo_with_an_unknown_option_lists_the_games_options(platform: RunningPlatform) -> None:
    done = arena(platform.data_dir, "demo", "crowns", "--colour", "red")
    assert done.exit_code == 2
    assert "board (standard or large)" in done.err


@pytest.mark.parametrize(
    ("variables", "wanted"),
    [
        (
            "GAME=crowns PLAYERS=2 BOARD=large JSON=1",
            "demo crowns --players 2 --board large --json",
        ),
        (
            "GAME=singhasan PLAYERS=5 SPEED=swift PACE=50",
            "demo singhasan --players 5 --speed swift --pace 50",
        ),
        ("OPTION=turn_seconds=30", "demo crowns --option turn_seconds=30"),
    ],
)
def test_make_demo_passes_its_variables_on(variables: str, wanted: str) -> None:
    words = ["make", "-n", "demo", *variables.split()]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    command = next(line for line in done.stdout.splitlines() if " demo " in line)
    assert " ".join(shlex.split(command)[1:]) == wanted


def test_simulation_counts_the_same_for_the_same_seed(platform: RunningPlatform) -> None:
    words = ["simulate", "crowns", "--players", "2", "--games", "4", "--policy", "random", "--json"]
    first, second = (arena(platform.data_dir, *words).json() for _ in range(2))
    first.pop("seconds")
    second.pop("seconds")
    assert first == second
    assert sum(first["endings"].values()) == 4
    assert set(first["endings"]) == {"escape", "last_king", "limit"}
    assert json.dumps(first["relics"])
