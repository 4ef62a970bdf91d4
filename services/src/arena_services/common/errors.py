"""Failures that a caller hears about.

ArenaError                     a canonical gRPC code, a machine-readable reason, a sentence
├── InvalidArgumentError       the request could never succeed as it is
├── UnauthenticatedError       no token, or one that does not hold
├── PermissionDeniedError      not the caller's to ask
├── NotFoundError              no such thing, or not for this caller
├── AlreadyExistsError         the same name with other content
├── FailedPreconditionError    not in this state; a retry alone will not help
├── AbortedError               somebody else was first; look again, then decide
├── ResourceExhaustedError     a limit was reached
├── InternalError              a fault of ours
└── UnavailableError           not now; retry with the same request key

`reason` is UPPER_SNAKE and stable; the sentence names value, rule and way out.
"""

from __future__ import annotations

from typing import ClassVar

import grpc

#: Characters of a sentence. Statuses travel in headers, which clients take up to 8 KiB of.
LONGEST_MESSAGE = 400
_CUT = " ... "


class ArenaError(Exception):
    """Base of all. `reason` is for programs, the text for people.

    A sentence that quotes something very long loses its middle.
    """

    code: ClassVar[grpc.StatusCode] = grpc.StatusCode.UNKNOWN

    def __init__(self, reason: str, message: str) -> None:
        message = _shortened(message)
        super().__init__(message)
        self.reason = reason
        self.message = message

    @property
    def number(self) -> int:
        """The canonical code's number."""
        return int(self.code.value[0])


def _shortened(message: str) -> str:
    if len(message) <= LONGEST_MESSAGE:
        return message
    kept = (LONGEST_MESSAGE - len(_CUT)) // 2
    return message[:kept] + _CUT + message[-kept:]


class InvalidArgumentError(ArenaError):
    """The request could never succeed as it is."""

    code = grpc.StatusCode.INVALID_ARGUMENT


class UnauthenticatedError(ArenaError):
    """No token, or one that does not hold."""

    code = grpc.StatusCode.UNAUTHENTICATED


class PermissionDeniedError(ArenaError):
    """Not the caller's to ask."""

    code = grpc.StatusCode.PERMISSION_DENIED


class NotFoundError(ArenaError):
    """No such thing, or not for this caller."""

    code = grpc.StatusCode.NOT_FOUND


class AlreadyExistsError(ArenaError):
    """The same name with other content."""

    code = grpc.StatusCode.ALREADY_EXISTS


class FailedPreconditionError(ArenaError):
    """Not in this state; a retry alone will not help."""

    code = grpc.StatusCode.FAILED_PRECONDITION


class AbortedError(ArenaError):
    """Somebody else was first; look again, then decide."""

    code = grpc.StatusCode.ABORTED


class ResourceExhaustedError(ArenaError):
    """A limit was reached."""

    code = grpc.StatusCode.RESOURCE_EXHAUSTED


class InternalError(ArenaError):
    """A fault of ours."""

    code = grpc.StatusCode.INTERNAL


class UnavailableError(ArenaError):
    """Not now; retry with the same request key."""

    code = grpc.StatusCode.UNAVAILABLE


def store_unavailable(cause: Exception) -> UnavailableError:
    """NATS did not answer about a bucket; what was to be stored may have been stored all the same."""
    return UnavailableError(
        "STORE_UNAVAILABLE", f"The store did not answer ({cause!r}); try again in a moment."
    )
