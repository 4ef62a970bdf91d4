"""The twenty Questions between the Thousand Voices and the Unbroken Oath."""

from __future__ import annotations

from typing import Final

from arena_engine.singhasan.content.kinds import Answer, Question
from arena_engine.singhasan.kinds import Ideology

_VOICES: Final = Ideology.THOUSAND_VOICES
_OATH: Final = Ideology.UNBROKEN_OATH

VOICES_OR_OATH: Final[tuple[Question, ...]] = (
    Question(
        "A Council Long Ago",
        "A young preacher fills every field in Kingsmarch. "
        "What she teaches was forbidden by a council that met once, long ago.",
        Answer("Go and hear her, in the middle of the field.", _VOICES, (0, 0, 2, 1)),
        Answer("Recall the council; until it has met, she waits.", _OATH, (0, 0, 1, 2)),
    ),
    Question(
        "The Gate He Never Held",
        "The hero of the siege has just told you that he never held the gate. "
        "The city names its sons after him.",
        Answer("Keep it between you: the city needs that gate held.", _VOICES, (0, 0, 3, 0)),
        Answer("Stand beside him while he tells the city himself.", _OATH, (0, 0, 1, 2)),
    ),
    Question(
        "Not Twice",
        "The jury let him go. Now there is proof of the murder, and the square is full every "
        "night; the law tries no one twice.",
        Answer("Try him in the square, before all who will come.", _VOICES, (0, 1, 2, 0)),
        Answer("Leave him free, and be the one who tells the square.", _OATH, (0, 0, 0, 3)),
    ),
    Question(
        "Another Year",
        "A knight has waited eleven years for a lady's answer. "
        "Half the realm has wagers on it; she wants another year.",
        Answer("Name the day, hire the arena, and make her say it there.", _VOICES, (1, 0, 2, 0)),
        Answer("Grant it: he promised to wait, and named no limit.", _OATH, (0, 0, 0, 3)),
    ),
    Question(
        "Bread for Half the Town",
        "There is bread for half the town. By an old rule guild families eat first; "
        "the street wants to draw lots.",
        Answer("Draw the lots from a barrel, with everyone watching.", _VOICES, (0, 0, 2, 1)),
        Answer("Hold to the rule: it was made before anyone was hungry.", _OATH, (1, 0, 0, 2)),
    ),
    Question(
        "The Hill That Stands",
        "The army is beaten, all but one hill. "
        "Its company was told to stand until relieved, and it is standing.",
        Answer("Proclaim that hill in every town, and lead whoever comes.", _VOICES, (0, 1, 2, 0)),
        Answer("Turn back for them tonight, with whatever is left.", _OATH, (0, 1, 0, 2)),
    ),
    Question(
        "Painted Windows",
        "There is a tax on windows. "
        "Out of spite the townsfolk paint false ones on their walls, and rather well.",
        Answer("Offer a prize for the best, and drop the tax.", _VOICES, (1, 0, 2, 0)),
        Answer("Collect to the year's end, then change the law.", _OATH, (1, 0, 0, 2)),
    ),
    Question(
        "Nailed to the Market Cross",
        "Each week an unsigned letter on the market cross reveals one of your secrets. "
        "None has been untrue.",
        Answer("Post a better secret beside it, in your own name.", _VOICES, (0, 0, 3, 0)),
        Answer("Let it hang: no law forbids the truth about you.", _OATH, (0, 0, 1, 2)),
    ),
    Question(
        "The Nurse's Last Day",
        "At seven a prince is parted from his nurse; so it was always done. "
        "This one screams, and the palace weeps with him.",
        Answer("Let her stay, and let the city know why.", _VOICES, (0, 0, 2, 1)),
        Answer("Part them gently, as was done with his father.", _OATH, (0, 1, 0, 2)),
    ),
    Question(
        "The Temple Steps",
        "While there is plague the temples stay shut. "
        "The whole quarter has come to kneel on the steps.",
        Answer("Bring the altar out of doors, and kneel among them.", _VOICES, (0, 0, 2, 1)),
        Answer("Keep it shut, and carry in every name they give you.", _OATH, (0, 1, 0, 2)),
    ),
    Question(
        "The Hermit's Lamp",
        "A hermit has promised to keep a lamp burning at the crossroads all his life. "
        "The new highway needs the spot.",
        Answer("Build the inn around him, so that crowds can see the lamp.", _VOICES, (1, 0, 2, 0)),
        Answer("Stop the highway short for as long as the lamp burns.", _OATH, (1, 0, 0, 2)),
    ),
    Question(
        "One Grave, Two Heroes",
        "Two towns claim one grave as their hero's. To open it would settle the matter; "
        "the stone forbids it.",
        Answer("Feast there with both towns, on one day, at one table.", _VOICES, (0, 0, 3, 0)),
        Answer("Obey the stone, and let neither town carve a name.", _OATH, (0, 1, 0, 2)),
    ),
    Question(
        "The Ambassador's Trunk",
        "A far-off king has sent an elephant, trusting that it will be received as his "
        "ambassador. It is in the courtyard.",
        Answer("Lead it through every market with children on its back.", _VOICES, (1, 0, 2, 0)),
        Answer("Give it the embassy, the escort, and the first toast.", _OATH, (1, 0, 0, 2)),
    ),
    Question(
        "The Rain Queen",
        "When the rain fails, a Rain Queen gives back her crown. "
        "This one is dearly loved, and it is very dry.",
        Answer("Carry her through the fields, and see who objects.", _VOICES, (0, 0, 3, 0)),
        Answer("Take it back at sundown, as she took it from the last.", _OATH, (0, 0, 0, 3)),
    ),
    Question(
        "The Laurel",
        "A poet holds the laurel for life. His last three books are dreadful; "
        "a girl of nineteen has written one that is not.",
        Answer("Let them read in the arena, and crown the louder applause.", _VOICES, (0, 0, 3, 0)),
        Answer("Leave him the laurel: for life means the bad years too.", _OATH, (0, 0, 1, 2)),
    ),
    Question(
        "Nobody Told Him",
        "A stranger broke a law that no one had mentioned to him. "
        "The town has grown fond of him; the law makes no exceptions.",
        Answer("Ask who will stand up for him, and count the standing.", _VOICES, (0, 0, 2, 1)),
        Answer("Sentence him, and as his host serve half of it yourself.", _OATH, (0, 0, 0, 3)),
    ),
    Question(
        "What the Queen Wore",
        "The weavers agreed to keep last year's prices. "
        "Then a queen wore their cloth, and now the world is at the door.",
        Answer("Dress your court in it, and let last year be last year.", _VOICES, (1, 0, 2, 0)),
        Answer("Weave at the price agreed, in the order of the queue.", _OATH, (1, 0, 0, 2)),
    ),
    Question(
        "The Sealed Will",
        "He cut off his son before witnesses. "
        "Old and blind, he now asks for him daily, but the will is sealed.",
        Answer("Bring the son into the hall, and let the tears decide.", _VOICES, (0, 1, 2, 0)),
        Answer("Bring the son to his bed; do not bring the will.", _OATH, (0, 0, 0, 3)),
    ),
    Question(
        "One Bell a Year",
        "One bell is rung each year for the king who rode away. "
        "The ringer is dying, and the young find it gloomy.",
        Answer("Make it a carnival, with masks and a paper king.", _VOICES, (0, 1, 2, 0)),
        Answer("Take the rope yourself, until you have taught another.", _OATH, (0, 0, 1, 2)),
    ),
    Question(
        "The Last Ship Out",
        "One ship is leaving the burning harbour. "
        "Six places are promised to a family not yet here, and the quay is full.",
        Answer("Fill her from the quay, while she still floats.", _VOICES, (0, 1, 2, 0)),
        Answer("Keep the six empty until the last rope burns.", _OATH, (0, 1, 0, 2)),
    ),
)
