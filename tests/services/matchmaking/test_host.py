"""Which room hosts a match, and what becomes of tickets where none will."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

import grpc
import pytest
from nats.aio.client import Client

from arena.matchmaking.v1 import matchmaking_service_pb2 as pb
from arena_services.common.auth import Tokens
from arena_services.common.errors import (
    AlreadyExistsError,
    ArenaError,
    InternalError,
    InvalidArgumentError,
    ResourceExhaustedError,
    UnavailableError,
)
from tests.services.matchmaking.conftest import sign_in
from tests.services.matchmaking.rooms import Matches, StandInRoom, run_room

MATCHED = pb.Ticket.STATE_MATCHED
FAILED = pb.Ticket.STATE_FAILED


async def _play(channel: grpc.aio.Channel) -> pb.Ticket:
    person = await sign_in(channel)
    return await person.closed(await person.queue(bot_wait_ms=0))


async def test_matches_go_to_the_emptiest_room(
    channel: grpc.aio.Channel, nats: Client, tokens: Tokens, matches: Matches
) -> None:
    async with AsyncExitStack() as stack:
        full, empty, draining, other_rules = [
            await stack.enter_async_context(run_room(nats, tokens, matches, **fields))
            for fields in (
                {"room_id": "room-1", "matches": 90},
                {"room_id": "room-2", "matches": 20},
                {"room_id": "room-3", "is_draining": True},
                {"room_id": "room-4", "rules": {"crowns": [0]}},
            )
        ]
        await asyncio.sleep(0.5)
        for _ in range(3):
            end = await _play(channel)
            # The host comes first, to spare a hop; the others answer as well, but for the one that leaves.
            assert list(end.room_addresses) == [
                "room-2.example:443",
                "room-1.example:443",
                "room-4.example:443",
            ]
        assert len(empty.asked) == 3
        assert full.asked == draining.asked == other_rules.asked == []


async def test_a_burst_is_spread_though_beats_are_slow(
    channel: grpc.aio.Channel, nats: Client, tokens: Tokens, matches: Matches
) -> None:
    async with (
        run_room(nats, tokens, matches, "room-1") as one,
        run_room(nats, tokens, matches, "room-2") as two,
    ):
        await asyncio.sleep(0.5)
        await asyncio.gather(*(_play(channel) for _ in range(20)))
    assert len(one.asked) + len(two.asked) == len(matches.created) >= 10
    assert abs(len(one.asked) - len(two.asked)) <= 3


@pytest.mark.parametrize(
    "error",
    [
        UnavailableError("STARTING", "Not yet."),
        ResourceExhaustedError("ROOM_FULL", "Full."),
        InternalError("INTERNAL", "Broken."),
    ],
)
async def test_another_room_is_asked_where_one_will_not(
    channel: grpc.aio.Channel,
    nats: Client,
    tokens: Tokens,
    matches: Matches,
    error: ArenaError,
) -> None:
    async with (
        run_room(nats, tokens, matches, "room-1") as unwilling,
        run_room(nats, tokens, matches, "room-2", matches=50) as willing,
    ):
        unwilling.fails_with = error
        await asyncio.sleep(0.5)
        end = await _play(channel)
        assert end.state == MATCHED
        assert unwilling.asked == willing.asked == [end.match_id]


async def test_a_room_that_is_gone_is_passed_over(
    channel: grpc.aio.Channel, nats: Client, tokens: Tokens, matches: Matches
) -> None:
    async with run_room(nats, tokens, matches, "room-2", matches=50):
        async with run_room(nats, tokens, matches, "room-1"):
            await asyncio.sleep(0.5)
        end = await _play(channel)
        assert end.state == MATCHED


async def test_a_match_waits_for_a_room_that_is_not_ready(
    channel: grpc.aio.Channel, room: StandInRoom, matches: Matches
) -> None:
    room.fails_with = UnavailableError("STARTING", "Not yet.")
    person = await sign_in(channel)
    ticket = await person.queue(bot_wait_ms=0)
    await asyncio.wait_for(room.was_asked.wait(), 5)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await person.cancel(ticket)
    assert caught.value.code() is grpc.StatusCode.UNAVAILABLE
    room.fails_with = None
    end = await person.closed(ticket)
    assert end.match_id == matches.only.match_id
    assert set(room.asked) == {end.match_id}


async def test_no_match_is_planned_while_there_is_no_room(
    channel: grpc.aio.Channel, nats: Client, tokens: Tokens, matches: Matches
) -> None:
    person = await sign_in(channel)
    ticket = await person.queue(bot_wait_ms=0)
    await asyncio.sleep(0.5)
    assert (await person.cancel(ticket)).state == pb.Ticket.STATE_CANCELLED
    again = await person.queue(bot_wait_ms=0)
    async with run_room(nats, tokens, matches):
        assert (await person.closed(again)).state == MATCHED


@pytest.mark.parametrize(
    ("error", "times"),
    [
        (ResourceExhaustedError("LOG_FULL", "The log is full."), 2),
        (InternalError("INTERNAL", "Broken."), 2),
        (InvalidArgumentError("BAD_OPTIONS", "No such board."), 1),
        (AlreadyExistsError("MATCH_EXISTS", "Another content."), 1),
    ],
)
async def test_a_match_that_no_room_will_host_fails_with_the_reason(
    channel: grpc.aio.Channel,
    nats: Client,
    tokens: Tokens,
    matches: Matches,
    error: ArenaError,
    times: int,
) -> None:
    async with (
        run_room(nats, tokens, matches, "room-1") as one,
        run_room(nats, tokens, matches, "room-2") as two,
    ):
        one.fails_with = two.fails_with = error
        await asyncio.sleep(0.5)
        first, second = await sign_in(channel, "Ada"), await sign_in(channel, "Bea")
        ends = await asyncio.gather(
            first.closed(await first.queue()), second.closed(await second.queue())
        )
        assert [(end.state, end.reason) for end in ends] == [(FAILED, error.reason)] * 2
        assert len(one.asked) + len(two.asked) == times
        # They may try again at once.
        one.fails_with = two.fails_with = None
        assert (await first.closed(await first.queue(bot_wait_ms=0))).state == MATCHED
