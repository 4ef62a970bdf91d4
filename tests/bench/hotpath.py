"""What a move costs a room in our own code, part by part: `python -m tests.bench.hotpath [--json]`.

Some matches are played first; then every part is timed over all their moves, taking turns between the matches as a
room does. Figures are microseconds of CPU time a move. NATS, gRPC and the event loop are not in them.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table

from arena.log.v1.entry_pb2 import Acted, Created, Entry, Player, RequestKey
from arena_engine.game import State
from arena_services.common import games
from arena_services.common.log.fold import Fold
from arena_services.room.rulings import check_action
from arena_services.room.updates import Feed
from tests.bench import engine_worker
from tests.bench.windows import Spread, rounded

_PLAYERS = 4
_MATCHES = 8
_MOST_MOVES = 120
_ROUNDS = 15
_START_MS = 1_750_000_000_000
#: What a room does for a move, none of it twice; the other parts are within "make the update".
_WHOLE = ("check the action", "clone and apply", "state hash", "make the update", "make the entry")


class Played(NamedTuple):
    """One move as it was played: the match before and after it, and what came of it."""

    before: Fold
    entry: Entry
    action: int
    after: Fold
    events: Sequence[Any]
    common: Any
    own: Sequence[Any]

    @property
    def state(self) -> State:
        """The position after the move."""
        return self.after.state


def play_matches() -> list[Played]:
    """The moves of some matches by the yardstick player, in turns."""
    matches = [play_match(number) for number in range(1, _MATCHES + 1)]
    longest = max(map(len, matches))
    return [match[i] for i in range(longest) for match in matches if i < len(match)]


def play_match(number: int) -> list[Played]:
    """The moves of one match; a number always gives the same."""
    fold, _ = Fold.begin(f"bench-{number}", _creation(number))
    rng = Random(number)
    moves: list[Played] = []
    while not fold.is_over and len(moves) < _MOST_MOVES:
        before, fold = fold, fold.clone()
        seat, decision = fold.state.awaited()[0]
        action = fold.hosted.game.choose(fold.state, seat, rng)
        entry = _entry(before, seat, decision, action)
        events = fold.advance(entry, action)
        common = fold.state.common(events)
        own = [fold.state.own(each, events) for each in range(_PLAYERS)]
        moves.append(Played(before, entry, action, fold, events, common, own))
    return moves


def _creation(number: int) -> Entry:
    hosted = games.hosted()[0]
    options = hosted.game.check_options(hosted.game.default_options(), _PLAYERS)
    created = Created(
        game=hosted.game.name,
        rules_version=hosted.game.rules_version,
        options=games.wrap(hosted.options.encode(options)),
        players=[Player(player_id=f"player-{seat}") for seat in range(_PLAYERS)],
        secret=number.to_bytes(32, "big"),
    )
    return Entry(sequence=1, time_ms=_START_MS, epoch=1, created=created)


def _entry(fold: Fold, seat: int, decision: int, action: int) -> Entry:
    acted = Acted(
        seat=seat,
        decision=decision,
        action=games.wrap(fold.hosted.action.encode(fold.state.unpack(action))),
        key=RequestKey(session=bytes(16), counter=fold.sequence),
        request_hash=bytes(16),
    )
    return Entry(
        sequence=fold.sequence + 1,
        time_ms=fold.time_ms + 2_000,
        epoch=fold.epoch,
        append_id=bytes(16),
        state_hash=bytes(16),
        acted=acted,
    )


def _check(move: Played) -> int:
    acted, fold = move.entry.acted, move.before
    action = games.unwrap(acted.action, fold.hosted.action, "action")
    return check_action(fold, acted.seat, acted.decision, action)


def parts_of_a_move() -> dict[str, Callable[[Played], object]]:
    """What a room does for one move, in the order of doing."""
    hosted, feeds = games.hosted()[0], defaultdict[str, Feed](Feed)

    def make_update(move: Played) -> None:
        feed = feeds[move.after.match_id]
        feed.keep(feed.make(move.after, move.events, 0))

    return {
        "check the action": _check,
        "clone": lambda move: move.before.clone(),
        "clone and apply": lambda move: move.before.clone().advance(move.entry, move.action),
        "state hash": lambda move: move.state.state_hash(),
        "common": lambda move: move.state.common(move.events),
        "write common": lambda move: games.packed(hosted.common, move.common),
        "own, all seats": lambda move: [
            move.state.own(seat, move.events) for seat in range(_PLAYERS)
        ],
        "write own, all seats": lambda move: [games.packed(hosted.own, own) for own in move.own],
        "make the update": make_update,
        "make the entry": lambda move: (
            move.entry.SerializeToString(),
            move.after.headers(move.entry).to_nats(),
        ),
    }


def measure() -> dict[str, Any]:
    """Microseconds a move for each part, over several rounds."""
    moves, parts = play_matches(), parts_of_a_move()
    rounds: dict[str, list[float]] = {name: [] for name in parts}
    for _ in range(_ROUNDS):
        for name, part in parts.items():
            rounds[name].append(_microseconds(part, moves))
    rounds["whole move"] = [
        sum(times) for times in zip(*(rounds[name] for name in _WHOLE), strict=True)
    ]
    return {
        **engine_worker.facts(),
        "players": _PLAYERS,
        "moves": len(moves),
        "microseconds": {name: Spread.of(times).as_list() for name, times in rounds.items()},
    }


def _microseconds(part: Callable[[Played], object], moves: Sequence[Played]) -> float:
    start = time.process_time()
    for move in moves:
        part(move)
    return (time.process_time() - start) / len(moves) * 1e6


def show(report: dict[str, Any]) -> None:
    """The report for people."""
    build = "compiled" if report["is_compiled"] else "NOT compiled"
    title = f"A move of {report['players']} in a room, engine {build}; microseconds of CPU time"
    table = Table("part", "median", "least", title=title)
    for name, (least, middle, _) in report["microseconds"].items():
        table.add_row(name, f"{rounded(middle):,g}", f"{rounded(least):,g}")
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
