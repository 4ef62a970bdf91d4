"""Random chess by python-chess and by OpenSpiel, driven from Python: what the engine's speed is held against.

Both loops do the same: list the legal moves, pick one, play it, until the game ends. Neither looks for repetitions,
which only python-chess would be slowed down by.
"""

from __future__ import annotations

import time
from random import Random

import chess
import pyspiel

_NO_PROGRESS_LIMIT = 150
"""Half moves without capture or pawn move that end a game, as the rules have it."""


def python_chess(seconds: float, seed: int) -> float:
    """Moves per second of python-chess."""
    rng, moves = Random(seed), 0
    start = time.perf_counter()
    while (elapsed := time.perf_counter() - start) < seconds:
        board = chess.Board()
        while (legal := list(board.legal_moves)) and not _is_drawn(board):
            board.push(legal[int(rng.random() * len(legal))])
            moves += 1
    return moves / elapsed


def _is_drawn(board: chess.Board) -> bool:
    # chess is there for benchmarks alone, so checks may not know its types.
    return bool(board.halfmove_clock >= _NO_PROGRESS_LIMIT or board.is_insufficient_material())


def open_spiel_chess(seconds: float, seed: int) -> float:
    """Moves per second of OpenSpiel's chess, which is written in C++."""
    game = pyspiel.load_game("chess")
    rng, moves = Random(seed), 0
    start = time.perf_counter()
    while (elapsed := time.perf_counter() - start) < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply_action(legal[int(rng.random() * len(legal))])
            moves += 1
    return moves / elapsed
