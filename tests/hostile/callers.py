"""Whoever sends hostile requests, and what they show as a token."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import jwt

from arena_services.common.auth import Metadata, Role, Tokens, bearer

_HOUR = 3600
#: What rooms say to each other of a request that they send on.
_MARK = (("arena-forwarded", "1"),)


@dataclass(frozen=True)
class Caller:
    """Somebody with a token, or without one that holds."""

    metadata: Metadata
    is_known: bool
    """Whether the token holds: whose does not is to be refused everything that needs one."""


class Impostor:
    """Makes tokens that do not hold."""

    def __init__(self, rng: Random, victims: Sequence[str]) -> None:
        """`victims`: ids of the players that it would like to be."""
        self._rng = rng
        self._victims = victims
        self._true = "no token yet"

    def learn(self, token: str) -> None:
        """A true token, to be changed."""
        self._true = token

    def caller(self) -> Caller:
        """Somebody whose token does not hold."""
        if self._rng.randrange(6) == 0:
            return Caller((), is_known=False)
        header = self._rng.choice(("Bearer", "bearer", "Basic", "", "Bearer Bearer"))
        return Caller((("authorization", f"{header} {self._token()}"),), is_known=False)

    def _token(self) -> str:
        head, _, rest = self._true.partition(".")
        body, _, signature = rest.partition(".")
        rng = self._rng
        algorithm: object = rng.choice(("HS512", "RS256", 7, None, []))
        return rng.choice(
            (
                jwt.encode(self._claims(), "another key, just as long as the true one", "HS256"),
                # Says itself that nobody signed it.
                f"{_part({'alg': 'none', 'typ': 'JWT'})}.{_part(self._claims())}.",
                f"{head}.{_part(self._claims())}.{signature}",
                f"{_part({'alg': algorithm})}.{body}.{signature}",
                f"{_raw(b'[' * 5000)}.{body}.{signature}",
                f"{_raw(rng.randbytes(40))}.{_raw(rng.randbytes(40))}.{signature}",
                self._true[: rng.randrange(len(self._true))],
                "".join(chr(rng.randrange(33, 127)) for _ in range(60)),
                "A" * rng.choice((0, 1, 3000)) + ".",
            )
        )

    def _claims(self) -> dict[str, object]:
        return {
            "iss": "arena",
            "sub": self._rng.choice(self._victims),
            "name": "x",
            "role": self._rng.choice([role.value for role in Role]),
            "exp": int(time.time()) + _HOUR,
        }


def known(tokens: Tokens, player_id: str, *, is_marked: bool = False) -> Caller:
    """Somebody whose token holds; `is_marked`: who says to be another room that sends a request on."""
    token, _ = tokens.issue(player_id, player_id, Role.PLAYER, _HOUR)
    return Caller((*bearer(token), *(_MARK if is_marked else ())), is_known=True)


def _part(content: object) -> str:
    return _raw(json.dumps(content).encode())


def _raw(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
