"""Singhasan through the whole platform: by bots, by a person at a terminal, to the duel."""

from __future__ import annotations

import asyncio
import os
import pty
import re
import select
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

from arena_engine.singhasan import events, messages
from arena_engine.singhasan.kinds import Phase, Speed
from arena_services.client import Lobby, PlayClient, Seat
from arena_services.common import games
from tests.e2e.conftest import RunningPlatform
from tests.e2e.program import ARENA, ROOT, arena, environment

_GAME = games.find("singhasan")
#: What a match of five bots may take on a machine that has much else to do; by itself it is a few seconds.
_GOOD_TIME_SECONDS = 120
_CAP_ROUNDS = 18
_QUIZ_SECONDS = 5.0


def test_demo_of_five_at_swift_speed_comes_to_a_result_in_good_time(
    platform: RunningPlatform,
) -> None:
    words = ["demo", "singhasan", "--players", "5", "--speed", "swift", "--json"]
    done = arena(platform.data_dir, *words)
    result = done.json()
    assert result["how"] in _GAME.game.endings
    assert min(result["places"]) == 1
    assert result["options"] == "speed=swift"
    assert result["seconds"] < _GOOD_TIME_SECONDS
    assert "takes the Lion Throne" in done.err


class Terminal:
    """A person at `arena play` on a terminal."""

    def __init__(self, master: int) -> None:
        self._master = master
        self.shown = ""
        self._read = 0

    def until(self, pattern: str, seconds: float = 40) -> str:
        """What is shown behind what was read last, up to where it matches."""
        start, deadline = self._read, time.monotonic() + seconds
        while (found := re.search(pattern, self.shown[start:])) is None:
            left = max(0.0, deadline - time.monotonic())
            assert select.select([self._master], [], [], left)[0], self.shown[-2000:]
            try:
                self.shown += os.read(self._master, 65_536).decode(errors="replace")
            except OSError:  # it has ended
                raise AssertionError(self.shown[-2000:]) from None
        self._read = start + found.end()
        return self.shown[start : self._read]

    def type(self, line: str) -> None:
        """Type a line."""
        os.write(self._master, f"{line}\n".encode())


@contextmanager
def terminal(platform: RunningPlatform, *words: str) -> Iterator[Terminal]:
    """`arena` on a terminal, while it runs; it has to end well."""
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [ARENA, *words],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        cwd=ROOT,
        env=environment(platform.data_dir),
        start_new_session=True,
    )
    os.close(slave)
    try:
        yield Terminal(master)
        assert process.wait(timeout=20) == 0
    finally:
        process.kill()
        process.wait()
        os.close(master)


def test_a_person_plays_a_match_on_a_terminal(platform: RunningPlatform) -> None:
    with terminal(platform, "play", "singhasan", "--players", "2") as person:
        person.until(r"Your move: claim")
        person.type("claim azure serpent" if "seat 0, you" in person.shown else "1")
        person.type("1")
        wanted = {"hire": "Guest hires ", "offer": "Guest offers "}
        while wanted:
            _play_on(person, wanted)
        person.type("auto")
        person.until(r"takes the Lion Throne[\s\S]*wins: [\s\S]*1\. ", seconds=120)
    assert re.search(r"The court asks Guest: .+", person.shown)
    assert re.search(r"Guest answers: .* It stands for the ", person.shown)
    assert re.search(r"\[0:\d\d\] .*your move> ", person.shown), "the clock is part of the prompt"


def _play_on(person: Terminal, wanted: dict[str, str]) -> None:
    """Do one thing that the next decision asks for; in a turn of one's own what is wanted, else end it."""
    person.until(r"Your move:[\s\S]*your move> ")
    # What was shown may have been settled meanwhile; this list is of the decision that is open now.
    listed = _listed(person, "moves")
    if not re.search(r" end +(?:End the turn|1\r?\n)", listed):
        person.type(next((word for word in ("answer a", "pass") if word in listed), "1"))
        return
    for word, told in list(wanted.items()):
        if _take(person, word, listed):
            person.until(told)
            del wanted[word]
            return
    person.type("end")


def _listed(person: Terminal, typed: str) -> str:
    """The list that something typed brings: moves with numbers, or groups with how many each has."""
    person.type(typed)
    return person.until(r"(?:\n|\x1b\[K) +(?:1  |[a-z]+(?: \S+)* +\d+\r?\n)[\s\S]*your move> ")


