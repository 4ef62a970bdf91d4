"""What is printed: the map, and what the number of claimants changes."""

from __future__ import annotations

#: Seats, Rifts, fewest claimants.
PROVINCES = {
    "capital": (15, 2, 2),
    "thornwold": (11, 2, 2),
    "kingsmarch": (11, 2, 2),
    "veilhaven": (9, 2, 2),
    "emberfen": (9, 1, 2),
    "hollowmere": (9, 1, 3),
    "skyreach": (9, 1, 3),
    "ashfall": (11, 2, 4),
    "saltcoast": (9, 1, 4),
}
#: Every two provinces that share a border; each border is named once.
BORDERS = {
    frozenset({here, there})
    for here, others in {
        "capital": (
            "thornwold",
            "kingsmarch",
            "skyreach",
            "veilhaven",
            "emberfen",
            "hollowmere",
        ),
        "thornwold": ("kingsmarch", "hollowmere", "ashfall"),
        "skyreach": ("kingsmarch", "veilhaven", "saltcoast"),
        "veilhaven": ("emberfen", "saltcoast"),
        "hollowmere": ("emberfen", "ashfall"),
    }.items()
    for there in others
}
SUPPLY = {2: 30, 3: 26, 4: 22, 5: 20}
STARTING = {2: (0, 4), 3: (0, 3, 6), 4: (0, 3, 5, 7), 5: (1, 3, 4, 6, 7)}
CAP = {2: 18, 3: 18, 4: 18, 5: 16}
COLOURS = SIGILS = 5


def provinces(players: int) -> list[str]:
    """The provinces in play."""
    return [name for name, (_, _, fewest) in PROVINCES.items() if fewest <= players]


def seats(province: str) -> int:
    """All seats of a province."""
    return PROVINCES[province][0]


def rifts(province: str) -> int:
    """The seats among them that are Rifts."""
    return PROVINCES[province][1]
