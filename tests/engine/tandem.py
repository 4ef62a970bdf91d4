"""The engine and the naive model side by side: the same positions, the same actions, compared at every step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena_engine.crowns.cards import CARDS
from arena_engine.crowns.events import CardDrawn, RelicAppeared
from arena_engine.crowns.kinds import Board, Relic
from arena_engine.crowns.messages import ChooseShield, EndTurn, Move, PlayCard, Resign
from arena_engine.game import PackedAction, State
from tests.engine.naive import Draws, Formation, Model, Seat, Snare, legal_actions, play, resign
from tests.engine.naive.model import Action
from tests.engine.positions import RELIC_WORDS, arena

COLOURS = {card.number: card.ability.colour for card in CARDS}


def mirrored(state: State) -> Model:
    """The naive model of an engine position, made from what its seats see."""
    view = state.common(()).view
    model = Model(
        arena=arena("large" if view.board == Board.LARGE else "standard"),
        seats=[
            Seat(s.gate, s.reserve, s.crowns, list(state.own(number, ()).hand), s.is_alive)
            for number, s in enumerate(view.seats)
        ],
        colours=COLOURS,
        pieces={
            f.triangle: Formation(f.seat, f.king, f.knights, f.golden) for f in view.formations
        },
        snares={s.triangle: Snare(s.seat, s.is_active) for s in view.snares},
        returning=[(RELIC_WORDS[r.relic], r.triangle) for r in view.returning],
        discard=list(view.discard),
        deck_size=view.deck_size,
        turn=view.turn,
        round=view.round,
        moves_left=view.moves_left,
        has_moved=view.has_moved,
        has_played_card=view.has_played_card,
        is_shield_open=bool(view.shield_choices),
        how="" if view.ended is None else view.ended.how,
        winner=None if view.ended is None else view.ended.winner,
    )
    for relic in view.relics:
        model.relics.setdefault(relic.triangle, []).append(RELIC_WORDS[relic.relic])
    out = [number for number, seat in enumerate(view.seats) if seat.eliminated]
    model.fallen_order = sorted(out, key=lambda number: view.seats[number].eliminated)
    return model


def plain(action: Any) -> Action:
    """An action of the engine as the naive model writes it."""
    match action:
        case Move(start, end, king, knights, golden):
            return ("move", start, end, king, knights, golden)
        case PlayCard(number, rival, triangle, to_triangle):
            return ("card", number, rival, triangle, to_triangle)
        case ChooseShield(triangle):
            return ("shield", triangle)
        case EndTurn():
            return ("end",)
        case Resign():
            return ("resign",)
    raise AssertionError(action)


def draws_of(events: Sequence[Any]) -> Draws:
    """What chance gave in these events."""
    draws = Draws()
    for event in events:
        match event.event:
            case CardDrawn(_, number):
                draws.cards.append(number)
            case RelicAppeared(relic, triangle) if relic != Relic.FALLEN_CROWN:
                draws.placements.append((RELIC_WORDS[relic], triangle))
    return draws


class Tandem:
    """One position, kept twice. Every method asserts that the two agree."""

    def __init__(self, state: State, model: Model | None = None) -> None:
        self.state = state
        self.model = mirrored(state) if model is None else model

    def actions(self) -> list[PackedAction]:
        """The engine's legal actions, which must be the naive model's, none twice."""
        awaited = self.state.awaited()
        if not awaited:
            assert legal_actions(self.model) == set()
            return []
        assert [a.seat for a in awaited] == [self.model.turn]
        packed = list(self.state.legal_actions(self.model.turn))
        actions = [plain(self.state.unpack(p)) for p in packed]
        assert len(actions) == len(set(actions))
        assert set(actions) == legal_actions(self.model), self.state.to_text()
        return packed

    def take(self, action: PackedAction) -> None:
        """Take a legal action in both."""
        plainly = plain(self.state.unpack(action))
        before = self.state.to_text()
        events = self.state.apply(self.model.turn, action, 0)
        play(self.model, plainly, draws_of(events))
        self._compare(f"{before}\n{plainly}")

    def resign(self, seat: int) -> None:
        """Let a living seat resign in both, on turn or not."""
        before = self.state.to_text()
        events = self.state.apply(seat, self.state.pack(Resign()), 0)
        resign(self.model, seat, draws_of(events))
        self._compare(f"{before}\nresign {seat}")

    def branch(self) -> Tandem:
        """An independent copy of both."""
        return Tandem(self.state.clone(), self.model.copy())

    def _compare(self, story: str) -> None:
        engine, naive = mirrored(self.state), self.model
        outcome = self.state.outcome()
        assert (outcome is not None) == bool(naive.how), story
        if outcome is None:
            assert engine == naive, story
        else:
            assert (outcome.how, outcome.winner) == (naive.how, naive.winner), story
            assert outcome.places == naive.places(), story
