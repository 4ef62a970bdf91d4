"""No client is sent a byte that its person may not know, in whole matches with everything asked on the way."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from arena.log.v1.entry_pb2 import Entry
from arena.room.v1 import room_service_pb2 as pb
from arena_engine.game import State
from arena_engine.singhasan import messages as singhasan
from arena_services.common import games
from arena_services.common.channels import open_channel
from arena_services.common.games import HostedGame
from arena_services.common.log.reader import LogReader
from arena_services.common.nats import connected
from arena_services.local import probe
from arena_services.local.nats_server import NatsServer
from tests.services.collector import Collector, collecting
from tests.services.room.harness import room_process
from tests.services.room.redaction import knowledge
from tests.services.room.redaction.course import Choose, Course
from tests.services.room.redaction.ears import Heard
from tests.services.room.redaction.fields import unknown_fields
from tests.services.room.redaction.knowledge import Known
from tests.services.room.redaction.search import find_leaks, find_traces

_PLAYERS = 3
#: What spans of a room tell: which match, which seat, how far it has come, how it went.
_MAY_BE_TOLD = {f"arena.{key}" for key in ("match_id", "game", "sequence", "seat", "code")}
#: What the players of a course are called, show, and say.
_PEOPLES_OWN = (b"player-", b"stranger", b"Bearer", b"Your move.")
_PARTITIONS = 8
_ANYTHING = 0.5

each_game = pytest.mark.parametrize("hosted", games.hosted(), ids=lambda hosted: hosted.game.name)


@dataclass(frozen=True)
class Played:
    """A match that has been played, and all that came of it."""

    course: Course
    outcome: pb.Outcome
    known: dict[int, Known]
    secret: bytes
    traces: bytes
    """The room's log, metrics and spans."""

    def leaks(self, *heard: Heard) -> list[str]:
        """What was heard (or else, in the match) that should not have been."""
        cards = knowledge.CARDS[self.course.hosted.game.name]
        return list(find_leaks(heard or self.course.ears.heard, self.known, cards, self.secret))


@asynccontextmanager
async def played(
    nats: NatsServer,
    collector: Collector,
    folder: Path,
    hosted: HostedGame,
    choose: Choose,
    seed: int,
) -> AsyncIterator[Played]:
    """Play a match in a room of its own."""
    async with (
        room_process(nats.url, "room-1", folder) as room,
        open_channel(room.address) as channel,
    ):
        course = Course(channel, hosted, Random(seed))
        await course.begin(_PLAYERS)
        outcome = await course.play(choose)
        await course.end()
        metrics = await probe.get(room.metrics_url)
        assert metrics is not None
        entries = await _entries(nats, course.match_id)
        await collector.find("fan-out", len(entries) - 1)
        yield Played(
            course,
            outcome,
            knowledge.of_match(course.match_id, entries),
            entries[0].created.secret,
            metrics.body + (folder / "room-1.log").read_bytes() + collector.raw,
        )


async def _entries(nats: NatsServer, match_id: str) -> list[Entry]:
    async with connected(nats.url, "test", 5) as client:
        reader = LogReader(client, _PARTITIONS)
        tail = await reader.tail(match_id)
        assert tail is not None
        return [stored.entry for stored in await reader.read(match_id, tail.stream_sequence)]


def curiously(hosted: HostedGame) -> Choose:
    """As bots play, and every other time anything, each sort of action alike: all of the rules come up."""

    def choose(state: State, seat: int, rng: Random) -> int:
        if rng.random() < _ANYTHING:
            return rng.choice(rng.choice(_by_sort(state, state.legal_actions(seat))))
        return hosted.game.choose(state, seat, rng)

    return choose


def idly(state: State, seat: int, rng: Random) -> int:
    """As somebody who buys and trades Conspiracies, and never hires: all end level, in a duel."""
    legal = list(state.legal_actions(seat))
    return rng.choice(rng.choice(_by_sort(state, filter(_is_idle(state), legal)) or [legal]))


