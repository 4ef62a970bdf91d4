"""Crowns for terminals: the arena drawn in characters, and its actions and events in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from arena_engine.crowns import wording
from arena_engine.crowns.cards import CARDS
from arena_engine.crowns.events import Event
from arena_engine.crowns.grid import Grid, grid_for
from arena_engine.crowns.kinds import Relic
from arena_engine.crowns.messages import Action, Common, Formation, Own, SeatView, View

_SEAT_COLOURS: Final = ("91", "94", "92", "93", "95", "96")
_RELIC_MARKS: Final = ("", "Cr", "Ho", "Sh", "Bo", "Lo")
#: Characters from one column to the next, by side: three-digit numbers need one more.
_CELL: Final = {4: 5, 5: 6}

_HELP: Final = """\
The arena is drawn row by row. A triangle shows its number, /12\\ where it points up and \\13/ where it points down, in
brackets where it is a Gate; below that, what is on it:
  0Kkg    pieces of seat 0: K its King (* as Crown Bearer), k a Normal Knight, g a Golden Knight
  Cr Ho Sh Bo Lo    Crown, Horse, Shield, Boat, Loot card;   Fc a Fallen Crown, Fc2 two of them
  behind pieces: ! they are snared, + a Crown lies under them, & both

What you can type:
"""


class CrownsTable:
    """Crowns in words and characters; see `arena_engine.game.Table`."""

    def draw(
        self,
        common: Common,
        own: Own | None,
        seat: int,
        names: Sequence[str],
        colour: bool,
    ) -> str:
        """The position as several lines of text, as `seat` (-1: a spectator) sees it."""
        view = common.view
        lines = [_headline(view, names)]
        lines += _Board(view, colour).lines()
        lines += [_seat_line(view, s, names, colour) for s in range(view.players)]
        if own is not None and seat >= 0:
            lines += _hand_lines(own)
        return "\n".join(lines)

    def pulse(self, common: Common, remaining_ms: int) -> str:
        """Nothing moves by itself."""
        return ""

    def notation(self, action: Action) -> str:
        """An action in short notation."""
        return wording.notation(action)

    def parse(self, text: str) -> Action:
        """Read short notation. Raises `MalformedActionError`."""
        return wording.parse(text)

    def phrase(self, action: Action, names: Sequence[str], common: Common | None = None) -> str:
        """An action as a short line for a list of choices."""
        return wording.phrase(action, names)

    def tell(self, event: Event, names: Sequence[str]) -> str:
        """One event as a sentence; empty for what is not worth one."""
        return wording.tell(event.event, names)

    def help(self) -> str:
        """How to read the drawing and write the notation."""
        return _HELP + wording.NOTATION_HELP


def _headline(view: View, names: Sequence[str]) -> str:
    if view.ended is not None:
        return wording.tell(view.ended, names)
    moves = "1 move" if view.moves_left == 1 else f"{view.moves_left} moves"
    choice = "; a Shield waits for a choice" if view.shield_choices else ""
    return f"Round {view.round} · {names[view.turn]} to act, {moves} left{choice}"


def _paint(text: str, code: str, colour: bool) -> str:
    return f"\x1b[{code}m{text}\x1b[0m" if colour and text.strip() else text


class _Board:
    """The arena of one view as lines."""

    def __init__(self, view: View, colour: bool) -> None:
        self.view = view
        self.colour = colour
        self.grid: Grid = grid_for(view.board, view.players)
        self.cell = _CELL[int(self.grid.side)]
        self.formations = {f.triangle: f for f in view.formations}
        self.snared = {s.triangle for s in view.snares}
        self.gates = {seat.gate: number for number, seat in enumerate(view.seats)}
        self.relics: dict[int, list[Relic]] = {}
        for lying in view.relics:
            self.relics.setdefault(lying.triangle, []).append(lying.relic)

    def lines(self) -> list[str]:
        """Two lines for each row of triangles: numbers and what is there."""
        lines = []
        for row in range(2 * self.grid.side):
            places = [t for t in range(self.grid.size) if self.grid.rows[t] == row]
            indent = " " * (self.cell * int(self.grid.columns[places[0]]))
            lines.append(indent + "".join(self._number(t) for t in places).rstrip())
            lines.append((indent + "".join(self._content(t) for t in places)).rstrip())
        return lines

    def _number(self, t: int) -> str:
        mark = "/\\" if self.grid.points_up(t) else "\\/"
        gate = self.gates.get(t)
        text = f"{mark[0]}{t}{mark[1]}" if gate is None else f"[{t}]"
        code = "90" if gate is None else _SEAT_COLOURS[gate]
        return _paint(text.ljust(self.cell), code, self.colour)

    def _content(self, t: int) -> str:
        formation = self.formations.get(t)
        relics = self._lying(t)
        if formation is None:
            text = (relics or "·").center(self.cell - 1)
            return _paint(text.ljust(self.cell), "33" if relics else "90", self.colour)
        mark = ("&" if relics else "!") if t in self.snared else "+" * bool(relics)
        text = self._pieces(formation) + mark
        return _paint(text.ljust(self.cell), _SEAT_COLOURS[formation.seat], self.colour)

    def _lying(self, t: int) -> str:
        relics = self.relics.get(t, [])
        fallen = relics.count(Relic.FALLEN_CROWN)
        marks = "".join(_RELIC_MARKS[relic] for relic in relics if relic != Relic.FALLEN_CROWN)
        return marks + "Fc" * (fallen > 0) + str(fallen) * (fallen > 1)

    def _pieces(self, f: Formation) -> str:
        king = ("*" if self.view.seats[f.seat].is_bearer else "K") if f.king else ""
        return f"{f.seat}{king}{'k' * f.knights}{'g' * f.golden}"


def _seat_line(view: View, number: int, names: Sequence[str], colour: bool) -> str:
    seat: SeatView = view.seats[number]
    name = _paint(names[number], _SEAT_COLOURS[number], colour)
    if not seat.is_alive:
        return f"{number} {name}: eliminated"
    crowns = "Crown Bearer" if seat.is_bearer else f"{seat.crowns} Crowns"
    return (
        f"{number} {name}: {crowns}, {seat.reserve} in reserve, {seat.hand_size} cards, "
        f"Gate {seat.gate}{', a bot' if seat.is_bot else ''}"
    )


def _hand_lines(own: Own) -> list[str]:
    cards = [CARDS[number - 1] for number in own.hand]
    return [f"card {c.number}: {c.name} ({c.ability.name}). {c.ability.text}" for c in cards]