def _take(person: Terminal, word: str, listed: str) -> bool:
    """Make a move that begins with a word, by narrowing lists until it has a number; whether there is one."""
    typed = word
    while (found := re.search(rf"(\d+)  {word} ", listed)) is None:
        group = re.search(rf"  ({typed}(?: \S+)?) +(\d+)\r?\n", listed)
        if group is None:
            return False
        typed = group[1]
        if group[2] == "1":
            person.type(typed)
            return True
        listed = _listed(person, typed)
    person.type(found[1])
    return True


async def test_level_claimants_come_to_a_duel_that_a_bot_and_an_absent_person_play(
    platform: RunningPlatform,
) -> None:
    """Who never hires ends with nothing: both are level. In the duel one leaves, and the other misses a question."""
    info = platform.info()
    async with Lobby(info.matchmaking_address) as lobby:
        accounts = [await lobby.sign_in(name) for name in ("Asha", "Bela")]
        options = messages.Options(Speed.UNHURRIED)
        places = await asyncio.gather(
            *(lobby.queue(account, _GAME, 2, options, bot_wait_ms=60_000) for account in accounts)
        )
    async with (
        PlayClient(places[0].rooms, accounts[0].token) as one,
        PlayClient(places[1].rooms, accounts[1].token) as other,
    ):
        seats = [
            await client.join(place.match_id, place.seat)
            for client, place in zip((one, other), places, strict=True)
        ]
        asked_ms, _ = await asyncio.gather(*(_idle_to_the_duel(seat) for seat in seats))
        await seats[1].leave()
        told = await _duel_missing_the_first_question(seats[0], asked_ms)
    assert len([each for each in told if isinstance(each, events.QuizResolved)]) == 7
    (ended,) = (each for each in told if isinstance(each, events.MatchEnded))
    assert ended.how in {"duel", "mark"}
    assert ended.scores == (0, 0)
    match_id = places[0].match_id
    replayed = arena(platform.data_dir, "replay", match_id, "--verify", "--json").json()
    assert replayed["verified"] is True
    assert replayed["how"] == "cap"
    assert replayed["winner_seat"] == ended.winner


async def _idle_to_the_duel(seat: Seat) -> int:
    """Do what the court asks for and nothing else, until the duel; returns when that began, by the log's clock."""
    acted_at = 0
    async for step in seat.steps():
        view = step.common.view
        if view.phase is Phase.QUIZ:
            assert view.round == _CAP_ROUNDS
            return step.update.time_ms
        # Until its own action is seen, the decision that a seat is shown is the old one.
        if seat.is_up_to_date and seat.decision is not None and seat.sequence >= acted_at:
            acted_at = (await seat.act(_idle_action(seat))).sequence
    raise AssertionError("the match ended without a duel")


def _idle_action(seat: Seat) -> Any:
    latest, number = seat.latest, seat.number
    state = seat.game.game.resample(latest.common, latest.own, number, Random(1))
    legal = [state.unpack(packed) for packed in state.legal_actions(number)]
    return next((each for each in legal if _is_idle(each, number)), legal[0])


def _is_idle(action: Any, seat: int) -> bool:
    if isinstance(action, messages.ClaimSeat):
        return {int(action.colour), int(action.sigil)} == {seat + 1}  # what nobody else claims
    return isinstance(action, messages.Pass | messages.AnswerQuestion | messages.EndTurn)


async def _duel_missing_the_first_question(seat: Seat, asked_ms: int) -> list[Any]:
    """Play the duel to the end of the match, but for its first question; returns all that happened."""
    told: list[Any] = []
    async for step in seat.steps():
        happened = [each.event for each in step.events]
        if any(isinstance(each, events.QuizResolved) and each.number == 1 for each in happened):
            took = (step.update.time_ms - asked_ms) / 1000
            assert _QUIZ_SECONDS <= took < _QUIZ_SECONDS + 1.5, "the timer closes a question"
        told += happened
        duel = step.common.view.duel
        is_asked = seat.is_up_to_date and seat.decision is not None and seat.outcome is None
        if is_asked and (duel.number > 1 or duel.swing_ms):
            tap = messages.Tap(duel.mark_ms)
            await seat.act(tap if duel.swing_ms else messages.AnswerQuiz(duel.number % 3))
    return told
