"""A bot process's handling of its seats, with a room's messages put in by hand."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import grpc
import pytest

from arena.room.v1.room_service_pb2 import (
    Acted,
    Awaited,
    Detached,
    Error,
    Outcome,
    PlayRequest,
    PlayResponse,
    SeatHolder,
    Update,
)
from arena_services.bot.player import Player
from arena_services.bot.thinking import Thinker
from arena_services.common import games
from arena_services.common.games import HostedGame
from arena_services.common.log.headers import EntryHeaders
from tests.services.bot.positions import assert_legal, first_position, seen_by

MATCH = "m" * 26


@pytest.fixture(params=[hosted.game.name for hosted in games.hosted()])
def hosted(request: pytest.FixtureRequest) -> HostedGame:
    return games.find(request.param)


class Desk:
    """A player whose requests pile up here instead of going to a room."""

    def __init__(self, hosted: HostedGame, think_seconds: float) -> None:
        self.hosted = hosted
        self.state = first_position(hosted)
        self.seat, self.decision = self.state.awaited()[0]
        self.sent: list[PlayRequest] = []
        self.others: set[tuple[str, int]] = set()
        """Seats that another process plays."""
        self.player = Player(
            self.sent.append,
            lambda match_id, seat, *_: (match_id, seat) not in self.others,
            Thinker(0, 0),
            think_seconds,
        )

    def take_headers(self, sequence: int = 1, result: str = "") -> None:
        awaited = () if result else (self.seat,)
        headers = EntryHeaders(
            sequence=sequence,
            time_ms=1,
            epoch=1,
            append_id="00",
            game=self.hosted.game.name,
            rules_version=1,
            decision=self.decision,
            awaited=awaited,
            bots=awaited,
            result=result,
        )
        self.player.take(MATCH, headers)

    def update(self, sequence: int = 1, **more: Any) -> None:
        common, own = seen_by(self.hosted, self.state, self.seat)
        awaited = [Awaited(seat=self.seat, decision=self.decision)]
        self.say(update=Update(sequence=sequence, common=common, own=own, awaited=awaited, **more))

    def say(self, request_id: int = 0, **response: Any) -> None:
        self.player.heard(PlayResponse(id=request_id, match_id=MATCH, seat=self.seat, **response))

    def kinds(self) -> list[str | None]:
        return [request.WhichOneof("request") for request in self.sent]

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(5):
            while not condition():
                await asyncio.sleep(0.005)

    async def next_act(self) -> PlayRequest:
        """The first act that comes from here on."""
        seen = len(self.sent)
        await self.until(lambda: "act" in self.kinds()[seen:])
        return next(r for r in self.sent[seen:] if r.HasField("act"))


@asynccontextmanager
async def _desk(hosted: HostedGame, think_seconds: float = 0.0) -> AsyncIterator[Desk]:
    desk = Desk(hosted, think_seconds)
    over = asyncio.Event()

    async def follow() -> None:
        await over.wait()

    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(desk.player.run(follow), name="player")
        await asyncio.sleep(0)
        yield desk
        over.set()


async def test_a_waiting_seat_is_attached_once_and_played(hosted: HostedGame) -> None:
    async with _desk(hosted) as desk:
        desk.take_headers(1)
        desk.take_headers(2)
        assert desk.kinds() == ["attach"]
        desk.update()
        request = await desk.next_act()
        assert (request.match_id, request.seat) == (MATCH, desk.seat)
        assert request.act.decision == desk.decision
        assert request.id == request.act.key.counter
        assert 8 <= len(request.act.key.session) <= 64
        assert_legal(hosted, desk.state, desk.seat, request.act.action)


async def test_a_seat_of_another_process_is_left_to_it(hosted: HostedGame) -> None:
    async with _desk(hosted) as desk:
        desk.others.add((MATCH, desk.seat))
        desk.take_headers()
        assert desk.sent == []


async def test_seats_move_when_processes_come_and_go(hosted: HostedGame) -> None:
    async with _desk(hosted) as desk:
        desk.take_headers()
        desk.others.add((MATCH, desk.seat))
        desk.player.review()
        assert desk.kinds() == ["attach", "detach"]
        desk.say(detached=Detached(reason="DETACHED"))
        desk.others.clear()
        desk.player.review()
        assert desk.kinds() == ["attach", "detach", "attach"]


async def test_a_new_stream_goes_on_where_the_old_one_ended(hosted: HostedGame) -> None:
    async with _desk(hosted) as desk:
        desk.take_headers()
        desk.update(sequence=9)
        asked = await desk.next_act()
        desk.sent.clear()
        desk.player.opened()
        attach, act = desk.sent
        assert attach.attach.after_sequence == 9
        assert act == asked


async def test_an_unavailable_room_is_asked_again_with_the_same_request(
    hosted: HostedGame,
) -> None:
    async with _desk(hosted) as desk:
        desk.take_headers()
        desk.update()
        asked = await desk.next_act()
        desk.say(asked.id, error=Error(code=grpc.StatusCode.UNAVAILABLE.value[0]))
        assert await desk.next_act() == asked


async def test_an_illegal_action_is_replaced_under_a_new_key(hosted: HostedGame) -> None:
    async with _desk(hosted) as desk:
        desk.take_headers()
        desk.update()
        asked = await desk.next_act()
        refused = grpc.StatusCode.FAILED_PRECONDITION.value[0]
        desk.say(asked.id, error=Error(code=refused, reason="ILLEGAL_ACTION"))
        again = await desk.next_act()
        assert again.act.key.counter > asked.act.key.counter
        assert again.act.key.session == asked.act.key.session


async def test_a_stored_action_is_followed_by_the_next_decision(hosted: HostedGame) -> None:
    async with _desk(hosted) as desk:
        desk.take_headers()
        desk.update(1)
        asked = await desk.next_act()
        desk.say(asked.id, acted=Acted(sequence=2))
        desk.decision += 1
        desk.update(2)
        assert (await desk.next_act()).act.decision == desk.decision


async def test_an_attachment_that_failed_for_now_is_tried_again(hosted: HostedGame) -> None:
    async with _desk(hosted) as desk:
        desk.take_headers()
        unavailable = Error(code=grpc.StatusCode.UNAVAILABLE.value[0])
        desk.say(desk.sent[0].id, error=unavailable)
        await desk.until(lambda: desk.kinds() == ["attach", "attach"])


@pytest.mark.parametrize("reason", ["TOO_SLOW", "MOVED"])
async def test_a_cut_off_seat_is_attached_again(hosted: HostedGame, reason: str) -> None:
    async with _desk(hosted) as desk:
        desk.take_headers()
        desk.update(sequence=4)
        desk.say(detached=Detached(reason=reason))
        last = [request for request in desk.sent if request.HasField("attach")][-1]
        assert last.attach.after_sequence == 4


async def test_a_finished_match_is_forgotten(hosted: HostedGame) -> None:
    async with _desk(hosted) as desk:
        desk.take_headers(1)
        desk.update(1, outcome=Outcome(how="escape"))
        desk.say(detached=Detached(reason="FINISHED"))
        desk.take_headers(2, result="escape 1,2")
        desk.player.review()
        assert desk.kinds() == ["attach", "detach"]


async def test_a_seat_whose_person_is_back_is_left_until_a_bot_has_it_again(
    hosted: HostedGame,
) -> None:
    async with _desk(hosted) as desk:
        desk.take_headers(1)
        holders = [SeatHolder(is_bot=False, has_person=True)] * desk.hosted.game.min_players
        desk.update(2, seats=holders)
        assert desk.kinds() == ["attach", "detach"]
        desk.take_headers(3)
        assert desk.kinds() == ["attach", "detach", "attach"]


async def test_a_pause_is_cut_to_half_of_what_the_clock_leaves(hosted: HostedGame) -> None:
    async with _desk(hosted, think_seconds=60.0) as desk:
        desk.take_headers()
        start = asyncio.get_running_loop().time()
        desk.update(remaining_ms=400)
        await desk.next_act()
        assert 0.15 < asyncio.get_running_loop().time() - start < 2.0


async def test_a_decision_that_fails_is_tried_again_without_harm_to_others(
    hosted: HostedGame,
) -> None:
    async with _desk(hosted) as desk:
        desk.take_headers()
        broken = Update(sequence=1, awaited=[Awaited(seat=desk.seat, decision=desk.decision)])
        desk.say(update=broken)
        await asyncio.sleep(0.05)
        assert desk.kinds() == ["attach"]
        desk.update(2)
        await desk.until(lambda: desk.kinds()[-1] == "act")
