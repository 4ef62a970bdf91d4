"""Which room has a match, as the KV bucket `owners` says it: by match, a room's id."""

from __future__ import annotations

from dataclasses import dataclass

from nats.aio.client import Client

from arena_services.common.log.messages import last_message

OWNERS_BUCKET = "owners"


@dataclass(frozen=True)
class Owner:
    """A room that has a match."""

    room_id: str
    written_ms: int
    """When that was written, by NATS' clock."""
    had_until_ms: int
    """Until when a room certainly had the match, as far as was known when this was sent."""


def owner_value(room_id: str, had_until_ms: int) -> bytes:
    """As stored: the room's id, and behind @ until when a room certainly had the match, by NATS' clock."""
    return f"{room_id}@{had_until_ms}".encode()


def room_in(value: bytes) -> str:
    """The room of a stored value."""
    return value.decode().partition("@")[0]


def owner_subject(match_id: str) -> str:
    """The subject of a match's owner."""
    return f"$KV.{OWNERS_BUCKET}.{match_id}"


async def find_owner(nats: Client, match_id: str) -> Owner | None:
    """The room that has a match, by the bucket's own word; None for none. Raises `LogUnavailableError`."""
    message = await last_message(nats, f"KV_{OWNERS_BUCKET}", owner_subject(match_id))
    if message is None or not message.data:
        return None
    room_id, _, had_until_ms = message.data.decode().partition("@")
    return Owner(room_id, message.stored_ms, int(had_until_ms or message.stored_ms))
