"""Rendezvous hashing: everybody who knows the same candidates names the same one, without talking.

When a candidate leaves only its own share moves, when one comes only what it takes over.
"""

from __future__ import annotations

from hashlib import blake2b


def weight(key: str, candidate: str) -> bytes:
    """What a candidate weighs for a key; the one with the greatest weight has it."""
    return blake2b(f"{key}/{candidate}".encode(), digest_size=8, person=b"arena-rendezvou").digest()
