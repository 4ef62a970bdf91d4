"""The matches that one client's stream follows, wherever they are.

A match that moves to another room is followed there without the client noticing: it is attached to anew behind the
last sequence that was passed on. On a stream that another room forwarded here, that room does the following.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Protocol

from arena.room.v1.room_service_pb2 import (
    Detach,
    Detached,
    PlayRequest,
    PlayResponse,
    Update,
)
from arena_services.common.auth import Caller
from arena_services.common.errors import (
    ArenaError,
    InvalidArgumentError,
    ResourceExhaustedError,
    UnavailableError,
)
from arena_services.common.pauses import spread
from arena_services.common.roster import Beat
from arena_services.common.rpc import as_arena_error
from arena_services.room.audience import FINISHED, MOVED
from arena_services.room.commands import Attach
from arena_services.room.errors import MatchArchivedError
from arena_services.room.forwarding import error_in
from arena_services.room.hall import Hall
from arena_services.room.links import Link, Links
from arena_services.room.match import Match
from arena_services.room.routing import answer, ask
from arena_services.room.viewers import TOO_SLOW, Viewer

#: Seats and spectators that one stream may follow.
MOST_ATTACHED = 4096
_FOLLOW_SECONDS = 30.0
_AGAIN_SECONDS = 0.1
_LONGEST_AGAIN_SECONDS = 1.0
#: What was attached to over a link for longer than this was found there.
_FOUND_SECONDS = 2.0
_SPECTATOR = -1

_Key = tuple[str, int]


class Attachment:
    """A seat that a stream follows: its viewer, and where its match is just now."""

    __slots__ = (
        "_following",
        "key",
        "onward_at",
        "onward_id",
        "place",
        "search",
        "searching_since",
        "viewer",
    )

    def __init__(self, viewer: Viewer, following: Following) -> None:
        self.key = _key(viewer.match_id, viewer.seat)
        self.viewer = viewer
        self.place: Match | Link | None = None
        self.onward_id = 0
        """Of the Attach that was sent on, and when that was."""
        self.onward_at = 0.0
        self.search: asyncio.Task[None] | None = None
        self.searching_since: float | None = None
        self._following = following

    def ended(self, _: Viewer, reason: str) -> None:
        """The match, here, sends the viewer nothing more."""
        self._following.ended(self, reason)

    def searched(self, search: asyncio.Task[None]) -> None:
        """A search has ended: forget it, unless there is a newer one."""
        if self.search is search:
            self.search = None


class Client(Protocol):
    """Whoever reads the stream."""

    def attach_failed(self, attachment: Attachment, error: ArenaError) -> None:
        """The match cannot be followed, or no longer."""

    def attach_ended(self, attachment: Attachment, reason: str) -> None:
        """There is nothing more to follow."""


class Following:
    """What one stream follows."""

    __slots__ = (
        "_attached",
        "_caller",
        "_client",
        "_hall",
        "_is_closed",
        "_is_forwarded",
        "_links",
        "_loop",
    )

    def __init__(
        self, hall: Hall, links: Links, caller: Caller, client: Client, *, is_forwarded: bool
    ) -> None:
        self._hall = hall
        self._links = links
        links.listener = self
        self._caller = caller
        self._client = client
        self._is_forwarded = is_forwarded
        self._attached: dict[_Key, Attachment] = {}
        self._is_closed = False
        self._loop = asyncio.get_running_loop()

    def attach(self, viewer: Viewer) -> None:
        """Follow a match for a viewer; instead of an earlier one for the same seat."""
        attachment = Attachment(viewer, self)
        if (former := self._attached.get(attachment.key)) is not None:
            self._drop(former)
        elif len(self._attached) >= MOST_ATTACHED:
            raise ResourceExhaustedError(
                "TOO_MANY_SEATS",
                f"One stream follows at most {MOST_ATTACHED} seats; open another one.",
            )
        self._attached[attachment.key] = attachment
        self._search(attachment)

    def detach(self, match_id: str, seat: int | None) -> None:
        """Follow a seat no longer. Raises `InvalidArgumentError` where it is not followed."""
        attachment = self._attached.get(_key(match_id, seat))
        if attachment is None:
            raise InvalidArgumentError("NOT_ATTACHED", "This stream does not follow that seat.")
        self._drop(attachment)

    def close(self) -> None:
        """Follow nothing any longer."""
        self._is_closed = True
        for attachment in list(self._attached.values()):
            self._drop(attachment)
        # They refer back to this, and what ends in a circle would wait long for `common.garbage`.
        del self._client, self._links

    def take(self, link: Link, raw: bytes, response: PlayResponse) -> None:
        """Pass on what the room that has the match says. See `links.Listener`."""
        seat = None if response.spectate else response.seat
        attachment = self._attached.get(_key(response.match_id, seat))
        if attachment is None or attachment.place is not link:
            return
        match response.WhichOneof("response"):
            case "update":
                self._pass_on(attachment, raw, response.update)
            case "chat":
                attachment.viewer.say(response.chat)
            case "detached":
                self._detached(attachment, response.detached)
            case "error" if response.id == attachment.onward_id:
                self._refused(attachment, error_in(response.error))

    def _detached(self, attachment: Attachment, detached: Detached) -> None:
        # Rooms of the version before this one do not say which Attach has ended.
        is_meant = detached.attach_id in {0, attachment.onward_id}
        if detached.reason == MOVED and is_meant:
            self._follow_on(attachment)
        elif detached.reason != "DETACHED" and is_meant:
            self._end(attachment, detached.reason)

    def lost(self, link: Link) -> None:
        """Look for all matches again that were followed over a link. See `links.Listener`."""
        if self._is_closed:
            return
        for attachment in list(self._attached.values()):
            if attachment.place is link:
                self._note_found(attachment)
                attachment.viewer.is_again = True
                self._refused(
                    attachment, UnavailableError("ROOM_LOST", f"Room {link.room_id} has gone.")
                )

    def ended(self, attachment: Attachment, reason: str) -> None:
        """The match, here, sends a viewer nothing more."""
        if self._is_closed or self._attached.get(attachment.key) is not attachment:
            return
        if reason == MOVED and not self._is_forwarded:
            self._follow_on(attachment)
        else:
            self._end(attachment, reason)

    def _pass_on(self, attachment: Attachment, raw: bytes, update: Update) -> None:
        if not update.reset and update.sequence != attachment.viewer.after_sequence + 1:
            return  # still on its way for an earlier attachment of this seat
        attachment.searching_since = None
        if not attachment.viewer.pass_on(raw, update):
            self._leave(attachment)
            self._end(attachment, TOO_SLOW)

    def _refused(self, attachment: Attachment, error: ArenaError) -> None:
        since = attachment.searching_since
        is_patient = since is None or self._loop.time() - since < _FOLLOW_SECONDS
        if isinstance(error, UnavailableError) and is_patient:
            waited = 0.0 if since is None else self._loop.time() - since
            pause = min(max(waited / 4, _AGAIN_SECONDS), _LONGEST_AGAIN_SECONDS)
            self._search(attachment, spread(pause))
        else:
            self._give_up(attachment, error)

    def _follow_on(self, attachment: Attachment) -> None:
        """Attach anew to a match that was followed and has moved."""
        self._note_found(attachment)
        attachment.viewer.is_again = True
        self._search(attachment, _AGAIN_SECONDS)

    def _note_found(self, attachment: Attachment) -> None:
        """A match that was followed in another room for a while had been found there, though it showed nothing new."""
        if self._loop.time() - attachment.onward_at > _FOUND_SECONDS:
            attachment.searching_since = None

    def _search(self, attachment: Attachment, after_seconds: float = 0.0) -> None:
        attachment.place = None
        if attachment.searching_since is None:
            attachment.searching_since = self._loop.time()
        attachment.search = asyncio.create_task(
            self._follow(attachment, after_seconds), name=f"follow-{attachment.viewer.match_id}"
        )
        attachment.search.add_done_callback(attachment.searched)

    async def _follow(self, attachment: Attachment, after_seconds: float) -> None:
        try:
            await asyncio.sleep(after_seconds)
            try:
                await self._ask(attachment)
            except MatchArchivedError:
                await self._show_end(attachment)
        except Exception as error:
            self._give_up(attachment, as_arena_error(error))

    async def _ask(self, attachment: Attachment) -> None:
        await ask(
            self._hall,
            attachment.viewer.match_id,
            partial(self._follow_here, attachment),
            partial(self._follow_there, attachment),
            is_forwarded=self._is_forwarded,
            seconds=_FOLLOW_SECONDS,
        )

    async def _show_end(self, attachment: Attachment) -> None:
        """What a finished match shows to those who come later, of one that is archived."""
        await self._hall.show_end(self._caller, attachment.viewer)
        if self._attached.get(attachment.key) is attachment:
            self._end(attachment, FINISHED)

    async def _follow_here(self, attachment: Attachment, match: Match) -> None:
        if attachment.viewer.after_sequence > match.fold.sequence:
            # Who has seen more than this room has been replaced here without its hearing of that; or makes it up.
            await self._hall.settle_contest(match)
        attachment.place = match
        await answer(match, Attach(self._caller, attachment.viewer, attachment.ended))
        attachment.searching_since = None

    async def _follow_there(self, attachment: Attachment, room: Beat) -> None:
        link = self._links.to(room)
        request = _about(attachment.viewer)
        request.id = attachment.onward_id = self._links.next_id()
        attachment.onward_at = self._loop.time()
        request.attach.after_sequence = attachment.viewer.after_sequence
        if attachment.viewer.is_again:
            request.attach.since_ms = attachment.viewer.since_ms
        attachment.place = link
        link.send(request)

    def _end(self, attachment: Attachment, reason: str) -> None:
        del self._attached[attachment.key]
        self._client.attach_ended(attachment, reason)

    def _give_up(self, attachment: Attachment, error: ArenaError) -> None:
        if self._attached.get(attachment.key) is attachment:
            del self._attached[attachment.key]
            self._client.attach_failed(attachment, error)

    def _drop(self, attachment: Attachment) -> None:
        del self._attached[attachment.key]
        if attachment.search is not None:
            attachment.search.cancel()
        self._leave(attachment)

    def _leave(self, attachment: Attachment) -> None:
        """Tell the match, wherever it is, that this viewer wants nothing more."""
        place, viewer = attachment.place, attachment.viewer
        viewer.withdraw()
        if isinstance(place, Match):
            place.leave(viewer)
        elif place is not None and place.is_open and not self._is_closed:
            request = _about(viewer)
            request.detach.CopyFrom(Detach())
            place.send(request)


def _about(viewer: Viewer) -> PlayRequest:
    return PlayRequest(
        match_id=viewer.match_id, seat=viewer.seat or 0, spectate=viewer.seat is None
    )


def _key(match_id: str, seat: int | None) -> _Key:
    return match_id, _SPECTATOR if seat is None else seat
