"""Logs read in one request, from a copy that may lag behind."""

from __future__ import annotations

import pytest
from nats.aio.client import Client

from arena_services.common.log import direct
from arena_services.common.log.direct import read_directly
from arena_services.common.log.messages import RawMessage, all_messages, messages_up_to
from arena_services.common.log.streams import ensure_streams
from arena_services.common.log.subjects import stream_of
from arena_services.common.nats import connected
from arena_services.local.nats_server import NatsServer

STREAM, SUBJECT = stream_of(0), "match.0.mine"


async def _stored(client: Client) -> list[RawMessage]:
    """Ten messages of a subject between ten of another, read by a consumer."""
    await ensure_streams(client.jetstream(), 1, 1)
    for number in range(10):
        for subject in (SUBJECT, "match.0.other"):
            headers = {"Number": str(number)}
            await client.request(subject, f"{subject} {number}".encode(), headers=headers)
    return await all_messages(client, STREAM, SUBJECT)


async def test_what_is_read_in_one_request_is_what_a_consumer_gives(
    nats: NatsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with connected(nats.url, "test", 10) as client:
        stored = await _stored(client)
        last = stored[-1].stream_sequence
        assert await messages_up_to(client, STREAM, SUBJECT, last) == stored
        assert await read_directly(client, STREAM, SUBJECT, 0, last) is not None
        since = stored[4].stream_sequence
        assert await messages_up_to(client, STREAM, SUBJECT, last, since) == stored[4:]
        monkeypatch.setattr(direct, "_BATCH", 3)
        assert await messages_up_to(client, STREAM, SUBJECT, last) == stored
        up_to = stored[6].stream_sequence
        assert await messages_up_to(client, STREAM, SUBJECT, up_to) == stored[:7]


async def test_copy_that_lacks_what_is_known_to_be_there_is_not_believed(nats: NatsServer) -> None:
    async with connected(nats.url, "test", 10) as client:
        last = (await _stored(client))[-1].stream_sequence
        assert await read_directly(client, STREAM, SUBJECT, 0, last + 1) is None
        assert await read_directly(client, STREAM, "match.0.no", 0, 1) is None


async def test_answer_that_does_not_come_is_replaced_by_a_consumer(
    nats: NatsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(direct, "_ANSWER_SECONDS", 0)
    async with connected(nats.url, "test", 10) as client:
        stored = await _stored(client)
        last = stored[-1].stream_sequence
        assert await read_directly(client, STREAM, SUBJECT, 0, last) is None
        assert await messages_up_to(client, STREAM, SUBJECT, last) == stored


async def test_stream_of_an_older_build_is_read_by_a_consumer_until_a_room_opens_it(
    nats: NatsServer,
) -> None:
    async with connected(nats.url, "test", 10) as client:
        stored = await _stored(client)
        last, js = stored[-1].stream_sequence, client.jetstream()
        config = (await js.stream_info(STREAM)).config
        await js.update_stream(config, allow_direct=False)
        assert await read_directly(client, STREAM, SUBJECT, 0, last) is None
        assert await messages_up_to(client, STREAM, SUBJECT, last) == stored
        await ensure_streams(js, 1, 1)
        assert await read_directly(client, STREAM, SUBJECT, 0, last) is not None
        assert (await js.stream_info(STREAM)).config == config
