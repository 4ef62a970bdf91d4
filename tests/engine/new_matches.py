"""New matches for tests, drawn from small secrets."""

from __future__ import annotations

from collections.abc import Sequence

from arena_engine.crowns import GAME
from arena_engine.crowns.kinds import Board
from arena_engine.crowns.messages import Options
from arena_engine.game import State

BOARDS = {"standard": Board.STANDARD, "large": Board.LARGE}


def a_secret(number: int) -> bytes:
    """32 bytes that stand for a small number."""
    return number.to_bytes(32, "big")


def new_match(
    players: int = 2,
    *,
    board: str = "standard",
    turn_seconds: int = 0,
    bots: Sequence[int] = (),
    secret: int = 0,
    now_ms: int = 0,
) -> State:
    """The first position of a match with people on all seats but `bots`."""
    options = GAME.check_options(Options(BOARDS[board], turn_seconds), players)
    is_bot = [seat in bots for seat in range(players)]
    state, _ = GAME.new(options, is_bot, a_secret(secret), now_ms)
    return state
