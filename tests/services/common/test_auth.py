"""Tokens: what they say and when they stop saying it."""

from __future__ import annotations

import jwt
import pytest

from arena_services.common.auth import Role, Tokens
from arena_services.common.errors import PermissionDeniedError, UnauthenticatedError

KEY = "k" * 32


def test_a_token_says_who_holds_it() -> None:
    token, issued = Tokens(KEY).issue("p-1", "Mira", Role.PLAYER, 60)
    assert Tokens(KEY).check(token) == issued
    assert issued.name == "Mira"


def test_a_token_of_another_key_does_not_hold() -> None:
    token, _ = Tokens("x" * 32).issue("p-1", "Mira", Role.SERVICE, 60)
    with pytest.raises(UnauthenticatedError) as failure:
        Tokens(KEY).check(token)
    assert failure.value.reason == "TOKEN_INVALID"


@pytest.mark.parametrize("token", ["", "x", "a.b.c", "é", "x" * 10_000])
def test_a_malformed_token_does_not_hold(token: str) -> None:
    with pytest.raises(UnauthenticatedError) as failure:
        Tokens(KEY).check(token)
    assert failure.value.reason == "TOKEN_INVALID"


def test_an_unsigned_token_does_not_hold() -> None:
    claims = {"iss": "arena", "sub": "p", "name": "", "role": "service", "exp": 9_999_999_999}
    with pytest.raises(UnauthenticatedError):
        Tokens(KEY).check(jwt.encode(claims, None, algorithm="none"))


def test_an_expired_token_says_to_sign_in_again() -> None:
    tokens = Tokens(KEY)
    token, _ = tokens.issue("p-1", "Mira", Role.PLAYER, -1)
    with pytest.raises(UnauthenticatedError, match="sign in again") as failure:
        tokens.check(token)
    assert failure.value.reason == "TOKEN_EXPIRED"


def test_a_token_that_expires_while_it_is_remembered_stops_holding(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tokens = Tokens(KEY)
    token, caller = tokens.issue("p-1", "Mira", Role.PLAYER, 60)
    tokens.check(token)
    monkeypatch.setattr("time.time", lambda: caller.expire_time_ms / 1000)
    with pytest.raises(UnauthenticatedError):
        tokens.check(token)


def test_a_role_is_required_by_name() -> None:
    _, caller = Tokens(KEY).issue("p-1", "Mira", Role.PLAYER, 60)
    assert caller.require(Role.PLAYER, Role.BOT) is caller
    with pytest.raises(PermissionDeniedError, match="for a service token; yours is a player token"):
        caller.require(Role.SERVICE)
