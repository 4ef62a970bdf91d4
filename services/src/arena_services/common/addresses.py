"""host:port, as settings have it and as sockets take it."""

from __future__ import annotations

from ipaddress import AddressValueError, IPv6Address
from typing import Annotated

from pydantic import BeforeValidator, StringConstraints


def _bracketed(value: object) -> object:
    """With brackets around IPv6: a pod is told its address without, and the port stands behind the last colon."""
    if not isinstance(value, str):
        return value
    host, _, port = value.rpartition(":")
    try:
        return f"[{IPv6Address(host)}]:{port}"
    except AddressValueError:
        return value


#: host:port; an IPv6 address comes in brackets, or gets them.
Address = Annotated[
    str,
    BeforeValidator(_bracketed),
    StringConstraints(pattern=r"^([^:\s\[\]]+|\[[0-9a-f:.]+\]):\d{1,5}$"),
]


def split_address(address: str) -> tuple[str, int]:
    """Host and port; an IPv6 address without its brackets."""
    host, _, port = address.rpartition(":")
    return host.removeprefix("[").removesuffix("]"), int(port)
