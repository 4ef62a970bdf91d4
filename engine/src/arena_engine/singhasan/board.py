"""The map of Nauvara: provinces, seats, Rifts and borders, and what the number of claimants changes. No position."""

from __future__ import annotations

from typing import Final, NamedTuple

from librt.vecs import vec
from mypy_extensions import i64

#: Provinces on the map; a province goes by its number from 0, in the order of `PROVINCES`.
PROVINCE_COUNT: Final = 9


class Province(NamedTuple):
    """One province."""

    id: str
    name: str
    seats: int
    rifts: int
    fewest_claimants: int
    """In play with this many claimants and more."""
    borders: tuple[str, ...]


PROVINCES: Final = (
    Province(
        "capital",
        "Fallen Capital",
        15,
        2,
        2,
        ("thornwold", "kingsmarch", "skyreach", "veilhaven", "emberfen", "hollowmere"),
    ),
    Province(
        "thornwold", "Thornwold", 11, 2, 2, ("capital", "kingsmarch", "hollowmere", "ashfall")
    ),
    Province("kingsmarch", "Kingsmarch", 11, 2, 2, ("capital", "thornwold", "skyreach")),
    Province("veilhaven", "Veilhaven", 9, 2, 2, ("capital", "skyreach", "emberfen", "saltcoast")),
    Province("emberfen", "Emberfen", 9, 1, 2, ("capital", "veilhaven", "hollowmere")),
    Province("hollowmere", "Hollowmere", 9, 1, 3, ("capital", "emberfen", "thornwold", "ashfall")),
    Province("skyreach", "Skyreach", 9, 1, 3, ("capital", "kingsmarch", "veilhaven", "saltcoast")),
    Province("ashfall", "Ashfall Steppe", 11, 2, 4, ("thornwold", "hollowmere")),
    Province("saltcoast", "Salt Coast", 9, 1, 4, ("skyreach", "veilhaven")),
)

#: Followers of each claimant, by number of claimants.
SUPPLY: Final = (0, 0, 30, 26, 22, 20)
#: Starting resources by seat, by number of claimants.
STARTING: Final = ((), (), (0, 4), (0, 3, 6), (0, 3, 5, 7), (1, 3, 4, 6, 7))
#: Rounds after which a match ends, by number of claimants.
ROUND_CAP: Final = (0, 0, 18, 18, 18, 16)


class Board:
    """The map for one number of claimants. Never changes; shared by all positions.

    By province: `seats`, `rifts`, `swears` (the number it swears at, and scores), `in_play` (0 or 1), `borders` (bit b:
    it borders province b, which is in play, too), `ordinary` (seats for followers that are no Rifts; 0 if not in play).
    """

    def __init__(self, players: i64) -> None:
        self.players = players
        self.supply: i64 = SUPPLY[players]
        self.round_cap: i64 = ROUND_CAP[players]
        numbers = {province.id: number for number, province in enumerate(PROVINCES)}
        here = [int(province.fewest_claimants <= players) for province in PROVINCES]
        self.in_play = vec[i64](here)
        self.seats = vec[i64]([province.seats for province in PROVINCES])
        self.rifts = vec[i64]([province.rifts for province in PROVINCES])
        self.swears = vec[i64]([province.seats // 2 + 1 for province in PROVINCES])
        self.borders = vec[i64](
            [
                sum(1 << numbers[b] for b in province.borders if here[numbers[b]]) * here[number]
                for number, province in enumerate(PROVINCES)
            ]
        )
        wildfolk = 1 if players == 2 else 0
        self.wildfolk: i64 = wildfolk
        """Wildfolk in each province in play."""
        self.ordinary = vec[i64](
            [
                (province.seats - province.rifts - wildfolk) * here[number]
                for number, province in enumerate(PROVINCES)
            ]
        )


_BOARDS: Final = {players: Board(players) for players in range(2, 6)}


def board_for(players: int) -> Board:
    """The map for a number of claimants, 2-5."""
    return _BOARDS[players]
