"""The 30 Conspiracies by number from 1: 20 deeds, 10 court cards; half of them cost 4, half 5.

"You" is who plays the card. A court card is aimed at the claimant who answers.
"""

from __future__ import annotations

from typing import Final

from arena_engine.singhasan.content.kinds import (
    Act,
    By,
    Conspiracy,
    Names,
    Op,
    Per,
    Step,
    Until,
    What,
    Where,
    Who,
)
from arena_engine.singhasan.kinds import Resource

_AT = Names.RIVAL | Names.PROVINCE

_DEEDS: Final = (
    Conspiracy(
        "Assassins in the Night",
        False,
        5,
        "Remove 1 or 2 followers of one rival from one province.",
        "The sentries counted themselves at dawn, and then again.",
        (Step(Op.REMOVE, Who.RIVAL, amount=2),),
        _AT | Names.COUNT,
    ),
    Conspiracy(
        "The Night Drive",
        False,
        4,
        "Move 1 or 2 followers of one rival from one province into one that borders it.",
        "Like sheep, said the drover, only with better helmets.",
        (Step(Op.SHOVE, Who.RIVAL, amount=2),),
        _AT | Names.TO | Names.COUNT,
    ),
    Conspiracy(
        "Turned Cloaks",
        False,
        5,
        "Where you have at least as many followers as a rival, replace 1 of theirs with 1 of yours.",
        "Red outside, blue inside, paid by both.",
        (Step(Op.CONVERT, Who.RIVAL, where=Where.MATCHED | Where.PRESENT),),
        _AT,
    ),
    Conspiracy(
        "The Bought Captain",
        False,
        5,
        "Replace 1 follower of a rival with 1 of yours, in any province. That rival gains 2 Gold.",
        "He insisted on a receipt.",
        (
            Step(Op.CONVERT, Who.RIVAL),
            Step(Op.GAIN, Who.RIVAL, amount=2, kind=Resource.GOLD),
        ),
        _AT,
    ),
    Conspiracy(
        "Moonlit Muster",
        False,
        5,
        "Put 1 or 2 of your followers into one province where you already have one, not on a Rift.",
        "No drums. Only the sound of a great many people being quiet.",
        (Step(Op.RALLY, amount=2, where=Where.PRESENT),),
        Names.TO | Names.COUNT,
    ),
    Conspiracy(
        "The Ferrymen's Favour",
        False,
        5,
        "Move 1 to 3 of your followers from one province to any other.",
        "They never ask what is under the canvas.",
        (Step(Op.RELOCATE, amount=3),),
        Names.PROVINCE | Names.TO | Names.COUNT,
    ),
    Conspiracy(
        "Changing of the Guard",
        False,
        4,
        "One of your followers and a rival's follower in another province change places.",
        "Same spear, same post, different cheers.",
        (Step(Op.SWAP, Who.RIVAL),),
        _AT | Names.TO,
    ),
    Conspiracy(
        "Customs Raid",
        False,
        4,
        "Take up to 4 of one resource from a rival.",
        "Anything to declare? Not any more.",
        (Step(Op.STEAL, Who.RIVAL, amount=4),),
        Names.RIVAL | Names.KIND,
    ),
    Conspiracy(
        "The Perjurer",
        False,
        5,
        "A rival loses one answer in an ideology of your choice, and gains 2 of its resource.",
        "He swore on every book in the room.",
        (
            Step(Op.LOSE_ANSWER, Who.RIVAL),
            Step(Op.GAIN, Who.RIVAL, amount=2),
        ),
        Names.RIVAL | Names.KIND,
    ),
    Conspiracy(
        "Rumours of Home",
        False,
        4,
        "A rival chooses 2 of their own followers and sends them back to their supply.",
        "They say the well has run dry, and that your sister is getting married.",
        (Step(Op.DESERT, Who.RIVAL, amount=2, by=By.SUBJECT),),
        Names.RIVAL,
    ),
    Conspiracy(
        "Burning Fields",
        False,
        5,
        "Choose a province where you have a follower. Every rival loses 1 follower there.",
        "Fire keeps no list of friends; we kept it for the fire.",
        (Step(Op.REMOVE, Who.RIVALS, where=Where.PRESENT),),
        Names.PROVINCE,
    ),
    Conspiracy(
        "The Long Truce",
        False,
        4,
        "Choose a province: until your next turn begins nothing in it can be removed, moved or converted. Gain 2 of"
        " one resource.",
        "Both sides signed. Neither side read it.",
        (
            Step(Op.PROTECT, until=Until.NEXT_TURN),
            Step(Op.GAIN, amount=2),
        ),
        Names.PROVINCE | Names.KIND,
    ),
    Conspiracy(
        "The King's Shilling",
        False,
        4,
        "The hire row is replaced with new cards. Until the end of this turn each hire costs you 2 less.",
        "It was at the bottom of the mug. It always is.",
        (
            Step(Op.CHANGE, amount=-2, what=What.HIRE),
            Step(Op.SWEEP),
        ),
    ),
    Conspiracy(
        "Burned Bridges",
        False,
        4,
        "Move 1 follower of a rival into a province that borders its own. Until your next turn begins that rival"
        " cannot March.",
        "The last one across was carrying the torch.",
        (
            Step(Op.SHOVE, Who.RIVAL),
            Step(Op.FORBID, Who.RIVAL, act=Act.MARCH, until=Until.NEXT_TURN),
        ),
        _AT | Names.TO,
    ),
    Conspiracy(
        "The Purloined Letter",
        False,
        4,
        "Take a Conspiracy of your choice from a rival; you see the costs alone.",
        "It was on the mantelpiece all along.",
        (Step(Op.TAKE, Who.RIVAL),),
        Names.RIVAL,
    ),
    Conspiracy(
        "The Spider's Web",
        False,
        4,
        "See a rival's Conspiracies and the next 2 Headlines. Draw the top Conspiracy for free.",
        "One thread trembles, and she knows who is at the door.",
        (
            Step(Op.DRAW),
            Step(Op.PEEK_HAND, Who.RIVAL),
            Step(Op.PEEK_HEADLINES, amount=2),
        ),
        Names.RIVAL,
    ),
    Conspiracy(
        "Fresh Horses",
        False,
        5,
        "You may March once more from every province this turn, and use again the powers that you have used this"
        " turn.",
        "Saddled, fed, and somebody else's.",
        (Step(Op.REFRESH),),
    ),
    Conspiracy(
        "Flooded Fords",
        False,
        5,
        "Move up to 3 followers of one rival out of one province, each into a bordering one of your choice.",
        "The river has been asked to speak to them one at a time.",
        (Step(Op.SHOVE, Who.RIVAL, amount=3, is_optional=True),),
        _AT,
    ),
    Conspiracy(
        "Hostages",
        False,
        5,
        "A rival chooses: give you 5 resources of their choice, or lose 2 followers that you choose, one after the"
        " other.",
        "They are treated well. That is what makes it so expensive.",
        (
            Step(Op.EITHER, Who.RIVAL, by=By.SUBJECT),
            Step(Op.STEAL, Who.RIVAL, amount=5, by=By.SUBJECT, branch=1),
            Step(Op.REMOVE, Who.RIVAL, amount=2, branch=2),
        ),
        Names.RIVAL,
        ("Give 5 resources", "Lose 2 followers"),
    ),
    Conspiracy(
        "The Tithe",
        False,
        5,
        "Gain 2 of one resource for each province sworn to you, at most 8.",
        "A tenth, said the law. The law had not met the collector.",
        (Step(Op.GAIN, amount=2, per=Per.SWORN, most=8),),
        Names.KIND,
    ),
)

