"""The twenty Questions between the Iron Hand and the Unbroken Oath."""

from __future__ import annotations

from typing import Final

from arena_engine.singhasan.content.kinds import Answer, Question
from arena_engine.singhasan.kinds import Ideology

_HAND: Final = Ideology.IRON_HAND
_OATH: Final = Ideology.UNBROKEN_OATH

HAND_OR_OATH: Final[tuple[Question, ...]] = (
    Question(
        "Won by an Hour",
        "Your best general broke a truce by one hour, and in that hour won the war.",
        Answer("Promote her: now every enemy will sleep badly.", _HAND, (0, 2, 1, 0)),
        Answer("Relieve her of command, and give back what it won.", _OATH, (0, 0, 0, 3)),
    ),
    Question(
        "Dust on the Plain",
        "Dusk. The gates should close, refugees are still in sight, and so is the dust of the "
        "riders behind them.",
        Answer("Close on time, and cover the stragglers with every bow.", _HAND, (0, 2, 0, 1)),
        Answer("Wait for the last of them: they were promised a city.", _OATH, (0, 0, 1, 2)),
    ),
    Question(
        "Father and Magistrate",
        "A magistrate's own son stands accused of cattle theft. "
        "It is a hanging matter, and he has not stepped down.",
        Answer("Take the bench from him, and be done by the noon bell.", _HAND, (0, 2, 0, 1)),
        Answer("Let him judge: he took the office for every case.", _OATH, (0, 0, 0, 3)),
    ),
    Question(
        "Twenty Days",
        "The garrison in Thornwold has food for ten days, and a dead king's order to hold for "
        "twenty.",
        Answer("Call them out tonight, straight through the enemy.", _HAND, (0, 3, 0, 0)),
        Answer("Have them hold the twenty, and eat as little yourself.", _OATH, (0, 1, 0, 2)),
    ),
    Question(
        "The Birthmark",
        "In a fishing village there is a child of eight with the right birthmark. "
        "People have started to bow.",
        Answer("Bring the child to court, before someone else does.", _HAND, (0, 2, 1, 0)),
        Answer("Test the claim; if it is true, bow with the rest.", _OATH, (0, 0, 1, 2)),
    ),
    Question(
        "The Fouled Well",
        "A fouled well may be closed only if both banks agree, says the treaty. "
        "One bank is still arguing.",
        Answer("Cap it today, and let them argue with the pikes.", _HAND, (1, 2, 0, 0)),
        Answer("Go and argue with them until both seals are on it.", _OATH, (1, 0, 0, 2)),
    ),
    Question(
        "The King's Hounds",
        "Since the storm the last king's hounds obey nobody. "
        "They lie across the throne-room door, and growl at claimants.",
        Answer("Master them one by one, beginning with the largest.", _HAND, (0, 2, 1, 0)),
        Answer("Step over them: they were told to wait, and they wait.", _OATH, (0, 1, 0, 2)),
    ),
    Question(
        "What the Priest Heard",
        "Under the seal of confession, a priest has learned where the assassins sleep. "
        "He himself no longer sleeps at all.",
        Answer("Have him followed, and search wherever he cannot look.", _HAND, (1, 2, 0, 0)),
        Answer("Leave him his silence, and find them without it.", _OATH, (0, 0, 0, 3)),
    ),
    Question(
        "Four Angry Brothers",
        "Your cousin has run away with a captain of your guard. Her brothers want him dead; "
        "he wants his post back.",
        Answer("Send him to the frontier, and the brothers to their rooms.", _HAND, (0, 2, 0, 1)),
        Answer("Witness the wedding; tell the brothers they have a fifth.", _OATH, (0, 0, 1, 2)),
    ),
    Question(
        "Three Days a Year",
        "An old law gives the crown three days of every subject's labour. "
        "None has been asked for in a lifetime, and the passes are ruins.",
        Answer("Send the army to rebuild, with a fort at every pass.", _HAND, (1, 2, 0, 0)),
        Answer("Claim the three days, and serve your own three first.", _OATH, (0, 1, 0, 2)),
    ),
    Question(
        "The Excuse of Snow",
        "Skyreach is two years behind with its taxes, and blames the snow. I have seen it; "
        "it is remarkable snow.",
        Answer("Send a column up with the thaw, to help them count.", _HAND, (1, 2, 0, 0)),
        Answer("Claim both years, then clear the pass you owe them.", _OATH, (1, 0, 0, 2)),
    ),
    Question(
        "Nine in the Peat",
        "Peat-cutters have found nine soldiers, three hundred years dead and still in line. "
        "No one can tell whose they were.",
        Answer("Give nine recruits their spears, and their place in line.", _HAND, (0, 2, 0, 1)),
        Answer("Bury them armed, beneath every banner of that age.", _OATH, (0, 0, 1, 2)),
    ),
    Question(
        "The Storm Signal",
        "The storm that took the king is rising. By custom no ship leaves harbour; "
        "the enemy fleet has other customs.",
        Answer("Sail, and meet them where they least expect a sail.", _HAND, (0, 3, 0, 0)),
        Answer("Stay in port, and light the beacons even for them.", _OATH, (0, 1, 0, 2)),
    ),
    Question(
        "The Same White Flag",
        "Riders have come under a white flag. "
        "Your scouts say it is the very flag that fooled Veilhaven.",
        Answer("Ring them with spears, then ask what they want.", _HAND, (0, 3, 0, 0)),
        Answer("Receive them: the flag deserves it, even if they do not.", _OATH, (0, 0, 0, 3)),
    ),
    Question(
        "Too Good a Forger",
        "A forger has been caught at last. "
        "So fine is his royal seal that no one can tell true decrees from false.",
        Answer("Void them all, and issue each anew under guard.", _HAND, (0, 3, 0, 0)),
        Answer("Honour them all: people trusted the seal, not him.", _OATH, (1, 0, 0, 2)),
    ),
    Question(
        "The Fortieth Name",
        "An informer has brought you forty names. "
        "Thirty-nine look likely, and the last is your oldest friend.",
        Answer("Take all forty before dawn, and sort them later.", _HAND, (0, 3, 0, 0)),
        Answer("Try all forty in the open, the informer first.", _OATH, (0, 0, 1, 2)),
    ),
    Question(
        "Borrowed Brands",
        "By treaty Ashfall sells its horses to Nauvara alone. "
        "A herd with its brand has turned up in an enemy camp.",
        Answer("Raid the camp, and put your questions on horseback.", _HAND, (1, 2, 0, 0)),
        Answer("Protest, and wait the thirty days the treaty allows.", _OATH, (1, 0, 0, 2)),
    ),
    Question(
        "Shields to the Wall",
        "The shield of every house that ever rebelled hangs in the great hall, face to the wall.",
        Answer("Leave them so, where the grandchildren can see the nails.", _HAND, (0, 2, 1, 0)),
        Answer("Turn them round: the sentence died with the sentenced.", _OATH, (1, 0, 0, 2)),
    ),
    Question(
        "Asleep on Watch",
        "Four sentries slept on watch, and nothing happened. The penalty is death.",
        Answer("Put them in the front rank till they have earned a nap.", _HAND, (0, 2, 1, 0)),
        Answer("Do as the law is written, and only then rewrite it.", _OATH, (0, 0, 0, 3)),
    ),
    Question(
        "The Champion at Sixty-Three",
        "Your champion has never lost. "
        "He is sixty-three, and on Monday there is a trial by combat.",
        Answer("Name a younger one today, and drill him until Sunday.", _HAND, (0, 2, 0, 1)),
        Answer("Let him fight: the place is his until he gives it up.", _OATH, (0, 1, 0, 2)),
    ),
)
