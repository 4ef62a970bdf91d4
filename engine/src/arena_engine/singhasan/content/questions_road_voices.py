"""The twenty Questions between the Golden Road and the Thousand Voices."""

from __future__ import annotations

from typing import Final

from arena_engine.singhasan.content.kinds import Answer, Question
from arena_engine.singhasan.kinds import Ideology

_ROAD: Final = Ideology.GOLDEN_ROAD
_VOICES: Final = Ideology.THOUSAND_VOICES

ROAD_OR_VOICES: Final[tuple[Question, ...]] = (
    Question(
        "The Cracked Aqueduct",
        "The aqueduct has cracked. "
        "To mend it costs a year's revenue, or everyone's evenings until autumn.",
        Answer("Borrow the sum; the fountains will repay it by the bucket.", _ROAD, (2, 0, 0, 1)),
        Answer("Call out the city with shovels, and a band at every arch.", _VOICES, (0, 1, 2, 0)),
    ),
    Question(
        "A Comedy in Veilhaven",
        "The players of Veilhaven have a new comedy. "
        "Its fool has your walk, your laugh and your luck at cards.",
        Answer("Buy the playhouse and improve the third act.", _ROAD, (2, 0, 1, 0)),
        Answer("Sit in the front row and be first to laugh.", _VOICES, (0, 0, 3, 0)),
    ),
    Question(
        "Full Larders",
        "The palace stores would feed the court for two years, or the city for a fortnight.",
        Answer("Ship half upriver for seed, and live plainly until spring.", _ROAD, (3, 0, 0, 0)),
        Answer("Set the tables outdoors and eat what everyone eats.", _VOICES, (0, 0, 2, 1)),
    ),
    Question(
        "The Bear in Attendance",
        "A dancing bear has left its master and lives on stolen honey. The village adores it; "
        "the beekeepers do not.",
        Answer("Pay for the honey, then hire the bear out to fairs.", _ROAD, (2, 0, 1, 0)),
        Answer("Put it to the whole village, with the bear in attendance.", _VOICES, (0, 0, 2, 1)),
    ),
    Question(
        "The Widow's Horses",
        "The best horses in Kingsmarch belong to a widow who sells only to people she likes. "
        "So far, nobody.",
        Answer("Leave an offer on her table that is hard to dislike.", _ROAD, (2, 1, 0, 0)),
        Answer("Learn the foals by name, and stay to supper.", _VOICES, (0, 1, 2, 0)),
    ),
    Question(
        "Fever Bells",
        "Fever again. Ring the bells, and the market empties by noon; "
        "ring none, and people will guess.",
        Answer("Pay the sick to stay at home, and trade upwind of them.", _ROAD, (2, 0, 0, 1)),
        Answer(
            "Ring them all, and say in the square what the doctors know.", _VOICES, (0, 0, 2, 1)
        ),
    ),
    Question(
        "A Name for the Bridge",
        "The new bridge wants a name. A banker would pay for half of it, if the name were his.",
        Answer("Give him the name; begin on a second bridge.", _ROAD, (3, 0, 0, 0)),
        Answer("Ask those who carried the stone what to call it.", _VOICES, (0, 1, 2, 0)),
    ),
    Question(
        "Three Islands",
        "Your cousin wishes to marry a fiddler. "
        "Your treasurer would rather she married three islands.",
        Answer("Arrange the islands, and find the fiddler a post there.", _ROAD, (3, 0, 0, 0)),
        Answer("Dance at her wedding until the fiddler's strings give out.", _VOICES, (0, 0, 3, 0)),
    ),
    Question(
        "Born in a Cowshed",
        "It is being said that you were born in a cowshed. "
        "It is false, and the countryside loves you for it.",
        Answer("Find out who began it, and engage so useful a liar.", _ROAD, (2, 0, 1, 0)),
        Answer("Spend your birthday at the cowshed, denying nothing.", _VOICES, (0, 0, 3, 0)),
    ),
    Question(
        "One Bag in Five",
        "Salt-panners say the tax takes one bag in five. Collectors say that panners cannot count.",
        Answer("Ask for one in eight, and earn the rest on the trade.", _ROAD, (3, 0, 0, 0)),
        Answer("Weigh the bags at noon in the market, before all comers.", _VOICES, (1, 0, 2, 0)),
    ),
    Question(
        "Two Left Toes",
        "Pilgrims come from afar to see a saint's toe in Hollowmere. "
        "Now a second village has found it too, also the left.",
        Answer("Recognise both, and build an inn halfway between.", _ROAD, (2, 0, 0, 1)),
        Answer("Carry both in one procession, and see which is followed.", _VOICES, (1, 0, 2, 0)),
    ),
    Question(
        "Under the Market Stalls",
        "Eighty children have slept beneath the market stalls since the storm. "
        "The traders want them gone by fair day.",
        Answer(
            "Apprentice each to a trader, with the first year's keep paid.", _ROAD, (2, 0, 0, 1)
        ),
        Answer(
            "Let the children open the fair, and ask the crowd for homes.", _VOICES, (0, 0, 2, 1)
        ),
    ),
    Question(
        "Miles from Nowhere",
        "The milestones count from a palace that fell down long ago. "
        "Carters quarrel, and travellers miss their inns.",
        Answer("Measure afresh from the great market, where carts go anyway.", _ROAD, (2, 1, 0, 0)),
        Answer("Let every town count from its own square, and brag of it.", _VOICES, (1, 0, 2, 0)),
    ),
    Question(
        "The Drowned Bells",
        "A village drowned in the storm, and its bells still ring at the turn of the tide. "
        "Divers say the bronze is sound.",
        Answer("Raise the bells; rebuild the village on the proceeds.", _ROAD, (2, 1, 0, 0)),
        Answer("Leave them to the sea; gather on the shore to listen.", _VOICES, (0, 0, 3, 0)),
    ),
    Question(
        "Compliments to the Cook",
        "The cook condemned for poisoning one guest has, over twenty years, sent eight hundred "
        "home happy.",
        Answer("Turn the sentence into a fine that he can cook off.", _ROAD, (2, 0, 0, 1)),
        Answer("Poll the eight hundred: they know his work best.", _VOICES, (0, 0, 2, 1)),
    ),
    Question(
        "Snow on the Harvest",
        "A girl in Emberfen dreams the weather, and has been right since midsummer. "
        "Last night she dreamed of snow on the harvest.",
        Answer("Stock up on wool and firewood before you mention it.", _ROAD, (3, 0, 0, 0)),
        Answer("Have her tell the whole square, then start reaping.", _VOICES, (1, 0, 2, 0)),
    ),
    Question(
        "The Physician from Elsewhere",
        "A foreign physician cures what ours cannot. She wants a house on the square; "
        "our own physicians want her gone.",
        Answer("Give her the house, and sell them seats at her lectures.", _ROAD, (2, 0, 1, 0)),
        Answer("Have her heal in the open, where the cured can say so.", _VOICES, (0, 1, 2, 0)),
    ),
    Question(
        "The Tallest Thing in Nauvara",
        "The last king left half a tower. "
        "Finished, it would be the tallest thing in Nauvara, with nothing whatever inside.",
        Answer("Sell its stone by the cartload to people with no roof.", _ROAD, (2, 1, 0, 0)),
        Answer("Finish it, and let all who climb it scratch their names.", _VOICES, (0, 1, 2, 0)),
    ),
    Question(
        "Until Thursday",
        "An envoy leaves on Thursday to report whether Nauvara is thriving or finished. "
        "What shall he have seen?",
        Answer("Show him the warehouses, with a contract in your pocket.", _ROAD, (2, 0, 1, 0)),
        Answer("Light the streets with lanterns and get him lost in them.", _VOICES, (0, 0, 3, 0)),
    ),
    Question(
        "Back Pay",
        "A regiment given up for lost has come home from the storm. "
        "Six years of pay are owing, and the vault holds two.",
        Answer("Settle them on riverside plots, each with a market stall.", _ROAD, (2, 1, 0, 0)),
        Answer("Parade them from town to town, and pass a helmet round.", _VOICES, (1, 0, 2, 0)),
    ),
)
