"""The face of a Crowns position: what `arena_engine.game.State` asks for, over the flat data of `position`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from arena_engine.crowns import digest, targets, text, views
from arena_engine.crowns.events import Event
from arena_engine.crowns.explain import explain
from arena_engine.crowns.listing import ActionList
from arena_engine.crowns.messages import (
    Action,
    Common,
    Own,
    Preview,
    Resign,
    Selection,
    Targets,
)
from arena_engine.crowns.packing import pack, unpack
from arena_engine.crowns.position import BOT, PERSON, Position
from arena_engine.crowns.turns import apply_action, expire, fill_legal, hand_over
from arena_engine.errors import IllegalActionError
from arena_engine.game import Awaited, Outcome


class CrownsState:
    """One position of one match of Crowns; see `arena_engine.game.State` for what each call promises."""

    def __init__(self, position: Position) -> None:
        """Take over a position; nobody else should change it from here on."""
        self.position = position

    def awaited(self) -> tuple[Awaited, ...]:
        """The seat whose turn it is; nobody once the match has ended."""
        p = self.position
        return () if p.how else (Awaited(p.turn, p.decision),)

    def deadline_ms(self) -> int | None:
        """When the turn's clock runs out; None without a clock or once the match has ended."""
        return self.position.deadline if self.position.deadline >= 0 else None

    def is_any_time(self, action: Action) -> bool:
        """Whether this is `Resign`, which a living player may do at any time."""
        return isinstance(action, Resign)

    def legal_actions(self, seat: int) -> Iterator[int]:
        """Choices of a Shield, or moves by triangle, then cards in the order drawn, then the end of the turn."""
        legal = ActionList()
        fill_legal(self.position, seat, legal)
        items = legal.items
        for i in range(legal.count):
            yield items[i]

    def pack(self, action: Action) -> int:
        """Pack an action dataclass. Raises `MalformedActionError`."""
        return pack(action)

    def unpack(self, action: int) -> Action:
        """The action dataclass of a packed action. Raises `MalformedActionError`."""
        return unpack(action)

    def explain(self, seat: int, action: int) -> str | None:
        """None when `seat` may take `action` now, else one line that says why not."""
        return explain(self.position, seat, action)

    def preview(self, seat: int, action: int) -> Preview:
        """What a legal action would do."""
        return targets.preview(self.position, seat, action)

    def targets(self, seat: int, selection: Selection) -> Targets:
        """All targets of a selection. Raises `IllegalSelectionError`."""
        return targets.targets(self.position, seat, selection)

    def apply(self, seat: int, action: int, now_ms: int) -> list[Event]:
        """Take a legal action; returns what happened, hidden cards included."""
        self.position.log = []
        apply_action(self.position, seat, action, now_ms)
        return self.take_events()

    def expire(self, now_ms: int) -> list[Event]:
        """Let the turn's clock run out."""
        self.position.log = []
        expire(self.position, now_ms)
        return self.take_events()

    def hand_over(self, seat: int, is_bot: bool, now_ms: int) -> list[Event]:
        """Give a seat to a bot, or back to its person. Raises `IllegalActionError`."""
        p = self.position
        if p.how:
            raise IllegalActionError("The match has ended; no seat changes hands.")
        if not 0 <= seat < p.grid.players or not p.is_alive(seat):
            raise IllegalActionError(f"Seat {seat} is not in the match; it cannot change hands.")
        if not is_bot and not p.flags[seat] & PERSON:
            raise IllegalActionError(f"Seat {seat} has been a bot's from the start.")
        p.log = []
        hand_over(p, seat, is_bot=is_bot)
        return self.take_events()

    def take_events(self) -> list[Event]:
        """The events logged since the last call, numbered."""
        log = self.position.log or []
        self.position.log = None
        return [Event(index, event) for index, event in enumerate(log)]

    def is_bot(self, seat: int) -> bool:
        """Whether a bot plays this seat now."""
        return bool(self.position.flags[seat] & BOT)

    def give_time(self, ms: int) -> None:
        """Give `ms` back to the turn's clock, where one runs."""
        if self.position.deadline >= 0:
            self.position.deadline += ms

    def clone(self) -> CrownsState:
        """An independent copy that draws the same randomness from here on."""
        return CrownsState(self.position.clone())

    def common(self, events: Sequence[Event]) -> Common:
        """The message for everybody."""
        return views.common(self.position, events)

    def own(self, seat: int, events: Sequence[Event]) -> Own:
        """The message for one seat."""
        return views.own(self.position, seat, events)

    def outcome(self) -> Outcome | None:
        """The result: winner, then survivors level, then the eliminated, the later the better."""
        p = self.position
        if not p.how:
            return None
        winner = p.winner if p.winner >= 0 else None
        # Larger is better: the winner, the survivors, then by order of elimination.
        players = p.grid.players
        ranks = [
            2 * players if seat == winner else p.out[seat] or players for seat in range(players)
        ]
        places = tuple(1 + sum(other > rank for other in ranks) for rank in ranks)
        return Outcome(p.how, places, winner)

    def state_hash(self) -> bytes:
        """Canonical hash, 16 bytes; `digest` lists what it covers."""
        return digest.state_hash(self.position)

    def to_text(self) -> str:
        """The whole position as text; `text` describes the form."""
        return text.to_text(self.position)

    def __str__(self) -> str:
        return self.to_text()
