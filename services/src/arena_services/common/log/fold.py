"""A match is the fold of its log: all that follows from the entries alone, for whoever folds them.

A room that plays a match, one that takes it over and a replay run the same code, so they agree by construction.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from google.protobuf.any_pb2 import Any as AnyMessage

from arena.log.v1.entry_pb2 import Acted, Created, Entry, Player, RequestKey, Voted
from arena_engine.errors import EngineError
from arena_engine.game import State
from arena_services.common import games
from arena_services.common.errors import ArenaError
from arena_services.common.games import HostedGame
from arena_services.common.log.errors import CorruptLogError
from arena_services.common.log.headers import NO_PLACES, EntryHeaders

#: Sessions remembered for each seat; the one that was silent longest is forgotten first.
SESSIONS_PER_SEAT = 16


@dataclass(frozen=True)
class Answered:
    """A request that was carried out: the last one of its session and seat."""

    counter: int
    request_hash: bytes
    sequence: int
    """The entry that stored it."""


class Requests:
    """The last request of each seat's recent sessions. Copies share what they do not change."""

    __slots__ = ("_seats",)

    def __init__(self, seats: int) -> None:
        self._seats: list[dict[bytes, Answered]] = [{} for _ in range(seats)]

    def clone(self) -> Requests:
        """An independent copy."""
        twin = Requests(0)
        twin._seats = self._seats.copy()
        return twin

    def last(self, seat: int, session: bytes) -> Answered | None:
        """The last request of a session for a seat, if it is still remembered."""
        return self._seats[seat].get(session)

    def all(self) -> Iterator[tuple[int, bytes, Answered]]:
        """All that are remembered: seat, session, request."""
        for seat, sessions in enumerate(self._seats):
            for session, answered in sessions.items():
                yield seat, session, answered

    def note(self, seat: int, key: RequestKey, request_hash: bytes, sequence: int) -> None:
        """Remember a request that was carried out. Which are forgotten for it depends on the log alone."""
        known = dict(self._seats[seat])
        known[key.session] = Answered(key.counter, request_hash, sequence)
        if len(known) > SESSIONS_PER_SEAT:
            del known[min(known, key=lambda session: known[session].sequence)]
        self._seats[seat] = known


