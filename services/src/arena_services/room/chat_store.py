"""Chat as it is stored: lines and mutes of each match, beside the match logs, and reports for operators."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from nats.aio.client import Client
from nats.errors import Error as NatsError
from nats.js import JetStreamContext
from nats.js.api import DiscardPolicy, StorageType, StreamConfig
from nats.js.errors import NotFoundError

from arena.log.v1.chat_pb2 import ChatLine, ChatMute, ChatReport
from arena_services.common.errors import store_unavailable
from arena_services.common.log.messages import all_messages

LINES_KEPT = 500
_LINES, _MUTES, _REPORTS = "CHAT", "CHAT_MUTES", "CHAT_REPORTS"
_DAY_SECONDS = 24 * 3600.0
_WRITE_SECONDS = 2.0
_EXPECTED_LAST = "Nats-Expected-Last-Subject-Sequence"
_WRONG_LAST = 10071


class ChatConflictError(Exception):
    """Somebody else has stored a line: read again."""


@dataclass
class Talk:
    """What was said at a match, and who does not want to read whom."""

    lines: list[ChatLine] = field(default_factory=list)
    """Oldest first; at most the last `LINES_KEPT`."""
    muted: set[tuple[int, int]] = field(default_factory=set)
    """Who does not read whom, by seat."""
    last: int = 0
    """Where the last line stands in its stream."""

    def add(self, line: ChatLine, place: int) -> None:
        """Go on by one stored line."""
        self.last = place
        self.lines.append(line)
        del self.lines[:-LINES_KEPT]

    def change(self, mute: ChatMute) -> None:
        """Go on by one stored mute."""
        pair = mute.seat, mute.muted_seat
        if mute.is_muted:
            self.muted.add(pair)
        else:
            self.muted.discard(pair)

    def muted_by(self, seat: int) -> list[int]:
        """The seats that a seat does not read."""
        return sorted(muted for by, muted in self.muted if by == seat)


async def ensure_streams(js: JetStreamContext, replicas: int) -> None:
    """Make the streams of chat where they are missing."""
    await _ensure(js, _LINES, "chat.*", replicas, LINES_KEPT, 30 * _DAY_SECONDS)
    await _ensure(js, _MUTES, "mute.*.*.*", replicas, 1, 30 * _DAY_SECONDS)
    await _ensure(js, _REPORTS, "report.*.*.*", replicas, 1, 180 * _DAY_SECONDS)


async def _ensure(
    js: JetStreamContext, name: str, subjects: str, replicas: int, most: int, kept_seconds: float
) -> None:
    try:
        await js.stream_info(name)
    except NotFoundError:
        await js.add_stream(
            StreamConfig(
                name=name,
                subjects=[subjects],
                storage=StorageType.FILE,
                discard=DiscardPolicy.OLD,
                num_replicas=replicas,
                max_msgs_per_subject=most,
                max_age=kept_seconds,
                allow_direct=False,
            )
        )


class ChatStore:
    """The stored chat of all matches. All calls may raise `UnavailableError`; what they store may be stored then."""

    def __init__(self, nats: Client) -> None:
        self._nats = nats

    async def read(self, match_id: str) -> Talk:
        """All that is kept of a match's chat."""
        talk = Talk()
        for message in await all_messages(self._nats, _LINES, f"chat.{match_id}"):
            talk.add(ChatLine.FromString(message.data), message.stream_sequence)
        for message in await all_messages(self._nats, _MUTES, f"mute.{match_id}.*.*"):
            talk.change(ChatMute.FromString(message.data))
        return talk

    async def append(self, match_id: str, line: ChatLine, last: int) -> int:
        """Store a line behind the one at stream sequence `last`; returns where it stands.

        Raises `ChatConflictError` where that is not the last one.
        """
        return await self._store(
            f"chat.{match_id}", line.SerializeToString(), {_EXPECTED_LAST: str(last)}
        )

    async def mute(self, match_id: str, mute: ChatMute) -> None:
        """Store whom a seat does not read."""
        subject = f"mute.{match_id}.{mute.seat}.{mute.muted_seat}"
        await self._store(subject, mute.SerializeToString(), {})

    async def report(self, report: ChatReport) -> None:
        """Store a report; again takes the place of the first one."""
        subject = f"report.{report.match_id}.{report.seat}.{report.line.number}"
        await self._store(subject, report.SerializeToString(), {})

    async def _store(self, subject: str, data: bytes, headers: dict[str, str]) -> int:
        try:
            reply = await self._nats.request(subject, data, timeout=_WRITE_SECONDS, headers=headers)
        except (TimeoutError, NatsError, OSError) as error:
            raise store_unavailable(error) from error
        said: dict[str, Any] = json.loads(reply.data)
        if refusal := said.get("error"):
            if refusal.get("err_code") == _WRONG_LAST:
                raise ChatConflictError
            raise store_unavailable(NatsError(refusal.get("description", "")))
        return int(said["seq"])
