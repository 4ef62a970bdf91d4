"""Which room has a match, as the bucket says it."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from arena_services.common.log.messages import last_message
from arena_services.common.log.streams import ensure_bucket
from arena_services.common.log.subjects import new_match_id
from arena_services.common.nats import connected
from arena_services.common.owners import OWNERS_BUCKET, Reign, find_owner, owner_subject
from arena_services.common.roster import Beat
from arena_services.local.nats_server import NatsServer
from arena_services.room import owners as owners_module
from arena_services.room.owners import Owners
from tests.services.room.proxy import Proxy
from tests.waiting import eventually


async def test_owners_are_stored_followed_and_found(nats: NatsServer) -> None:
    async with connected(nats.url, "test", 10) as client:
        await ensure_bucket(client.jetstream(), OWNERS_BUCKET, 1)
        match_id, ours, others = new_match_id(), Owners(client), Owners(client)
        following = asyncio.create_task(others.run(), name="owners")
        assert await find_owner(client, match_id) is None
        assert await ours.propose(match_id, "room-1", 1230, Reign(1000, 1))
        assert not await others.propose(match_id, "room-2", 1231, Reign(900, 1))
        await eventually(lambda: others.find(match_id) == "room-1")
        owner = await find_owner(client, match_id)
        assert owner is not None
        assert (owner.room_id, owner.since_ms, owner.reign) == ("room-1", 1230, Reign(1000, 1))
        await ours.put(match_id, "room-3", 1234)
        await eventually(lambda: others.find(match_id) == "room-3")
        owner = await others.ask(match_id)
        assert owner is not None
        assert (owner.room_id, owner.since_ms, owner.reign) == ("room-3", 1234, None)
        room = Beat("room-3", "a:1", "a:1", 0, {}, began_ms=owner.written_ms)
        assert not others.is_left_by(match_id, room)
        assert others.is_left_by(match_id, replace(room, began_ms=owner.written_ms + 1000))
        assert others.is_left_by(match_id, replace(room, is_draining=True))
        # Of a build that says nothing of either.
        assert not others.is_left_by(match_id, replace(room, began_ms=0, is_draining=True))
        await ours.put(match_id, "room-3", 1234, Reign(1000, 2))
        await eventually(lambda: others.is_said(match_id, "room-3", Reign(1000, 2)))
        assert not others.is_left_by(match_id, replace(room, began_ms=1000, is_draining=True))
        assert others.is_left_by(match_id, replace(room, began_ms=1001))
        owner = await others.ask(match_id)
        assert owner is not None
        await others.pass_on(match_id, owner, "room-4", 1235)
        await others.pass_on(match_id, owner, "room-5", 1236)
        found = await find_owner(client, match_id)
        assert found is not None
        assert (found.room_id, found.since_ms, found.reign) == ("room-4", 1235, None)
        following.cancel()


async def test_what_is_known_counts_until_all_has_been_heard_again(nats: NatsServer) -> None:
    """Otherwise every match of every room would look as if it were nobody's whenever the bucket is read anew."""
    async with connected(nats.url, "test", 10) as client:
        await ensure_bucket(client.jetstream(), OWNERS_BUCKET, 1)
        kept, gone = new_match_id(), new_match_id()
        owners, others = Owners(client), Owners(client)
        following = asyncio.create_task(owners.run(), name="owners")
        for match_id in (kept, gone):
            await others.put(match_id, "room-1", 1230, Reign(1000, 1))
        await eventually(lambda: owners.find(gone) is not None)
        following.cancel()
        await asyncio.wait((following,))
        await others.remove(gone)
        nats.pause()
        following = asyncio.create_task(owners.run(), name="owners")
        await eventually(lambda: bool(owners._not_heard_again))
        assert owners.is_said(kept, "room-1", Reign(1000, 1))
        nats.resume()
        await eventually(lambda: owners.find(gone) is None)
        assert owners.is_said(kept, "room-1", Reign(1000, 1))
        following.cancel()


