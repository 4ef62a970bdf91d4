"""What a client hears when it does not get what it asked for.

ClientError
├── RefusedError        the platform said no: a canonical code, a reason, a sentence
└── UnreachableError    nobody answered for as long as the client waits
"""

from __future__ import annotations

import grpc

from arena_services.common.rpc import reason_of


class ClientError(Exception):
    """Base of all; its text is one sentence."""


class RefusedError(ClientError):
    """The platform said no. `reason` is for programs, the text for people."""

    def __init__(self, code: int, reason: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        """The canonical gRPC code's number."""
        self.reason = reason

    @classmethod
    def from_rpc(cls, error: grpc.aio.AioRpcError) -> RefusedError:
        """From a failed call."""
        code: tuple[int, str] = error.code().value
        return cls(code[0], reason_of(error) or error.code().name, error.details() or code[1])


class UnreachableError(ClientError):
    """Nobody answered for as long as the client waits."""


#: Failures of a call that another try cannot mend. All others may pass: a room that stops, a connection that breaks.
LASTING_CODES = frozenset(
    {
        grpc.StatusCode.ALREADY_EXISTS,
        grpc.StatusCode.FAILED_PRECONDITION,
        grpc.StatusCode.INVALID_ARGUMENT,
        grpc.StatusCode.NOT_FOUND,
        grpc.StatusCode.PERMISSION_DENIED,
        grpc.StatusCode.UNAUTHENTICATED,
        grpc.StatusCode.UNIMPLEMENTED,
    }
)
