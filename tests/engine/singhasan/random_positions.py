"""Rich, crowded positions drawn at random, so that play from them meets every rule soon."""

from __future__ import annotations

from random import Random

from arena_engine.singhasan import GAME
from arena_engine.singhasan.board import PROVINCES, SUPPLY, Province
from arena_engine.singhasan.position import CONSPIRACIES, FOLLOWERS, KINDS, ROW
from arena_engine.singhasan.state import SinghasanState

#: Answers of a kind: many are on the edge of a legend's levels.
ANSWERS = (0, 1, 2, 3, 4, 5, 5, 6)
SPEEDS = ("standard", "swift", "unhurried")


def random_position(seed: int, players: int | None = None) -> SinghasanState:
    """A position that follows from nothing but its arguments."""
    return GAME.from_text(random_text(seed, players))


def random_text(seed: int, players: int | None = None) -> str:
    """The text of a position that follows from nothing but its arguments."""
    rng = Random(seed)
    players = players or rng.randint(2, 5)
    lines = [
        "singhasan 1",
        f"players: {players}",
        f"speed: {rng.choice(SPEEDS)}",
        f"secret: {rng.randrange(1 << 64):064x}",
        f"round: {rng.randint(1, 16)}",
        f"turn: {rng.randrange(players)}",
        "row: " + " ".join(map(str, rng.sample(range(1, FOLLOWERS + 1), ROW))),
        *_phase(rng),
    ]
    supply = [SUPPLY[players]] * players
    lines += [line for place in PROVINCES if (line := _province(rng, place, supply))]
    lines += [_seat(rng, seat) for seat in range(players)]
    return "\n".join(lines + _hands(rng, players))


def _phase(rng: Random) -> list[str]:
    """Mostly the act step, now and then the answer before it."""
    if rng.random() < 0.8:
        return ["phase: act", "done: answered", "deadline: 90000"]
    return ["phase: answer", "question: 7", "deadline: 90000"]


def _province(rng: Random, place: Province, supply: list[int]) -> str:
    """Followers of several claimants, up to a full province."""
    players = len(supply)
    if place.fewest_claimants > players:
        return ""
    rifts = place.rifts
    free = place.seats - rifts - (players == 2)
    crowd, share = rng.choice([(0, 0), (3, 0.5), (free, 0.5), (free, 0.9), (free - 1, 0.9)])
    standing, on_rifts = [0] * players, [0] * players
    lord = rng.randrange(players)
    for _ in range(crowd):
        seat = lord if rng.random() < share else rng.randrange(players)
        if supply[seat] > 1 and sum(standing) < free:
            standing[seat] += 1
            supply[seat] -= 1
    for _ in range(rifts):
        seat = rng.randrange(players)
        if supply[seat] > 1 and rng.random() < 0.3:
            on_rifts[seat] += 1
            supply[seat] -= 1
    items = [
        f"s{seat}={standing[seat]}+{on_rifts[seat]}"
        for seat in range(players)
        if standing[seat] + on_rifts[seat]
    ]
    holds = max(a + b for a, b in zip(standing, on_rifts, strict=True)) * 2 > place.seats
    items += ["sealed"] * (holds and rng.random() < 0.2)
    return f"at {place.id}: {' '.join(items)}" if items else ""


def _seat(rng: Random, seat: int) -> str:
    stock = "/".join(str(rng.choice([0, 1, 2, 3, 4, 6])) for _ in range(KINDS))
    answers = "/".join(str(rng.choice(ANSWERS)) for _ in range(KINDS))
    return f"seat {seat}: stock={stock} answers={answers}"


def _hands(rng: Random, players: int) -> list[str]:
    cards = rng.sample(range(1, CONSPIRACIES + 1), 3 * players)
    return [
        f"hand {seat}: {' '.join(map(str, cards[3 * seat : 3 * seat + rng.randint(0, 3)]))}"
        for seat in range(players)
    ]
