"""The 40 Follower cards of the hire row: one follower for 4, two for 6, three for 8.

`cost` is Gold, Steel, Song, Oath. A card asks for three or four kinds as evenly as its number allows. On 14 cards half
the price is *any*: the other half is spread just as evenly, which on the cheapest leaves two kinds to name.
Over the deck every resource is asked for 48 times, so no ideology finds the row dearer than another.
"""

from __future__ import annotations

from typing import Final

from arena_engine.singhasan.content.kinds import Follower

_ONE: Final[tuple[Follower, ...]] = (
    Follower(
        "Bram Half-Boot",
        "Lost the other half in a bet, and is winning it back by the inch.",
        followers=1,
        cost=(2, 1, 1, 0),
        any=0,
    ),
    Follower(
        "The Lamplighter of Veilhaven",
        "Knows who is out late, and has yet to say so.",
        followers=1,
        cost=(1, 0, 2, 1),
        any=0,
    ),
    Follower(
        "Old Marrick",
        "Has retired from six wars, each time a little early.",
        followers=1,
        cost=(0, 1, 0, 1),
        any=2,
    ),
    Follower(
        "Ysolde Thorn",
        "Her arrows arrive before the argument does.",
        followers=1,
        cost=(0, 2, 1, 1),
        any=0,
    ),
    Follower(
        "The Salt Widow",
        "The sea took her husband, and has been wary of her since.",
        followers=1,
        cost=(0, 1, 1, 2),
        any=0,
    ),
    Follower(
        "Tam Wetfoot",
        "Has mapped every ford in the realm by falling into it.",
        followers=1,
        cost=(1, 0, 1, 0),
        any=2,
    ),
    Follower(
        "The Captain without a Ship",
        "Orders the anchor raised each morning, to keep in practice.",
        followers=1,
        cost=(2, 0, 1, 1),
        any=0,
    ),
    Follower(
        "Sister Ember",
        "Left the cloister for its kitchen, and the kitchen for a war.",
        followers=1,
        cost=(0, 0, 1, 1),
        any=2,
    ),
    Follower(
        "The Quiet Smith",
        "Makes her point with a hammer, and will gladly repeat it.",
        followers=1,
        cost=(1, 2, 0, 1),
        any=0,
    ),
    Follower(
        "Ansel's Younger Boy",
        "Everybody's favourite, and a little tired of it.",
        followers=1,
        cost=(1, 1, 2, 0),
        any=0,
    ),
    Follower(
        "Goose Peter",
        "People ask about the goose only once.",
        followers=1,
        cost=(1, 0, 0, 1),
        any=2,
    ),
    Follower(
        "The Peat-Wife",
        "Cures warts by Friday; grudges take her rather longer.",
        followers=1,
        cost=(1, 1, 1, 1),
        any=0,
    ),
    Follower(
        "Dara of the Ninth Gate",
        "The city has eight gates, and she holds the other one.",
        followers=1,
        cost=(0, 1, 1, 0),
        any=2,
    ),
    Follower(
        "The Last Page",
        "Was told to mind the king's helmet for a moment, and is minding it.",
        followers=1,
        cost=(1, 1, 0, 2),
        any=0,
    ),
)