def _is_idle(state: State) -> Callable[[int], bool]:
    def is_idle(packed: int) -> bool:
        match state.unpack(packed):
            case singhasan.MakeOffer(give_cards=cards):
                return bool(cards)
            case singhasan.AnswerOffer(accept=accept):
                return accept
            case other:
                return isinstance(other, _IDLE)

    return is_idle


_IDLE = (singhasan.Pass, singhasan.AnswerQuestion, singhasan.BuyConspiracy, singhasan.EndTurn)


def _by_sort(state: State, actions: Iterable[int]) -> list[list[int]]:
    sorts: dict[type, list[int]] = {}
    for each in actions:
        sorts.setdefault(type(state.unpack(each)), []).append(each)
    return list(sorts.values())


@pytest.fixture
def collector() -> Iterator[Collector]:
    with collecting() as running:
        yield running


@pytest.fixture(autouse=True)
def _talkative_and_patient(monkeypatch: pytest.MonkeyPatch, collector: Collector) -> None:
    """Rooms that log and trace all they can, answer however much they are asked, and shuffle alike each time."""
    monkeypatch.setenv("ARENA_TRACES_ENDPOINT", collector.address)
    monkeypatch.setenv("ARENA_ROOM_TEST_SECRETS", "redaction")
    monkeypatch.setenv("ARENA_LOG_LEVEL", "debug")
    monkeypatch.setenv("ARENA_REQUESTS_PER_SECOND", "0")


@each_game
@pytest.mark.timeout(240)
async def test_whole_matches_show_nobody_what_they_may_not_know(
    nats: NatsServer, collector: Collector, tmp_path: Path, hosted: HostedGame
) -> None:
    async with played(nats, collector, tmp_path, hosted, curiously(hosted), seed=1) as match:
        assert match.outcome.how in hosted.game.endings
        assert match.leaks() == []
        cards = knowledge.CARDS[hosted.game.name]
        assert list(find_traces(match.traces, match.known.values(), cards, match.secret)) == []
        assert _told(collector) <= _MAY_BE_TOLD
        assert not [word for word in _PEOPLES_OWN if word in collector.raw]
        assert _answered(match) >= {"update", "acted", "targets", "error", "chat"}
        assert _hidden(match), "a match in which nothing is hidden shows nothing"


@pytest.mark.timeout(240)
async def test_trades_and_a_duel_show_nobody_what_is_between_others(
    nats: NatsServer, collector: Collector, tmp_path: Path
) -> None:
    hosted = games.find("singhasan")
    async with played(nats, collector, tmp_path, hosted, idly, seed=2) as match:
        assert match.leaks() == []
        answers = [known.duel_answers for known in match.known.values()]
        assert any(any(each is not None for each in given) for given in answers)
        one, another, _ = match.known[max(match.known)].own
        assert one & another, "a match in which nobody trades a Conspiracy shows nothing"


@each_game
def test_every_number_that_is_sent_is_put_down_as_a_card_or_as_none(hosted: HostedGame) -> None:
    for codec in (hosted.common, hosted.own, hosted.targets):
        assert unknown_fields(codec.message) == set()


def _answered(match: Played) -> set[str]:
    """The sorts of responses on Play streams."""
    return {
        each.response.WhichOneof("response") or ""
        for each in match.course.ears.heard
        if isinstance(each.response, pb.PlayResponse)
    }


def _told(collector: Collector) -> set[str]:
    """All that spans tell beside names, times and ids."""
    spans = [each.span for each in collector.seen]
    events = {event.name for span in spans for event in span.events}
    messages = {span.status.message for span in spans} - {""}
    return {key for each in collector.seen for key in each.about} | events | messages


def _hidden(match: Played) -> bool:
    """Whether somebody held cards that another one did not know."""
    return any(any(known.hands) for known in match.known.values())
