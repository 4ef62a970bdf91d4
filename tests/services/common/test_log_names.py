"""Names in the match log: ids, subjects, headers. Stored logs depend on them: these values may never change."""

from __future__ import annotations

import pytest

from arena_services.common.log.headers import EntryHeaders
from arena_services.common.log.subjects import (
    is_match_id,
    match_of,
    new_match_id,
    partition_of,
    subject_of,
)

MATCH = "abcdefghijklmnopqrstuvwx23"


def test_a_match_id_is_new_each_time_and_recognised() -> None:
    ids = {new_match_id() for _ in range(1000)}
    assert len(ids) == 1000
    assert all(map(is_match_id, ids))


@pytest.mark.parametrize(
    "text", ["", MATCH.upper(), MATCH[:-1], MATCH + "a", "match.>", "a" * 25 + "*"]
)
def test_anything_else_is_no_match_id(text: str) -> None:
    assert not is_match_id(text)


def test_a_match_keeps_its_partition_for_ever() -> None:
    assert [partition_of(MATCH, count) for count in (1, 8, 64)] == [0, 5, 37]


def test_matches_spread_evenly_over_partitions() -> None:
    counts = [0] * 8
    for _ in range(8000):
        counts[partition_of(new_match_id(), 8)] += 1
    assert min(counts) > 800


def test_a_subject_names_partition_and_match() -> None:
    assert subject_of(MATCH, 8) == f"match.5.{MATCH}"
    assert match_of(subject_of(MATCH, 8)) == MATCH


@pytest.mark.parametrize(
    "headers",
    [
        EntryHeaders(1, 1_700_000_000_000, 1, "ab" * 16, "crowns"),
        EntryHeaders(9, 5, 2, "00" * 16, "crowns", 7, 35_005, (0, 2), (2,), ""),
        EntryHeaders(10, 6, 2, "00" * 16, "crowns", result="escape 1,2,2,4"),
    ],
)
def test_headers_survive_the_round_trip(headers: EntryHeaders) -> None:
    assert EntryHeaders.from_nats(headers.to_nats()) == headers


def test_headers_are_stored_as_one_line() -> None:
    headers = EntryHeaders(9, 5, 2, "0f" * 16, "crowns", 7, 35_005, (0, 2), (2,), "", 1)
    line = f"seq=9;time=5;epoch=2;append={'0f' * 16};game=crowns;rules=1"
    line += ";decision=7;deadline=35005;awaited=0,2;bots=2"
    assert headers.to_nats() == {"Arena": line}
    assert EntryHeaders.from_nats({"Arena": f"{line};later=x=y"}) == headers


@pytest.mark.parametrize("headers", [{"Nats-Subject": "x"}, {"Arena": "seq=1"}])
def test_headers_of_something_else_are_refused(headers: dict[str, str]) -> None:
    with pytest.raises(KeyError):
        EntryHeaders.from_nats(headers)


def test_a_header_that_is_no_list_is_refused() -> None:
    with pytest.raises(ValueError, match="sequence element"):
        EntryHeaders.from_nats({"Arena": "x"})
