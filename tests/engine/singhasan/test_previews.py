"""What actions would do, told before they are taken, and nothing that is hidden."""

from __future__ import annotations

from random import Random

import pytest

from arena_engine.singhasan import events as ev
from arena_engine.singhasan import hands, phases
from arena_engine.singhasan import packing as pk
from arena_engine.singhasan.board import board_for
from arena_engine.singhasan.cards import fill_plays
from arena_engine.singhasan.content.conspiracies import CONSPIRACIES as CARDS
from arena_engine.singhasan.content.headlines import HEADLINES
from arena_engine.singhasan.deal import deal
from arena_engine.singhasan.digest import state_hash
from arena_engine.singhasan.ending import score
from arena_engine.singhasan.hire import hire_action
from arena_engine.singhasan.listing import ActionList
from arena_engine.singhasan.march import march_action
from arena_engine.singhasan.messages import OathChange, Resources
from arena_engine.singhasan.position import CONSPIRACIES, Position
from arena_engine.singhasan.powers import power_action
from arena_engine.singhasan.previews import preview
from arena_engine.singhasan.programs import is_court_card
from arena_engine.singhasan.resampling import resample
from arena_engine.singhasan.turns import apply_action, fill_legal, first_position
from arena_engine.singhasan.views import common, own
from tests.engine.singhasan.boards import CAPITAL, EMBERFEN, VEILHAVEN, acting, listed, packed

RICH = {0: (9, 9, 9, 9)}
UNHURRIED = 3
#: Acts whose effects stand at once, whoever else is in the match.
IMMEDIATE = (pk.HIRE, pk.BANK, pk.CHARM, pk.WALLS)


def awaited(p: Position) -> list[int]:
    return [seat for seat in range(p.board.players) if p.decisions[seat]]


def legal(p: Position, seat: int) -> list[int]:
    out = ActionList()
    fill_legal(p, seat, out)
    return [out.items[i] for i in range(out.count)]


def walk(seed: int, steps: int) -> list[tuple[Position, int, int]]:
    """Positions of a random match, each with a seat and one of its legal actions."""
    rng = Random(seed)
    players = 2 + seed % 4
    p = first_position(board_for(players), rng.randbytes(32), UNHURRIED, [False] * players, 0)
    seen: list[tuple[Position, int, int]] = []
    while not p.how and len(seen) < steps:
        seat = rng.choice(awaited(p))
        actions = legal(p, seat)
        action = rng.choice(actions)
        if pk.END_TURN in actions and rng.random() < 0.1:
            action = pk.END_TURN
        seen.append((p.clone(), seat, action))
        apply_action(p, seat, action, 0)
    return seen


def test_hire_shows_its_price_the_oath_it_makes_and_the_headlines_it_calls() -> None:
    p = acting("0 emberfen 4", stock=RICH)
    p.row[0] = 1
    shown = preview(p, 0, hire_action(0, EMBERFEN, 1, 0, packed(1, 1, 1, 1)))
    assert shown.cost == Resources(1, 1, 1, 1)
    assert shown.oaths == (OathChange(EMBERFEN, 0),)
    assert (shown.headlines, shown.shields, shown.score) == (1, (), 5)
    assert shown.text == (
        "Costs 1 Gold, 1 Steel, 1 Song and 1 Oath; a follower of yours enters Emberfen; "
        "Emberfen swears to you; calls 1 Headline."
    )


def test_aimed_act_shows_what_it_does_if_no_shield_is_raised_and_who_may_raise_one() -> None:
    p = acting(
        "0 emberfen 4",
        "1 emberfen 5",
        stock={0: (9, 9, 9, 9), 1: (0, 0, 0, 1)},
        answers={0: (5, 0, 0, 0), 1: (0, 0, 0, 3)},
    )
    shown = preview(p, 0, power_action(pk.WOODEN_HORSE, EMBERFEN, 1))
    assert shown.shields == (1,)
    assert shown.oaths == (OathChange(EMBERFEN, 0),)
    assert shown.text == (
        "Costs 2 Gold; a follower of seat 1 in Emberfen gives its place to one of yours; "
        "Emberfen breaks with seat 1; Emberfen swears to you; "
        "seat 1 may raise the Shield of Troy."
    )


def test_march_of_ones_own_follower_shows_no_shield() -> None:
    p = acting("0 emberfen 2", stock={0: (0, 0, 0, 5)}, answers={0: (0, 0, 0, 3)})
    shown = preview(p, 0, march_action(EMBERFEN, VEILHAVEN, 0))
    assert (shown.shields, shown.text) == ((), "A follower of yours goes to Veilhaven.")


def test_province_that_only_breaks_is_shown_as_nobodys() -> None:
    p = acting("0 emberfen 1", "1 emberfen 5", stock=RICH, answers={0: (0, 5, 0, 0)})
    shown = preview(p, 0, power_action(pk.STABLES, EMBERFEN, 1, 3))
    assert shown.oaths == (OathChange(EMBERFEN, None),)


def test_walls_show_the_point_they_are_worth() -> None:
    p = acting("0 capital 8", stock=RICH, answers={0: (0, 0, 0, 5)})
    assert score(p, 0) == 8
    assert preview(p, 0, power_action(pk.WALLS, CAPITAL)).score == 9


