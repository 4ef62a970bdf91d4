from __future__ import annotations

from dataclasses import replace

import pytest

from arena_services.cli.errors import UsageError
from arena_services.cli.options import describe, find_game, parse_options, shown
from arena_services.common import games

_GAME = games.hosted()[0].game


def test_pairs_and_flags_set_the_games_options() -> None:
    options = parse_options(_GAME, ["board=large"], ["--turn-seconds", "30"])
    assert shown(options) == "board=large turn_seconds=30"


def test_flag_with_an_equals_sign_is_read() -> None:
    assert shown(parse_options(_GAME, [], ["--board=LARGE"])).startswith("board=large")


def test_nothing_given_gives_the_defaults() -> None:
    assert parse_options(_GAME, []) == replace(_GAME.default_options())


@pytest.mark.parametrize(
    ("pairs", "unknown", "wanted"),
    [
        (["board"], [], "name=value"),
        (["board=huge"], [], "standard or large"),
        (["board=unspecified"], [], "standard or large"),
        (["turn_seconds=soon"], [], "a whole number"),
        (["colour=red"], [], "board (standard or large)"),
        ([], ["--board"], "needs a value"),
        ([], ["stray"], "Unexpected argument"),
    ],
)
def test_what_does_not_fit_is_refused_with_the_choices(
    pairs: list[str], unknown: list[str], wanted: str
) -> None:
    with pytest.raises(UsageError) as refused:
        parse_options(_GAME, pairs, unknown)
    assert wanted in str(refused.value)


def test_describe_names_every_option() -> None:
    assert describe(_GAME) == "board (standard or large), turn_seconds (a whole number)"


def test_an_option_in_the_games_place_belongs_to_the_first_game() -> None:
    hosted, rest = find_game("--board", ["large"])
    assert hosted is games.hosted()[0]
    assert rest == ["--board", "large"]
