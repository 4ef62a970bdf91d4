"""Who may say and hear what at NATS: a user for each service, which reaches the subjects of its own work and no others.

Rooms alone write match logs, and they and operators read them. Timer and bots fetch from consumers that rooms made for
them, headers only, and cannot make any; matchmaking has its own buckets. Everybody hears answers under a prefix of its
own, so that nobody reads another's. Not for those who hold the machine: they can read every password in the data
folder.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from arena_services.common.nats import Login, inbox_prefix

ROOM = "room"
MATCHMAKING = "matchmaking"
BOT = "bot"
TIMER = "timer"
FLEET = "fleet"
OPERATOR = "operator"
"""The command line, for whoever may read the data folder or the Secret with its password."""

_API = "$JS.API"
_ROOMS_BEATS = "$KV.rooms.*"
_FETCH_HEADERS = f"{_API}.CONSUMER.MSG.NEXT.*.*"
_READING = (
    *(f"{_API}.{call}" for call in ("STREAM.INFO.*", "STREAM.MSG.GET.*", "DIRECT.GET.>")),
    *(f"{_API}.CONSUMER.{call}" for call in ("CREATE.>", "INFO.*.*", "MSG.NEXT.*.*", "DELETE.*.*")),
)
"""What it takes to read any stream or bucket, and to change none."""
_BUCKETS_OF_MATCHMAKING = ("tickets", "players", "leases")


@dataclass(frozen=True)
class User:
    """What one user may do."""

    name: str
    publish: Sequence[str]
    subscribe: Sequence[str] = ()

    def render(self, password: str) -> list[str]:
        """Its lines in a server's configuration."""
        hears = [f"{inbox_prefix(self.name)}.>", *self.subscribe]
        return [
            f"    {{user: {json.dumps(self.name)}, password: {json.dumps(password)}, permissions: {{",
            f"      publish: {json.dumps(list(self.publish))}",
            f"      subscribe: {json.dumps(hears)}",
            "    }}",
        ]


def _bucket(name: str) -> list[str]:
    """What it takes to make a bucket, to write it and to read it."""
    stream = f"KV_{name}"
    calls = ("STREAM.INFO", "STREAM.CREATE", "STREAM.MSG.GET", "DIRECT.GET")
    return [
        f"$KV.{name}.>",
        *(f"{_API}.{call}.{stream}" for call in calls),
        f"{_API}.DIRECT.GET.{stream}.>",
    ]


def _following(bucket: str) -> list[str]:
    """What it takes to follow a bucket's changes."""
    return [f"{_API}.CONSUMER.CREATE.KV_{bucket}", f"{_API}.CONSUMER.CREATE.KV_{bucket}.>"]


USERS = (
    User(
        ROOM,
        publish=(
            *("match.>", "snapshot.>", "chat.>", "mute.>", "report.>", "$KV.>"),
            f"{_API}.>",
        ),
        subscribe=(_ROOMS_BEATS,),
    ),
    User(
        MATCHMAKING,
        publish=(
            *(subject for name in _BUCKETS_OF_MATCHMAKING for subject in _bucket(name)),
            *_following("tickets"),
            "matchmaking.>",
        ),
        subscribe=(_ROOMS_BEATS, "matchmaking.>"),
    ),
    User(
        BOT,
        publish=(_FETCH_HEADERS, "bots.beat.*"),
        subscribe=(_ROOMS_BEATS, "bots.beat.*"),
    ),
    User(TIMER, publish=(_FETCH_HEADERS,), subscribe=(_ROOMS_BEATS,)),
    User(
        FLEET,
        publish=(
            f"{_API}.INFO",
            *(f"{_API}.{call}" for call in ("STREAM.LIST", "STREAM.INFO.*", "CONSUMER.LIST.*")),
        ),
        subscribe=(_ROOMS_BEATS,),
    ),
    User(OPERATOR, publish=_READING, subscribe=(_ROOMS_BEATS,)),
)

_BY_NAME = {user.name: user for user in USERS}


def rendered(logins: Sequence[Login]) -> list[str]:
    """The users in a server's configuration."""
    return [line for login in logins for line in _BY_NAME[login.user].render(login.password)]
