"""Private tables: queues for those who know the code."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc
import pytest

from arena.games.crowns.v1 import crowns_pb2 as crowns
from arena.matchmaking.v1 import matchmaking_service_pb2 as pb
from arena_services.common.games import wrap
from arena_services.common.rpc import reason_of
from tests.services.matchmaking.conftest import Person, sign_in
from tests.services.matchmaking.rooms import Matches

pytestmark = pytest.mark.usefixtures("room")

TABLE = "oak-table"
LARGE = wrap(crowns.Options(board=crowns.BOARD_LARGE))


async def join(person: Person, **fields: Any) -> pb.Ticket:
    """Sit down at a table that others have opened."""
    return await person.queue(**{"game": "", "players": 0, "table": TABLE, **fields})


async def refused(call: Any) -> tuple[grpc.StatusCode, str]:
    """Code and reason of a refusal."""
    with pytest.raises(grpc.aio.AioRpcError) as failure:
        await call
    return failure.value.code(), reason_of(failure.value)


async def test_whoever_knows_the_code_joins_with_the_table_s_own_options(
    channel: grpc.aio.Channel, matches: Matches
) -> None:
    host, guest = await sign_in(channel, "Ada"), await sign_in(channel, "Bea")
    first = await host.queue(table=TABLE, options=LARGE)
    assert first.bots_in_ms == 0
    second = await join(guest)
    assert (second.game, second.players, second.options) == ("crowns", 2, first.options)
    await asyncio.gather(host.closed(first), guest.closed(second))
    assert [player.player_id for player in matches.only.players] == [
        host.player_id,
        guest.player_id,
    ]
    assert matches.only.options == first.options


async def test_those_at_a_table_see_who_sits_there(channel: grpc.aio.Channel) -> None:
    host, guest = await sign_in(channel, "Ada"), await sign_in(channel, "Bea")
    ticket = await host.queue(table=TABLE, players=3)
    joined = await join(guest)
    for person, its in ((host, ticket), (guest, joined)):
        shown = await person.wait_until(its, lambda now: now.people_waiting == 2)
        assert [(it.player_id, it.name) for it in shown.people] == [
            (host.player_id, "Ada"),
            (guest.player_id, "Bea"),
        ]


async def test_strangers_in_the_public_queue_never_meet_those_at_a_table(
    channel: grpc.aio.Channel, matches: Matches
) -> None:
    host, stranger, other = [await sign_in(channel, name) for name in ("Ada", "Bea", "Cem")]
    ticket = await host.queue(table=TABLE)
    ends = [await stranger.queue(), await other.queue(table="elm-table")]
    await asyncio.sleep(0.5)
    assert not matches.created
    for person, its in zip((host, stranger, other), (ticket, *ends), strict=True):
        assert (await person.cancel(its)).state == pb.Ticket.STATE_CANCELLED


async def test_bots_come_to_a_table_when_anybody_there_asks(
    channel: grpc.aio.Channel, matches: Matches
) -> None:
    host, guest = await sign_in(channel, "Ada"), await sign_in(channel, "Bea")
    ticket = await host.queue(table=TABLE, players=4)
    joined = await join(guest)
    await host.wait_until(ticket, lambda now: now.people_waiting == 2)
    await guest.fill_with_bots(joined)
    ends = await asyncio.gather(host.closed(ticket), guest.closed(joined))
    assert {end.match_id for end in ends} == {matches.only.match_id}
    assert [player.is_bot for player in matches.only.players] == [False, False, True, True]
    again = await guest.fill_with_bots(joined)
    assert again.state == pb.Ticket.STATE_MATCHED


async def test_a_table_where_nobody_sits_is_unknown(channel: grpc.aio.Channel) -> None:
    person = await sign_in(channel)
    assert await refused(join(person)) == (grpc.StatusCode.NOT_FOUND, "UNKNOWN_TABLE")


async def test_a_table_for_another_match_is_not_changed(channel: grpc.aio.Channel) -> None:
    host, guest = await sign_in(channel, "Ada"), await sign_in(channel, "Bea")
    await host.queue(table=TABLE)
    wish = guest.queue(table=TABLE, options=LARGE)
    assert await refused(wish) == (grpc.StatusCode.FAILED_PRECONDITION, "TABLE_DIFFERS")


@pytest.mark.parametrize("code", ["short", "x" * 65, "no spaces", "match.>", "ünter-uns"])
async def test_a_malformed_code_is_refused(channel: grpc.aio.Channel, code: str) -> None:
    person = await sign_in(channel)
    wish = person.queue(table=code)
    assert await refused(wish) == (grpc.StatusCode.INVALID_ARGUMENT, "BAD_TABLE")


async def test_a_ticket_of_another_is_not_filled(channel: grpc.aio.Channel) -> None:
    host, other = await sign_in(channel, "Ada"), await sign_in(channel, "Bea")
    ticket = await host.queue(table=TABLE)
    assert await refused(other.fill_with_bots(ticket)) == (
        grpc.StatusCode.NOT_FOUND,
        "NO_SUCH_TICKET",
    )
