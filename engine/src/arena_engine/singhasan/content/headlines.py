"""The 32 Headlines by number from 1: 12 boons, 12 banes, 8 upheavals.

A Headline comes up at the end of its caller's turn. "You" is the caller; the rivals follow clockwise.
"""

from __future__ import annotations

from typing import Final

from arena_engine.singhasan.content.kinds import (
    Act,
    By,
    Headline,
    Op,
    Per,
    Step,
    Tone,
    Until,
    What,
    When,
    Where,
    Who,
)
from arena_engine.singhasan.kinds import Resource

_BOONS: Final = (
    Headline(
        "Harvest Home",
        Tone.BOON,
        "Gain 3 of one resource of your choice.",
        "Even the crows have eaten and are making speeches.",
        (Step(Op.GAIN, amount=3),),
    ),
    Headline(
        "Volunteers at the Gate",
        Tone.BOON,
        "Put 1 of your followers into a province where you already have one, not on a Rift.",
        "They brought their own spears, and one goat.",
        (Step(Op.RALLY, where=Where.PRESENT),),
    ),
    Headline(
        "Deserters Come Over",
        Tone.BOON,
        "In a province where you have a follower, replace 1 rival follower that its province does not need for its"
        " oath with 1 of yours.",
        "They changed coats at the ford and kept the boots.",
        (Step(Op.CONVERT, Who.RIVAL, where=Where.PRESENT | Where.LOOSE),),
    ),
    Headline(
        "Open Granaries",
        Tone.BOON,
        "Until the end of your next turn, each hire costs you 2 less.",
        "Nothing recruits like the smell of bread.",
        (Step(Op.CHANGE, amount=-2, what=What.HIRE, until=Until.NEXT_TURN_END),),
    ),
    Headline(
        "A Friend in the Archive",
        Tone.BOON,
        "Draw the top Conspiracy for free, or gain 2 of one resource.",
        "He files everything twice: once for the court, once for you.",
        (
            Step(Op.EITHER),
            Step(Op.DRAW, branch=1),
            Step(Op.GAIN, amount=2, branch=2),
        ),
        ("Draw a Conspiracy", "Gain 2 of one resource"),
    ),
    Headline(
        "Safe Conduct",
        Tone.BOON,
        "Move up to 2 of your followers, one after the other, to provinces where you already have one.",
        "A ribbon on the lance, and every toll gate swings open.",
        (Step(Op.RELOCATE, amount=2, where=Where.PRESENT, is_optional=True),),
    ),
    Headline(
        "The Deep Vault",
        Tone.BOON,
        "Gain 2 of one resource. Until the end of your next turn your treasury holds 6 more.",
        "The mason swears the cellar was smaller last year.",
        (
            Step(Op.GAIN, amount=2),
            Step(Op.CHANGE, amount=6, what=What.LIMIT, until=Until.NEXT_TURN_END),
        ),
    ),
    Headline(
        "A Season of Verdicts",
        Tone.BOON,
        "Until the end of your next turn an answer pays you 3 more of its ideology's resource.",
        "For a week, every petitioner arrives carrying something.",
        (Step(Op.CHANGE, amount=3, what=What.INCOME, until=Until.NEXT_TURN_END),),
    ),
    Headline(
        "Scandal in a Rival House",
        Tone.BOON,
        "Remove 1 follower of a rival of your choice that its province does not need for its oath.",
        "The letters were genuine. Nobody had expected that.",
        (Step(Op.REMOVE, Who.RIVAL, where=Where.LOOSE),),
    ),
    Headline(
        "The Comet Reads Well",
        Tone.BOON,
        "Look at the next 3 Headlines. Gain 1 Song and 1 Oath.",
        "The astronomers agree for once, which worries the astronomers.",
        (
            Step(Op.PEEK_HEADLINES, amount=3),
            Step(Op.GAIN, kind=Resource.SONG),
            Step(Op.GAIN, kind=Resource.OATH),
        ),
    ),
    Headline(
        "The Peace of the Fair",
        Tone.BOON,
        "Choose a province in which you have a follower. Until your next turn begins nothing in it can be removed,"
        " moved or converted.",
        "Swords hang at the gate, tagged like coats.",
        (Step(Op.PROTECT, where=Where.PRESENT, until=Until.NEXT_TURN),),
    ),
    Headline(
        "Loose Tongues",
        Tone.BOON,
        "See the Conspiracies of a rival of your choice. Until the end of your next turn a Conspiracy costs you 2"
        " less.",
        "The wine was cheap, and worth every secret.",
        (
            Step(Op.PEEK_HAND, Who.RIVAL),
            Step(Op.CHANGE, amount=-2, what=What.CONSPIRACY, until=Until.NEXT_TURN_END),
        ),
    ),
)

