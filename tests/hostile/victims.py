"""Matches that honest people play while everybody else does what they can; every wish of theirs is written down."""

from __future__ import annotations

import asyncio
import secrets
from random import Random
from typing import Any

import grpc
from nats.aio.client import Client

from arena.log.v1.entry_pb2 import RequestKey
from arena.room.v1 import room_service_pb2 as pb
from arena.room.v1.room_service_pb2_grpc import RoomServiceStub
from arena_services.common import games, rpc
from arena_services.common.auth import Metadata, Tokens
from arena_services.common.games import HostedGame
from arena_services.common.log.fold import Fold, fold_entry
from arena_services.common.log.reader import LogReader
from tests.hostile.findings import Findings
from tests.hostile.forger import Pool
from tests.hostile.matches import CALL_SECONDS, Newest, create, following, metadata_of

_PAUSE_SECONDS = 0.25
#: Others changed the position meanwhile; honest people look again.
_LOOK_AGAIN = {grpc.StatusCode.ABORTED, grpc.StatusCode.FAILED_PRECONDITION}


class Victim:
    """One match of two honest people."""

    def __init__(self, hosted: HostedGame, match_id: str, player_ids: list[str]) -> None:
        self.match_id = match_id
        self.hosted = hosted
        self.player_ids = player_ids
        self.sessions = [secrets.token_bytes(16) for _ in player_ids]
        self.sent: dict[tuple[int, int], pb.ActRequest] = {}
        """By seat and counter: all that could ever be stored."""
        self.acknowledged: dict[tuple[int, int], int] = {}
        """By seat and counter: the sequence that was answered."""

    async def check(self, nats: Client, partitions: int, findings: Findings) -> int:
        """Hold the stored log against what was sent and acknowledged; returns its length."""
        reader = LogReader(nats, partitions)
        tail = await reader.tail(self.match_id)
        assert tail is not None
        fold: Fold | None = None
        stored: dict[tuple[int, int], int] = {}
        for each in await reader.read(self.match_id, tail.stream_sequence):
            fold, _ = fold_entry(self.match_id, fold, each.entry)
            fold.verify(each.entry)
            match each.entry.WhichOneof("body"):
                case "acted":
                    self._check_acted(each.entry.sequence, each.entry.acted, stored, findings)
                case "created" | "claimed" | "expired":
                    pass
                case other:
                    findings.fault(f"match {self.match_id}: somebody got {other} in")
        for wish, sequence in self.acknowledged.items():
            if stored.get(wish) != sequence:
                findings.fault(f"match {self.match_id}: {wish} was acknowledged and is not there")
        return fold.sequence if fold else 0

    def _check_acted(
        self, sequence: int, acted: Any, stored: dict[tuple[int, int], int], findings: Findings
    ) -> None:
        wish = (acted.seat, acted.key.counter)
        sent = self.sent.get(wish)
        is_own = (
            sent is not None
            and acted.key == sent.act.key
            and acted.action == sent.act.action
            and acted.decision == sent.act.decision
        )
        if not is_own or wish in stored:
            findings.fault(f"match {self.match_id}: entry {sequence} is nobody's wish, or twice")
        stored[wish] = sequence


class Honest:
    """Plays victims' matches, one after the other, for ever."""

    def __init__(
        self, channel: grpc.aio.Channel, tokens: Tokens, pool: Pool, findings: Findings
    ) -> None:
        self._channel = channel
        self._tokens = tokens
        self._pool = pool
        self._findings = findings
        self.victims: list[Victim] = []

    async def play(self, hosted: HostedGame, rng: Random) -> None:
        """Play matches of one game."""
        while True:
            victim = await self._create(hosted)
            async with asyncio.TaskGroup() as seats:
                for seat in range(len(victim.player_ids)):
                    seats.create_task(self._sit(victim, seat, rng), name=f"seat-{seat}")

    async def _create(self, hosted: HostedGame) -> Victim:
        people = [f"honest-{hosted.game.name}-{number}" for number in range(2)]
        victim = Victim(hosted, *await create(self._channel, self._tokens, hosted, people))
        self.victims.append(victim)
        self._pool.match_ids.append(victim.match_id)
        return victim

    def metadata(self, victim: Victim, seat: int) -> Metadata:
        """What a seat's person shows."""
        return metadata_of(self._tokens, victim.player_ids[seat])

    async def _sit(self, victim: Victim, seat: int, rng: Random) -> None:
        """Follow a seat and act whenever it is awaited, until the match ends."""
        metadata = self.metadata(victim, seat)
        newest = Newest()
        request = pb.WatchRequest(match_id=victim.match_id, seat=seat)
        async with following(self._channel, request, metadata, newest):
            counter = 0
            while not (update := await newest.take()).HasField("outcome"):
                mine = [each.decision for each in update.awaited if each.seat == seat]
                if mine:
                    counter += 1
                    key = RequestKey(session=victim.sessions[seat], counter=counter)
                    act = _choose(victim.hosted, update, seat, rng)
                    act.key.CopyFrom(key)
                    act.decision = mine[0]
                    await self._act(victim, seat, act, metadata)
                    await asyncio.sleep(_PAUSE_SECONDS)

    async def _act(self, victim: Victim, seat: int, act: pb.Act, metadata: Metadata) -> None:
        request = pb.ActRequest(match_id=victim.match_id, seat=seat, act=act)
        wish = (seat, act.key.counter)
        victim.sent[wish] = request
        try:
            said = await RoomServiceStub(self._channel).Act(
                request, metadata=metadata, timeout=CALL_SECONDS
            )
        except grpc.aio.AioRpcError as error:
            reason, message = rpc.reason_of(error), error.details() or ""
            self._findings.answered("an honest act", error.code(), reason, message)
            if error.code() not in _LOOK_AGAIN:
                self._findings.fault(f"an honest act failed: {error.code().name} {reason}")
        else:
            victim.acknowledged[wish] = said.acted.sequence
            self._pool.keys.append(act.key)
            self._pool.decisions.append(act.decision)


def _choose(hosted: HostedGame, update: pb.Update, seat: int, rng: Random) -> pb.Act:
    """A legal act from what a seat sees."""
    common = games.unwrap(update.common, hosted.common, "common")
    own = games.unwrap(update.own, hosted.own, "own")
    state = hosted.game.resample(common, own, seat, rng)
    packed = rng.choice(list(state.legal_actions(seat)))
    return pb.Act(action=games.wrap(hosted.action.encode(state.unpack(packed))))
