"""What holds in every position, whatever was played."""

from __future__ import annotations

from arena_engine.singhasan import changes
from arena_engine.singhasan.board import PROVINCE_COUNT
from arena_engine.singhasan.deal import IN_DECK, UNDER_WAY
from arena_engine.singhasan.kinds import Phase
from arena_engine.singhasan.legends import KEPT
from arena_engine.singhasan.offers import MOST_MADE, MOST_OPEN, open_offers
from arena_engine.singhasan.position import (
    CONSPIRACIES,
    FOLLOWERS,
    HEADLINES,
    HELD,
    IN_PILE,
    KINDS,
    QUESTIONS,
    Position,
)


def check(p: Position) -> None:
    """Assert all of it."""
    _check_map(p)
    _check_claimants(p)
    _check_decks(p)
    _check_questions(p)
    _check_conspiracies(p)
    _check_course(p)


def _check_map(p: Position) -> None:
    board = p.board
    for province in range(PROVINCE_COUNT):
        counts = [p.followers(seat, province) for seat in range(board.players)]
        assert board.in_play[province] or not any(counts)
        assert changes.free_ordinary(p, province) >= 0
        assert changes.free_rifts(p, province) >= 0
        seats = board.seats[province] - board.wildfolk
        assert not board.in_play[province] or sum(counts) <= seats
        holders = [seat for seat, n in enumerate(counts) if 2 * n > board.seats[province]]
        assert p.sworn[province] == (holders[0] if holders else -1)
        assert not p.sealed[province] or holders


def _check_claimants(p: Position) -> None:
    board = p.board
    assert min(p.standing) >= 0
    assert min(p.on_rifts) >= 0
    assert min(p.stock) >= 0
    assert min(p.bank_ms) >= 0
    for seat in range(board.players):
        placed = sum(p.followers(seat, province) for province in range(PROVINCE_COUNT))
        assert p.supply[seat] == board.supply - placed >= 0
    for chosen in (p.colour, p.sigil):
        assert len({number for number in chosen if number}) == sum(number > 0 for number in chosen)


def _check_decks(p: Position) -> None:
    deck, used = p.follower_deck[: p.follower_size], p.follower_used[: p.follower_used_size]
    row = [card for card in p.row if card]
    assert sorted([*deck, *used, *row]) == list(range(1, FOLLOWERS + 1))
    called = [entry & 0xFF for entry in p.called]
    headlines = [*p.headline_deck[: p.headline_size], *called]
    assert len(set(headlines)) == len(headlines)
    assert all(1 <= card <= HEADLINES for card in headlines)


def _check_questions(p: Position) -> None:
    places = list(p.question_at)
    in_deck = [i + 1 for i, place in enumerate(places) if place == IN_DECK]
    assert sorted(p.question_deck[: p.question_size]) == in_deck
    under_way = [i + 1 for i, place in enumerate(places) if place == UNDER_WAY]
    assert under_way == ([p.question] if p.question else [])
    assert len(places) == QUESTIONS
    for at, count in enumerate(p.answers):
        assert places.count(KEPT + at) == count
    assert max(map(int, places)) < KEPT + p.board.players * KINDS


def _check_conspiracies(p: Position) -> None:
    in_pile = [i + 1 for i in range(CONSPIRACIES) if p.conspiracy_at[i] == IN_PILE]
    assert sorted(p.conspiracy_pile[: p.conspiracy_size]) == in_pile
    for seat in range(p.board.players):
        held = [i for i in range(CONSPIRACIES) if p.conspiracy_at[i] == HELD + seat]
        assert sorted(p.conspiracy_order[i] for i in held) == list(range(1, len(held) + 1))
        assert p.hand_sizes[seat] == len(held)


def _check_course(p: Position) -> None:
    assert p.round <= p.board.round_cap
    assert bool(p.how) == (not any(p.decisions))
    open_now = [decision for decision in p.decisions if decision]
    assert len(set(open_now)) == len(open_now)
    assert max(p.decisions) <= p.decision
    assert open_offers(p) <= MOST_OPEN
    assert len(p.offers) == len(p.declined) <= MOST_MADE
    assert (p.pending != 0) == (p.phase == Phase.SHIELD) == (p.asked != 0)
    assert (p.phase == Phase.CHOICE) == (p.choice_seat >= 0)
    assert (p.resume_phase != 0) == (p.phase in {Phase.SHIELD, Phase.CHOICE})
    assert not p.called or p.phase in {Phase.ACT, Phase.SHIELD, Phase.CHOICE}
