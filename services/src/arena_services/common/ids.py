"""Ids that nobody can guess and nobody draws twice."""

from __future__ import annotations

import secrets
from base64 import b32encode


def random_id() -> str:
    """128 random bits as 26 characters of a-z and 2-7."""
    return b32encode(secrets.token_bytes(16)).decode().rstrip("=").lower()
