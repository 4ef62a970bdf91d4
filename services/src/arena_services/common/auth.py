"""Tokens: who calls. Players and services alike carry one, signed with the platform's key."""

from __future__ import annotations

import time
from dataclasses import dataclass
from enum import StrEnum

import grpc
import jwt

from arena_services.common.errors import PermissionDeniedError, UnauthenticatedError

_ALGORITHM = "HS256"
_ISSUER = "arena"
_CACHE_SIZE = 10_000
PLAYER_TOKEN_SECONDS = 30 * 24 * 3600
#: Services make a token at their start and again long before this.
SERVICE_TOKEN_SECONDS = 365 * 24 * 3600

Metadata = tuple[tuple[str, str], ...]


class Role(StrEnum):
    """What a caller may ask for."""

    PLAYER = "player"
    """Plays the seats of its account."""
    BOT = "bot"
    """Plays seats that bots have."""
    SERVICE = "service"
    """Another service of the platform."""
    OPERATOR = "operator"
    """Looks into rooms and sets them right; plays nothing."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Whoever holds a token."""

    player_id: str
    name: str
    role: Role
    expire_time_ms: int

    def require(self, *roles: Role) -> Caller:
        """This caller, if it has one of these roles; otherwise raises `PermissionDeniedError`."""
        if self.role not in roles:
            wanted = " or ".join(roles)
            raise PermissionDeniedError(
                "WRONG_ROLE", f"This call is for a {wanted} token; yours is a {self.role} token."
            )
        return self


class Tokens:
    """Makes and checks tokens with one key."""

    def __init__(self, key: str) -> None:
        self._key = key
        self._checked: dict[str, Caller] = {}

    def issue(self, player_id: str, name: str, role: Role, seconds: int) -> tuple[str, Caller]:
        """A new token and what it says."""
        now = int(time.time())
        token = jwt.encode(
            {
                "iss": _ISSUER,
                "sub": player_id,
                "name": name,
                "role": role.value,
                "iat": now,
                "exp": now + seconds,
            },
            self._key,
            algorithm=_ALGORITHM,
        )
        return token, Caller(player_id, name, role, (now + seconds) * 1000)

    def service_metadata(self, service: str, role: Role = Role.SERVICE) -> Metadata:
        """Metadata for a service's own calls."""
        token, _ = self.issue(service, service, role, SERVICE_TOKEN_SECONDS)
        return bearer(token)

    def check(self, token: str) -> Caller:
        """What a token says. Raises `UnauthenticatedError` for one that does not hold."""
        caller = self._checked.get(token)
        if caller is None:
            caller = self._decode(token)
            if len(self._checked) >= _CACHE_SIZE:
                self._checked.clear()
            self._checked[token] = caller
        if caller.expire_time_ms <= time.time() * 1000:
            raise UnauthenticatedError("TOKEN_EXPIRED", "The token has expired; sign in again.")
        return caller

    def _decode(self, token: str) -> Caller:
        try:
            claims = jwt.decode(
                token,
                self._key,
                algorithms=[_ALGORITHM],
                issuer=_ISSUER,
                options={"require": ["exp", "sub", "role", "name"]},
            )
            return Caller(
                str(claims["sub"]),
                str(claims["name"]),
                Role(claims["role"]),
                int(claims["exp"]) * 1000,
            )
        except jwt.ExpiredSignatureError:
            raise UnauthenticatedError(
                "TOKEN_EXPIRED", "The token has expired; sign in again."
            ) from None
        except (jwt.InvalidTokenError, ValueError) as error:
            raise UnauthenticatedError(
                "TOKEN_INVALID", "The token is none that this platform signed; sign in to get one."
            ) from error

    def caller(self, context: grpc.aio.ServicerContext) -> Caller:  # type: ignore[type-arg]
        """Who makes this call. Raises `UnauthenticatedError`."""
        for key, value in context.invocation_metadata() or ():
            if key == "authorization":
                scheme, _, token = str(value).partition(" ")
                if scheme.lower() != "bearer" or not token:
                    break
                return self.check(token)
        raise UnauthenticatedError(
            "TOKEN_MISSING",
            "The call carries no `authorization: Bearer <token>`; sign in to get one.",
        )


def bearer(token: str) -> Metadata:
    """Metadata that carries a token."""
    return (("authorization", f"Bearer {token}"),)
