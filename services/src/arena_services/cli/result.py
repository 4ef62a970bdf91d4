"""How a match ended, for people and for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena.room.v1.room_service_pb2 import Outcome


def headline(outcome: Outcome, names: Sequence[str]) -> str:
    """Who won and how, in one sentence."""
    if not outcome.places:
        return f"The match was closed without a result ({outcome.how})."
    how = outcome.how.replace("_", " ")
    *others, last = [names[seat] for seat in _first(outcome)]
    if not others:
        return f"{last} wins: {how}."
    return f"{', '.join(others)} and {last} end level: {how}."


def by_place(outcome: Outcome) -> list[int]:
    """The seats, the best place first."""
    return sorted(range(len(outcome.places)), key=lambda seat: outcome.places[seat])


def ranking(outcome: Outcome, names: Sequence[str]) -> list[str]:
    """One line for each seat, the best place first."""
    return [f"{outcome.places[seat]}. {names[seat]} (seat {seat})" for seat in by_place(outcome)]


def as_json(outcome: Outcome, names: Sequence[str]) -> dict[str, Any]:
    """The same as fields of a JSON object. `winner` is a name, null where nobody won alone."""
    first = _first(outcome)
    winner = first[0] if len(first) == 1 else None
    return {
        "winner": None if winner is None else names[winner],
        "winner_seat": winner,
        "how": outcome.how,
        "places": list(outcome.places),
        "state_hash": outcome.state_hash,
    }


def _first(outcome: Outcome) -> list[int]:
    """The seats that have the first place; none where the match was closed."""
    return [seat for seat, place in enumerate(outcome.places) if place == 1]
