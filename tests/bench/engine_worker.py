"""Measures the Crowns engine that this process imports: one JSON request a line in, one answer out.

Run once with the compiled engine on its path and once with the sources, so that both can be measured in turn.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from arena_engine.crowns import GAME, position
from arena_engine.crowns.kinds import Board
from arena_engine.crowns.messages import Options
from arena_engine.crowns.moves import ActionList
from arena_engine.crowns.playout import playout
from arena_engine.crowns.position import Position
from arena_engine.crowns.state import CrownsState
from arena_engine.crowns.turns import apply_action, fill_legal

#: No random match comes near it.
_MAX_ACTIONS = 100_000
_CLONES_AT_ONCE = 200
_CLONES_KEPT = 20_000
_MIDDLE_ACTIONS = 60
"""Where a position is taken from, to be copied: well into a match."""


def facts() -> dict[str, Any]:
    """What is measured here."""
    return {"is_compiled": not str(position.__file__).endswith(".py")}


def first_state(board: str, players: int, seed: int) -> CrownsState:
    """A new match."""
    secret = seed.to_bytes(32, "big")
    state, _ = GAME.new(Options(Board[board.upper()]), [True] * players, secret, 0)
    return state


def middle_position(board: str, players: int) -> Position:
    """A position from the middle of a match."""
    state, rng = first_state(board, players, 1), Random(1)
    for _ in range(_MIDDLE_ACTIONS):
        seat = state.awaited()[0].seat
        state.apply(seat, rng.choice(list(state.legal_actions(seat))), 0)
    return state.position


def checksum(board: str, players: int, seed: int) -> dict[str, Any]:
    """What one random match comes to; the same compiled or not."""
    done = playout(first_state(board, players, seed).position, seed, _MAX_ACTIONS)
    return {"actions": done.actions, "checksum": done.checksum}


def playouts(board: str, players: int, seed: int, seconds: float) -> dict[str, Any]:
    """Random matches by the engine's own loop."""
    start_position = first_state(board, players, seed).position
    actions = matches = 0
    start = time.perf_counter()
    while (elapsed := time.perf_counter() - start) < seconds:
        actions += playout(start_position, seed * 1_000_003 + matches, _MAX_ACTIONS).actions
        matches += 1
    return {"moves_per_s": actions / elapsed, "playouts_per_s": matches / elapsed}


def api_moves(board: str, players: int, seed: int, seconds: float) -> dict[str, Any]:
    """Random matches through the public interface, events and all, driven from Python."""
    rng, moves = Random(seed), 0
    start = time.perf_counter()
    while (elapsed := time.perf_counter() - start) < seconds:
        state = first_state(board, players, seed + moves)
        while awaited := state.awaited():
            seat = awaited[0].seat
            legal = list(state.legal_actions(seat))
            state.apply(seat, legal[int(rng.random() * len(legal))], 0)
            moves += 1
            if time.perf_counter() - start > seconds:
                break
    return {"api_moves_per_s": moves / elapsed}


def copies(board: str, players: int, seconds: float) -> dict[str, Any]:
    """What a copy costs, and a copy with one action taken on it: what search pays for each node."""
    p = middle_position(board, players)
    legal = ActionList()
    fill_legal(p, p.turn, legal)
    action = legal.items[0]

    def clone_and_apply() -> None:
        apply_action(p.clone(), p.turn, action, 0)

    return {
        "clone_us": _microseconds(p.clone, seconds / 2),
        "clone_apply_us": _microseconds(clone_and_apply, seconds / 2),
    }


def size(board: str, players: int) -> dict[str, Any]:
    """Bytes that each of many positions held at once takes, by what the process grows."""
    p = middle_position(board, players)
    kept = [p.clone() for _ in range(_CLONES_KEPT // 10)]  # the allocator's first arenas
    before = _resident_bytes()
    more = [p.clone() for _ in range(_CLONES_KEPT)]
    grown = _resident_bytes() - before
    return {"bytes_per_state": grown / len(more), "kept": len(kept)}


def _microseconds(call: Callable[[], object], seconds: float) -> float:
    count = 0
    start = time.perf_counter()
    while (elapsed := time.perf_counter() - start) < seconds:
        for _ in range(_CLONES_AT_ONCE):
            call()
        count += _CLONES_AT_ONCE
    return elapsed / count * 1e6


def _resident_bytes() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


_MEASURES: dict[str, Callable[..., dict[str, Any]]] = {
    measure.__name__: measure for measure in (facts, checksum, playouts, api_moves, copies, size)
}


def main() -> None:
    """Answer requests until the input ends."""
    for line in sys.stdin:
        request = json.loads(line)
        answer = _MEASURES[request.pop("measure")](**request)
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
