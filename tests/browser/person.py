"""A person at the page: looks, taps, types, and waits for what the page shows, as people do."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from playwright.sync_api import Error, Locator, Page, expect

PATIENCE_MS = 15_000
#: The line that says what to do next, while it is this person's turn and nothing is picked up.
MY_TURN = re.compile(r"^(Your turn|\d+ moves? left|A Shield:|You carry three Crowns)")

_READ_TILES = """tiles => tiles.map(tile => {
    const corners = tile.getAttribute("points").split(" ").map(corner => corner.split(",").map(Number));
    const middle = axis => corners.reduce((sum, corner) => sum + corner[axis], 0) / corners.length;
    return [Number(tile.dataset.triangle), tile.getAttribute("aria-label"), middle(0), middle(1)];
})"""


@dataclass(frozen=True)
class Tile:
    """A triangle as the page describes it."""

    number: int
    label: str
    x: float
    y: float

    @property
    def is_lit(self) -> bool:
        """Whether it is a target of what is picked up."""
        return "target: " in self.label

    def holds(self, name: str) -> bool:
        """Whether a formation of the player `name` stands here."""
        return f", {name}: " in self.label

    def distance(self, other: Tile) -> float:
        """In the board's own units."""
        return math.hypot(self.x - other.x, self.y - other.y)


def nearest(tiles: Iterable[Tile], goals: Sequence[Tile]) -> Tile:
    """The tile that is nearest to any of the goals."""
    return min(tiles, key=lambda tile: min(map(tile.distance, goals), default=0.0))


