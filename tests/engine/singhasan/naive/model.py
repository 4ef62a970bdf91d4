"""What a position of the naive model is."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from tests.engine.singhasan.naive import realm

#: Gold, Steel, Song, Oath.
GOLD, STEEL, SONG, OATH = KINDS = range(4)
Amounts = tuple[int, int, int, int]
NOTHING: Amounts = (0, 0, 0, 0)

#: A word and what it names, such as ("march", from, to, owner); provinces by word, payments as amounts.
Action = tuple[object, ...]


@dataclass
class Seat:
    """What belongs to one claimant beside its followers."""

    colour: int = 0
    sigil: int = 0
    stock: Amounts = NOTHING
    answers: Amounts = NOTHING
    kept: set[int] = field(default_factory=set)
    hand: list[int] = field(default_factory=list)
    used: set[str] = field(default_factory=set)
    """Powers used this turn, and the shield of this round."""
    charmed: int = 0
    missed_in_a_row: int = 0
    missed_in_all: int = 0
    is_bot: bool = False
    has_person: bool = True

    @property
    def total(self) -> int:
        """All its resources."""
        return sum(self.stock)

    def has(self, amounts: Amounts) -> bool:
        """Whether it has all of these."""
        return all(mine >= n for mine, n in zip(self.stock, amounts, strict=True))

    def gain(self, amounts: Amounts) -> None:
        """Take amounts in."""
        gold, steel, song, oath = (a + b for a, b in zip(self.stock, amounts, strict=True))
        self.stock = (gold, steel, song, oath)

    def pay(self, amounts: Amounts) -> None:
        """Give amounts away, which it has."""
        assert self.has(amounts)
        gold, steel, song, oath = (a - b for a, b in zip(self.stock, amounts, strict=True))
        self.stock = (gold, steel, song, oath)


@dataclass(frozen=True)
class Force:
    """What the cards in force do to one claimant."""

    hire: int = 0
    conspiracy: int = 0
    limit: int = 0
    income: int = 0
    forbidden: frozenset[str] = frozenset()
    """Words: march, hire, bank, offer, buy, power."""


@dataclass
class Offer:
    """An open offer of the active claimant."""

    rival: int | None
    give: Amounts
    ask: Amounts
    give_cards: tuple[int, ...]
    ask_places: tuple[int, ...]
    declined: set[int] = field(default_factory=set)


@dataclass
class Aim:
    """Something that is paid for and waits for those who may raise the Shield."""

    seat: int
    action: Action
    asked: set[int]
    shielded: set[int] = field(default_factory=set)


@dataclass
class Model:
    """One position."""

    players: int
    seats: list[Seat]
    forces: list[Force]
    protected: set[str] = field(default_factory=set)
    standing: dict[tuple[int, str], int] = field(default_factory=dict)
    on_rifts: dict[tuple[int, str], int] = field(default_factory=dict)
    sealed: set[str] = field(default_factory=set)
    phase: str = "claim"
    turn: int = 0
    round: int = 1
    ending: str = ""
    last_turns: int | None = None
    question: int = 0
    is_swapped: bool = False
    away: set[int] = field(default_factory=set)
    court: set[str] = field(default_factory=set)
    """Words: hushed, lot, noredraw, redrawn."""
    taxes: dict[int, int] = field(default_factory=dict)
    in_court: set[int] = field(default_factory=set)
    row: list[int] = field(default_factory=list)
    marched: set[str] = field(default_factory=set)
    called: list[int] = field(default_factory=list)
    """Who called each Headline."""
    headlines: int = 32
    """Headlines in the deck."""
    offers: dict[int, Offer] = field(default_factory=dict)
    offers_made: int = 0
    price: int | None = None
    """What the back of the top Conspiracy says."""
    has_acted: bool = False
    has_answered: bool = False
    aim: Aim | None = None
    duellists: tuple[int, ...] = ()
    winner: int | None = None

    def copy(self) -> Model:
        """An independent copy."""
        return replace(
            self,
            seats=[
                replace(s, kept=set(s.kept), hand=list(s.hand), used=set(s.used))
                for s in self.seats
            ],
            forces=list(self.forces),
            protected=set(self.protected),
            standing=dict(self.standing),
            on_rifts=dict(self.on_rifts),
            sealed=set(self.sealed),
            away=set(self.away),
            court=set(self.court),
            taxes=dict(self.taxes),
            in_court=set(self.in_court),
            row=list(self.row),
            marched=set(self.marched),
            called=list(self.called),
            offers={n: replace(o, declined=set(o.declined)) for n, o in self.offers.items()},
            aim=self.aim
            and replace(self.aim, asked=set(self.aim.asked), shielded=set(self.aim.shielded)),
        )

    @property
    def everybody(self) -> range:
        """All seats."""
        return range(self.players)

    @property
    def provinces(self) -> list[str]:
        """The provinces in play."""
        return realm.provinces(self.players)

    @property
    def wildfolk(self) -> int:
        """Wildfolk in each province in play."""
        return 1 if self.players == 2 else 0

    def rivals(self, seat: int) -> list[int]:
        """All others."""
        return [other for other in self.everybody if other != seat]

    def count(self, seat: int, province: str) -> int:
        """Followers of a seat in a province, those on Rifts included."""
        return self.standing.get((seat, province), 0) + self.on_rifts.get((seat, province), 0)

    def supply(self, seat: int) -> int:
        """Followers that are not on the board."""
        return realm.SUPPLY[self.players] - sum(self.count(seat, p) for p in self.provinces)

    def free_rifts(self, province: str) -> int:
        """Rifts that nobody stands on."""
        return realm.rifts(province) - sum(
            self.on_rifts.get((s, province), 0) for s in self.everybody
        )

    def free(self, province: str) -> int:
        """Free seats that are no Rifts."""
        taken = sum(self.standing.get((s, province), 0) for s in self.everybody) + self.wildfolk
        return realm.seats(province) - realm.rifts(province) - taken

    def holder(self, province: str) -> int | None:
        """To whom a province is sworn: who holds more than half its seats."""
        for seat in self.everybody:
            if 2 * self.count(seat, province) > realm.seats(province):
                return seat
        return None

    def loose(self, seat: int, province: str) -> int:
        """Followers of a seat that could be marched out of a province."""
        standing = self.standing.get((seat, province), 0)
        if self.holder(province) != seat:
            return standing
        return min(standing, self.count(seat, province) - (realm.seats(province) // 2 + 1))

    def has_sway(self, seat: int, province: str) -> bool:
        """Whether a seat has strictly the most followers."""
        most = max([self.wildfolk, *(self.count(s, province) for s in self.rivals(seat))])
        return self.count(seat, province) > most

    def is_guarded(self, province: str) -> bool:
        """Whether nobody in a province can be touched."""
        return province in self.sealed or province in self.protected

    def can_enter(self, province: str) -> bool:
        """Whether a follower can come in other than by hire."""
        return province not in self.sealed and self.free(province) > 0

    def score(self, seat: int) -> int:
        """Points of a seat."""
        return sum(
            realm.seats(p) // 2 + 1 + (p in self.sealed)
            for p in self.provinces
            if self.holder(p) == seat
        )

    def limit(self, seat: int) -> int:
        """What a seat may hold when it ends its turn."""
        printed = 15 if self.seats[seat].answers[GOLD] >= 3 else 12
        return max(printed + self.forces[seat].limit, 0)

    def excess(self, seat: int) -> int:
        """How much of that is too much."""
        return max(self.seats[seat].total - self.limit(seat), 0)

    def can_raise_shield(self, seat: int) -> bool:
        """Whether a seat has Hector, an unused Shield and an Oath."""
        one = self.seats[seat]
        return one.answers[OATH] >= 3 and "shield" not in one.used and one.stock[OATH] >= 1
