"""Who plays which seat: bot processes hear each other beat, and hashing names one of them for each seat.

Only those that play by a match's rules share its seats: each says with its beats which rules these are. One of a build
that does not say is not counted on, though it may play as well.

Nothing depends on their agreement. When two play one seat for a moment, both answer the same decision and the room
takes the first; when none does, the next look repairs it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from nats.aio.client import Client
from nats.aio.msg import Msg

from arena_services.bot.metrics import PEERS
from arena_services.common import games, logs
from arena_services.common.rendezvous import weight

#: For how many beats nothing may be heard of one that is alive.
_ALIVE_BEATS = 3.0
#: Long enough to have heard every peer once.
_SETTLE_BEATS = 1.25
_SUBJECT = "bots.beat"
_PLAYING = "playing"
_LEAVING = b"leaving"

_log = logs.get()


def player_of(match_id: str, seat: int, peers: frozenset[str]) -> str:
    """The one of several processes that plays a seat. When one leaves, only its own seats move (rendezvous hashing)."""
    if len(peers) == 1:
        return next(iter(peers))
    return max(peers, key=lambda peer: weight(f"{match_id}/{seat}", peer))


def beat_of_this_build() -> bytes:
    """What a process says that plays: that, and by which rules, as in `playing crowns-1`."""
    rules = (f"{each.game.name}-{each.game.rules_version}" for each in games.hosted())
    return " ".join((_PLAYING, *rules)).encode()


class Peers:
    """The bot processes that play now, as this one hears them."""

    def __init__(self, nats: Client, instance: str, beat_seconds: float = 1.0) -> None:
        self._nats = nats
        self._instance = instance
        self._has_left = False
        self._changed: Callable[[], None] | None = None
        self._beat_seconds = beat_seconds
        self._heard: dict[str, float] = {}
        self._rules: dict[str, frozenset[str]] = {}
        """By which rules each peer plays."""
        self._alive = frozenset({instance})
        self._sharing: dict[tuple[str, int], frozenset[str]] = {}
        """Those that share the seats of a game and version of its rules, as far as that was asked for."""
        PEERS.set(1)

    def is_mine(self, match_id: str, seat: int, game: str, rules_version: int) -> bool:
        """Whether this process plays a seat of a match of these rules."""
        if not games.can_play(game, rules_version):
            return False
        sharing = self._sharing.get((game, rules_version))
        if sharing is None:
            sharing = self._sharing[game, rules_version] = self._share(f"{game}-{rules_version}")
        return player_of(match_id, seat, sharing) == self._instance

    def _share(self, rules: str) -> frozenset[str]:
        able = (peer for peer in self._heard if rules in self._rules.get(peer, ()))
        return frozenset(able) | {self._instance}

    async def settle(self) -> None:
        """Listen until every peer has been heard."""
        await self._nats.subscribe(f"{_SUBJECT}.*", cb=self._hear)
        await asyncio.sleep(_SETTLE_BEATS * self._beat_seconds)

    async def run(self, can_play: Callable[[], bool], changed: Callable[[], None]) -> None:
        """Beat, and notice who no longer does, for ever.

        `can_play`: whether this process reaches a room; it beats only then. `changed`: called when seats may move.
        """
        self._changed = changed
        while True:
            if can_play() and self._nats.is_connected:
                if not self._has_left:
                    await self._say(beat_of_this_build())
                self._forget_silent()
            else:
                self._excuse_all()
            await asyncio.sleep(self._beat_seconds)

    async def leave(self) -> None:
        """Tell the others to take over at once."""
        self._has_left = True
        if self._nats.is_connected:
            await self._say(_LEAVING)
            await self._nats.flush()

    async def _say(self, what: bytes) -> None:
        await self._nats.publish(f"{_SUBJECT}.{self._instance}", what)

    async def _hear(self, message: Msg) -> None:
        peer = message.subject.rpartition(".")[2]
        if peer == self._instance:
            return
        if message.data == _LEAVING:
            self._heard.pop(peer, None)
        else:
            self._heard[peer] = asyncio.get_running_loop().time()
            self._learn(peer, frozenset(message.data.decode(errors="replace").split()[1:]))
        self._update()

    def _learn(self, peer: str, rules: frozenset[str]) -> None:
        """A peer says by which rules it plays; one that is started anew may be of another build."""
        if self._rules.get(peer) != rules:
            self._rules[peer] = rules
            self._alive -= {peer}  # what it shares has changed, as if it had just come

    def _forget_silent(self) -> None:
        oldest = asyncio.get_running_loop().time() - _ALIVE_BEATS * self._beat_seconds
        self._heard = {peer: heard for peer, heard in self._heard.items() if heard >= oldest}
        self._rules = {peer: self._rules[peer] for peer in self._heard}
        self._update()

    def _excuse_all(self) -> None:
        """While this process is cut off it cannot tell who is silent: that says nothing about the others."""
        self._heard = dict.fromkeys(self._heard, asyncio.get_running_loop().time())

    def _update(self) -> None:
        alive = frozenset(self._heard) | {self._instance}
        if alive == self._alive:
            return
        self._alive = alive
        self._sharing.clear()
        PEERS.set(len(alive))
        _log.info("bots share seats", peers=sorted(alive))
        if self._changed:
            self._changed()
