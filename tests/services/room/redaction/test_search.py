"""The search for leaks finds those that are put in by hand, of every sort, and no others."""

from __future__ import annotations

from typing import Any

import pytest
from google.protobuf.message import Message

from arena.games.crowns.v1 import crowns_pb2
from arena.games.singhasan.v1 import singhasan_pb2
from arena.room.v1 import room_service_pb2 as pb
from tests.services.room.redaction.ears import Heard
from tests.services.room.redaction.knowledge import CARDS, Known
from tests.services.room.redaction.search import find_leaks, find_traces

_SECRET = bytes(range(100, 132))
_DECK = bytes((9, 4, 17, 2, 30, 11, 8))
_KNOWN = Known(
    public=frozenset({("conspiracy", 1), ("loot", 1)}),
    own=(
        frozenset({("conspiracy", 2), ("loot", 2)}),
        frozenset({("conspiracy", 3), ("loot", 3)}),
    ),
    hands=((2,), (3,)),
    decks=(_DECK,),
    duel_answers=(0, 1),
)


def leaks(game: str, seat: int | None, data: bytes, asked: Message | None = None) -> list[str]:
    heard = Heard("call", seat, 7, data, None, asked)
    return list(find_leaks([heard], {7: _KNOWN}, CARDS[game], _SECRET))


def update_leaks(seat: int | None, common: Message | None, own: Message | None) -> list[str]:
    update: Any = pb.Update(sequence=7)
    if common is not None:
        update.common.Pack(common)
    if own is not None:
        update.own.Pack(own)
    response = pb.WatchResponse(update=update)
    game = "crowns" if isinstance(own, crowns_pb2.Own) else "singhasan"
    heard = Heard("call", seat, 7, response.SerializeToString(), response, None)
    return list(find_leaks([heard], {7: _KNOWN}, CARDS[game], _SECRET))


@pytest.mark.parametrize(
    "data",
    [
        _SECRET,
        _SECRET[5:14],
        _SECRET.hex().encode(),
        b"before" + _DECK + b"behind",
        _DECK[::-1],
        CARDS["singhasan"].titles["conspiracy", 3].encode(),
    ],
)
def test_hidden_things_are_found_in_any_bytes(data: bytes) -> None:
    assert len(leaks("singhasan", 0, data)) == 1


def test_what_is_known_or_was_asked_by_name_is_no_leak() -> None:
    title = CARDS["singhasan"].titles["conspiracy", 3].encode()
    asked = singhasan_pb2.PlayConspiracy(card=3)
    assert leaks("singhasan", 1, title) == []
    assert leaks("singhasan", 0, title, asked) == []
    assert leaks("singhasan", None, title)
    assert leaks("singhasan", 0, _DECK[:4] + _SECRET[:6]) == []


@pytest.mark.parametrize("kind", [crowns_pb2.Own, singhasan_pb2.Own])
def test_a_hand_is_for_its_seat_alone(kind: Any) -> None:
    assert update_leaks(0, None, kind(hand=[2])) == []
    assert update_leaks(0, None, kind(hand=[3]))
    assert update_leaks(None, None, kind(hand=[2]))
    assert update_leaks(None, None, kind())


def test_a_card_of_another_is_found_wherever_it_stands() -> None:
    bought = singhasan_pb2.ConspiracyBought(seat=1, card=3, cost=4)
    event = singhasan_pb2.Event(conspiracy_bought=bought)
    assert update_leaks(1, singhasan_pb2.Common(events=[event]), None) == []
    assert update_leaks(0, singhasan_pb2.Common(events=[event]), None)
    assert update_leaks(None, singhasan_pb2.Common(events=[event]), None)


def test_a_duel_answer_of_another_is_found() -> None:
    assert update_leaks(0, None, singhasan_pb2.Own(hand=[2], duel_answer=0)) == []
    assert update_leaks(0, None, singhasan_pb2.Own(hand=[2], duel_answer=1))


def test_logs_and_metrics_hold_no_cards_at_all() -> None:
    cards = CARDS["crowns"]
    title = cards.titles["loot", 1]
    assert list(find_traces(b"match made", [_KNOWN], cards, _SECRET)) == []
    assert list(find_traces(f"played {title}".encode(), [_KNOWN], cards, _SECRET))
    assert list(find_traces(b"[9, 4, 17, 2, 30, 11, 8]", [_KNOWN], cards, _SECRET))
