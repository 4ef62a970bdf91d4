"""Crowded positions drawn at random, so that play from them meets every rule soon."""

from __future__ import annotations

from random import Random

from arena_engine.crowns import GAME
from arena_engine.game import State
from tests.engine.positions import arena

GROUPS = ("1k", "1k", "1k", "2k", "1g", "1k+1g", "3k", "2g", "2k+1g")


def random_position(seed: int) -> State:
    """A position that follows from nothing but `seed`."""
    return GAME.from_text(random_text(seed))


def random_text(seed: int) -> str:
    """The text of a position that follows from nothing but `seed`."""
    rng = Random(seed)
    board = rng.choice(["standard", "standard", "large"])
    players = rng.randint(2, 6)
    out = rng.sample(range(players), rng.choice([0, 0, 0, min(1, players - 2)]))
    living = [seat for seat in range(players) if seat not in out]
    turn = rng.choice(living)
    at = _things(rng, board, players, living, turn)
    lines = ["crowns 1", f"board: {board}", f"players: {players}", f"turn: {turn}"]
    lines.append(f"secret: {rng.randrange(1 << 64):064x}")
    lines += [f"at {triangle}: {', '.join(items)}" for triangle, items in sorted(at.items())]
    lines += _cards(rng, players, out)
    lines += _turn(rng, at, turn)
    kinds = rng.sample(["horse", "shield", "boat", "loot"], rng.randint(0, 3))
    lines.append("returning: " + " ".join(f"{kind}@{rng.randrange(96)}" for kind in kinds))
    return "\n".join(line for line in lines if not line.endswith(": "))


def _things(
    rng: Random, board: str, players: int, living: list[int], turn: int
) -> dict[int, list[str]]:
    """Pieces and relics by triangle, most of them close to one spot: a Gate or the middle."""
    geometry = arena(board)
    gates = geometry.gates(players)
    spot = rng.choice([*gates, len(geometry.triangles) // 2 + rng.randint(-8, 8)])
    near = [t for t, steps in geometry.steps(spot).items() if steps <= rng.choice([4, 5, 6])]
    rng.shuffle(near)
    at: dict[int, list[str]] = {}
    for seat in living:
        king_at = gates[seat] if rng.random() < 0.3 and gates[seat] not in at else near.pop()
        while king_at in at:
            king_at = near.pop()
        at[king_at] = [f"s{seat} K{rng.choice(['', '', '+1k', '+1g'])}"]
        for _ in range(rng.randint(0, 3)):
            if near and near[-1] not in at:
                at[near.pop()] = [f"s{seat} {rng.choice(GROUPS)}"]
    for items in list(at.values()):
        if rng.random() < 0.15:
            items.append("snare now" if f"s{turn} " in items[0] and rng.random() < 0.7 else "snare")
    _scatter_relics(rng, at, gates, near, len(geometry.triangles))
    return at


def _scatter_relics(
    rng: Random, at: dict[int, list[str]], gates: list[int], near: list[int], triangles: int
) -> None:
    free = [t for t in near if t not in at and t not in gates]
    for relic in rng.sample(["horse", "shield", "boat", "loot"] * 3, min(len(free), 8)):
        at[free.pop()] = [relic]
    numbered = [t for t in range(triangles) if t not in gates]
    bare = [t for t in numbered if not at.get(t) or at[t][0][1].isdigit()]
    at.setdefault(rng.choice(bare), []).append("crown")
    for _ in range(rng.randint(0, 2)):
        fallen = rng.choice([t for t in near if not at.get(t)] or bare)
        if not any("fallen" in item for item in at.get(fallen, [])):
            at.setdefault(fallen, []).append(
                rng.choice(["fallen", "fallen 2" if len(gates) > 2 else "fallen"])
            )


def _cards(rng: Random, players: int, out: list[int]) -> list[str]:
    cards = rng.sample(range(1, 41), 40)
    lines = []
    for seat in range(players):
        if seat in out:
            lines.append(f"seat {seat}: out={out.index(seat) + 1}")
            continue
        hand = [cards.pop() for _ in range(rng.randint(0, 3))]
        crowns = rng.choice([0, 0, 1, 1, 2, 2, 3])
        words = f" hand={','.join(map(str, hand))}" if hand else ""
        lines.append(f"seat {seat}: crowns={crowns}{words}")
    cut = rng.choice([0, 1, len(cards) // 2, len(cards)])
    return [
        *lines,
        "deck: " + " ".join(map(str, cards[:cut])),
        "discard: " + " ".join(map(str, cards[cut:])),
    ]


def _turn(rng: Random, at: dict[int, list[str]], turn: int) -> list[str]:
    mine = {t: items[0] for t, items in at.items() if items[0].startswith(f"s{turn} ")}
    knights = [t for t, pieces in mine.items() if "k" in pieces]
    kind = rng.choice(["start", "start", "start", "card", "horse", "shield"])
    if kind == "shield" and len(knights) >= 2:
        return ["done: move", f"shield: {knights[0]}", f"moves: {rng.randint(0, 2)}"]
    if kind == "horse":
        return [f"done: {rng.choice(['move', 'move card'])}", f"moves: {rng.randint(1, 3)}"]
    if kind == "card":
        return ["done: card", f"moves: {rng.randint(1, 2)}"]
    return []
