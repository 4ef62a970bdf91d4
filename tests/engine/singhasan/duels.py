"""Matches of bots that end in a duel for the throne: their secrets, and how bots are driven so that they come again.

The same bots on the platform, which know no more than their seats do, play the same matches.
"""

from __future__ import annotations

from random import Random
from typing import Any, Final

#: By number of claimants, the secret of a match whose bots tie at the top: two come to strike the mark, five do not.
SECRETS: Final = {2: (11).to_bytes(32, "big"), 5: (12).to_bytes(32, "big")}


def generator(decision: int) -> Random:
    """What the bot draws from that answers a decision. The awaited seat with the lowest number goes first."""
    return Random(decision)


def next_action(game: Any, state: Any) -> tuple[int, int]:
    """The next seat to act, and its packed action."""
    seat, decision = state.awaited()[0]
    return seat, game.choose(state, seat, generator(decision))
