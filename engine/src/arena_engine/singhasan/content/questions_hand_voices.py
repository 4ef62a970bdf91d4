"""The twenty Questions between the Iron Hand and the Thousand Voices."""

from __future__ import annotations

from typing import Final

from arena_engine.singhasan.content.kinds import Answer, Question
from arena_engine.singhasan.kinds import Ideology

_HAND: Final = Ideology.IRON_HAND
_VOICES: Final = Ideology.THOUSAND_VOICES

HAND_OR_VOICES: Final[tuple[Question, ...]] = (
    Question(
        "The First Window",
        "Bread is dear, and someone has broken a palace window. "
        "The crowd below is cold, hoarse and growing.",
        Answer("Clear the square before the second window goes.", _HAND, (0, 3, 0, 0)),
        Answer("Go down alone, and stand where the stones come from.", _VOICES, (0, 0, 2, 1)),
    ),
    Question(
        "Flowers and Spittle",
        "The statue of a merciless general stands in Kingsmarch. The old bring it flowers; "
        "the young spit.",
        Answer("Post a sentry there: you may need such a general again.", _HAND, (0, 2, 0, 1)),
        Answer("Let the town crown it or topple it, on a day it chooses.", _VOICES, (0, 0, 2, 1)),
    ),
    Question(
        "Three Hundred Spears",
        "The army is three hundred spears short. "
        "The taverns of Kingsmarch are not short of young people.",
        Answer("Draw lots in every parish and march within the week.", _HAND, (0, 2, 0, 1)),
        Answer("Send old soldiers round the taverns with their best tales.", _VOICES, (0, 1, 2, 0)),
    ),
    Question(
        "Dancing at the Wells",
        "Wildfolk have come out of the woods to dance about the town wells, each night a "
        "little nearer the doors.",
        Answer("Bar the doors, and double the watch until they tire.", _HAND, (0, 3, 0, 0)),
        Answer("Join the dance, with every drum the town can find.", _VOICES, (0, 0, 3, 0)),
    ),
    Question(
        "The Lower Town",
        "The physicians want the lower town shut. "
        "The lower town wants the physicians to come and live in it.",
        Answer("Shut it, and lower bread from the walls every morning.", _HAND, (1, 2, 0, 0)),
        Answer(
            "Ask which physicians will go in, and cheer them at the gate.", _VOICES, (0, 0, 2, 1)
        ),
    ),
    Question(
        "The Stranded Barge",
        "Your grain barge has run aground above a hungry city and beside a hungry village.",
        Answer("Guard it until it floats: a starving city burns.", _HAND, (1, 2, 0, 0)),
        Answer("Feed the village, and make sure the city hears why.", _VOICES, (1, 0, 2, 0)),
    ),
    Question(
        "Hostages to Each Other",
        "A general's son has run off with a rebel's daughter. "
        "Each army believes that the other holds a hostage.",
        Answer("Fetch both back under guard before anyone marches.", _HAND, (0, 2, 1, 0)),
        Answer("Spread their tale until neither camp will draw a sword.", _VOICES, (0, 0, 3, 0)),
    ),
    Question(
        "Red Marrow",
        "The outlaw Red Marrow robs only tax carts, and no kitchen would turn her away. "
        "The fourth cart was yours.",
        Answer("Hunt her in winter, when tracks show and doors are shut.", _HAND, (0, 3, 0, 0)),
        Answer("Pardon her in a crowded market, and ask her to dinner.", _VOICES, (1, 0, 2, 0)),
    ),
    Question(
        "Cats or a Piper",
        "There are rats in the granary. "
        "I can have a very strict cat-master here by noon, or a piper with a following.",
        Answer("Pay the cat-master well, and see that all obey him.", _HAND, (1, 2, 0, 0)),
        Answer("Engage the piper, and let the children watch him work.", _VOICES, (0, 1, 2, 0)),
    ),
    Question(
        "The Whispering Gallery",
        "A gallery in the palace carries the least whisper to one alcove. "
        "The alcove, I notice, has been dusted.",
        Answer("Wall it up, and question whoever owns a duster.", _HAND, (0, 2, 1, 0)),
        Answer("Whisper there what you would like to have repeated.", _VOICES, (0, 1, 2, 0)),
    ),
    Question(
        "The Top of the Pass",
        "Two hundred pilgrims are snowed in at the top of the pass. "
        "Someone must go up while there is light.",
        Answer("Send six mountaineers, roped, under a single command.", _HAND, (0, 2, 0, 1)),
        Answer("Go yourself, with all the valley and all its shovels.", _VOICES, (0, 1, 2, 0)),
    ),
    Question(
        "Fond of You",
        "Six rebel children grew up in your keep as hostages. "
        "They are fond of you, and their fathers are arming.",
        Answer("Move them to the high tower, in view of the field.", _HAND, (0, 2, 1, 0)),
        Answer("Have them write home, and read the letters to both sides.", _VOICES, (0, 0, 2, 1)),
    ),
    Question(
        "Pigs on the River Wall",
        "Overnight someone has painted the tax collectors as pigs, all along the river wall. "
        "It is a good likeness.",
        Answer("Whitewash it every morning until the painter tires.", _HAND, (0, 2, 1, 0)),
        Answer("Buy more paint for whoever would like to continue.", _VOICES, (0, 0, 3, 0)),
    ),
    Question(
        "Not Yet",
        "A barefoot prophet is walking to the capital with a whole valley behind her. "
        "All she ever says is: not yet.",
        Answer("Halt them at the river; admit her alone, under escort.", _HAND, (0, 2, 0, 1)),
        Answer("Throw the gates wide and walk the last mile with her.", _VOICES, (0, 0, 3, 0)),
    ),
    Question(
        "Stone Enough for One",
        "There is stone for the north wall or for the amphitheatre, not for both. "
        "The masons have asked me twice.",
        Answer("Build the wall, or there will be no city to amuse.", _HAND, (1, 2, 0, 0)),
        Answer("Build the other, or there will be no city to defend.", _VOICES, (1, 0, 2, 0)),
    ),
    Question(
        "Two Days before the Battle",
        "Your commander died in the night, two days before the battle. "
        "You know it, and so does her orderly.",
        Answer("Take command at first light and shift the camp.", _HAND, (0, 3, 0, 0)),
        Answer("Tie her in the saddle, where the army can see her.", _VOICES, (0, 1, 2, 0)),
    ),
    Question(
        "Pirates, Probably",
        "The levy for a fleet is half paid. "
        "Pirates have been sighted, mostly by people who sell rope.",
        Answer("Collect the rest door to door, a company to a street.", _HAND, (1, 2, 0, 0)),
        Answer("Hoist a black sail in the bay, then let people give.", _VOICES, (1, 0, 2, 0)),
    ),
    Question(
        "The Quarrel over a Goose",
        "Two lords mean to fight to the death over a goose, at the spring fair. "
        "Every bench is taken.",
        Answer("Disarm the pair of them, and eat the goose.", _HAND, (0, 2, 1, 0)),
        Answer("Let them fight with wet mops, the goose presiding.", _VOICES, (1, 0, 2, 0)),
    ),
    Question(
        "Thirty Below",
        "A pit has fallen in with thirty below. The foreman wants quiet and clear ground; "
        "the families want to dig.",
        Answer("Rope off the field and put the foreman in command.", _HAND, (0, 3, 0, 0)),
        Answer("Dig with them, and take the first shift yourself.", _VOICES, (0, 0, 3, 0)),
    ),
    Question(
        "The Clumsy Heir",
        "Lord Ansel has named his clumsy elder son his heir. "
        "The province would follow the younger one anywhere.",
        Answer("Back the elder with a garrison, and end the talk.", _HAND, (0, 2, 0, 1)),
        Answer(
            "Let the province shout for one or the other, then seat him.", _VOICES, (0, 0, 2, 1)
        ),
    ),
)
