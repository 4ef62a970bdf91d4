"""The face of a Singhasan position: what `arena_engine.game.State` asks for, over the flat data of `position`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from arena_engine.errors import IllegalActionError
from arena_engine.game import Awaited, Outcome
from arena_engine.singhasan import digest, previews, targets, text, views
from arena_engine.singhasan.actions import pack, unpack
from arena_engine.singhasan.ending import outcome_word, score
from arena_engine.singhasan.events import Event
from arena_engine.singhasan.explain import explain
from arena_engine.singhasan.listing import ActionList
from arena_engine.singhasan.messages import Action, Preview, Selection, Targets
from arena_engine.singhasan.phases import STRIKE
from arena_engine.singhasan.position import BOT, PERSON, Position
from arena_engine.singhasan.seen import Common, Own
from arena_engine.singhasan.turns import apply_action, expire, fill_legal, hand_over


class SinghasanState:
    """One position of one match of Singhasan; see `arena_engine.game.State` for what each call promises."""

    def __init__(self, position: Position) -> None:
        """Take over a position; nobody else should change it from here on."""
        self.position = position

    def awaited(self) -> tuple[Awaited, ...]:
        """The seats with an open decision, lowest first; several in claims, court windows, offers, aims and duels."""
        decisions = self.position.decisions
        return tuple(
            Awaited(seat, decisions[seat]) for seat in range(len(decisions)) if decisions[seat]
        )

    def deadline_ms(self) -> int | None:
        """When the window under way closes; None without a clock or once the match has ended."""
        return self.position.deadline if self.position.deadline >= 0 else None

    def is_any_time(self, action: Action) -> bool:
        """False for every action: who leaves the match hands the seat over."""
        return False

    def legal_actions(self, seat: int) -> Iterator[int]:
        """The legal actions of a seat; of payments, claims, offers and discards a choice, see `turns.fill_legal`."""
        legal = ActionList()
        if 0 <= seat < self.position.board.players:
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
        return previews.preview(self.position, seat, action)

    def targets(self, seat: int, selection: Selection) -> Targets:
        """All targets of a selection. Raises `IllegalSelectionError`."""
        return targets.targets(self.position, seat, selection)

    def apply(self, seat: int, action: int, now_ms: int) -> list[Event]:
        """Take a legal action; returns what happened, hidden cards included."""
        self.position.log = []
        apply_action(self.position, seat, action, now_ms)
        return self.take_events()

    def expire(self, now_ms: int) -> list[Event]:
        """Let the clock of the window under way run out."""
        self.position.log = []
        expire(self.position, now_ms)
        return self.take_events()

    def hand_over(self, seat: int, is_bot: bool, now_ms: int) -> list[Event]:
        """Give a seat to a bot, or back to its person. Raises `IllegalActionError`."""
        p = self.position
        if p.how:
            raise IllegalActionError("The match has ended; no seat changes hands.")
        if not 0 <= seat < p.board.players:
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
        """Give `ms` back to the window under way, where a clock runs; a swing under way begins so much later."""
        p = self.position
        if p.deadline >= 0:
            p.deadline += ms
            if p.phase == STRIKE:
                p.swing_at += ms

    def clone(self) -> SinghasanState:
        """An independent copy that draws the same randomness from here on."""
        return SinghasanState(self.position.clone())

    def common(self, events: Sequence[Event]) -> Common:
        """The message for everybody."""
        return views.common(self.position, events)

    def own(self, seat: int, events: Sequence[Event]) -> Own:
        """The message for one seat."""
        return views.own(self.position, seat, events)

    def outcome(self) -> Outcome | None:
        """The result: the winner, then by points; seats with as many are level."""
        p = self.position
        if not p.how:
            return None
        ranks = [(seat == p.winner, score(p, seat)) for seat in range(p.board.players)]
        places = tuple(1 + sum(other > rank for other in ranks) for rank in ranks)
        return Outcome(outcome_word(p), places, p.winner)

    def state_hash(self) -> bytes:
        """Canonical hash, 16 bytes; `digest` lists what it covers."""
        return digest.state_hash(self.position)

    def to_text(self) -> str:
        """The whole position as text; `text` describes the form."""
        return text.to_text(self.position)

    def __str__(self) -> str:
        return self.to_text()
