"""A match is the fold of its log: what follows from entries alone, and what does not pass for one."""

from __future__ import annotations

import os

import pytest

from arena.log.v1.entry_pb2 import (
    Claimed,
    Closed,
    Created,
    Entry,
    Player,
    RequestKey,
    SeatChanged,
)
from arena_services.common import games
from arena_services.common.log.errors import CorruptLogError
from arena_services.common.log.fold import SESSIONS_PER_SEAT, Fold, Requests
from arena_services.common.log.subjects import new_match_id
from tests.services.room.folding import fold_log

CROWNS = games.find("crowns")
MATCH = new_match_id()


def created() -> Entry:
    options = CROWNS.game.check_options(CROWNS.game.default_options(), 2)
    return Entry(
        sequence=1,
        time_ms=1_000_000,
        epoch=1,
        append_id=os.urandom(16),
        created=Created(
            game="crowns",
            rules_version=CROWNS.game.rules_version,
            options=games.wrap(CROWNS.options.encode(options)),
            players=[Player(player_id="a"), Player(player_id="b", is_bot=True)],
            secret=bytes(32),
        ),
    )


def log(*further: Entry) -> list[Entry]:
    """A log of these entries, each with the hash that it leads to."""
    entries = [created(), *further]
    fold, _ = Fold.begin(MATCH, entries[0])
    entries[0].state_hash = fold.state.state_hash()
    for number, entry in enumerate(further, start=2):
        entry.sequence = number
        entry.time_ms = entries[0].time_ms + number
        fold.advance(entry)
        entry.state_hash = fold.state.state_hash()
    return entries


def left() -> Entry:
    key = RequestKey(session=b"session-1", counter=3)
    return Entry(
        epoch=1, seat_changed=SeatChanged(seat=0, is_bot=True, key=key, request_hash=b"h" * 16)
    )


def test_fold_arrives_at_epoch_requests_and_seats() -> None:
    fold = fold_log(MATCH, log(left(), Entry(epoch=2, claimed=Claimed(room_id="r"))))
    assert (fold.sequence, fold.epoch) == (3, 2)
    assert fold.bots() == (True, True)
    answered = fold.requests.last(0, b"session-1")
    assert answered is not None
    assert (answered.counter, answered.sequence) == (3, 2)
    assert fold.requests.last(1, b"session-1") is None


def test_fold_of_a_closed_match_is_over_without_places() -> None:
    entries = log(Entry(epoch=1, closed=Closed(reason="VOIDED_BY_OPERATOR")))
    fold = fold_log(MATCH, entries)
    assert fold.is_over
    headers = fold.headers(entries[-1])
    assert headers.result == "VOIDED_BY_OPERATOR -"
    assert not headers.awaited


def test_headers_say_whose_turn_it_is_and_which_seats_bots_play() -> None:
    entries = log(left())
    headers = fold_log(MATCH, entries).headers(entries[-1])
    assert headers.game == "crowns"
    assert headers.rules_version == CROWNS.game.rules_version
    assert headers.bots == headers.awaited != ()
    assert headers.decision > 0


def test_clone_of_a_fold_goes_its_own_way() -> None:
    entries = log(left())
    fold = fold_log(MATCH, entries[:1])
    twin = fold.clone()
    twin.advance(entries[1])
    assert fold.sequence == 1
    assert fold.bots() == (False, True)
    assert fold.requests.last(0, b"session-1") is None
    assert twin.requests.last(0, b"session-1") is not None


def test_fold_refuses_what_does_not_follow() -> None:
    entries = log(left(), Entry(epoch=2, claimed=Claimed(room_id="r")))
    with pytest.raises(CorruptLogError, match="creation"):
        fold_log(MATCH, entries[1:])
    with pytest.raises(CorruptLogError, match="entry 3 stands where 2 should"):
        fold_log(MATCH, [entries[0], entries[2]])
    entries[1].state_hash = bytes(16)
    with pytest.raises(CorruptLogError, match="entry 2 left state"):
        fold_log(MATCH, entries)
    entries[0].created.rules_version += 1
    with pytest.raises(CorruptLogError, match="version"):
        fold_log(MATCH, entries)
    entries[0].created.game = "ludo"
    with pytest.raises(CorruptLogError, match="ludo"):
        fold_log(MATCH, entries)


def test_requests_forget_the_session_that_was_silent_longest() -> None:
    requests = Requests(1)
    for number in range(SESSIONS_PER_SEAT):
        requests.note(0, RequestKey(session=b"%08d" % number, counter=1), b"", number + 1)
    requests.note(0, RequestKey(session=b"%08d" % 0, counter=2), b"", 100)
    requests.note(0, RequestKey(session=b"newcomer", counter=1), b"", 101)
    assert requests.last(0, b"%08d" % 0) is not None
    assert requests.last(0, b"%08d" % 1) is None
    assert requests.last(0, b"newcomer") is not None
