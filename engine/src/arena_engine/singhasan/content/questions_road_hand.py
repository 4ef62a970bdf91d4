"""The twenty Questions between the Golden Road and the Iron Hand."""

from __future__ import annotations

from typing import Final

from arena_engine.singhasan.content.kinds import Answer, Question
from arena_engine.singhasan.kinds import Ideology

_ROAD: Final = Ideology.GOLDEN_ROAD
_HAND: Final = Ideology.IRON_HAND

ROAD_OR_HAND: Final[tuple[Question, ...]] = (
    Question(
        "The Toll at Crow Bridge",
        "Bandits hold the only bridge into Thornwold, and keep it in better repair than any "
        "king ever did.",
        Answer("Leave it to them, so long as a third of the toll is yours.", _ROAD, (3, 0, 0, 0)),
        Answer("Storm it by night, but spare whichever of them are masons.", _HAND, (0, 3, 0, 0)),
    ),
    Question(
        "Winter Wheat",
        "Three merchants own all the grain in Hollowmere. "
        "The price doubles with each fall of snow.",
        Answer("Order so much from the Salt Coast that they beg to sell.", _ROAD, (2, 0, 1, 0)),
        Answer("Break the granary locks; share the wheat out by the bowl.", _HAND, (0, 2, 1, 0)),
    ),
    Question(
        "The Polite Prisoner",
        "You hold a rival's best captain. "
        "He is polite, he plays chess with the guards, and by now he has counted your walls.",
        Answer("Ransom him for thirty horses before he forgets his manners.", _ROAD, (2, 1, 0, 0)),
        Answer("Keep him until the war is done, chessboard and all.", _HAND, (0, 2, 0, 1)),
    ),
    Question(
        "Six Hundred Mares",
        "The horse-lords of Ashfall offer you a marriage and six hundred mares. "
        "So far you have met only the mares.",
        Answer("Marry, with a yearly horse fair written into the vows.", _ROAD, (2, 1, 0, 0)),
        Answer("Decline, with a garrison at the wells where they water.", _HAND, (0, 3, 0, 0)),
    ),
    Question(
        "The Fever Ship",
        "A ship drifts off Veilhaven with fever aboard, and in its hold a great deal of what "
        "may be the cure.",
        Answer("Trade bread for the cure over the rail, basket by basket.", _ROAD, (2, 0, 0, 1)),
        Answer("Ring it with bowmen until the last cough has stopped.", _HAND, (0, 2, 0, 1)),
    ),
    Question(
        "Cold Suppers",
        "Every hearth owes a tax to the throne. Half of Skyreach has taken to eating cold.",
        Answer("Forget hearths: there is silver in those mountains.", _ROAD, (3, 0, 0, 0)),
        Answer("Send the assessors back, with ten spears each to warm them.", _HAND, (1, 2, 0, 0)),
    ),
    Question(
        "A Sneeze in the Dark",
        "She opened every strongroom in Kingsmarch without breaking a lock, and was caught "
        "only because she sneezed.",
        Answer("Hire her to make the locks that she could not have opened.", _ROAD, (2, 1, 0, 0)),
        Answer("Give her the deepest cell, and show the whole guild the key.", _HAND, (0, 2, 1, 0)),
    ),
    Question(
        "Two Brothers, One Mill",
        "Two brothers inherited one mill and have not spoken since. "
        "No flour has left it for a month.",
        Answer("Sell it to a stranger; halve the price between them.", _ROAD, (2, 0, 0, 1)),
        Answer("Award it to the elder, with a sergeant at the sluice.", _HAND, (0, 2, 0, 1)),
    ),
    Question(
        "The Punctual Traitor",
        "Your pastry cook, I find, writes to your rival every week. "
        "Her letters are dull, accurate, and never late.",
        Answer("Say nothing, but leave false papers beside the flour.", _ROAD, (2, 0, 1, 0)),
        Answer("Seize her at the oven, and see who comes asking for tarts.", _HAND, (0, 2, 1, 0)),
    ),
    Question(
        "The Wolf Winter",
        "Wolves are down among the sheepfolds of Thornwold, more than the oldest shepherd can "
        "remember.",
        Answer("Offer a bounty on pelts and leave the rest to the poachers.", _ROAD, (2, 0, 1, 0)),
        Answer("March two companies through the wood in line, with drums.", _HAND, (0, 3, 0, 0)),
    ),
    Question(
        "Rain on Credit",
        "No rain since spring. "
        "A pilgrim undertakes to bring it, for a fee due only after the first drop.",
        Answer("Take the bargain: a dry sky will cost you nothing.", _ROAD, (2, 0, 0, 1)),
        Answer("Put the whole province to digging channels from the mere.", _HAND, (1, 2, 0, 0)),
    ),
    Question(
        "Lamplight Lessons",
        "A schoolmaster teaches ploughboys to read by lamplight. "
        "Now not one of them is awake at dawn.",
        Answer("Let the fields wait: such boys will make good clerks.", _ROAD, (2, 0, 1, 0)),
        Answer(
            "Let them read all night, but have the watch drum them up at six.", _HAND, (1, 2, 0, 0)
        ),
    ),
    Question(
        "A Dead King's Cellar",
        "Under the Fallen Capital the gravediggers have found a dead king's wine: "
        "nine hundred jars, sealed and excellent.",
        Answer("Auction it jar by jar, and let the lords outbid each other.", _ROAD, (3, 0, 0, 0)),
        Answer("Pour a cup for every soldier who wintered on the walls.", _HAND, (0, 2, 1, 0)),
    ),
    Question(
        "An Unkind Nose",
        "A painter has made your likeness without leave. "
        "It is unkind about the nose and, if I may say so, very good.",
        Answer("Buy it now, while he still sells cheap.", _ROAD, (2, 0, 1, 0)),
        Answer("Take it off his wall: it was your nose first.", _HAND, (0, 2, 1, 0)),
    ),
    Question(
        "The Wandering Border",
        "Each night someone moves the border stones between Emberfen and Veilhaven. "
        "The line now runs through a chapel.",
        Answer("Buy the whole field, then rent it to both of them.", _ROAD, (2, 0, 0, 1)),
        Answer("Camp cavalry on the line until the stones hold still.", _HAND, (0, 3, 0, 0)),
    ),
    Question(
        "The Breathing under Skyreach",
        "Miners under Skyreach have broken into a chamber where something very large is "
        "breathing in its sleep.",
        Answer("Dig round it, at double pay for whoever can be quiet.", _ROAD, (2, 1, 0, 0)),
        Answer("Seal the chamber, and let no pick fall within a mile.", _HAND, (1, 2, 0, 0)),
    ),
    Question(
        "Strangers at the Ford",
        "Four hundred families from beyond the maps are at the ford. "
        "They have looms, goats and no explanation.",
        Answer("Lease them the empty valley, the first rent due in cloth.", _ROAD, (3, 0, 0, 0)),
        Answer(
            "Offer them land beneath the fort, in return for their blades.", _HAND, (0, 2, 0, 1)
        ),
    ),
    Question(
        "The Smugglers' Breakfast",
        "Half of what the Salt Coast eats comes in by a smugglers' cave. "
        "So, it turns out, does your breakfast.",
        Answer("License the boats, dredge the cave, charge harbour dues.", _ROAD, (3, 0, 0, 0)),
        Answer("Brick it up, and hole the next boat that shows no lantern.", _HAND, (1, 2, 0, 0)),
    ),
    Question(
        "Nineteen and Seventeen",
        "The lord who rose against you is dead. His lands have no master yet; "
        "his sons are nineteen and seventeen.",
        Answer("Sell the sons their own land, over twenty harvests.", _ROAD, (2, 0, 0, 1)),
        Answer("Grant the land to your captains; post the sons far away.", _HAND, (0, 2, 0, 1)),
    ),
    Question(
        "The Way Through the Bog",
        "One old woman remembers the way through the Emberfen bog. "
        "Both armies have been sending her presents.",
        Answer("Send the best present yet, in exchange for a map.", _ROAD, (2, 1, 0, 0)),
        Answer("Bring her within your walls, where no parcel can follow.", _HAND, (0, 3, 0, 0)),
    ),
)
