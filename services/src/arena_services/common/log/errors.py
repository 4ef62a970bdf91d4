"""What can go wrong with the match log.

LogUnavailableError (UnavailableError)        NATS did not answer; nothing is known
LogFullError        (ResourceExhaustedError)  a stream has reached its limit and refuses entries
FencedError         (UnavailableError)        another writer has gone on with the match
CorruptLogError     (InternalError)           a stored log that this build cannot fold as it was written
"""

from __future__ import annotations

from arena_services.common.errors import InternalError, ResourceExhaustedError, UnavailableError

#: JetStream's codes for an append to what is full: the stream, the server's storage, what the account may have.
FULL_CODES = frozenset({10002, 10023, 10028, 10047, 10077})


class LogUnavailableError(UnavailableError):
    """NATS did not answer in time, or has no leader for the stream now."""

    def __init__(self, what: str) -> None:
        super().__init__(
            "LOG_UNAVAILABLE", f"The match log does not answer ({what}); try again shortly."
        )


class LogFullError(ResourceExhaustedError):
    """The stream refuses entries because it is full."""

    def __init__(self, stream: str) -> None:
        super().__init__(
            "LOG_FULL",
            f"The match log {stream} is full; nothing more can be stored until it is freed.",
        )


class FencedError(UnavailableError):
    """Another writer has appended behind this one's back: it owns the match no longer."""

    def __init__(self, match_id: str) -> None:
        super().__init__("NOT_OWNER", f"Another room owns match {match_id} now; try again.")


class CorruptLogError(InternalError):
    """A stored log does not fold to what it says; the match cannot go on with this build."""

    def __init__(self, match_id: str, what: str) -> None:
        super().__init__("LOG_CORRUPT", f"The log of match {match_id} does not fold: {what}.")
