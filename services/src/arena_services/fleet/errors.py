"""What keeps the fleet from acting.

FleetError
├── ForbiddenError     the cluster does not permit it
├── NotFoundError      what is to be scaled is not there
├── ConflictError      somebody else changed it first
├── ExpiredError       a list was too long in the reading
├── ThrottledError     the cluster asks to be left alone for a while
├── UnreachableError   the cluster does not answer, or not with sense
├── LeaseLostError     another one may lead by now
├── NotDrainedError    a room could not be emptied
└── UnreadError        NATS does not tell what it stores
"""

from __future__ import annotations


class FleetError(Exception):
    """Base of all. `kind` is its label in metrics."""

    kind = "other"


class ForbiddenError(FleetError):
    """The cluster does not permit it."""

    kind = "forbidden"

    def __init__(self, verb: str, resource: str, namespace: str) -> None:
        super().__init__(
            f"the fleet may not {verb} {resource} in namespace {namespace}; its Role lacks that"
        )


class NotFoundError(FleetError):
    """There is no such thing in the cluster."""

    kind = "not_found"


class ConflictError(FleetError):
    """Somebody else changed it first: look again."""

    kind = "conflict"


class ExpiredError(FleetError):
    """What a list is read from is too old by now: read it anew."""

    kind = "expired"


class ThrottledError(FleetError):
    """The cluster asks to be left alone for a while."""

    kind = "throttled"

    def __init__(self, seconds: float) -> None:
        super().__init__(f"the cluster asks to wait for {seconds:g} s")
        self.seconds = seconds


class UnreachableError(FleetError):
    """The cluster does not answer, or not with sense."""

    kind = "unreachable"


class LeaseLostError(FleetError):
    """Another one may lead by now."""

    kind = "lease_lost"


class NotDrainedError(FleetError):
    """A room could not be emptied."""

    kind = "not_drained"


class UnreadError(FleetError):
    """NATS, or one of its servers, does not tell what it stores."""

    kind = "unread"
