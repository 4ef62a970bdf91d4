"""Chance in both games' rules: draws that a match's secret settles, and fast ones for playouts."""

from __future__ import annotations

from hashlib import blake2b

from mypy_extensions import i64


def keyed_draw(secret: bytes, purpose: bytes, number: int, count: int) -> int:
    """Draw `number` (from 0) of a purpose, below `count`, as the match's secret has it.

    The 128 bits leave a bias below 2**-120, too small for any number of matches to show.
    """
    message = purpose + number.to_bytes(8, "big")
    digest = blake2b(message, key=secret, digest_size=16).digest()
    return int.from_bytes(digest, "big") % count


def next_fast(state: i64) -> i64:
    """One step of xorshift32; `state` is not 0."""
    state ^= (state << 13) & 0xFFFFFFFF
    state ^= state >> 17
    return state ^ ((state << 5) & 0xFFFFFFFF)
