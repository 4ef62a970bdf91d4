"""`arena demo --server`: a match on a platform of which no more is known than its address."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.program import arena, started
from tests.services.certificates import Authority

HOST = "play.example.org"


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture(scope="module")
def edge(tmp_path_factory: pytest.TempPathFactory, authority: Authority) -> Iterator[str]:
    """The address of an edge that people reach by TLS alone."""
    shown = authority.sign(HOST, "site")
    settings = {
        "ARENA_BOT_THINK_MS": "0",
        "ARENA_PUBLIC_CERT_FILE": str(shown.cert_file),
        "ARENA_PUBLIC_KEY_FILE": str(shown.key_file),
    }
    data_dir = tmp_path_factory.mktemp("platform")
    with started(data_dir, "up", "--ports", "auto", "--json", **settings) as running:
        processes = running.read_ready()["processes"]
        yield next(each["address"] for each in processes if each["name"] == "edge")


def test_a_match_is_played_through_the_edge_by_tls(
    edge: str, authority: Authority, tmp_path: Path
) -> None:
    trusted = ("--ca", str(authority.file), "--server-name", HOST)
    server = ("--server", f"https://{edge}", *trusted)
    result = arena(tmp_path, "demo", "crowns", "--players", "2", "--json", *server).json()
    assert result["winner"] in result["players"]
    assert result["moves"] > 10
    assert not list(tmp_path.iterdir()), "nothing of it is kept here"


def test_an_edge_whose_certificate_is_not_trusted_is_not_played_on(
    edge: str, tmp_path: Path
) -> None:
    done = arena(tmp_path, "demo", "--server", f"https://{edge}", "--json")
    assert done.exit_code == 1
    assert "did not answer" in done.err


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("--server", "nowhere"), "is no host:port"),
        (("--server", "x:1", "--server-name", "y"), "without TLS"),
        (("--ca", "ca.crt"), "give it too"),
    ],
)
def test_what_cannot_be_is_said_at_once(given: tuple[str, ...], said: str, tmp_path: Path) -> None:
    done = arena(tmp_path, "demo", *given)
    assert done.exit_code == 2
    assert said in done.err
