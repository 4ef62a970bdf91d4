"""What else is stored about how long a match's log must be: a log that lost its end folds as well as a whole one."""

from __future__ import annotations

from collections.abc import Sequence

from nats.aio.client import Client

from arena_services.common.history import History
from arena_services.common.log import snapshot
from arena_services.common.log.errors import LogUnavailableError
from arena_services.common.log.messages import last_message
from arena_services.common.log.reader import Stored
from arena_services.common.log.snapshot import UnfitSnapshotError


async def entries_known(nats: Client, match_id: str, stored: Sequence[Stored]) -> int:
    """How many entries a match has at least: by what was noted at its end, and by its newest snapshot."""
    people = [player.player_id for player in stored[0].entry.created.players if not player.is_bot]
    return max(await _by_history(nats, match_id, people), await _by_snapshot(nats, match_id))


async def _by_history(nats: Client, match_id: str, people: Sequence[str]) -> int:
    try:
        found = [await History(nats).find(match_id, player_id) for player_id in people]
    except LogUnavailableError:  # a data folder of an older build has none
        return 0
    return max((each.end.sequence for each in found if each and each.end), default=0)


async def _by_snapshot(nats: Client, match_id: str) -> int:
    try:
        message = await last_message(nats, snapshot.STREAM, snapshot.subject_of(match_id))
        return snapshot.read(match_id, message.data).fold.sequence if message else 0
    except (LogUnavailableError, UnfitSnapshotError):
        return 0
