"""The twenty Questions between the Golden Road and the Unbroken Oath."""

from __future__ import annotations

from typing import Final

from arena_engine.singhasan.content.kinds import Answer, Question
from arena_engine.singhasan.kinds import Ideology

_ROAD: Final = Ideology.GOLDEN_ROAD
_OATH: Final = Ideology.UNBROKEN_OATH

ROAD_OR_OATH: Final[tuple[Question, ...]] = (
    Question(
        "The Late King's Slate",
        "The last king ate at the Blue Heron for eleven years and never paid. "
        "The innkeeper has brought the slate.",
        Answer("Bargain for a third, and a royal crest above the door.", _ROAD, (2, 0, 1, 0)),
        Answer("Pay every supper: whoever takes the crown takes the slate.", _OATH, (1, 0, 0, 2)),
    ),
    Question(
        "An Orchard for Ever",
        "Your grandfather promised a gardener's family their orchard for ever. "
        "The new canal needs to go through it.",
        Answer("Offer them shares in the canal, tree for tree.", _ROAD, (3, 0, 0, 0)),
        Answer("Bend the canal, however many miles for ever costs.", _OATH, (0, 1, 0, 2)),
    ),
    Question(
        "Borrowed Grain",
        "Hollowmere once lent Thornwold grain, measure for measure. "
        "Now Hollowmere starves, and grain stands at triple.",
        Answer("Let them settle in timber, which will buy more bread.", _ROAD, (2, 1, 0, 0)),
        Answer("Make it measure for measure, whatever grain costs now.", _OATH, (0, 0, 1, 2)),
    ),
    Question(
        "Brother and Two Mules",
        "A deserter's brother offers to serve out the man's remaining years, and to bring two "
        "mules.",
        Answer("Agree: a willing soldier, and two mules besides.", _ROAD, (2, 1, 0, 0)),
        Answer("Refuse: no one can keep another man's promise.", _OATH, (0, 0, 0, 3)),
    ),
    Question(
        "Betrothed at Six",
        "At six she was betrothed by letter. At twenty she is in love, and not with the letter.",
        Answer("Ask what the other house would take to burn it.", _ROAD, (2, 0, 0, 1)),
        Answer("Hold her to it, unless he himself releases her.", _OATH, (0, 0, 1, 2)),
    ),
    Question(
        "A Week Too Soon",
        "A wealthy house, shut up for plague until the new moon, will endow a hospital to be "
        "let out a week early.",
        Answer("Release them to the country, and lay the first stone.", _ROAD, (2, 0, 1, 0)),
        Answer("Keep it barred to the last day, as you would a cobbler's.", _OATH, (0, 1, 0, 2)),
    ),
    Question(
        "The Smaller Pound",
        "Every grocer in Veilhaven cheats by exactly the same amount. "
        "Nobody gains by it, and nobody will stop first.",
        Answer("Declare the small pound lawful and reprice the market.", _ROAD, (3, 0, 0, 0)),
        Answer("Recast every weight to match the stone in the temple.", _OATH, (1, 0, 0, 2)),
    ),
    Question(
        "Ledgers for Sale",
        "Your rival's treasurer offers you her ledgers. He asks for what she pays him, twice.",
        Answer("Accept, and leave him in place to write more.", _ROAD, (2, 1, 0, 0)),
        Answer("Show him the door: he will be as true to you as to her.", _OATH, (0, 1, 0, 2)),
    ),
    Question(
        "The Collector's Lamp",
        "A shrine's lamp was stolen before you were born. "
        "A collector, who bought it in good faith, would part with it.",
        Answer("Match what he paid, out of what pilgrims will give.", _ROAD, (2, 0, 1, 0)),
        Answer("Restore it tonight; his quarrel is with the thief.", _OATH, (0, 0, 1, 2)),
    ),
    Question(
        "Leave to Hunt",
        "Only a king may hunt the white stag. "
        "A foreign prince offers a shipload of spice for one morning's leave.",
        Answer(
            "Grant him the morning, having heard that the stag sleeps late.", _ROAD, (2, 0, 1, 0)
        ),
        Answer("Turn him down: with the throne empty, the stag is safe.", _OATH, (0, 0, 0, 3)),
    ),
    Question(
        "Paid Twice",
        "Through a slip of my clerk's, Emberfen has paid its taxes twice. "
        "The second lot is spent, and Emberfen has not noticed.",
        Answer("Put it towards next year, with a modest discount.", _ROAD, (2, 0, 0, 1)),
        Answer("Write and tell them, and sell the palace plate.", _OATH, (1, 0, 0, 2)),
    ),
    Question(
        "Four Years Remaining",
        "A boy bound to a dyer for seven years learned the whole trade in three. "
        "The dyer wants the other four.",
        Answer("Let him set up next door and pay the dyer as he earns.", _ROAD, (2, 0, 0, 1)),
        Answer("Hold them both to seven; there is always more to learn.", _OATH, (1, 0, 0, 2)),
    ),
    Question(
        "Nine Days Saved",
        "A pass through Skyreach would save the carters nine days. "
        "It crosses the graves of a people who moved away.",
        Answer("Open it, and send those people a tenth of the tolls.", _ROAD, (2, 0, 0, 1)),
        Answer("Leave the dead their mountain and mend the long way.", _OATH, (0, 0, 0, 3)),
    ),
    Question(
        "Anything but Storms",
        "The crown insured a fleet against anything but storms. "
        "It was sunk by something that was very nearly one.",
        Answer("Pay half; by autumn every owner will want storm cover.", _ROAD, (3, 0, 0, 0)),
        Answer("Read the clause aloud, then do as it says to the letter.", _OATH, (0, 0, 0, 3)),
    ),
    Question(
        "Bread and Salt",
        "A traveller ate at your table last night. "
        "By daylight he is a hunted duke, and a neighbour has named a sum.",
        Answer("Ask the duke what he would pay to be elsewhere.", _ROAD, (2, 1, 0, 0)),
        Answer("See him to the border: he is your guest until then.", _OATH, (0, 1, 0, 2)),
    ),
    Question(
        "Fourth from the Left",
        "A foreign city would trade you a warship for a portrait: "
        "the dead queens' gallery, fourth from the left.",
        Answer("Take the ship, and hang a fair copy in the frame.", _ROAD, (2, 1, 0, 0)),
        Answer("Keep her on the wall, whatever she would have advised.", _OATH, (0, 0, 1, 2)),
    ),
    Question(
        "Gifts from Both Sides",
        "Your best judge takes gifts from both sides, then rules strictly by the book. "
        "No one has ever lost unfairly.",
        Answer("Tax the gifts, and let so sound a judge sit on.", _ROAD, (2, 0, 0, 1)),
        Answer("Dismiss him: justice should not need thanking.", _OATH, (0, 0, 0, 3)),
    ),
    Question(
        "A Price for Forgetting",
        "One old man knows by heart every bargain struck in the valley for sixty years. "
        "For a fee, he forgets.",
        Answer("Retain him for life, so that his memory is yours.", _ROAD, (2, 0, 1, 0)),
        Answer("Have it all written down, and read out every spring.", _OATH, (0, 0, 1, 2)),
    ),
    Question(
        "What the Sea Throws Up",
        "By custom the Salt Coast keeps whatever the sea throws up. "
        "This week the sea threw up your tax ship.",
        Answer("Buy the cargo back at half, before your rivals bid.", _ROAD, (3, 0, 0, 0)),
        Answer("Let them keep it: a custom that suits only you is none.", _OATH, (1, 0, 0, 2)),
    ),
    Question(
        "Forty Old Servants",
        "Forty servants of the last court live on in the east wing, on a pension nobody "
        "signed. They know where everything is.",
        Answer("Let out half the wing as shops; house them on the rents.", _ROAD, (3, 0, 0, 0)),
        Answer("Keep them at their old table, signature or none.", _OATH, (0, 1, 0, 2)),
    ),
)
