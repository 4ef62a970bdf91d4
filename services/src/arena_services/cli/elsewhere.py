"""A platform that runs elsewhere, on a cluster above all: found by settings, as its own parts find each other.

Where ARENA_NATS_URL is set it names the platform, and no data folder is looked at.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from nats.aio.client import Client
from pydantic import Field, SecretStr

from arena_services.cli.errors import CliError, UsageError
from arena_services.common import config
from arena_services.common.config import NatsAccessSettings
from arena_services.common.nats import Login, NatsUnreachableError, connected
from arena_services.common.roster import BEAT_SECONDS, Beat, Roster

_URL = "ARENA_NATS_URL"
_KEY = "ARENA_TOKEN_KEY"
#: Without a URL these name nothing: whoever sets them means a platform elsewhere.
_USELESS_ALONE = ("ARENA_NATS_USER", "ARENA_NATS_PASSWORD", _KEY)
_CONNECT_SECONDS = 5.0
#: Every room beats within this time, on a busy machine too.
_LISTEN_SECONDS = 2 * BEAT_SECONDS
_PATIENCE_SECONDS = 5.0


class RoomsAccessSettings(NatsAccessSettings):
    """What it takes to find rooms, and to be an operator to them."""

    token_key: SecretStr = Field(min_length=32)
    """The key that the platform's tokens are signed with."""


def find_nats() -> NatsAccessSettings | None:
    """How NATS is reached; None where no platform is named. Raises `UsageError` for half a name."""
    return config.load(NatsAccessSettings) if _is_named() else None


def find_rooms() -> RoomsAccessSettings | None:
    """How rooms are reached; None where no platform is named. Raises `UsageError` for half a name."""
    if not _is_named():
        return None
    if not os.environ.get(_KEY):
        raise UsageError(
            f"{_URL} names a platform, and {_KEY} is not set: set it to the key of that platform's tokens, as its "
            f"parts have it, or unset {_URL} for the platform that runs on ARENA_DATA_DIR."
        )
    return config.load(RoomsAccessSettings)


def _is_named() -> bool:
    if os.environ.get(_URL):
        return True
    for name in _USELESS_ALONE:
        if os.environ.get(name):
            raise UsageError(
                f"{name} is set, and {_URL} is not: set it to the servers of the platform that you mean, or unset "
                f"{name} for the platform that runs on ARENA_DATA_DIR."
            )
    return False


@asynccontextmanager
async def nats_of(access: NatsAccessSettings, name: str) -> AsyncIterator[Client]:
    """A connection to the platform's NATS. Raises `CliError` where it lets nobody in."""
    user, password = access.nats_user, access.nats_password.get_secret_value()
    connecting = connected(
        access.nats_url,
        name,
        _CONNECT_SECONDS,
        Login(user, password) if user else None,
        access.nats_tls,
    )
    try:
        async with connecting as client:
            yield client
    except NatsUnreachableError as error:
        raise CliError(str(error)) from error


async def rooms_of(access: NatsAccessSettings) -> tuple[Beat, ...]:
    """The rooms that beat. Raises `CliError` where none does."""
    roster = Roster()
    async with nats_of(access, "arena-admin") as nats:
        await roster.follow(nats)
        try:
            async with asyncio.timeout(_PATIENCE_SECONDS):
                await roster.wait_for_any()
        except TimeoutError:
            raise CliError(
                f"No room beat within {_PATIENCE_SECONDS:g} s at {access.nats_url}: none runs there, or "
                f"ARENA_NATS_USER ({access.nats_user or 'not set'}) may not hear them, as room and operator may."
            ) from None
        await asyncio.sleep(_LISTEN_SECONDS)
        return roster.alive()
