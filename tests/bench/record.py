"""A match that was played once, as the messages that a room would send: what the bare server plays back."""

from __future__ import annotations

from dataclasses import dataclass

from google.protobuf.any_pb2 import Any as AnyMessage

from arena_services.common import games
from tests.bench.hotpath import Played, play_match


@dataclass(frozen=True)
class Step:
    """One entry of a match, and the position behind it."""

    awaited: int
    """The seat that is to move now."""
    common: AnyMessage
    own: tuple[AnyMessage, ...]
    entry: bytes
    epoch: int
    append_id: bytes
    headers: dict[str, str]


def record(number: int = 1) -> list[Step]:
    """The steps of one match of four by the yardstick player, without its end."""
    return [_step(move) for move in play_match(number) if move.state.awaited()]


def _step(move: Played) -> Step:
    hosted = move.after.hosted
    return Step(
        awaited=move.state.awaited()[0][0],
        common=AnyMessage.FromString(games.packed(hosted.common, move.common)),
        own=tuple(AnyMessage.FromString(games.packed(hosted.own, own)) for own in move.own),
        entry=move.entry.SerializeToString(),
        epoch=move.entry.epoch,
        append_id=move.entry.append_id,
        headers=move.after.headers(move.entry).to_nats(),
    )