def test_bank_trade_shows_both_sides() -> None:
    p = acting(stock=RICH)
    shown = preview(p, 0, pk.BANK | 3 << pk.FIRST | packed(2, 1) << pk.PAYMENT)
    assert (shown.cost, shown.gain) == (Resources(2, 1), Resources(song=1))
    assert shown.text == "Costs 2 Gold and 1 Steel; brings 1 Song."


def test_offer_costs_nothing_until_it_is_accepted() -> None:
    p = acting(stock={0: (2, 0, 0, 0), 1: (0, 2, 0, 0)})
    offer = pk.OFFER | 2 << pk.FIRST | packed(1) << pk.PAYMENT | packed(0, 2) << pk.ASKED
    shown = preview(p, 0, offer)
    assert (shown.cost, shown.gain) == (Resources(), Resources())
    assert shown.text == "If accepted, you give 1 Gold and get 2 Steel."
    apply_action(p, 0, offer, 0)
    accepted = preview(p, 1, pk.ANSWER_OFFER | 1 << pk.SECOND)
    assert (accepted.cost, accepted.gain) == (Resources(steel=2), Resources(gold=1))
    assert accepted.text == "You give 2 Steel and get 1 Gold."
    assert preview(p, 1, pk.ANSWER_OFFER).text == ""


def test_end_of_turn_shows_what_has_to_be_discarded() -> None:
    p = acting(stock={0: (9, 6, 0, 0)})
    assert preview(p, 0, pk.END_TURN).text == "Ends your turn, and you discard 3."


def test_end_of_turn_says_only_how_many_headlines_come() -> None:
    p = acting("0 emberfen 3", stock=RICH)
    p.row[0] = 1
    apply_action(p, 0, hire_action(0, EMBERFEN, 1, 0, packed(1, 1, 1, 1)), 0)
    shown = preview(p, 0, pk.END_TURN)
    assert shown.text == "Ends your turn, and 1 Headline is turned up."
    assert (shown.oaths, shown.score) == ((), score(p, 0))


def test_not_raising_the_shield_shows_what_then_happens() -> None:
    p = acting(
        "0 emberfen 4",
        "1 emberfen 5",
        stock={0: (9, 9, 9, 9), 1: (0, 0, 0, 1)},
        answers={0: (5, 0, 0, 0), 1: (0, 0, 0, 3)},
    )
    apply_action(p, 0, power_action(pk.WOODEN_HORSE, EMBERFEN, 1), 0)
    down, up = preview(p, 1, pk.SHIELD), preview(p, 1, pk.SHIELD | 1 << pk.FIRST)
    assert (down.cost, down.oaths, down.score) == (Resources(), (OathChange(EMBERFEN, 0),), 0)
    assert (up.cost, up.oaths, up.score) == (Resources(oath=1), (), 5)


@pytest.mark.parametrize("card", range(1, CONSPIRACIES + 1))
def test_preview_of_every_conspiracy_says_something_and_names_no_hidden_card(card: int) -> None:
    p = acting(
        *("0 emberfen 5", "0 thornwold 3", "1 thornwold 2", "1 capital 8", "2 veilhaven 3"),
        stock={0: (5, 5, 5, 5), 1: (3, 3, 3, 3), 2: (1, 1, 1, 1)},
        answers={1: (1, 2, 0, 1)},
    )
    deal(p)
    p.marched = 1  # Something to refresh.
    for seat, held in ((0, card), (1, card % CONSPIRACIES + 1)):
        hands.take(p, seat, held)
    if is_court_card(card):
        p.turn, p.question, p.in_court = 1, 3, 0b101
        phases.enter(p, phases.COURT)
        phases.open_decisions(p)
    texts = [preview(p, 0, action).text for action in listed(p, fill_plays)]
    assert texts
    assert all(texts)
    hidden = {c.name for c in CARDS if c.name != CARDS[card - 1].name}
    hidden |= {headline.name for headline in HEADLINES}
    assert not [text for text in texts if any(name in text for name in hidden)]


@pytest.mark.parametrize("seed", range(4))
def test_preview_changes_nothing_and_says_what_then_happens(seed: int) -> None:
    for p, seat, action in walk(seed, 200):
        before = state_hash(p)
        shown = preview(p, seat, action)
        assert state_hash(p) == before
        if pk.kind_of(action) in IMMEDIATE:
            p.log = []
            apply_action(p, seat, action, 0)
            assert shown.score == score(p, seat)
            assert {o.province: o.seat for o in shown.oaths} == _oaths(p.log)
            assert shown.headlines == sum(isinstance(e, ev.HeadlineCalled) for e in p.log)


def _oaths(log: list[ev.EventBody]) -> dict[int, int | None]:
    """Who holds the provinces that changed hands, by the events."""
    held: dict[int, int | None] = {}
    for event in log:
        if isinstance(event, ev.ProvinceSworn):
            held[event.province] = event.seat
        elif isinstance(event, ev.ProvinceBroke):
            held[event.province] = None
    return held


@pytest.mark.parametrize("seed", range(4))
def test_preview_is_the_same_whatever_is_hidden(seed: int) -> None:
    rng = Random(seed)
    for p, seat, action in walk(seed, 300)[::6]:
        other = resample(common(p, ()), own(p, seat, ()), seat, rng)
        assert preview(other, seat, action) == preview(p, seat, action)
