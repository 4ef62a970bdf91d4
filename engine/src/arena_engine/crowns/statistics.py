"""The figures of one match of Crowns, gathered from its events: what simulations report and balance is judged by."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from arena_engine.crowns import events as e
from arena_engine.crowns.cards import ABILITIES, card
from arena_engine.crowns.kinds import Relic
from arena_engine.game import State

_RELICS: Final = tuple(relic.name.lower() for relic in Relic if relic is not Relic.UNSPECIFIED)
_COLOURS: Final = tuple(ability.colour for ability in ABILITIES)

#: Every figure, in the order of a report.
NAMES: Final[tuple[str, ...]] = (
    "rounds",
    "attacks.won",
    "attacks.blocked",
    "attacks.kings_defeated",
    "attacks.knights_defeated",
    "knights.spawned",
    "knights.gilded",
    "blockades.struck",
    "crowns.bearers",
    *(f"relics.{relic}.collected" for relic in _RELICS),
    *(f"relics.{relic}.wasted" for relic in _RELICS),
    "cards.drawn",
    "cards.reshuffles",
    *(f"cards.{colour}.played" for colour in _COLOURS),
    "eliminations.by_rivals",
    "eliminations.by_resigning",
)


class CrownsStatistics:
    """Counts over one match; see `NAMES`."""

    def __init__(self) -> None:
        self._figures = dict.fromkeys(NAMES, 0)

    def observe(self, events: Sequence[Any], state: State) -> None:
        """Take in what an action led to, as `State.apply` gives it."""
        for event in events:
            self._observe(event.event)

    def figures(self) -> dict[str, int]:
        """The counts so far, every name present."""
        return dict(self._figures)

    def _observe(self, event: Any) -> None:
        if isinstance(event, e.TurnBegan):
            self._figures["rounds"] = max(self._figures["rounds"], event.round)
        elif isinstance(event, e.Captured):
            self._add("attacks.won")
            self._add("attacks.kings_defeated", int(event.king))
            self._add("attacks.knights_defeated", event.knights + event.golden)
        elif isinstance(event, e.RelicCollected):
            self._add(f"relics.{event.relic.name.lower()}.collected")
        elif isinstance(event, e.RelicWasted):
            self._add(f"relics.{event.relic.name.lower()}.wasted")
        elif isinstance(event, e.CardPlayed):
            self._add(f"cards.{card(event.card).ability.colour}.played")
        elif isinstance(event, e.CrownsChanged):
            self._add("crowns.bearers", int(event.is_bearer))
        elif isinstance(event, e.Eliminated):
            cause = "resigning" if event.by_seat is None else "rivals"
            self._add(f"eliminations.by_{cause}")
        elif (name := _SIMPLE.get(type(event))) is not None:
            self._add(name)

    def _add(self, name: str, count: int = 1) -> None:
        self._figures[name] += count


#: Events that count once each, whatever they say.
_SIMPLE: Final[dict[type, str]] = {
    e.Blocked: "attacks.blocked",
    e.Spawned: "knights.spawned",
    e.Gilded: "knights.gilded",
    e.BlockadeStruck: "blockades.struck",
    e.CardDrawn: "cards.drawn",
    e.DeckReshuffled: "cards.reshuffles",
}
