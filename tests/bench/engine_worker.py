"""Measures the engine that this process imports: one JSON request a line in, one answer out.

Run once with the compiled engine on its path and once with the sources, so that both can be measured in turn. Requests
name the game, and the board where the game has several.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from arena_engine import crowns, singhasan
from arena_engine.crowns import messages as crowns_messages
from arena_engine.crowns import position as crowns_position
from arena_engine.crowns import turns as crowns_turns
from arena_engine.crowns.kinds import Board
from arena_engine.game import Game
from arena_engine.singhasan import messages as singhasan_messages
from arena_engine.singhasan import position as singhasan_position
from arena_engine.singhasan import turns as singhasan_turns

#: No random match comes near it.
_MAX_ACTIONS = 100_000
_CLONES_AT_ONCE = 200
_CLONES_KEPT = 20_000


class _Subject(NamedTuple):
    """A game, and what its engine has beside the interface of all games."""

    game: Game
    options: Callable[[str], Any]
    """By the name of a board."""
    apply_action: Callable[[Any, int, int, int], None]
    unit: str
    middle_actions: int
    """Where a position is taken from, to be copied: well into a match."""


_SUBJECTS = {
    "crowns": _Subject(
        crowns.GAME,
        lambda board: crowns_messages.Options(Board[board.upper()]),
        crowns_turns.apply_action,
        "moves",
        60,
    ),
    "singhasan": _Subject(
        singhasan.GAME,
        lambda _board: singhasan_messages.Options(),
        singhasan_turns.apply_action,
        "actions",
        120,
    ),
}


def facts() -> dict[str, Any]:
    """What is measured here."""
    modules = (crowns_position, singhasan_position)
    return {"is_compiled": not any(str(module.__file__).endswith(".py") for module in modules)}


def first_state(game: str, board: str, players: int, seed: int) -> Any:
    """A new match."""
    subject = _SUBJECTS[game]
    secret = seed.to_bytes(32, "big")
    state, _ = subject.game.new(subject.options(board), [True] * players, secret, 0)
    return state


def middle_state(game: str, board: str, players: int) -> Any:
    """A match somewhere in its middle."""
    state, rng = first_state(game, board, players, 1), Random(1)
    for _ in range(_SUBJECTS[game].middle_actions):
        seat = state.awaited()[0].seat
        state.apply(seat, rng.choice(list(state.legal_actions(seat))), 0)
    return state


def checksum(game: str, board: str, players: int, seed: int) -> dict[str, Any]:
    """What one random match comes to; the same compiled or not."""
    start = first_state(game, board, players, seed)
    actions, folded = _SUBJECTS[game].game.playout(start, seed, _MAX_ACTIONS)
    return {"actions": actions, "checksum": folded}


def playouts(game: str, board: str, players: int, seed: int, seconds: float) -> dict[str, Any]:
    """Random matches by the engine's own loop."""
    subject = _SUBJECTS[game]
    first = first_state(game, board, players, seed)
    actions = matches = 0
    start = time.perf_counter()
    while (elapsed := time.perf_counter() - start) < seconds:
        actions += subject.game.playout(first, seed * 1_000_003 + matches, _MAX_ACTIONS)[0]
        matches += 1
    return {f"{subject.unit}_per_s": actions / elapsed, "playouts_per_s": matches / elapsed}


def api_moves(game: str, board: str, players: int, seed: int, seconds: float) -> dict[str, Any]:
    """Random matches through the public interface, events and all, driven from Python."""
    rng, moves = Random(seed), 0
    start = time.perf_counter()
    while (elapsed := time.perf_counter() - start) < seconds:
        state = first_state(game, board, players, seed + moves)
        while awaited := state.awaited():
            seat = awaited[0].seat
            legal = list(state.legal_actions(seat))
            state.apply(seat, legal[int(rng.random() * len(legal))], 0)
            moves += 1
            if time.perf_counter() - start > seconds:
                break
    return {f"api_{_SUBJECTS[game].unit}_per_s": moves / elapsed}


def copies(game: str, board: str, players: int, seconds: float) -> dict[str, Any]:
    """What a copy costs, and a copy with one action taken on it: what search pays for each node."""
    state = middle_state(game, board, players)
    seat = state.awaited()[0].seat
    action = next(state.legal_actions(seat))
    apply_action = _SUBJECTS[game].apply_action
    p = state.position

    def clone_and_apply() -> None:
        apply_action(p.clone(), seat, action, 0)

    return {
        "clone_us": _microseconds(p.clone, seconds / 2),
        "clone_apply_us": _microseconds(clone_and_apply, seconds / 2),
    }


def size(game: str, board: str, players: int) -> dict[str, Any]:
    """Bytes that each of many positions held at once takes, by what the process grows."""
    p = middle_state(game, board, players).position
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
