"""Decks and the hire row: set-up, drawing, reshuffling, refilling. What is drawn is used elsewhere."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64, u8

from arena_engine.singhasan.board import PROVINCE_COUNT
from arena_engine.singhasan.changes import free_seats
from arena_engine.singhasan.events import (
    FollowersReshuffled,
    HireRowChanged,
    QuestionDrawn,
    QuestionSentAway,
    QuestionsReshuffled,
)
from arena_engine.singhasan.hire import CARD_FOLLOWERS, use_follower
from arena_engine.singhasan.legends import SENT_AWAY
from arena_engine.singhasan.position import (
    CONSPIRACIES,
    COURT_SWAPPED,
    DRAW_CONSPIRACIES,
    DRAW_FOLLOWERS,
    DRAW_HEADLINES,
    DRAW_QUESTIONS,
    DRAW_SWAP,
    FOLLOWERS,
    HEADLINES,
    QUESTIONS,
    ROW,
    Position,
)

#: `question_at` of a Question in the deck, and of the one under way.
IN_DECK: Final = 0
UNDER_WAY: Final = 2


def deal(p: Position) -> None:
    """Shuffle all decks of a bare position and deal the hire row."""
    for i in range(QUESTIONS):
        p.question_deck[i] = u8(i + 1)
    for i in range(FOLLOWERS):
        p.follower_deck[i] = u8(i + 1)
    for i in range(HEADLINES):
        p.headline_deck[i] = u8(i + 1)
    for i in range(i64(CONSPIRACIES)):
        p.conspiracy_pile[i] = u8(i + 1)
    p.question_size = QUESTIONS
    p.follower_size = FOLLOWERS
    p.headline_size = HEADLINES
    p.conspiracy_size = CONSPIRACIES
    _shuffle(p, p.question_deck, QUESTIONS, DRAW_QUESTIONS)
    _shuffle(p, p.follower_deck, FOLLOWERS, DRAW_FOLLOWERS)
    _shuffle(p, p.headline_deck, HEADLINES, DRAW_HEADLINES)
    _shuffle(p, p.conspiracy_pile, CONSPIRACIES, DRAW_CONSPIRACIES)
    refill_row(p)


def _shuffle(p: Position, deck: vec[u8], size: i64, purpose: i64) -> None:
    for i in range(size - 1, 0, -1):
        j = p.draw(purpose, i + 1)
        card = deck[i]
        deck[i] = deck[j]
        deck[j] = card


def draw_question(p: Position) -> None:
    """Draw the next Question for the active claimant, and which of its answers is A."""
    if p.question_size == 0:
        _reshuffle_questions(p)
    p.question_size -= 1
    question = i64(p.question_deck[p.question_size])
    p.question = question
    p.question_at[question - 1] = u8(UNDER_WAY)
    p.court &= ~COURT_SWAPPED
    if p.draw(DRAW_SWAP, 2) == 1:
        p.court |= COURT_SWAPPED
    if p.log is not None:
        p.log.append(QuestionDrawn(p.turn, question, p.court & COURT_SWAPPED != 0))


def replace_question(p: Position, by: i64) -> None:
    """Send the Question under way away, by that seat's doing, and draw another."""
    if p.question_size == 0:
        # Before this one goes, so that another comes.
        _reshuffle_questions(p)
    p.question_at[p.question - 1] = u8(SENT_AWAY)
    if p.log is not None:
        p.log.append(QuestionSentAway(by, p.question))
    draw_question(p)


def _reshuffle_questions(p: Position) -> None:
    """Make a deck of the Questions that were sent away, or whose answers were lost."""
    size: i64 = 0
    p.question_deck = p.question_deck[:]
    for i in range(QUESTIONS):
        if p.question_at[i] == u8(SENT_AWAY):
            p.question_at[i] = u8(IN_DECK)
            p.question_deck[size] = u8(i + 1)
            size += 1
    p.question_size = size
    _shuffle(p, p.question_deck, size, DRAW_QUESTIONS)
    if p.log is not None:
        p.log.append(QuestionsReshuffled(size))


def next_headline(p: Position) -> i64:
    """Take the Headline called first out of those called: its packed card and caller."""
    first = p.called[0]
    p.called = p.called[1:]
    return first


def refill_row(p: Position) -> None:
    """Fill the hire row, replacing cards that fit in no province; where no card fits, a place stays empty."""
    room = _most_free(p)
    for slot in range(i64(ROW)):
        before = p.row[slot]
        if before != 0 and CARD_FOLLOWERS[before] > room:
            use_follower(p, slot)
    for slot in range(i64(ROW)):
        if p.row[slot] == 0:
            p.row[slot] = _draw_follower(p, room)
            if p.log is not None:
                p.log.append(HireRowChanged(slot, p.row[slot]))


def _most_free(p: Position) -> i64:
    most: i64 = 0
    for province in range(i64(PROVINCE_COUNT)):
        free = free_seats(p, province)
        most = max(most, free)
    return most


def _draw_follower(p: Position, room: i64) -> i64:
    """Draw until a card has no more followers than `room`; 0, and nothing drawn, where no card has."""
    if not _has_fitting(p, room):
        return 0
    while True:
        if p.follower_size == 0:
            _reshuffle_followers(p)
        p.follower_size -= 1
        card = i64(p.follower_deck[p.follower_size])
        if CARD_FOLLOWERS[card] <= room:
            return card
        p.follower_used[p.follower_used_size] = u8(card)
        p.follower_used_size += 1


def _has_fitting(p: Position, room: i64) -> bool:
    for i in range(p.follower_size):
        if CARD_FOLLOWERS[i64(p.follower_deck[i])] <= room:
            return True
    return any(CARD_FOLLOWERS[i64(p.follower_used[i])] <= room for i in range(p.follower_used_size))


def _reshuffle_followers(p: Position) -> None:
    size = p.follower_used_size
    p.follower_deck = p.follower_deck[:]
    for i in range(size):
        p.follower_deck[i] = p.follower_used[i]
        p.follower_used[i] = u8(0)
    p.follower_size = size
    p.follower_used_size = 0
    _shuffle(p, p.follower_deck, size, DRAW_FOLLOWERS)
    if p.log is not None:
        p.log.append(FollowersReshuffled(size))
