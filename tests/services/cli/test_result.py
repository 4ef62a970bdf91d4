from __future__ import annotations

from arena.room.v1.room_service_pb2 import Outcome
from arena_services.cli import result

_NAMES = ("Ada", "Bo", "Cy")


def test_a_lone_first_place_wins() -> None:
    outcome = Outcome(how="last_king", places=[2, 1, 3], state_hash="ab")
    assert result.headline(outcome, _NAMES) == "Bo wins: last king."
    assert result.ranking(outcome, _NAMES)[0] == "1. Bo (seat 1)"
    assert result.as_json(outcome, _NAMES)["winner"] == "Bo"


def test_a_shared_first_place_has_no_winner() -> None:
    outcome = Outcome(how="limit", places=[1, 1, 3])
    assert result.headline(outcome, _NAMES) == "Ada and Bo end level: limit."
    assert result.as_json(outcome, _NAMES)["winner"] is None


def test_a_match_that_was_closed_has_no_result() -> None:
    outcome = Outcome(how="ABANDONED")
    assert "closed without a result (ABANDONED)" in result.headline(outcome, _NAMES)
    assert result.ranking(outcome, _NAMES) == []
