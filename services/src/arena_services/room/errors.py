"""What rooms refuse, with the reasons that clients program against.

NotOwnerError         (UnavailableError)         another room has the match, or is about to
DrainingError         (UnavailableError)         this room hands its matches over
NoCapableRoomError    (UnavailableError)         nobody is there who plays by these rules
SlowAnswerError       (UnavailableError)         no answer in time; it may have been carried out
MatchNotFoundError    (NotFoundError)            no such match
NotYourSeatError      (PermissionDeniedError)    the seat is somebody else's
NoSuchSeatError       (InvalidArgumentError)     the match has fewer seats
MatchFinishedError    (FailedPreconditionError)  nothing can be done in it any more
MatchSetAsideError    (InternalError)            its log did not fold, and is not read again yet
MatchArchivedError    (MatchFinishedError)       nor is there a log to have it back from
ArchiveDamagedError   (InternalError)            what is archived of a match is not what was
ArchiveFormatError    (ArchiveDamagedError)      it is whole, and this build cannot read it
ArchiveTooLargeError  (InternalError)            a match is longer than the archive takes
ArchiveFullError      (ResourceExhaustedError)   the archive takes nothing more
BusyError             (ResourceExhaustedError)   more is asked than is worked off
"""

from __future__ import annotations

from arena.room.v1.room_service_pb2 import Error
from arena_services.common.errors import (
    ArenaError,
    FailedPreconditionError,
    InternalError,
    InvalidArgumentError,
    NotFoundError,
    PermissionDeniedError,
    ResourceExhaustedError,
    UnavailableError,
)
from arena_services.common.log.errors import CorruptLogError


class NotOwnerError(UnavailableError):
    """Another room has the match, or is about to."""

    def __init__(self, match_id: str) -> None:
        super().__init__("NOT_OWNER", f"Match {match_id} is with another room; try again.")


class DrainingError(UnavailableError):
    """This room hands its matches over."""

    def __init__(self) -> None:
        super().__init__("DRAINING", "This room is about to stop; go on through any other room.")


class NoCapableRoomError(UnavailableError):
    """Nobody is there who plays by a match's rules; its players wait for a room that does."""

    def __init__(self, game: str, rules_version: int) -> None:
        super().__init__(
            "NO_CAPABLE_ROOM", f"No room is there that plays version {rules_version} of {game}."
        )
        self.game = game
        self.rules_version = rules_version


class SlowAnswerError(UnavailableError):
    """No answer in time; it may have been carried out."""

    def __init__(self, match_id: str) -> None:
        super().__init__(
            "NO_ANSWER_YET",
            f"Match {match_id} did not answer in time; repeat the request with the same key.",
        )


class MatchNotFoundError(NotFoundError):
    """No such match."""

    def __init__(self, match_id: str) -> None:
        super().__init__("NO_SUCH_MATCH", f"There is no match {match_id!r}.")


class NotYourSeatError(PermissionDeniedError):
    """The seat is somebody else's."""

    def __init__(self, seat: int) -> None:
        super().__init__(
            "NOT_YOUR_SEAT", f"Seat {seat} is not yours; watch as a spectator instead."
        )


class NoSuchSeatError(InvalidArgumentError):
    """The match has fewer seats."""

    def __init__(self, seat: int, seats: int) -> None:
        super().__init__(
            "NO_SUCH_SEAT", f"There is no seat {seat}; this match has seats 0 to {seats - 1}."
        )


class MatchFinishedError(FailedPreconditionError):
    """Nothing can be done in it any more."""

    def __init__(self, match_id: str) -> None:
        super().__init__("MATCH_FINISHED", f"Match {match_id} has ended.")


class MatchArchivedError(MatchFinishedError):
    """The match has ended and is archived: it can be looked at, and never again be had in memory."""


class MatchSetAsideError(InternalError):
    """A match's log did not fold, and is not read again yet."""

    def __init__(self, cause: CorruptLogError, seconds: float) -> None:
        super().__init__(cause.reason, f"{cause.message} It is tried again in {seconds:.0f} s.")


class ArchiveDamagedError(InternalError):
    """What is archived of a match is not what was."""

    def __init__(self, match_id: str, what: str) -> None:
        super().__init__("ARCHIVE_DAMAGED", f"The archive of match {match_id} is unfit: {what}.")


class ArchiveFormatError(ArchiveDamagedError):
    """What is archived of a match is in a format that this build cannot read; another one can."""

    def __init__(self, match_id: str, its: int, ours: int) -> None:
        InternalError.__init__(
            self,
            "ARCHIVE_FORMAT",
            f"The archive of match {match_id} is in format {its}, and this build reads format {ours}; "
            "ask a room of the build that wrote it.",
        )


class ArchiveTooLargeError(InternalError):
    """A match is longer than the archive takes."""

    def __init__(self, match_id: str, size: int, most: int) -> None:
        super().__init__(
            "ARCHIVE_TOO_LARGE",
            f"Match {match_id} is {size} bytes to archive, and NATS takes messages of {most} at most.",
        )


class ArchiveFullError(ResourceExhaustedError):
    """The archive takes nothing more."""

    def __init__(self) -> None:
        super().__init__("ARCHIVE_FULL", "The archive is full; logs are kept until it is freed.")


class BusyError(ResourceExhaustedError):
    """More is asked than is worked off."""

    def __init__(self, what: str) -> None:
        super().__init__("TOO_BUSY", f"{what}; slow down and try again.")


def error_message(error: ArenaError) -> Error:
    """A failure as a message, where it is one answer among others."""
    return Error(code=error.number, reason=error.reason, message=error.message)
