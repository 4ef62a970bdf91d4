"""A client of the platform's public API, as anybody could write one; it knows no game beyond the codecs.

`Lobby` signs in and queues, `PlayClient` keeps one Play stream alive over whatever room answers, `Seat` is one match as
one viewer sees it. Not for services, which talk to each other by their own calls.
"""

from __future__ import annotations

from arena_services.client.entrance import Entrance
from arena_services.client.errors import ClientError, RefusedError, UnreachableError
from arena_services.client.lobby import Account, Lobby, Place
from arena_services.client.play import PlayClient
from arena_services.client.seat import Seat, Step

__all__ = [
    "Account",
    "ClientError",
    "Entrance",
    "Lobby",
    "Place",
    "PlayClient",
    "RefusedError",
    "Seat",
    "Step",
    "UnreachableError",
]
