"""People with seats of their own who send whatever reads as a message of their game: engines are to bear it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from random import Random

import grpc
from google.protobuf.any_pb2 import Any as AnyMessage

from arena.log.v1.entry_pb2 import RequestKey
from arena.room.v1 import room_service_pb2 as pb
from arena_services.common.auth import Metadata, Tokens
from arena_services.common.games import HostedGame
from tests.hostile.forger import Forger
from tests.hostile.matches import Newest, create, following, metadata_of

_FOR_EVER = 1e9


@dataclass
class Cell:
    """A match that only insiders play."""

    hosted: HostedGame
    match_id: str
    people: list[Metadata]
    newest: Newest = field(default_factory=Newest)


class Insiders:
    """Keeps a match of each game for insiders to abuse."""

    def __init__(self, channel: grpc.aio.Channel, tokens: Tokens) -> None:
        self._channel = channel
        self._tokens = tokens
        self._open: dict[str, Cell] = {}
        self.match_ids: list[str] = []
        """Of all matches that there ever were."""

    async def keep(self, hosted: HostedGame) -> None:
        """Have a match of this game at hand, for ever: resigning is something that insiders do all the time."""
        people = [f"insider-{hosted.game.name}-{number}" for number in range(3)]
        while True:
            match_id, seated = await create(self._channel, self._tokens, hosted, people)
            cell = Cell(hosted, match_id, [metadata_of(self._tokens, each) for each in seated])
            self.match_ids.append(match_id)
            self._open[hosted.game.name] = cell
            request = pb.WatchRequest(match_id=match_id)
            async with following(self._channel, request, cell.people[0], cell.newest):
                while not (await cell.newest.take(_FOR_EVER)).HasField("outcome"):
                    await asyncio.sleep(0)

    def draw(self, rng: Random, forger: Forger) -> tuple[Metadata, pb.PlayRequest] | None:
        """A request that is right in everything but what it asks of the game; None while there is no match."""
        if not self._open:
            return None
        cell = rng.choice(list(self._open.values()))
        update = cell.newest.update or pb.Update()
        awaited = rng.choice(list(update.awaited)) if update.awaited else pb.Awaited()
        request = pb.PlayRequest(id=1, match_id=cell.match_id, seat=awaited.seat)
        asked = AnyMessage()
        if rng.randrange(2):
            asked.Pack(forger.message(cell.hosted.action.message.DESCRIPTOR))
            key = RequestKey(session=rng.randbytes(8), counter=1)
            request.act.CopyFrom(pb.Act(key=key, decision=awaited.decision, action=asked))
        else:
            asked.Pack(forger.message(cell.hosted.selection.message.DESCRIPTOR))
            request.targets.selection.CopyFrom(asked)
        return cell.people[awaited.seat], request
