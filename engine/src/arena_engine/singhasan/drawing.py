"""A position of Singhasan as lines of text: the map as a table, claimants, row, offers, the own hand, what is asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from arena_engine.singhasan.board import ROUND_CAP
from arena_engine.singhasan.catalogue import ProvinceCard, catalogue
from arena_engine.singhasan.chronicle import tell
from arena_engine.singhasan.kinds import Colour, Phase, Power
from arena_engine.singhasan.seen import Own, Presence, SeatView, View
from arena_engine.singhasan.wording import answer_texts, offer_text, option_text, phrase
from arena_engine.singhasan.words import (
    LEGENDS,
    card_name,
    count_of,
    listed,
    power_name,
    resources_text,
    seat_name,
)

#: Terminal colours of claimants, by `kinds.Colour`.
_INK: Final = ("37", "91", "93", "92", "94", "95")
_NAME_WIDTH: Final = 10
_PROVINCE_WIDTH: Final = 15
_CLAIMANT_WIDTH: Final = 30
#: Characters of the bar that the blade of a strike swings across.
_BAR: Final = 41
_PHASES: Final = {
    Phase.UNSPECIFIED: "the match has ended",
    Phase.CLAIM: "everybody claims a seat",
    Phase.COURT: "rivals may play a court card",
    Phase.ANSWER: "to answer the court",
    Phase.ACT: "to act",
    Phase.SHIELD: "the Shield of Troy may be raised",
    Phase.CHOICE: "a card asks for a choice",
    Phase.DISCARD: "to discard",
    Phase.QUIZ: "the duel: a question",
    Phase.STRIKE: "the duel: strike the mark",
}
#: The powers of each legend that can be used up.
_LEGENDS_USE: Final = (
    (Power.WOODEN_HORSE,),
    (Power.CLEAN_THE_STABLES,),
    (Power.SONG_OF_THE_ROAD, Power.CHARM_THE_STONES),
    (Power.SHIELD_OF_TROY, Power.WALLS_OF_TROY),
)
#: Answers at which a legend wakes, and at which it stands by.
_WAKES: Final = 3
_STANDS: Final = 5


class Drawing:
    """One view, drawn for one seat (-1: a spectator)."""

    def __init__(
        self, view: View, own: Own | None, seat: int, names: Sequence[str], colour: bool
    ) -> None:
        self._view = view
        self._own = own
        self._seat = seat
        self._names = names
        self._has_colour = colour
        self._standing: dict[tuple[int, int], Presence] = {
            (presence.province, presence.seat): presence for presence in view.presences
        }

    def lines(self) -> Iterator[str]:
        """All of it, from what never scrolls away soonest to what matters now."""
        yield self._headline()
        if self._view.phase != Phase.CLAIM:
            yield from self._map()
        yield from self._claimants()
        if self._view.phase != Phase.CLAIM:
            yield from self._row()
            yield from self._in_force()
        yield from self._hand()
        yield from self._now()

    def _headline(self) -> str:
        view = self._view
        if view.ended is not None:
            return tell(view.ended, self._names)
        last = "" if view.last_turns is None else f" · {count_of(view.last_turns, 'last turn')}"
        whose = (
            f"{self._name(view.turn)}'s turn" if view.phase != Phase.CLAIM else "before the start"
        )
        return f"Round {view.round} of {ROUND_CAP[view.players]}{last} · {whose} · {_PHASES[view.phase]}"

    def _name(self, seat: int) -> str:
        return seat_name(self._names, seat)

    def _paint(self, text: str, seat: int) -> str:
        """Text in a claimant's colour, where there is one."""
        ink = _INK[self._view.seats[seat].colour or Colour.UNSPECIFIED]
        return f"\x1b[{ink}m{text}\x1b[0m" if self._has_colour and text.strip() else text

    def _map(self) -> Iterator[str]:
        heads = [
            self._paint(f"s{seat} {self._name(seat)}"[:_NAME_WIDTH].ljust(_NAME_WIDTH), seat)
            for seat in range(self._view.players)
        ]
        yield ""
        yield f"{'province':{_PROVINCE_WIDTH}} swears free Rifts  {' '.join(heads)}".rstrip()
        for province in catalogue().provinces:
            if self._view.provinces[province.number].is_in_play:
                yield self._province(province)

    def _province(self, province: ProvinceCard) -> str:
        number, seen = province.number, self._view.provinces[province.number]
        here = [self._standing.get((number, seat)) for seat in range(self._view.players)]
        rifts = province.rifts - sum(one.on_rifts for one in here if one)
        taken = sum(one.standing + one.on_rifts for one in here if one)
        free = province.seats - taken - seen.wildfolk
        cells = [
            self._paint(_presence(one).ljust(_NAME_WIDTH), seat) for seat, one in enumerate(here)
        ]
        notes = [] if seen.sworn is None else [f"sworn to {self._name(seen.sworn)}"]
        notes += ["Sealed"] * seen.is_sealed
        notes += [f"{seen.wildfolk} wildfolk"] * (seen.wildfolk > 0)
        notes += ["marched"] * (number in self._view.marched)
        swears = f"{province.swears} of {province.seats}"
        name = f"{province.name:{_PROVINCE_WIDTH}}"
        return (
            f"{name} {swears:>7} {free:4} {rifts:4}  {' '.join(cells)} {', '.join(notes)}".rstrip()
        )

    def _claimants(self) -> Iterator[str]:
        yield ""
        yield (
            f"{'claimant':{_CLAIMANT_WIDTH}} points Gold Steel Song Oath  supply  "
            "answers for them  legends and cards"
        )
        for number, seat in enumerate(self._view.seats):
            yield self._claimant(number, seat)

    def _claimant(self, number: int, seat: SeatView) -> str:
        looks = f" the {seat.colour.name.title()} {seat.sigil.name.title()}" if seat.colour else ""
        name = f"s{number} {self._name(number)}{looks}"[:_CLAIMANT_WIDTH]
        gold, steel, song, oath = seat.resources
        answers = " ".join(f"{count:2}" for count in seat.answers)
        return (
            f"{self._paint(name.ljust(_CLAIMANT_WIDTH), number)} {seat.score:6} "
            f"{gold:4} {steel:5} {song:4} {oath:4}  {seat.supply:6}  "
            f"{answers:16}  {'; '.join(self._notes(number, seat))}"
        ).rstrip()

    def _notes(self, number: int, seat: SeatView) -> Iterator[str]:
        for kind in range(len(LEGENDS)):
            if note := _legend_note(seat, kind, is_on_turn=number == self._view.turn):
                yield note
        if seat.hand_costs:
            yield f"Conspiracies of {listed([str(cost) for cost in seat.hand_costs])}"
        if seat.missed_in_all:
            yield f"{count_of(seat.missed_in_all, 'turn')} missed"
        if seat.is_bot:
            yield "a bot"

    def _row(self) -> Iterator[str]:
        cards = catalogue().followers
        yield ""
        for slot, number in enumerate(self._view.row, start=1):
            if not number:
                yield f"hire {slot}  nobody waits here"
                continue
            card = cards[number - 1]
            price = resources_text(card.cost, [f"{card.any} of any kind"] * (card.any > 0))
            followers = count_of(card.followers, "follower")
            yield f"hire {slot}  {card.name}: {followers} for {price}"
        view = self._view
        if view.pile_size:
            yield f"buy     a Conspiracy for {view.top_cost} of any kind ({view.pile_size} in the pile)"

    def _in_force(self) -> Iterator[str]:
        for chip in self._view.chips:
            name = card_name(chip.headline, chip.conspiracy)
            until = chip.until.replace("its next", f"{self._name(chip.seat)}'s next")
            yield f"in force ({chip.chip}) {until}: {name}. {chip.text}"
        if self._view.called:
            count = count_of(len(self._view.called), "Headline")
            yield f"{count} face down, for the end of the turn"
        for offer in self._view.offers:
            to = "everybody" if offer.rival is None else self._name(offer.rival)
            yield f"offer {offer.offer + 1} to {to}: {offer_text(offer)}"

    def _hand(self) -> Iterator[str]:
        if self._own is None or not self._own.hand:
            return
        yield ""
        for number in self._own.hand:
            card = catalogue().conspiracies[number - 1]
            sort = "court card" if card.is_court else "deed"
            yield f"play {number}  {card.name} ({sort}). {card.text}"

    def _now(self) -> Iterator[str]:
        """What is asked of whom just now."""
        view = self._view
        if view.phase in {Phase.COURT, Phase.ANSWER} or view.resume == Phase.COURT:
            yield from self._question()
        if view.aim is not None:
            asked = listed([self._name(seat) for seat in view.aim.asked])
            act = phrase(view.aim.action, self._names, view)
            yield ""
            yield f"{self._name(view.aim.seat)}: {act}. The Shield of Troy may be raised by: {asked}"
        if view.choice is not None:
            name = card_name(view.choice.headline, view.choice.conspiracy)
            yield ""
            yield f"{name}: {self._name(view.choice.seat)} chooses"
            for number, option in enumerate(view.choice.options, start=1):
                yield f"  choose {number}  {option_text(option, self._names)}"
        if view.phase == Phase.DISCARD:
            seat = view.seats[view.turn]
            over = sum(seat.resources) - seat.limit
            yield ""
            yield f"{self._name(view.turn)} discards {over} down to {seat.limit}"
        yield from self._duel()

    def _question(self) -> Iterator[str]:
        view = self._view
        card = catalogue().questions[view.question - 1]
        first, second = answer_texts(view)
        yield ""
        yield f"The court asks {self._name(view.turn)}: {card.title}"
        yield f"  {card.text}"
        yield f"  answer a  {first}"
        yield f"  answer b  {second}"

    def _duel(self) -> Iterator[str]:
        duel = self._view.duel
        if duel is None:
            return
        sides = [f"{self._name(seat)} {self._view.seats[seat].duel_score}" for seat in duel.seats]
        yield ""
        yield f"The duel: {listed(sides)}"
        if duel.question:
            yield f"  {duel.number}. {duel.question}"
            for number, choice in enumerate(duel.choices, start=1):
                yield f"  quiz {number}  {choice}"
        elif duel.swing_ms:
            yield f"  strike {duel.number}: the mark is at {duel.mark_ms / 1000:.2f} s; tap strikes"