@dataclass(eq=False)
class Person:
    """Somebody at a page of their own."""

    page: Page
    url: str
    name: str
    has_touch: bool = False
    problems: list[str] = field(default_factory=list)
    """What the browser complained about."""

    # The lobby.

    def visit(self) -> None:
        """Open the page and give a name."""
        self.page.goto(self.url)
        self.page.get_by_label("Your name").fill(self.name)

    def choose(self, what: str, value: str) -> None:
        """Choose one of a row of values."""
        group = self.page.get_by_role("group", name=what, exact=True)
        self.press(group.get_by_text(value, exact=True))

    def press_button(self, name: str) -> None:
        """Press the button of this name."""
        self.press(self.page.get_by_role("button", name=name, exact=True))

    def press(self, what: Locator) -> None:
        """Click or tap."""
        if self.has_touch:
            what.tap()
        else:
            what.click()

    def play_bots(self, players: int = 2) -> None:
        """From the lobby into a match against bots, up to the own turn."""
        self.visit()
        self.choose("Players", str(players))
        self.press_button("Play")
        self.sit_down()

    def sit_down(self) -> None:
        """Wait for the board."""
        expect(self.page.locator("[data-triangle]").first).to_be_visible(timeout=PATIENCE_MS)

    def open_menu(self, item: str) -> None:
        """Choose from the menu of a match."""
        self.press_button("Menu")
        self.press(self.page.get_by_role("menuitem", name=item, exact=True))

    def table_link(self) -> str:
        """The link to the private table at which this person sits."""
        field = self.page.get_by_role("textbox", name="Send this link to your friends")
        return field.input_value()

    # The board.

    @property
    def hint(self) -> Locator:
        """The line that says what to do next."""
        return self.page.get_by_role("region", name="Your hand").get_by_role("status")

    @property
    def log(self) -> Locator:
        """The lines of what happened."""
        return self.page.get_by_role("log", include_hidden=True).locator("p")

    @property
    def result(self) -> Locator:
        """The dialog that tells how the match ended."""
        return self.page.get_by_role("dialog").filter(has=self.page.get_by_text("Play again"))

    @property
    def hand(self) -> Locator:
        """The own cards."""
        return self.page.get_by_role("list", name="Your hand").get_by_role("button")

    @property
    def units(self) -> Locator:
        """The buttons of the picked formation's pieces."""
        return self.page.get_by_role("button", name=re.compile(r"^(King|Knight|Golden Knight)$"))

    def wait_for_turn(self) -> bool:
        """Wait until it is this person's turn; False when the match has ended before."""
        over = self.page.get_by_text("The match is over.").or_(
            self.page.get_by_text("Your King has fallen")
        )
        expect(self.hint.filter(has_text=MY_TURN).or_(over).first).to_be_visible(timeout=60_000)
        return not over.first.is_visible()

    def tiles(self) -> list[Tile]:
        """All triangles as they are now."""
        found = self.page.locator("[data-triangle]").evaluate_all(_READ_TILES)
        return [Tile(*each) for each in found]

    def own(self) -> list[Tile]:
        """Where the own pieces stand."""
        return [tile for tile in self.tiles() if tile.holds(self.name)]

    def king(self) -> Tile:
        """Where the own King stands."""
        return self.king_of(self.name)

    def king_of(self, name: str) -> Tile:
        """Where somebody's King stands."""
        (found,) = (tile for tile in self.tiles() if f", {name}: King" in tile.label)
        return found

    def tile(self, number: int) -> Locator:
        """A triangle."""
        return self.page.locator(f'[data-triangle="{number}"]')

    def tap(self, tile: Tile) -> None:
        """Tap a triangle."""
        self.press(self.tile(tile.number))

    def pick(self, tile: Tile) -> list[Tile]:
        """Tap an own formation; returns the triangles that light up, none where there are none."""
        self.tap(tile)
        return self.lit()

    def lit(self) -> list[Tile]:
        """The lit triangles, once the page has found them."""
        lit = self.page.locator('[data-triangle][aria-label*="target: "]')
        nothing = self.hint.filter(has_text="Nothing is in reach")
        expect(lit.first.or_(nothing)).to_be_visible(timeout=PATIENCE_MS)
        return [tile for tile in self.tiles() if tile.is_lit]

    def go(self, target: Tile) -> None:
        """Tap a lit triangle and wait until the move is told of."""
        before = self.log.count()
        self.tap(target)
        expect(self.log.nth(before)).to_be_attached(timeout=PATIENCE_MS)

    def fetch(self, relic: str) -> None:
        """One turn towards the nearest relic of a kind, with a Knight where one can go."""
        if self.place_shield():
            return
        goals = [tile for tile in self.tiles() if relic in tile.label]
        self.tap(nearest([tile for tile in self.own() if "Knight" in tile.label], goals))
        knight = self.page.get_by_role("button", name=re.compile("^(Golden )?Knight$"))
        if self.units.count() > 1:
            self.press(knight.first)
        lit = self.lit()
        if lit:
            self.go(nearest(lit, goals))
        else:
            self.page.keyboard.press("Escape")
        self.place_shield()
        self.end_turn()

    def play_card(self) -> bool:
        """Play the first card of the hand at whatever it may be aimed; False where there is nothing."""
        self.press(self.hand.first)
        aim = self.page.locator(
            "[aria-label='Your hand'] .tray button:enabled:not(.bare), [data-triangle][aria-label*='target: ']"
        )
        try:
            aim.first.wait_for(timeout=2_000)
        except Error:
            self.page.keyboard.press("Escape")
            return False
        before = self.log.count()
        self.press(aim.first)
        # Some cards lift a formation first and then ask where to set it down.
        if self.hint.inner_text().startswith("Tap a lit triangle to set it down"):
            self.press(aim.first)
        expect(self.log.nth(before)).to_be_attached(timeout=PATIENCE_MS)
        return True

    def place_shield(self) -> bool:
        """Answer the question where a Shield works, if it is asked."""
        if not self.hint.inner_text().startswith("A Shield:"):
            return False
        for formation in self.own():
            self.tap(formation)
            if not self.hint.inner_text().startswith("A Shield:"):
                break
        return True

    def end_turn(self) -> None:
        """End the turn where moves are left."""
        button = self.page.get_by_role("button", name="End turn", exact=True)
        if button.is_visible():
            self.press(button)

    def scale(self) -> float:
        """How many pixels a triangle is wide."""
        box = self.tile(0).bounding_box()
        assert box is not None
        return box["width"]


def meet(*people: Person) -> None:
    """Queue for the same match and sit down at it."""
    for person in people:
        person.visit()
        person.choose("Players", str(len(people)))
        person.choose("Against", "People")
        person.press_button("Play")
    for person in people:
        person.sit_down()


def sit_together(host: Person, *guests: Person) -> None:
    """Meet at a private table of the host's and begin."""
    host.visit()
    host.choose("Players", str(1 + len(guests)))
    host.press_button("Play with friends")
    link = host.table_link()
    for guest in guests:
        guest.page.goto(link)
        guest.page.get_by_label("Your name").fill(guest.name)
        guest.press_button("Sit down")
    for person in (host, *guests):
        person.sit_down()