_COURT: Final = (
    Conspiracy(
        "Poisoned Ink",
        True,
        4,
        "You get 2 of the resources that this answer pays.",
        "The verdict was just. The signature was somebody else's.",
        (Step(Op.TAX, Who.RIVAL, amount=2),),
    ),
    Conspiracy(
        "Hushed Bells",
        True,
        4,
        "This answer brings no Tribute. You gain 1 Song.",
        "Wool in the clappers, and a village that slept through its own taxes.",
        (
            Step(Op.HUSH, Who.RIVAL),
            Step(Op.GAIN, kind=Resource.SONG),
        ),
    ),
    Conspiracy(
        "The Loaded Question",
        True,
        4,
        "The Question is sent away and another drawn. It cannot be sent away again this turn. You gain 1 Oath.",
        "Have you stopped robbing widows, yes or no?",
        (
            Step(Op.REPLACE_QUESTION, Who.RIVAL),
            Step(Op.NO_REDRAW, Who.RIVAL),
            Step(Op.GAIN, kind=Resource.OATH),
        ),
    ),
    Conspiracy(
        "Cast of Bones",
        True,
        5,
        "This answer is drawn by lot, and you get 1 of the resources that it pays.",
        "The knuckles have never been wrong. They have never been asked to explain, either.",
        (
            Step(Op.BY_LOT, Who.RIVAL),
            Step(Op.TAX, Who.RIVAL),
        ),
    ),
    Conspiracy(
        "The Clerk's Seal",
        True,
        4,
        "The Question cannot be sent away this turn. You take up to 2 of one resource from the claimant.",
        "Stamped, dated, and filed under Forever.",
        (
            Step(Op.STEAL, Who.RIVAL, amount=2),
            Step(Op.NO_REDRAW, Who.RIVAL),
        ),
        Names.KIND,
    ),
    Conspiracy(
        "A Knife at the Banquet",
        True,
        5,
        "Remove 1 follower of the claimant. You gain 1 Steel.",
        "Between the fish and the toasts.",
        (
            Step(Op.REMOVE, Who.RIVAL),
            Step(Op.GAIN, kind=Resource.STEEL),
        ),
        Names.PROVINCE,
    ),
    Conspiracy(
        "Sudden Summons",
        True,
        5,
        "Move 1 or 2 of the claimant's followers from one province into one that borders it.",
        "At once, it said. It did not say why, or who had written it.",
        (Step(Op.SHOVE, Who.RIVAL, amount=2),),
        Names.PROVINCE | Names.TO | Names.COUNT,
    ),
    Conspiracy(
        "Road Wardens",
        True,
        4,
        "This turn the claimant can neither March nor trade, with the bank or with rivals.",
        "Papers. Other papers. The papers for those papers.",
        (
            Step(Op.FORBID, Who.RIVAL, act=Act.MARCH),
            Step(Op.FORBID, Who.RIVAL, act=Act.BANK),
            Step(Op.FORBID, Who.RIVAL, act=Act.OFFER),
        ),
    ),
    Conspiracy(
        "Writ of Silence",
        True,
        5,
        "This turn the claimant can neither buy Conspiracies nor play deeds nor use powers; the Shield of Troy still"
        " holds.",
        "It was read aloud, which everybody found funny but the herald.",
        (
            Step(Op.FORBID, Who.RIVAL, act=Act.BUY),
            Step(Op.FORBID, Who.RIVAL, act=Act.DEED),
            Step(Op.FORBID, Who.RIVAL, act=Act.POWER),
        ),
    ),
    Conspiracy(
        "Famine Prices",
        True,
        4,
        "This turn each hire costs the claimant 2 more.",
        "A loaf for a sword, and no swords left by noon.",
        (Step(Op.CHANGE, Who.RIVAL, amount=2, what=What.HIRE),),
    ),
)

CONSPIRACIES: Final = _DEEDS + _COURT
