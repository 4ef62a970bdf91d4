"""What clients ask beside playing: things picked up, and wishes that mostly nobody may have."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from arena_engine.crowns import messages as crowns
from arena_engine.singhasan import messages as singhasan
from arena_engine.singhasan.kinds import Ideology, Power, Resource
from arena_services.common.games import HostedGame

_CARDS = 40
_CONSPIRACIES = 30
_PROVINCES = 9
_TRIANGLES = 96


def selections(hosted: HostedGame, common: Any, own: Any, seat: int, rng: Random) -> list[Any]:
    """What a seat may try to pick up: of its own, and at random."""
    if hosted.game.name == "crowns":
        return _crowns_selections(common, own, seat, rng)
    return _singhasan_selections(common, own, rng)


def wish(hosted: HostedGame, players: int, rng: Random) -> Any:
    """An action out of nowhere."""
    make = _crowns_wishes if hosted.game.name == "crowns" else _singhasan_wishes
    return rng.choice(make(players, rng))


def _crowns_selections(common: Any, own: Any, seat: int, rng: Random) -> list[Any]:
    mine = [each for each in common.view.formations if each.seat == seat]
    groups = [crowns.Group(each.triangle, each.king, each.knights, each.golden) for each in mine]
    return [
        *groups,
        *map(crowns.CardInHand, own.hand),
        crowns.CardInHand(rng.randint(1, _CARDS)),
        crowns.CardInHand(rng.randint(1, _CARDS), rng.randrange(_TRIANGLES)),
    ]


def _singhasan_selections(common: Any, own: Any, rng: Random) -> list[Any]:
    players, province = common.view.players, rng.randrange(_PROVINCES)
    schemes = [*own.hand, rng.randint(1, _CONSPIRACIES), rng.randint(1, _CONSPIRACIES)]
    return [
        *(singhasan.HireCard(slot, rng.randrange(3), rng.random() < 0.3) for slot in range(3)),
        *(singhasan.Legend(power) for power in Power),
        singhasan.Legend(Power.CHARM_THE_STONES, province),
        singhasan.Warrior(province, rng.randrange(players)),
        *(singhasan.Scheme(card) for card in schemes),
        *(singhasan.Scheme(card, rng.randrange(players), province) for card in schemes),
    ]


def _crowns_wishes(players: int, rng: Random) -> Sequence[Any]:
    start, end = rng.randrange(_TRIANGLES), rng.randrange(_TRIANGLES)
    return (
        crowns.PlayCard(rng.randint(1, _CARDS)),
        crowns.PlayCard(rng.randint(1, _CARDS), rng.randrange(players), start, end),
        crowns.Move(start, end, knights=1),
        crowns.ChooseShield(start),
        crowns.EndTurn(),
    )


def _singhasan_wishes(players: int, rng: Random) -> Sequence[Any]:
    card, rival, province = rng.randint(1, 30), rng.randrange(players), rng.randrange(_PROVINCES)
    some = singhasan.Resources(*(rng.randrange(3) for _ in range(4)))
    kind, number = Ideology(rng.randint(1, 4)), rng.randrange(3)
    return (
        singhasan.PlayConspiracy(card),
        singhasan.PlayConspiracy(card, rival, province, rng.randrange(_PROVINCES), kind, number),
        singhasan.BuyConspiracy(some),
        singhasan.MakeOffer(some, singhasan.Resources(gold=1), rival, (card,)),
        singhasan.MakeOffer(some, singhasan.Resources(), rival, (), (number,)),
        singhasan.AnswerOffer(number, accept=True),
        singhasan.Hire(number, province, some),
        singhasan.March(province, rng.randrange(_PROVINCES), rival),
        singhasan.Redraw(some),
        singhasan.AnswerAim(shield=True),
        singhasan.Choose(number),
        singhasan.AnswerQuiz(number),
        singhasan.TradeWithBank(some, Resource.GOLD),
        singhasan.UseWoodenHorse(province, rival),
        singhasan.RaiseWalls(province),
    )
