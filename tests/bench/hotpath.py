"""What a move costs a room in our own code, part by part: `python -m tests.bench.hotpath [--json]`.

Moves of several whole matches are played before; then every part is timed over all of them, taking turns between the
matches as a room does. Figures are microseconds of CPU time a move, the median of several rounds and the least; NATS,
gRPC and the event loop are not in them.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from random import Random
from statistics import median
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table

from arena_engine.game import State
from arena_services.common import games
from tests.bench import engine_worker
from tests.bench.windows import rounded

_PLAYERS = 4
_MATCHES = 8
_MOST_MOVES = 120
_ROUNDS = 9


class Played(NamedTuple):
    """One move as it was played: the position before it, and all that comes of it."""

    before: State
    seat: int
    action: int
    after: State
    events: Sequence[Any]
    common: Any
    own: Sequence[Any]


def play_matches(hosted: games.HostedGame) -> list[Played]:
    """The moves of some matches by the yardstick player, in turns."""
    matches = [_play(hosted, number) for number in range(1, _MATCHES + 1)]
    longest = max(map(len, matches))
    return [match[i] for i in range(longest) for match in matches if i < len(match)]


def _play(hosted: games.HostedGame, number: int) -> list[Played]:
    game = hosted.game
    options = game.check_options(game.default_options(), _PLAYERS)
    state, _ = game.new(options, [False] * _PLAYERS, number.to_bytes(32, "big"), 0)
    rng = Random(number)
    moves: list[Played] = []
    while state.awaited() and len(moves) < _MOST_MOVES:
        seat = state.awaited()[0].seat
        action = game.choose(state, seat, rng)
        before, state = state, state.clone()
        events = state.apply(seat, action, 0)
        own = [state.own(each, events) for each in range(_PLAYERS)]
        moves.append(Played(before, seat, action, state, events, state.common(events), own))
    return moves


def parts_of_a_move(hosted: games.HostedGame) -> dict[str, Callable[[Played], object]]:
    """What a room does for one move, in the order of doing."""
    return {
        "clone": lambda move: move.before.clone(),
        "clone and apply": lambda move: move.before.clone().apply(move.seat, move.action, 0),
        "state_hash": lambda move: move.after.state_hash(),
        "common": lambda move: move.after.common(move.events),
        "encode common": lambda move: games.packed(hosted.common, move.common),
        "own, all seats": lambda move: [
            move.after.own(seat, move.events) for seat in range(_PLAYERS)
        ],
        "encode own, all seats": lambda move: [games.packed(hosted.own, own) for own in move.own],
    }


def measure() -> dict[str, Any]:
    """Microseconds a move for each part: the median of the rounds, and the least."""
    hosted = games.hosted()[0]
    moves = play_matches(hosted)
    parts = parts_of_a_move(hosted)
    rounds: dict[str, list[float]] = {name: [] for name in parts}
    for _ in range(_ROUNDS):
        for name, part in parts.items():
            rounds[name].append(_microseconds(part, moves))
    figures = {name: (median(times), min(times)) for name, times in rounds.items()}
    whole = [sum(figure[i] for name, figure in figures.items() if name != "clone") for i in (0, 1)]
    figures["whole move"] = (whole[0], whole[1])
    return {
        **engine_worker.facts(),
        "players": _PLAYERS,
        "moves": len(moves),
        "microseconds": {
            name: {"median": rounded(middle), "least": rounded(least)}
            for name, (middle, least) in figures.items()
        },
    }


def _microseconds(part: Callable[[Played], object], moves: Sequence[Played]) -> float:
    start = time.process_time()
    for move in moves:
        part(move)
    return (time.process_time() - start) / len(moves) * 1e6


def show(report: dict[str, Any]) -> None:
    """The report for people."""
    build = "compiled" if report["is_compiled"] else "NOT compiled"
    table = Table("part", "us a move", "least", title=f"A move of {report['players']} ({build})")
    for name, figure in report["microseconds"].items():
        table.add_row(name, f"{figure['median']:,g}", f"{figure['least']:,g}")
    Console(highlight=False).print(table)


def main() -> int:
    """Measure and tell."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.hotpath", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    wants_json = parser.parse_args().json
    report = measure()
    if wants_json:
        print(json.dumps(report))
    else:
        show(report)
    return 0


if __name__ == "__main__":
    sys.exit(main())