_BANES: Final = (
    Headline(
        "Rot in the Stores",
        Tone.BANE,
        "Lose 3 resources of your choice.",
        "The rats kept better accounts than the steward.",
        (Step(Op.LOSE, amount=3),),
    ),
    Headline(
        "Homesick",
        Tone.BANE,
        "Send 1 of your followers home: it goes back to your supply.",
        "He left his helmet on the post, facing west.",
        (Step(Op.DESERT, by=By.SUBJECT),),
    ),
    Headline(
        "A Debt Called In",
        Tone.BANE,
        "Give 1 resource of your choice to each rival.",
        "Grandfather signed it. Grandfather signed everything.",
        (Step(Op.GIVE, Who.RIVALS),),
    ),
    Headline(
        "Roads of Mud",
        Tone.BANE,
        "Until the end of your next turn you cannot March.",
        "The cart is still there. Only the cart's owner has hope.",
        (Step(Op.FORBID, act=Act.MARCH, until=Until.NEXT_TURN_END),),
    ),
    Headline(
        "The Strongroom Floods",
        Tone.BANE,
        "Until the end of your next turn your treasury holds 4 less.",
        "Gold sinks. It is one of the things people like about it.",
        (Step(Op.CHANGE, amount=-4, what=What.LIMIT, until=Until.NEXT_TURN_END),),
    ),
    Headline(
        "Recruits Want More",
        Tone.BANE,
        "Until the end of your next turn each hire costs you 1 more.",
        "They have heard what the last ones got.",
        (Step(Op.CHANGE, amount=1, what=What.HIRE, until=Until.NEXT_TURN_END),),
    ),
    Headline(
        "Words Taken Back",
        Tone.BANE,
        "Lose 3 resources of your choice or one answer of your choice. If you can do neither, nothing happens.",
        "You said it before witnesses. Unfortunately, good ones.",
        (
            Step(Op.EITHER),
            Step(Op.LOSE, amount=3, branch=1),
            Step(Op.LOSE_ANSWER, branch=2),
        ),
        ("Lose 3 resources", "Lose an answer"),
    ),
    Headline(
        "An Empty Gallery",
        Tone.BANE,
        "Until the end of your next turn an answer pays you 2 less of its ideology's resource.",
        "Justice was done. Nobody came to see it.",
        (Step(Op.CHANGE, amount=-2, what=What.INCOME, until=Until.NEXT_TURN_END),),
    ),
    Headline(
        "Turned Around in Fog",
        Tone.BANE,
        "The claimant after you moves 1 of your followers across a border.",
        "They marched all night and arrived with great confidence.",
        (Step(Op.SHOVE, by=By.NEXT),),
    ),
    Headline(
        "The Turncoat",
        Tone.BANE,
        "The claimant after you replaces 1 of your followers that its province does not need for its oath with 1 of"
        " their own.",
        "He was always polite about it.",
        (Step(Op.CONVERT, by=By.NEXT, where=Where.LOOSE),),
    ),
    Headline(
        "Seized Letters",
        Tone.BANE,
        "Put away one of your Conspiracies, unplayed. If you hold none, lose 2 resources of your choice.",
        "The ink was invisible. The envelope was not.",
        (
            Step(Op.LOSE, amount=2, when=When.WITHOUT_CARDS),
            Step(Op.LOSE_CARD, when=When.WITH_CARDS),
        ),
    ),
    Headline(
        "The Statues Look Away",
        Tone.BANE,
        "Until the end of your next turn you cannot use your legends' powers; the Shield of Troy still holds.",
        "Four faces of bronze, all suddenly interested in the sea.",
        (Step(Op.FORBID, act=Act.POWER, until=Until.NEXT_TURN_END),),
    ),
)

