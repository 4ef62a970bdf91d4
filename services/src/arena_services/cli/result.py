"""How a match ended, for people and for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena.room.v1.room_service_pb2 import Outcome


def winner_of(outcome: Outcome) -> int | None:
    """The seat that alone has the first place; None where several share it or the match was closed."""
    first = [seat for seat, place in enumerate(outcome.places) if place == 1]
    return first[0] if len(first) == 1 else None


def headline(outcome: Outcome, names: Sequence[str]) -> str:
    """Who won and how, in one sentence."""
    if not outcome.places:
        return f"The match was closed without a result ({outcome.how})."
    how = outcome.how.replace("_", " ")
    winner = winner_of(outcome)
    if winner is not None:
        return f"{names[winner]} wins: {how}."
    level = [names[seat] for seat, place in enumerate(outcome.places) if place == 1]
    return f"{', '.join(level[:-1])} and {level[-1]} end level: {how}."


def ranking(outcome: Outcome, names: Sequence[str]) -> list[str]:
    """One line for each seat, the best place first."""
    seats = sorted(range(len(outcome.places)), key=lambda seat: outcome.places[seat])
    return [f"{outcome.places[seat]}. {names[seat]} (seat {seat})" for seat in seats]


def as_json(outcome: Outcome, names: Sequence[str]) -> dict[str, Any]:
    """The same as fields of a JSON object. `winner` is a name, null where nobody won alone."""
    winner = winner_of(outcome)
    return {
        "winner": None if winner is None else names[winner],
        "winner_seat": winner,
        "how": outcome.how,
        "places": list(outcome.places),
        "state_hash": outcome.state_hash,
    }
