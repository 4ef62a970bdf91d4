"""Every card in positions out of random matches: whatever is named and chosen, the promises of the guard hold."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from arena_engine.singhasan import changes, hands
from arena_engine.singhasan.board import PROVINCE_COUNT
from arena_engine.singhasan.cards import aims_at, fill_plays, finish_play, pay_play
from arena_engine.singhasan.choices import do_choose, fill_choices
from arena_engine.singhasan.effects import is_waiting
from arena_engine.singhasan.headlines import start_headline
from arena_engine.singhasan.phases import ACT, COURT
from arena_engine.singhasan.position import CONSPIRACIES, HEADLINES, KINDS, Position
from tests.engine.singhasan.boards import listed
from tests.engine.singhasan.random_play import steps

#: A card asks for no more choices than this, whoever has however much.
MOST_CHOICES = 20


def positions(players: int) -> Iterator[tuple[Position, int]]:
    """Some positions in which a seat may play Conspiracies, with some sworn provinces Sealed, and that seat."""
    dice = Random(players)
    for state, _ in steps(players, seed=players):
        p = state.position.clone()
        seats = [awaited.seat for awaited in state.awaited()]
        if p.phase not in {COURT, ACT} or dice.random() < 0.7:
            continue
        for province in range(PROVINCE_COUNT):
            if p.sworn[province] >= 0 and dice.random() < 0.2:
                p.sealed[province] = 1
        yield p, dice.choice(seats)


def deal_all(p: Position, seat: int) -> None:
    """Give a seat every Conspiracy but the one that takes a card, and a rival that one."""
    for card in range(1, CONSPIRACIES + 1):
        if p.conspiracy_at[card - 1] >= 2:
            hands.drop(p, card)
        hands.take(p, seat if card % 15 else (seat + 1) % p.board.players, card)


def choose_all(p: Position, dice: Random) -> None:
    """Make every choice that a card asks for, somehow."""
    for _ in range(MOST_CHOICES):
        if not is_waiting(p):
            break
        seat = p.choice_seat
        options = listed(p, lambda p, _, out: fill_choices(p, out), seat=seat)
        assert len(options) > 1
        do_choose(p, seat, dice.choice(options))
    assert (p.program, p.choice_seat) == (0, -1)


def check(p: Position, before: Position) -> None:
    """Hold a position against one before it, between which there was one card."""
    for seat in range(p.board.players):
        everywhere = sum(p.followers(seat, province) for province in range(PROVINCE_COUNT))
        assert p.supply[seat] >= 0
        assert p.supply[seat] + everywhere == p.board.supply
        assert min(p.stock[seat * KINDS : (seat + 1) * KINDS]) >= 0
    assert list(p.on_rifts) == list(before.on_rifts)
    assert list(p.sealed) == list(before.sealed)
    assert all(now <= then for now, then in zip(p.answers, before.answers, strict=True))
    for province in range(PROVINCE_COUNT):
        assert changes.free_ordinary(p, province) >= 0
        held = [p.followers(seat, province) for seat in range(p.board.players)]
        if before.sealed[province]:
            assert held == [before.followers(seat, province) for seat in range(p.board.players)]
        holders = [s for s, count in enumerate(held) if count >= p.board.swears[province]]
        assert holders == ([] if p.sworn[province] < 0 else [p.sworn[province]])


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_conspiracies_keep_the_guards_promises(players: int) -> None:
    dice = Random(players)
    for p, seat in positions(players):
        deal_all(p, seat)
        plays = listed(p, fill_plays, seat=seat)
        for action in dice.sample(plays, min(5, len(plays))):
            q = p.clone()
            shielded = aims_at(q, seat, action) if dice.random() < 0.3 else 0
            assert not shielded >> seat & 1
            pay_play(q, seat, action)
            finish_play(q, seat, action, shielded)
            choose_all(q, dice)
            check(q, p)
            for rival in range(players):
                if shielded >> rival & 1:
                    at, end = rival * PROVINCE_COUNT, (rival + 1) * PROVINCE_COUNT
                    assert list(q.standing[at:end]) == list(p.standing[at:end])


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_headlines_keep_the_guards_promises(players: int) -> None:
    dice = Random(players)
    for p, seat in positions(players):
        for headline in dice.sample(range(1, HEADLINES + 1), 5):
            q = p.clone()
            start_headline(q, seat, headline)
            choose_all(q, dice)
            check(q, p)
