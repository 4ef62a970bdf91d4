"""The bytes under a position's hash: stored logs are verified by them, so they stay as they are, compiled or not."""

from __future__ import annotations

from hashlib import blake2b
from random import Random

import pytest
from hypothesis import given

from arena_engine.crowns import GAME
from arena_engine.crowns.digest import canonical_bytes
from tests.engine.positions import position
from tests.engine.random_positions import random_position
from tests.engine.test_random_play import SEEDS, SETTINGS, play_on
from tests.engine.test_text_hash_clone import FULL, rest_of_the_deck


def whole(number: int) -> bytes:
    return number.to_bytes(8, "big", signed=True)


def test_bytes_of_a_position_with_everything_are_as_documented() -> None:
    state = GAME.from_text(rest_of_the_deck(FULL))
    rest = [n for n in range(1, 41) if n not in {3, 17, 40, 5, 1, 39, 2, 9}]
    at = {5: (0b101 | 1 << 5, 0), 12: (0b10 | 3 << 5, 1 | 2 << 3), 50: (0b1100 | 1 << 5, 1 << 6)}
    at |= {70: (0b1011 | 3 << 5, 2 << 6), 90: (1 | 4 << 5, 0), 91: (0, 1 << 3), 100: (0, 2)}
    expected = [
        bytes([1, 1, 2, 4, 0b11, 0]),
        bytes(31) + b"\xff",
        b"".join(map(whole, [-1, 60, 57, 5, 2, 60, 2, 70, 123456])),
        whole(17) + whole(39),
        bytes([2, 0, 0b10]) + whole(1) + whole(2) + bytes([2, 3, 17]),
        bytes([0, 1, 0b10]) + whole(0) + whole(0) + bytes([0]),
        bytes([1, 0, 0b11]) + whole(2) + whole(2) + bytes([0]),
        bytes([0, 0, 0b01]) + whole(0) + whole(0) + bytes([1, 40]),
        bytes(byte for t in range(150) for byte in at.get(t, (0, 0))),
        bytes([3, 39, 1, 5]),
        bytes([len(rest) + 2, 2, 9, *rest]),
        bytes([4, 7, 3, 70]),
    ]
    assert canonical_bytes(state.position) == b"".join(expected)
    assert state.state_hash() == blake2b(b"".join(expected), digest_size=16).digest()


@pytest.mark.parametrize(("ended", "winner"), [("escape 1", 1), ("last_king 0", 0), ("limit", -1)])
def test_end_of_a_match_is_hashed_with_its_word(ended: str, winner: int) -> None:
    word = ended.split(maxsplit=1)[0].encode()
    state = GAME.from_text(f"crowns 1\nplayers: 2\nat 4: s0 K\nat 91: s1 K\nended: {ended}")
    start = bytes([1, 1, 1, 2, 0, len(word)]) + word + bytes(32) + whole(winner)
    assert canonical_bytes(state.position).startswith(start)


@SETTINGS
@given(seed=SEEDS)
def test_hash_is_equal_exactly_where_the_text_is(seed: int) -> None:
    state, rng = random_position(seed), Random(seed)
    texts, hashes = {state.to_text()}, {state.state_hash()}
    for _ in range(12):
        play_on(state, rng, 1)
        texts.add(state.to_text())
        hashes.add(state.state_hash())
        assert len(texts) == len(hashes)
        assert GAME.from_text(state.to_text()).state_hash() == state.state_hash()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("seat 0: hand=3,17", "seat 0: hand=17,3"),
        ("seat 0: hand=3", "seat 1: hand=3"),
        ("seat 0: missed=1/2", "seat 0: missed=2/2"),
        ("seat 0: missed=1/2", "seat 0: missed=1/1"),
        ("seat 0: bot", "seat 0: bot person"),
        ("clock: 30\ndeadline: 5", "clock: 30\ndeadline: 6"),
        ("clock: 30", "clock: 60"),
        ("draws: relics=1", "draws: deck=1"),
        ("done: move", "done: card"),
        ("decision: 2", "decision: 3"),
        ("at 40: fallen", "at 40: horse"),
        ("at 40: s0 1k", "at 40: s0 1g"),
        ("at 40: s0 1k, snare", "at 40: s0 1k, snare now"),
        ("at 40: s0 1k\nshield: 40", "at 40: s0 1k\nshield: 41"),
        ("returning: boat@7 loot@8", "returning: loot@8 boat@7"),
        ("returning: boat@7", "returning: boat@8"),
        ("discard: 2 9", "discard: 9 2"),
        ("discard: 1", "deck: 1 " + " ".join(map(str, range(2, 41)))),
    ],
)
def test_hash_tells_near_positions_apart(one: str, other: str) -> None:
    assert position(more=one).state_hash() != position(more=other).state_hash()