class Fold:
    """One match as its log tells it up to one entry."""

    def __init__(self, match_id: str, hosted: HostedGame, created: Created) -> None:
        self.match_id = match_id
        self.hosted = hosted
        self.players: tuple[Player, ...] = tuple(created.players)
        self.options: AnyMessage = created.options
        self.state: State
        self.sequence = 0
        self.time_ms = 0
        self.epoch = 0
        self.person_time_ms = 0
        """When a person last acted, or when the match was made, on the log's time base. Time that was given back does
        not count."""
        self.votes: frozenset[tuple[int, int]] = frozenset()
        """Votes that count: who wants a bot for whom, by seat."""
        self.closed = ""
        """Why the match ended without a result, upper snake case; empty while that is not so."""
        self.requests = Requests(len(self.players))

    @classmethod
    def begin(cls, match_id: str, entry: Entry) -> tuple[Fold, list[Any]]:
        """The fold of the first entry, and the events of it. Raises `CorruptLogError`."""
        created = entry.created
        if entry.sequence != 1 or entry.WhichOneof("body") != "created":
            raise CorruptLogError(match_id, "it does not begin with its creation")
        hosted = games.find(created.game)
        if hosted.game.rules_version != created.rules_version:
            raise CorruptLogError(
                match_id,
                f"it is played by version {created.rules_version} of the rules of {created.game}; this build "
                f"has version {hosted.game.rules_version}",
            )
        options = games.unwrap(created.options, hosted.options, "options")
        bots = [player.is_bot for player in created.players]
        fold = cls(match_id, hosted, created)
        fold.state, events = hosted.game.new(options, bots, created.secret, entry.time_ms)
        fold.person_time_ms = entry.time_ms
        fold._place(entry)
        return fold, events

    def clone(self) -> Fold:
        """An independent copy."""
        twin = Fold.__new__(Fold)
        twin.__dict__.update(self.__dict__)
        twin.state = self.state.clone()
        twin.requests = self.requests.clone()
        return twin

    def advance(self, entry: Entry, packed: int | None = None) -> list[Any]:
        """Go on by one entry; returns its events. Trusts that the entry was legal when it was stored.

        `packed` spares decoding the action where the caller has just done so.
        """
        if entry.sequence != self.sequence + 1:
            raise CorruptLogError(
                self.match_id, f"entry {entry.sequence} stands where {self.sequence + 1} should"
            )
        if entry.given_back_ms:
            self.state.give_time(entry.given_back_ms)
            self.person_time_ms += entry.given_back_ms
        events = self._events(entry, packed)
        self._place(entry)
        return events

    def _events(self, entry: Entry, packed: int | None) -> list[Any]:
        match entry.WhichOneof("body"):
            case "acted":
                acted = entry.acted
                self.requests.note(acted.seat, acted.key, acted.request_hash, entry.sequence)
                action = self._pack(acted) if packed is None else packed
                if not self.state.is_bot(acted.seat):
                    self._see_person(acted.seat, entry)
                return self.state.apply(acted.seat, action, entry.time_ms)
            case "expired":
                return self.state.expire(entry.time_ms)
            case "seat_changed":
                change = entry.seat_changed
                self.requests.note(change.seat, change.key, change.request_hash, entry.sequence)
                self._see_person(change.seat, entry)
                return self.state.hand_over(change.seat, change.is_bot, entry.time_ms)
            case "voted":
                return self._vote(entry.voted, entry)
            case "closed":
                self.closed = entry.closed.reason
                return []
            case "claimed":
                return []
            case other:
                raise CorruptLogError(
                    self.match_id, f"entry {entry.sequence} is {other or 'empty'}"
                )

    def _see_person(self, seat: int, entry: Entry) -> None:
        """A person has done something: nobody is to be replaced any more who is there."""
        self.person_time_ms = entry.time_ms
        if self.votes:
            self.votes = frozenset(vote for vote in self.votes if seat != vote[1])

    def _vote(self, voted: Voted, entry: Entry) -> list[Any]:
        self.requests.note(voted.seat, voted.key, voted.request_hash, entry.sequence)
        self._see_person(voted.seat, entry)
        if not voted.is_carried:
            self.votes |= {(voted.seat, voted.absent_seat)}
            return []
        self.votes = frozenset(vote for vote in self.votes if vote[1] != voted.absent_seat)
        return self.state.hand_over(voted.absent_seat, True, entry.time_ms)

    def _pack(self, acted: Acted) -> int:
        action = games.unwrap(acted.action, self.hosted.action, "action")
        return self.state.pack(action)

    def _place(self, entry: Entry) -> None:
        self.sequence = entry.sequence
        self.time_ms = entry.time_ms
        self.epoch = entry.epoch

    def verify(self, entry: Entry) -> None:
        """Compare with the hash that the entry's writer came to. Raises `CorruptLogError`."""
        if (ours := self.state.state_hash()) != entry.state_hash:
            raise CorruptLogError(
                self.match_id,
                f"entry {entry.sequence} left state {entry.state_hash.hex()}, this build comes to {ours.hex()}",
            )

    @property
    def is_over(self) -> bool:
        """The match has ended, with or without a result."""
        return bool(self.closed) or self.state.outcome() is not None

    @property
    def deadline_ms(self) -> int | None:
        """When the open decisions' clock runs out, on the log's time base; None while no clock runs."""
        return None if self.is_over else self.state.deadline_ms()

    def bots(self) -> tuple[bool, ...]:
        """For each seat, whether a bot plays it now."""
        is_bot = self.state.is_bot
        return tuple([is_bot(seat) for seat in range(len(self.players))])

    def headers(self, entry: Entry) -> EntryHeaders:
        """What `entry`, the last one folded, says in its headers."""
        awaited = () if self.is_over else self.state.awaited()
        return EntryHeaders(
            sequence=entry.sequence,
            time_ms=entry.time_ms,
            epoch=entry.epoch,
            append_id=entry.append_id.hex(),
            game=self.hosted.game.name,
            rules_version=self.hosted.game.rules_version,
            decision=min((each.decision for each in awaited), default=0),
            deadline_ms=self.deadline_ms,
            awaited=tuple(each.seat for each in awaited),
            bots=tuple(each.seat for each in awaited if self.state.is_bot(each.seat)),
            result=self._result(),
        )

    def _result(self) -> str:
        if self.closed:
            return f"{self.closed} {NO_PLACES}"
        outcome = self.state.outcome()
        return f"{outcome.how} {','.join(map(str, outcome.places))}" if outcome else ""


def fold_entry(match_id: str, fold: Fold | None, entry: Entry) -> tuple[Fold, list[Any]]:
    """Begin a fold, or go on with it in place, by one stored entry; returns it with the entry's events.

    Raises `CorruptLogError` for anything that does not follow.
    """
    try:
        if fold is None:
            return Fold.begin(match_id, entry)
        return fold, fold.advance(entry)
    except CorruptLogError:
        raise
    except (EngineError, ArenaError) as error:
        raise CorruptLogError(match_id, f"entry {entry.sequence}: {error}") from error