async def test_match_is_contested_as_soon_as_something_else_is_said_of_it(
    nats: NatsServer,
) -> None:
    async with connected(nats.url, "test", 10) as client:
        owners, reign = Owners(client), Reign(1000, 2)
        owners.note("ours", "room-1", reign)
        owners.hold("ours", "room-1", reign)
        assert not owners.contested()
        for room_id, other in (
            ("room-2", reign),
            ("room-1", Reign(1000, 1)),
            ("room-1", None),
            (None, None),
        ):
            owners.note("ours", room_id, other)
            assert owners.contested() == ("ours",)
            owners.note("ours", "room-1", reign)
            assert not owners.contested()
        owners.hold("new", "room-1", Reign(1000, 1))
        assert owners.contested() == ("new",)
        owners.let_go("new")
        owners.note("new", "room-2", reign)
        assert not owners.contested()


async def test_what_a_room_leaves_is_found_however_late_it_is_heard(nats: NatsServer) -> None:
    async with connected(nats.url, "test", 10) as client:
        owners, room = Owners(client), Beat("room-1", "a:1", "a:1", 0, {}, began_ms=1000)
        owners.note("fresh", "room-1", Reign(1000, 1), 1000)
        for _ in range(2):
            assert owners.left_by(room) == ()
        owners.note("stale", "room-1", Reign(900, 1), 999)
        assert owners.left_by(room) == ("stale",)
        owners.note("stale", "room-2", Reign(900, 2), 1001)
        assert owners.left_by(room) == ()
        owners.note("named", "room-1", None, 1001)
        assert owners.left_by(replace(room, is_draining=True)) == ("named",)
        assert owners.left_by(room) == ()
        assert owners.left_by(replace(room, began_ms=1001)) == ("fresh",)


async def test_clocks_of_two_streams_that_differ_take_no_match_from_a_room(
    nats: NatsServer,
) -> None:
    async with connected(nats.url, "test", 10) as client:
        owners, room = Owners(client), Beat("room-1", "a:1", "a:1", 0, {}, began_ms=10_000)
        owners.note("made", "room-1", Reign(10_000, 1), 9_950)
        owners.note("named", "room-1", None, 9_950)
        assert owners.left_by(room) == ()
        owners.note("former", "room-1", Reign(9_000, 1), 10_050)
        owners.note("named-before", "room-1", None, 9_000)
        assert set(owners.left_by(room)) == {"former", "named-before"}


async def test_what_needs_no_room_any_more_leaves_nothing_behind(
    nats: NatsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(owners_module, "_GONE_SECONDS", 1)
    async with connected(nats.url, "test", 10) as client:
        await ensure_bucket(client.jetstream(), OWNERS_BUCKET, 1)
        owners, match_id = Owners(client), new_match_id()
        following = asyncio.create_task(owners.run(), name="owners")
        await owners.put(match_id, "room-1", 1230)
        await owners.remove(match_id)
        assert await find_owner(client, match_id) is None
        subject = owner_subject(match_id)
        assert await last_message(client, f"KV_{OWNERS_BUCKET}", subject) is not None
        async with asyncio.timeout(10):
            while await last_message(client, f"KV_{OWNERS_BUCKET}", subject) is not None:
                await asyncio.sleep(0.2)
        await owners.put(match_id, "room-2", 1240)
        await eventually(lambda: owners.find(match_id) == "room-2")
        following.cancel()


async def test_what_may_not_be_stored_counts_only_once_it_is_heard(
    nats: NatsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(owners_module, "_WRITE_SECONDS", 0.3)
    async with Proxy(nats.config.port) as proxy, connected(proxy.url, "test", 10) as client:
        await ensure_bucket(client.jetstream(), OWNERS_BUCKET, 1)
        owners, match_id = Owners(client), new_match_id()
        owners.note(match_id, "room-1", Reign(1000, 1))
        proxy.hold_answers()
        writing = asyncio.create_task(owners.put(match_id, "room-2", 1240), name="put")
        await eventually(lambda: owners.find(match_id) == "room-2")
        assert not await writing
        assert owners.is_said(match_id, "room-1", Reign(1000, 1))
        await owners.remove(match_id)
        assert owners.is_said(match_id, "room-1", Reign(1000, 1))
        proxy.pass_answers()
        following = asyncio.create_task(owners.run(), name="owners")
        await eventually(lambda: owners.find(match_id) is None)
        following.cancel()
