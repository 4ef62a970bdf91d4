"""Which rooms there are: their heartbeats in the KV bucket `rooms`, as every service follows them.

Only ever says where to send. A room is alive while this process heard it beat in the last two seconds; beats are
heard as they are published, so a process knows nobody in its first half second. The bucket keeps each room's last beat
for a day, so that an outage can be measured after it.

A room that NATS leaves without answers learns nothing of the others: it takes them to be as they were.
"""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field, fields

from nats.aio.client import Client
from nats.aio.msg import Msg

ROOMS_BUCKET = "rooms"
BEAT_SECONDS = 0.5
ALIVE_SECONDS = 2.0
"""Four beats: rooms of the version before beat once a second, so that one of theirs may be late."""
KEPT_SECONDS = 24 * 3600.0


@dataclass(frozen=True)
class Beat:
    """What a room says of itself with every beat."""

    room_id: str
    address: str
    """Where services reach it."""
    public_address: str
    """Where clients reach it."""
    matches: int
    """How many it owns."""
    rules: dict[str, list[int]] = field(default_factory=dict)
    """Versions of the rules it can play, by game."""
    is_draining: bool = False
    """It hands its matches over and takes none."""
    max_matches: int = 2000
    """How many it can own. A room of a build that does not say has the number that it had by default."""
    newest: list[int] = field(default_factory=list)
    """By partition of the log, the stream sequence of the newest entry that it has stored since it began; nothing where
    a build does not say."""
    began_ms: int = 0
    """When this process of it first beat, by NATS' clock: matches that it had before it has no longer. 0 while it does
    not know, and of a build that does not say."""

    def to_bytes(self) -> bytes:
        """As stored."""
        return json.dumps(asdict(self)).encode()

    @classmethod
    def from_bytes(cls, data: bytes) -> Beat:
        """As stored; what a later build adds is passed over. Raises ValueError or TypeError for anything else."""
        said = json.loads(data)
        if not isinstance(said, dict):
            raise TypeError("a beat is an object")
        known = {each.name for each in fields(cls)}
        return cls(**{name: value for name, value in said.items() if name in known})

    def can_play(self, game: str, rules_version: int) -> bool:
        """Whether it can play matches of these rules."""
        return rules_version in self.rules.get(game, ())


class Roster:
    """The rooms that are alive, by their beats."""

    def __init__(self, deaf_seconds: Callable[[], float] = lambda: 0.0) -> None:
        """`deaf_seconds`: for how long this process has certainly not heard anything, as far as it can tell."""
        self._deaf_seconds = deaf_seconds
        self._beats: dict[str, tuple[Beat, float]] = {}
        self._heard = asyncio.Event()

    async def follow(self, nats: Client) -> None:
        """Follow the rooms' beats from now on, for as long as the connection lives."""
        await nats.subscribe(f"$KV.{ROOMS_BUCKET}.*", cb=self._hear)

    async def _hear(self, message: Msg) -> None:
        room_id = message.subject.rpartition(".")[2]
        try:
            beat = Beat.from_bytes(message.data)
        except (ValueError, TypeError):
            self._beats.pop(room_id, None)  # a deletion: the room has left
            return
        self._beats[room_id] = (beat, time.monotonic())
        self._heard.set()

    def alive(self) -> tuple[Beat, ...]:
        """The rooms that are alive, draining ones included, by id."""
        oldest = time.monotonic() - self._deaf_seconds() - ALIVE_SECONDS
        return tuple(beat for _, (beat, seen) in sorted(self._beats.items()) if seen >= oldest)

    def find(self, room_id: str) -> Beat | None:
        """A room, if it is alive."""
        return next((beat for beat in self.alive() if beat.room_id == room_id), None)

    def last_beat(self, room_id: str) -> Beat | None:
        """What a room said last, alive or not; None where it has left, or was never heard."""
        beat, _ = self._beats.get(room_id, (None, 0.0))
        return beat

    def newest_place(self, partition: int) -> int:
        """The stream sequence of an entry of a partition that is certainly stored; 0 where none is known."""
        said = (beat.newest for beat in self.alive() if partition < len(beat.newest))
        return max((newest[partition] for newest in said), default=0)

    def serving(self) -> tuple[Beat, ...]:
        """The rooms to send new things to: alive and not draining; failing that, all that are alive."""
        alive = self.alive()
        return tuple(beat for beat in alive if not beat.is_draining) or alive

    def pick(self, avoid: Iterable[str] = ()) -> Beat | None:
        """Any room to ask, those in `avoid` (by id) last; None while none is known."""
        serving = self.serving()
        shunned = set(avoid)
        fresh = [beat for beat in serving if beat.room_id not in shunned]
        return random.choice(fresh or serving) if serving else None

    async def picked(self, avoid: Iterable[str] = ()) -> Beat:
        """As `pick`, once any room is known."""
        while (room := self.pick(avoid)) is None:
            await self.wait_for_any()
        return room

    async def wait_for_any(self) -> None:
        """Wait until a room is alive."""
        while not self.alive():
            self._heard.clear()
            await self._heard.wait()