_UPHEAVALS: Final = (
    Headline(
        "The Festival of Storms",
        Tone.UPHEAVAL,
        "Everybody gains 1 Song and, until your next turn begins, pays 1 more for a Conspiracy.",
        "Dance now; the roofs come down at midnight.",
        (
            Step(Op.GAIN, Who.EACH, kind=Resource.SONG),
            Step(Op.CHANGE, Who.EACH, amount=1, what=What.CONSPIRACY, until=Until.NEXT_TURN),
        ),
    ),
    Headline(
        "Red Winter",
        Tone.UPHEAVAL,
        "Every claimant, you first, sends 1 of their own followers home.",
        "The snow fell red, and the young men remembered their mothers.",
        (Step(Op.DESERT, Who.EACH, by=By.SUBJECT),),
    ),
    Headline(
        "The Great Fair",
        Tone.UPHEAVAL,
        "The hire row is replaced with new cards. Every claimant, you first, gains 2 of one resource of their choice.",
        "Elephants on the left, mercenaries on the right, no refunds anywhere.",
        (
            Step(Op.SWEEP),
            Step(Op.GAIN, Who.EACH, amount=2, by=By.SUBJECT),
        ),
    ),
    Headline(
        "Plague Carts",
        Tone.UPHEAVAL,
        "Every claimant sends home 1 follower from the province where most stand, Sealed and protected ones aside. If"
        " several are level, you choose.",
        "Bring out your standards.",
        (
            Step(Op.PICK, where=Where.FULLEST),
            Step(Op.DESERT, Who.EACH, by=By.SUBJECT),
        ),
    ),
    Headline(
        "General Levy",
        Tone.UPHEAVAL,
        "Every claimant, you first, puts 1 of their followers into a province where they already have one, not on a"
        " Rift.",
        "One from every house, and no, not the uncle.",
        (Step(Op.RALLY, Who.EACH, by=By.SUBJECT, where=Where.PRESENT),),
    ),
    Headline(
        "The Bridges Are Down",
        Tone.UPHEAVAL,
        "Until your next turn begins nobody can March.",
        "The river took all nine, in alphabetical order.",
        (Step(Op.FORBID, Who.EACH, act=Act.MARCH, until=Until.NEXT_TURN),),
    ),
    Headline(
        "The Lean Season",
        Tone.UPHEAVAL,
        "Until the next round is complete each hire costs everybody 1 more.",
        "Soup again. Thinner, and with opinions.",
        (Step(Op.CHANGE, Who.EACH, amount=1, what=What.HIRE, until=Until.NEXT_ROUND_END),),
    ),
    Headline(
        "The Reckoning",
        Tone.UPHEAVAL,
        "Every claimant with the most points loses 1 resource of their choice for every 4 they hold. Everybody else"
        " gains 1 Gold.",
        "The tallest wheat meets the scythe first.",
        (
            Step(Op.LOSE, Who.LEADERS, by=By.SUBJECT, per=Per.FOUR),
            Step(Op.GAIN, Who.REST, kind=Resource.GOLD),
        ),
    ),
)

HEADLINES: Final = _BOONS + _BANES + _UPHEAVALS
