"""Who is alive, as a process hears it."""

from __future__ import annotations

import time

import pytest
from nats.aio.client import Client
from nats.aio.msg import Msg

from arena_services.common.roster import ALIVE_SECONDS, Beat, Roster


async def _hear(roster: Roster, room_id: str) -> None:
    data = Beat(room_id, "a:1", "a:1", matches=0).to_bytes()
    await roster._hear(Msg(Client(), subject=f"$KV.rooms.{room_id}", data=data))


async def test_who_was_not_heard_for_long_is_not_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    roster = Roster()
    await _hear(roster, "room-1")
    later = time.monotonic() + ALIVE_SECONDS + 0.1
    monkeypatch.setattr(time, "monotonic", lambda: later)
    assert roster.find("room-1") is None
    last = roster.last_beat("room-1")
    assert last is not None
    assert last.room_id == "room-1"


async def test_a_process_that_is_deaf_takes_the_others_to_be_as_they_were_even_if_it_hears_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A server of NATS that is cut off from its cluster still echoes what is published there."""
    began = time.monotonic()
    roster = Roster(lambda: time.monotonic() - began)
    await _hear(roster, "room-1")
    monkeypatch.setattr(time, "monotonic", lambda: began + 60)
    await _hear(roster, "room-2")
    assert [beat.room_id for beat in roster.alive()] == ["room-1", "room-2"]
