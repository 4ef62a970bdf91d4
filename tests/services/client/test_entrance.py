"""How the address of a platform elsewhere reads."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena_services.client import Entrance


@pytest.mark.parametrize(
    ("text", "address", "is_tls"),
    [
        ("127.0.0.1:7480", "127.0.0.1:7480", False),
        ("arena-edge:7480", "arena-edge:7480", False),
        ("http://arena.example.org", "arena.example.org:80", False),
        ("https://arena.example.org", "arena.example.org:443", True),
        ("https://arena.example.org:8443/", "arena.example.org:8443", True),
        ("[::1]:7480", "[::1]:7480", False),
        ("https://[fd00::5]", "[fd00::5]:443", True),
    ],
)
def test_an_address_is_read_as_people_write_it(text: str, address: str, is_tls: bool) -> None:
    assert Entrance.parse(text) == Entrance(address, is_tls)


@pytest.mark.parametrize("text", ["arena.example.org", "", "ftp://x:1", "https://", "x:port"])
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"host:port|[Pp]ort"):
        Entrance.parse(text)


def test_certificates_are_refused_where_there_is_no_tls() -> None:
    with pytest.raises(ValueError, match="without TLS"):
        Entrance.parse("x:1", ca_file=Path("ca.crt"))
