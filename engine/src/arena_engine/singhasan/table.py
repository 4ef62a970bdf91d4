"""Singhasan for terminals: positions drawn, and actions and events in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from arena_engine.singhasan import chronicle, notation, wording
from arena_engine.singhasan.drawing import Drawing, swing
from arena_engine.singhasan.events import Event
from arena_engine.singhasan.messages import Action
from arena_engine.singhasan.seen import Common, Own

_HELP: Final = """\
The map is a table: a province swears to who holds that many of its seats, and scores it that number. A cell shows a
claimant's followers there, +1R one more on a Rift; free seats and free Rifts stand before them (free Rifts are among
the free seats). Seats of the match are s0, s1, ... Answers stand in the order of their resources: Gold, Steel, Song,
Oath; at 3 and at 5 their legend helps: Odysseus, Heracles, Orpheus, Hector.

What you can type; whatever you leave off behind it is offered to you as a list:
"""


class SinghasanTable:
    """Singhasan in words and characters; see `arena_engine.game.Table`."""

    def draw(
        self, common: Common, own: Own | None, seat: int, names: Sequence[str], colour: bool
    ) -> str:
        """The position as several lines of text, as `seat` (-1: a spectator) sees it."""
        return "\n".join(Drawing(common.view, own, seat, names, colour).lines())

    def pulse(self, common: Common, remaining_ms: int) -> str:
        """The blade and the mark while a strike of the duel is under way."""
        return swing(common.view, remaining_ms)

    def notation(self, action: Action) -> str:
        """An action in short notation."""
        return notation.notation(action)

    def parse(self, text: str) -> Action:
        """Read short notation. Raises `MalformedActionError`."""
        return notation.parse(text)

    def phrase(self, action: Action, names: Sequence[str], common: Common | None = None) -> str:
        """An action as a short line for a list of choices."""
        return wording.phrase(action, names, None if common is None else common.view)

    def tell(self, event: Event, names: Sequence[str]) -> str:
        """One event as a sentence; empty for what is not worth one."""
        return chronicle.tell(event.event, names)

    def help(self) -> str:
        """How to read the drawing and write the notation."""
        return _HELP + notation.NOTATION_HELP
