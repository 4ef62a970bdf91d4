"""Golden games of Singhasan; `tests.engine.golden_lines` says what they are for.

`python -m tests.engine.singhasan.golden_games` plays them anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from arena_engine.game import State
from arena_engine.singhasan import GAME
from arena_engine.singhasan.kinds import Speed
from tests.engine.golden_lines import record
from tests.engine.singhasan.matches import new_match

FOLDER = Path(__file__).with_name("golden")
MOST_LINES = 1_500


@dataclass(frozen=True)
class Setting:
    """How a golden game begins, and how often its players act on a whim, miss a turn or change hands."""

    players: int
    speed: Speed
    secret: int
    whims: float

    @property
    def path(self) -> Path:
        """Where the game is kept."""
        return FOLDER / f"{self.players}-{self.speed.name.lower()}-{self.secret}.txt"

    def begin(self) -> State:
        """Its first position."""
        return new_match(self.players, speed=self.speed, secret=self.secret)


SETTINGS = (
    Setting(2, Speed.SWIFT, 1, 0.5),
    Setting(2, Speed.UNHURRIED, 2, 0.1),
    Setting(3, Speed.STANDARD, 3, 0.3),
    Setting(4, Speed.STANDARD, 4, 0.2),
    Setting(5, Speed.SWIFT, 5, 0.3),
)


def play(setting: Setting) -> list[str]:
    """Play a golden game; returns its lines."""
    state = setting.begin()
    lines = _lines(state, setting)
    return record(GAME, state, lambda _: next(lines), MOST_LINES)


def _lines(state: State, setting: Setting) -> Iterator[str]:
    """What comes next, again and again, in the position as it is then."""
    rng, now_ms = Random(setting.secret), 0
    while True:
        deadline = state.deadline_ms()
        now_ms += rng.randint(1, 3_000)
        if deadline is not None and (now_ms >= deadline or rng.random() < setting.whims / 10):
            now_ms = max(now_ms, deadline)
            yield f"{now_ms} expire"
        elif rng.random() < setting.whims / 50:
            seat = rng.randrange(setting.players)
            yield f"{now_ms} hand_over {seat} {'person' if state.is_bot(seat) else 'bot'}"
        else:
            seat = rng.choice(state.awaited()).seat
            yield f"{now_ms} {seat} {_chosen(state, seat, rng, setting)}"


def _chosen(state: State, seat: int, rng: Random, setting: Setting) -> str:
    """The notation of what the yardstick player does, or of anything of a random kind."""
    if rng.random() >= setting.whims:
        return GAME.table.notation(state.unpack(GAME.choose(state, seat, rng)))
    by_kind: dict[type, list[int]] = {}
    for packed in state.legal_actions(seat):
        by_kind.setdefault(type(state.unpack(packed)), []).append(packed)
    return GAME.table.notation(state.unpack(rng.choice(by_kind[rng.choice(list(by_kind))])))


def main() -> None:
    """Play all golden games and write them."""
    FOLDER.mkdir(exist_ok=True)
    for setting in SETTINGS:
        setting.path.write_text("\n".join(play(setting)) + "\n")


if __name__ == "__main__":
    main()
