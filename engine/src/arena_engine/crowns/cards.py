"""The forty characters of the Loot deck, as data: names, colours, and what a colour can do.

Cards go by number, 1-40, in runs of one colour. The rules know a card only by its ability.
"""

from __future__ import annotations

from typing import Final, NamedTuple

FORTUNE: Final = 1
SNATCH: Final = 2
SNEAK: Final = 3
AEGIS: Final = 4
MUSTER: Final = 5
GALLOP: Final = 6
SNARE: Final = 7


class Ability(NamedTuple):
    """What every card of one colour does; `text` is one line for the player who holds it."""

    number: int
    name: str
    colour: str
    text: str


class Card(NamedTuple):
    """One character; `flavour` is a line about it that has no effect."""

    number: int
    name: str
    ability: Ability
    flavour: str


ABILITIES: Final[tuple[Ability, ...]] = (
    Ability(FORTUNE, "Fortune", "gold", "Gain a Crown."),
    Ability(SNATCH, "Snatch", "red", "Take a Crown from a rival."),
    Ability(SNEAK, "Sneak", "violet", "Instead of moving: lift a formation to any bare triangle."),
    Ability(AEGIS, "Aegis", "blue", "Gild one of your Normal Knights."),
    Ability(MUSTER, "Muster", "green", "A Knight for your Gate, or a strike at its blockade."),
    Ability(GALLOP, "Gallop", "white", "One more move this turn."),
    Ability(SNARE, "Snare", "black", "Pin a rival formation for its owner's next turn."),
)

_CHARACTERS: Final[tuple[tuple[str, str], ...]] = (
    ("Aurelia Coinbright", "She has never lost a toss, and never says whose coin it was."),
    ("Old Thessaly", "Finds a diadem in every well he is thrown into."),
    ("The Laughing Heir", "Fourth in line on Monday, first by Friday."),
    ("Pip Lightfinger", "Returns what he steals, eventually, to somebody."),
    ("Mother Magpie", "Anything that shines was hers to begin with."),
    ("Sable Renn", "Left a thank-you note in the empty treasury."),
    ("Count Quickly", "By the time you have counted your crowns, he has too."),
    ("The Toll of Midnight", "The clock strikes twelve; the crown is gone by six."),
    ("Whisper", "Nobody remembers opening the door."),
    ("Nyx of the Back Stair", "Knows every castle by its laundry chute."),
    ("Brother Hush", "His vow of silence includes his boots."),
    ("The Borrowed Shadow", "Yours has been gone for some minutes now."),
    ("Velvet Orlo", "Marched an army past the guard and bowed to him."),
    ("Dame Halberry", "Beats dents out of shields with her forehead."),
    ("Captain Ironwood", "Planted his feet at sixteen and has not been moved since."),
    ("The Patient Smith", "Every rivet is a letter to somebody's mother."),
    ("Sister Bulwark", "Sings loudest when the arrows come."),
    ("Tomas Twicemade", "Fell once. They put him back together thicker."),
    ("The Lantern Knight", "Gilded by a dawn that would not end."),
    ("Greta Goldseam", "Mends armour as if it were a wedding dress."),
    ("Drummer Wick", "Three beats and the barracks are empty."),
    ("Sergeant Oxley", "Has a recruit for every excuse."),
    ("The Ferrywoman", "There is always room for one more in the boat."),
    ("Barnaby Muster", "Shouts names until somebody answers to one."),
    ("Fern of the Levy", "Came with a pitchfork, stayed for the soup."),
    ("The Hundredth Cousin", "Family is wherever the banner is."),
    ("Hob Gatewright", "Builds doors that open only outward."),
    ("Lady Reveille", "Nobody has ever seen her asleep, or let anyone else be."),
    ("Swift Ansel", "Delivered the reply before the question."),
    ("Windmane", "The horse is the clever one of the pair."),
    ("Courier Sparrow", "Two roads at once, if the wind is right."),
    ("The White Hound", "Runs ahead of its own bark."),
    ("Jory Longstride", "Wears out boots by the dozen and cobblers by the pair."),
    ("Sleet", "Arrives sideways."),
    ("Marchioness Haste", "Apologises for being early; never for the dust."),
    ("The Fowler", "Patience, string, and a very good stump to sit on."),
    ("Bramble Jack", "Every path has his thorns on it, he just has not said which."),
    ("Widow Knot", "Ties a bow you could hang a keep from."),
    ("The Peat Witch", "The bog asked for your boots, and she translated."),
    ("Grim Lockley", "Sells the key to nobody in particular."),
)

#: How many cards each ability has, in the order of `ABILITIES`.
_COPIES: Final = (3, 5, 5, 7, 8, 7, 5)

#: Cards in the Arena deck.
DECK_SIZE: Final = 40


def _deal_abilities() -> tuple[Card, ...]:
    abilities = [a for a, n in zip(ABILITIES, _COPIES, strict=True) for _ in range(n)]
    return tuple(
        Card(number, name, ability, flavour)
        for number, ((name, flavour), ability) in enumerate(
            zip(_CHARACTERS, abilities, strict=True), start=1
        )
    )


#: All cards; the card with number `n` is at `n - 1`.
CARDS: Final[tuple[Card, ...]] = _deal_abilities()


def card(number: int) -> Card:
    """The card with this number, 1-40."""
    return CARDS[number - 1]
