"""Golden games of Crowns; `golden_lines` says what they are for.

`python -m tests.engine.golden_games` plays them anew.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from random import Random

from arena_engine.crowns import GAME
from arena_engine.crowns.kinds import Board, Relic
from arena_engine.crowns.messages import Move, PlayCard, Resign
from arena_engine.game import PackedAction, State
from tests.engine.golden_lines import record
from tests.engine.new_matches import new_match
from tests.engine.positions import arena

FOLDER = Path(__file__).with_name("golden")
MOST_LINES = 400


@dataclass(frozen=True)
class Setting:
    """How a golden game begins, and how often its players act on a whim, miss a turn or change hands."""

    players: int
    board: str
    turn_seconds: int
    secret: int
    whims: float

    @property
    def path(self) -> Path:
        """Where the game is kept."""
        return FOLDER / f"{self.players}-{self.board}-{self.turn_seconds}s-{self.secret}.txt"

    def begin(self) -> State:
        """Its first position."""
        return new_match(
            self.players, board=self.board, turn_seconds=self.turn_seconds, secret=self.secret
        )


SETTINGS = (
    Setting(2, "standard", 0, 27, 0.1),
    Setting(2, "large", 60, 15, 0.2),
    Setting(3, "standard", 30, 25, 0.5),
    Setting(4, "standard", 0, 18, 0.1),
    Setting(4, "large", 90, 13, 0.9),
    Setting(5, "standard", 30, 15, 0.1),
    Setting(6, "standard", 0, 13, 0.3),
    Setting(6, "large", 30, 12, 0.1),
)


def play(setting: Setting) -> list[str]:
    """Play a golden game; returns its lines."""
    rng, now_ms = Random(setting.secret), 0

    def next_line(state: State) -> str:
        nonlocal now_ms
        deadline = state.deadline_ms()
        now_ms += rng.randint(1, 9_000)
        if deadline is not None and (now_ms >= deadline or rng.random() < setting.whims / 8):
            now_ms = max(now_ms, deadline)
            return f"{now_ms} expire"
        return f"{now_ms} {_next(state, rng, setting)}"

    return record(GAME, setting.begin(), next_line, MOST_LINES)


def _next(state: State, rng: Random, setting: Setting) -> str:
    (awaited,) = state.awaited()
    seat = awaited.seat
    if rng.random() < setting.whims / 20:
        other = rng.randrange(setting.players)
        if state.explain(other, state.pack(Resign())) is None:
            return f"hand_over {other} {'person' if state.is_bot(other) else 'bot'}"
    if rng.random() < setting.whims / 100:
        return f"{seat} {GAME.table.notation(Resign())}"
    if rng.random() < setting.whims:
        packed = rng.choice(list(state.legal_actions(seat)))
    else:
        packed = rng.choice(_on_an_errand(state, seat, rng))
    return f"{seat} {GAME.table.notation(state.unpack(packed))}"


def _on_an_errand(state: State, seat: int, rng: Random) -> list[PackedAction]:
    """Actions of a simple player: its King goes for Crowns and then home, its Knights strike, it plays its cards."""
    shown = state.common(()).view
    packed = list(state.legal_actions(seat))
    actions = [state.unpack(action) for action in packed]
    theirs = {f.triangle for f in shown.formations if f.seat != seat}
    steps = arena("large" if shown.board == Board.LARGE else "standard").steps
    goals = [r.triangle for r in shown.relics if r.relic in (Relic.CROWN, Relic.FALLEN_CROWN)]
    home = shown.seats[seat].gate
    goal = home if shown.seats[seat].is_bearer or not goals else rng.choice(goals)
    cards = [p for p, a in zip(packed, actions, strict=True) if isinstance(a, PlayCard)]
    moves = [(p, a) for p, a in zip(packed, actions, strict=True) if isinstance(a, Move)]
    nearer = [
        p for p, a in moves if a.king and steps(goal)[a.to_triangle] < steps(goal)[a.from_triangle]
    ]
    strikes = [p for p, a in moves if not a.king and a.to_triangle in theirs]
    choices = [choice for choice in (cards, nearer, nearer, strikes) if choice]
    return rng.choice(choices) if choices else packed


def main() -> None:
    """Play all golden games and write them."""
    FOLDER.mkdir(exist_ok=True)
    for setting in SETTINGS:
        setting.path.write_text("\n".join(play(setting)) + "\n")


if __name__ == "__main__":
    main()
