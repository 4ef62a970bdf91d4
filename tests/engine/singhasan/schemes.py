"""Short ways to hold, play and turn up cards in tests, by their names, and to make the choices they ask for."""

from __future__ import annotations

from arena_engine.singhasan import hands
from arena_engine.singhasan.cards import fill_plays, finish_play, pay_play, play_action
from arena_engine.singhasan.choices import do_choose, option_texts
from arena_engine.singhasan.content.conspiracies import CONSPIRACIES
from arena_engine.singhasan.content.headlines import HEADLINES
from arena_engine.singhasan.explain_cards import explain_play
from arena_engine.singhasan.headlines import start_headline
from arena_engine.singhasan.packing import CHOOSE, FIRST, PLAY, SIXTH, field
from arena_engine.singhasan.phases import COURT
from arena_engine.singhasan.position import Position
from tests.engine.singhasan.boards import acting, listed

CONSPIRACY = {card.name: number for number, card in enumerate(CONSPIRACIES, start=1)}
HEADLINE = {card.name: number for number, card in enumerate(HEADLINES, start=1)}
GOLD, STEEL, SONG, OATH = range(4)


def in_court(
    *followers: str, players: int = 3, **stock_and_answers: dict[int, tuple[int, ...]]
) -> Position:
    """A position in the window before seat 1 answers Question 1; seat 0 may play court cards."""
    p = acting(*followers, players=players, **stock_and_answers)
    p.phase = COURT
    p.turn = 1
    p.question = 1
    p.question_at[0] = 2
    for number in range(1, 120):
        p.question_deck[number - 1] = number + 1
    p.question_size = 119
    return p


def hold(p: Position, seat: int, *names: str) -> None:
    """Put Conspiracies into a hand."""
    for name in names:
        hands.take(p, seat, CONSPIRACY[name])


def plays(p: Position, name: str, seat: int = 0) -> list[int]:
    """The legal plays of a held card."""
    return [a for a in listed(p, fill_plays, PLAY, seat) if field(a, FIRST) == CONSPIRACY[name]]


def named(
    name: str, *, rival: int = -1, at: int = -1, to: int = -1, kind: int = -1, count: int = 0
) -> int:
    """A packed play."""
    return play_action(CONSPIRACY[name], rival, at, to, kind) | count << SIXTH


def play(p: Position, action: int, *, seat: int = 0, shielded: int = 0) -> None:
    """Play a card, which is put into the hand first, as a legal action says."""
    card = field(action, FIRST)
    if not hands.holds(p, seat, card):
        hands.take(p, seat, card)
    assert explain_play(p, seat, action) is None
    assert action in listed(p, fill_plays, PLAY, seat)
    pay_play(p, seat, action)
    finish_play(p, seat, action, shielded)


def why_not(p: Position, action: int, seat: int = 0) -> str | None:
    """Why a card, which is put into the hand first, cannot be played so."""
    card = field(action, FIRST)
    if not hands.holds(p, seat, card):
        hands.take(p, seat, card)
    reason = explain_play(p, seat, action)
    assert (reason is None) == (action in listed(p, fill_plays, PLAY, seat))
    return reason


def turn_up(p: Position, name: str, seat: int = 0) -> None:
    """Turn a Headline up that a seat called."""
    start_headline(p, seat, HEADLINE[name])


def choose(p: Position, seat: int, text: str) -> None:
    """Make the open choice of a seat."""
    assert p.choice_seat == seat
    do_choose(p, seat, CHOOSE | option_texts(p).index(text) << FIRST)
