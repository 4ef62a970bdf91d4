"""Which room has a match, as the KV bucket `owners` says it: by match, a room's id."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from nats.aio.client import Client

from arena_services.common.log.messages import last_message

OWNERS_BUCKET = "owners"
#: With an owner: as what it has the match. Rooms of a build that does not know of this say and read the rest.
_REIGN = "Arena-Reign"


@dataclass(frozen=True)
class Reign:
    """As what a room has a match."""

    life_ms: int
    """Which process of its name it is: when that first beat, by NATS' clock."""
    epoch: int
    """Under which it writes to the log."""


@dataclass(frozen=True)
class Owner:
    """A room that has a match, or is to have it."""

    room_id: str
    written_ms: int
    """When that was written, by NATS' clock."""
    since_ms: int
    """Since when it has the match, or since when nobody has, by NATS' clock."""
    reign: Reign | None = None
    """None: it is to have the match."""
    revision: int = 0
    """Of the bucket's key."""


def owner_value(room_id: str, since_ms: int) -> bytes:
    """As stored: the room's id, and behind @ since when, by NATS' clock, it has the match, or nobody has."""
    return f"{room_id}@{since_ms}".encode()


def reign_headers(reign: Reign | None) -> dict[str, str]:
    """As stored with an owner."""
    return {} if reign is None else {_REIGN: f"{reign.life_ms}.{reign.epoch}"}


def reign_in(headers: Mapping[str, str]) -> Reign | None:
    """The reign of a stored owner."""
    life, _, epoch = headers.get(_REIGN, "").partition(".")
    return Reign(int(life), int(epoch)) if epoch else None


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
    room_id, _, since_ms = message.data.decode().partition("@")
    return Owner(
        room_id,
        message.stored_ms,
        int(since_ms or message.stored_ms),
        reign_in(message.headers),
        message.stream_sequence,
    )