def swing(view: View, remaining_ms: int) -> str:
    """The bar of a strike: the mark, and the blade where it is now; empty while no blade swings."""
    duel = view.duel
    if duel is None or not duel.swing_ms or duel.swing_at_ms is None or view.deadline_ms is None:
        return ""
    since = view.deadline_ms - remaining_ms - duel.swing_at_ms
    cells = ["-"] * _BAR
    cells[duel.mark_ms * (_BAR - 1) // duel.swing_ms] = "|"
    if 0 <= since <= duel.swing_ms:
        cells[since * (_BAR - 1) // duel.swing_ms] = "#"
    return f"[{''.join(cells)}]"


def _presence(presence: Presence | None) -> str:
    if presence is None:
        return "·"
    rifts = f"+{presence.on_rifts}R" if presence.on_rifts else ""
    return f"{presence.standing}{rifts}"


def _legend_note(seat: SeatView, kind: int, is_on_turn: bool) -> str:
    """A legend that is awake, and which of its powers are used up; those of the turn only while it is the own one."""
    answers = seat.answers[kind]
    if answers < _WAKES:
        return ""
    powers = [power for power in _LEGENDS_USE[kind] if power in seat.used]
    spent = [power_name(p) for p in powers if is_on_turn or p == Power.SHIELD_OF_TROY]
    used = f" ({listed(spent)} used)" if spent else ""
    return f"{LEGENDS[kind]} {_STANDS if answers >= _STANDS else _WAKES}{used}"
