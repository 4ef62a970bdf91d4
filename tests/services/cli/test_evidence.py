"""A log that lost its end is noticed by what else is stored about the match."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

from rich.console import Console

from arena.log.v1.entry_pb2 import Created, Entry, Player
from arena_services.cli.evidence import entries_known
from arena_services.cli.replay import _Replay
from arena_services.common.history import HISTORY_BUCKET, End, History
from arena_services.common.log import snapshot
from arena_services.common.log.headers import EntryHeaders
from arena_services.common.log.reader import LogReader, Stored
from arena_services.common.log.streams import ensure_bucket, ensure_streams
from arena_services.common.nats import connected
from arena_services.local.nats_server import NatsServer
from tests.services.room.long_match import LongMatch


def a_log(*players: Player) -> list[Stored]:
    entry = Entry(sequence=1, created=Created(players=players))
    return [Stored(1, 0, EntryHeaders(1, 0, 1, "", ""), entry)]


async def test_the_end_that_was_noted_and_the_newest_snapshot_say_how_long_a_log_is(
    tmp_path: Path,
) -> None:
    log = a_log(Player(player_id="bot", is_bot=True), Player(player_id="ada"))
    async with (
        NatsServer(tmp_path, sync_always=False) as server,
        connected(server.url, "test", 10) as client,
    ):
        js, history = client.jetstream(), History(client)
        await ensure_streams(js, 1, 1)
        match = LongMatch(LogReader(client, 1))
        assert await entries_known(client, match.match_id, log) == 0
        await ensure_bucket(js, HISTORY_BUCKET, 1)
        await snapshot.ensure_stream(js, 1)
        assert await entries_known(client, match.match_id, log) == 0
        await history.begin(match.match_id, ["ada"])
        assert await entries_known(client, match.match_id, log) == 0
        await match.begin()
        await match.grow(7)
        data = snapshot.write(match.fold, match.place)
        await js.publish(snapshot.subject_of(match.match_id), data)
        assert await entries_known(client, match.match_id, log) == 7
        await history.end(match.match_id, ["ada"], End(9, "00ff"))
        assert await entries_known(client, match.match_id, log) == 9
        pointer = await history.find(match.match_id, "ada")
        assert pointer is not None
        assert pointer.end == End(9, "00ff")


async def test_verifying_a_log_that_does_not_end_says_so(tmp_path: Path) -> None:
    async with (
        NatsServer(tmp_path, sync_always=False) as server,
        connected(server.url, "test", 10) as client,
    ):
        await ensure_streams(client.jetstream(), 1, 1)
        reader = LogReader(client, 1)
        match = LongMatch(reader)
        await match.begin()
        await match.grow(9)
        entries = [each.entry for each in await reader.read(match.match_id, match.place)]
    for known, expected in ((9, "does not end"), (12, "")):
        said = StringIO()
        replay = _Replay(match.match_id, ["A", "B", "C", "D"], True, Console(file=said))
        replay.run(entries, is_over=False)
        replay.compare_length(known)
        report = replay.report(0.0)
        assert expected in said.getvalue()
        assert report["verified"] == (known == 9)
        assert ("lost its end" in (report["problem"] or "")) == (known == 12)