_TWO: Final[tuple[Follower, ...]] = (
    Follower(
        "The Twins of Hollowmere",
        "One always lies, and each says it is the other.",
        followers=2,
        cost=(1, 1, 2, 2),
        any=0,
    ),
    Follower(
        "A Knight and His Creditor",
        "Neither dares let the other out of sight.",
        followers=2,
        cost=(2, 1, 1, 2),
        any=0,
    ),
    Follower(
        "Two Riders of Ashfall",
        "They share a saddle, a blanket and not one opinion.",
        followers=2,
        cost=(1, 1, 0, 1),
        any=3,
    ),
    Follower(
        "The Mason and the Mole",
        "What she puts up, he goes under.",
        followers=2,
        cost=(2, 2, 0, 2),
        any=0,
    ),
    Follower(
        "Poacher and Gamekeeper",
        "They met by moonlight so often that they got married.",
        followers=2,
        cost=(1, 1, 1, 0),
        any=3,
    ),
    Follower(
        "The Miller's Sons",
        "On speaking terms again, though only in battle.",
        followers=2,
        cost=(1, 2, 1, 2),
        any=0,
    ),
    Follower(
        "Lanterns of the Fen",
        "Follow the left one, unless it is the other left.",
        followers=2,
        cost=(2, 0, 2, 2),
        any=0,
    ),
    Follower(
        "The Deserters",
        "Each fled a different army, and they met in the middle.",
        followers=2,
        cost=(1, 1, 1, 0),
        any=3,
    ),
    Follower(
        "Grandmother and Grandson",
        "He carries the crossbow; she is the one to fear.",
        followers=2,
        cost=(1, 2, 2, 1),
        any=0,
    ),
    Follower(
        "Guides of Skyreach",
        "Roped together since the avalanche, and fond of it by now.",
        followers=2,
        cost=(1, 1, 0, 1),
        any=3,
    ),
    Follower(
        "The Cook's Assistants",
        "Quick with knives, and honest about the soup.",
        followers=2,
        cost=(2, 2, 1, 1),
        any=0,
    ),
    Follower(
        "Fox and Heron",
        "Famous in their masks, and unemployable without.",
        followers=2,
        cost=(2, 1, 2, 1),
        any=0,
    ),
    Follower(
        "The Bell-Ringers",
        "Deaf as doorposts, and never a heartbeat late.",
        followers=2,
        cost=(0, 2, 2, 2),
        any=0,
    ),
    Follower(
        "The Duke and His Double",
        "Salute both, since neither is quite certain.",
        followers=2,
        cost=(1, 0, 1, 1),
        any=3,
    ),
    Follower(
        "The Wall-Walkers",
        "Forty years of nights between them, and one good cloak.",
        followers=2,
        cost=(0, 1, 1, 1),
        any=3,
    ),
    Follower(
        "The Clerk and the Bear",
        "The bear does not read, and the clerk does not argue.",
        followers=2,
        cost=(2, 2, 2, 0),
        any=0,
    ),
)

_THREE: Final[tuple[Follower, ...]] = (
    Follower(
        "Three Sisters of Thornwold",
        "The eldest plans, the second doubts, and the youngest has already gone.",
        followers=3,
        cost=(0, 3, 3, 2),
        any=0,
    ),
    Follower(
        "The Charcoal Company",
        "You smell them first and see them last.",
        followers=3,
        cost=(1, 1, 1, 1),
        any=4,
    ),
    Follower(
        "The Press-Gang",
        "Their recruits are all volunteers, by morning.",
        followers=3,
        cost=(3, 3, 2, 0),
        any=0,
    ),
    Follower(
        "Wreckers of the Salt Coast",
        "They would like it known that the lighthouse was only borrowed.",
        followers=3,
        cost=(2, 2, 2, 2),
        any=0,
    ),
    Follower(
        "The Hollow Drums",
        "Three drummers whom scouts report as three hundred.",
        followers=3,
        cost=(2, 0, 3, 3),
        any=0,
    ),
    Follower(
        "The Ninth Company",
        "Down to three, and in their own opinion never outnumbered.",
        followers=3,
        cost=(0, 1, 1, 2),
        any=4,
    ),
    Follower(
        "Stilts of Emberfen",
        "No enemy has yet seen them at eye level.",
        followers=3,
        cost=(2, 2, 2, 2),
        any=0,
    ),
    Follower(
        "The Last King's Grooms",
        "His horse came home alone, and they go wherever it looks.",
        followers=3,
        cost=(3, 2, 0, 3),
        any=0,
    ),
    Follower(
        "Tollkeepers of Crow Bridge",
        "They gave up banditry for the regular hours.",
        followers=3,
        cost=(2, 1, 1, 0),
        any=4,
    ),
    Follower(
        "The Barons of Nowhere",
        "Three lords without land, each of whom would like to sit down.",
        followers=3,
        cost=(2, 2, 2, 2),
        any=0,
    ),
)

FOLLOWERS: Final[tuple[Follower, ...]] = _ONE + _TWO + _THREE
