"""Positions as text, as hash, and as copies."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from arena_engine.errors import PositionTextError
from arena_engine.singhasan import GAME
from arena_engine.singhasan.digest import SIZE, canonical_bytes
from arena_engine.singhasan.kinds import Resource
from arena_engine.singhasan.messages import (
    AnswerQuestion,
    EndTurn,
    Redraw,
    Resources,
    TradeWithBank,
)
from tests.engine.singhasan.matches import act, match, new_match, pass_all
from tests.engine.singhasan.random_play import steps

FULL = """
singhasan 1
players: 4
speed: swift
secret: 00000000000000000000000000000000000000000000000000000000000000ff
draws: questions=119 swap=3 followers=39 headlines=31 conspiracies=29 lots=2 duel=0
phase: act
ending: sworn
last turns: 3
actions: 57
round: 5
turn: 2
deadline: 123456
last played by: 1
answered: 20
decision: 60
done: answered acted
court: hushed redrawn
marched: capital thornwold
tax: 32
seat 0: colour=3 sigil=5 stock=3/0/2/1 answers=2/0/0/1 reached=4/0/0/7 used=16 missed=1/2 bank=7 tally=1/0/0/0/2/0/0/3
seat 1: colour=1 sigil=2 bot
seat 2: colour=2 sigil=1 bot person stock=17/0/0/0 decision=59
seat 3: colour=5 sigil=4 decision=60
at capital: s0=7+1 s1=2 sealed
at ashfall: s2=3+1 s3=1
kept 0: 17=gold 3=gold 40=oath
away: 5 9
row: 3 0 17
used: 4 5
headlines: 8 1 9
called: 7@2 30@2
hand 0: 12 3
hand 3: 1
spent: 30
offers: 17592186044680 0
declined: 2 0
lasting: 1
"""


def test_text_of_a_position_with_everything_reads_back() -> None:
    state = GAME.from_text(FULL)
    again = GAME.from_text(state.to_text())
    assert again.to_text() == state.to_text()
    assert again.state_hash() == state.state_hash()
    for line in FULL.strip().splitlines():
        if not line.startswith(("kept", "seat")):
            assert line in state.to_text()


@pytest.mark.parametrize(("players", "seed"), [(2, 1), (3, 2), (4, 3), (5, 4)])
def test_every_position_of_a_match_reads_back(players: int, seed: int) -> None:
    for number, (state, _) in enumerate(steps(players, seed)):
        if number % 4 == 0 or state.outcome() is not None:
            again = GAME.from_text(state.to_text())
            assert again.to_text() == state.to_text()
            assert again.state_hash() == state.state_hash()
            assert again.awaited() == state.awaited()
            assert again.outcome() == state.outcome()
            assert again.common(()) == state.common(())


def test_shortest_text_is_a_whole_position() -> None:
    state = GAME.from_text("singhasan 1\nplayers: 3\nphase: act")
    assert state.awaited() == ((0, 1),)
    assert len(list(state.legal_actions(0))) == 1


def test_text_may_hold_comments_and_blank_lines_in_any_order() -> None:
    one = GAME.from_text("singhasan 1\nplayers: 2\nphase: act\nat capital: s0=3\nturn: 1\n")
    other = GAME.from_text(
        "singhasan 1  # game\n\nturn: 1\nat capital: s0=3\n# half way\nplayers: 2\nphase: act"
    )
    assert one.state_hash() == other.state_hash()


def test_answers_that_are_only_counted_use_questions_that_have_them() -> None:
    state = match("seat 0: answers=3/0/0/2", "seat 1: answers=1/1/1/1")
    assert sum(at >= 3 for at in state.position.question_at) == 9
    assert state.position.question_size == 111


@pytest.mark.parametrize(
    "more",
    [
        "at capital: dragon",
        "at capital: s5=1",
        "at capital: s0=9 s1=9",
        "at ashfall: s0=1",
        "at emberfen: s0=1+2",
        "at emberfen: s0=4 sealed",
        "at capital: s0=13\nat thornwold: s0=9\nat kingsmarch: s0=9",
        "turn: 3",
        "seat 0: stock=1/2/3",
        "seat 0: mood=good",
        "seat 0: colour=6",
        "seat 0: colour=1\nseat 1: colour=1",
        "seat 0: answers=1/0/0/0\nkept 0: 3=gold 4=gold",
        "seat 0: answers=61/0/0/0",
        "kept 0: 3=tin",
        "kept 0: 3=gold 3=gold\nseat 0: answers=2/0/0/0",
        "away: 3 3",
        "away: 121",
        "questions: 1 2 3",
        "row: 1 2",
        "row: 1 1 2",
        "followers: 1 2 3",
        "hand 0: 31",
        "hand 0: 4\nhand 1: 4",
        "pile: 1 2",
        "called: 7",
        "called: 7@3",
        "called: 7@0 7@0",
        "round: many",
        "secret: 12",
        "mood: good",
        "speed: slow",
        "draws: luck=1",
        "done: nothing",
        "court: empty",
        "marched: atlantis",
        "ending: never",
        "ended: points 0",
        "ending: cap\nended: badly 0",
        "ending: cap\nended: points 4",
        "asked: 7",
        "offers: 8",
        "registers: 1 2",
        "resume: lunch",
        "pending: 0",
        "question: 121",
        "decision: -1",
        "words without a key",
        "turn: 0\nturn: 0",
    ],
)
def test_line_that_fits_no_position_is_refused_with_a_sentence(more: str) -> None:
    with pytest.raises(PositionTextError) as caught:
        GAME.from_text(f"singhasan 1\nplayers: 3\nphase: act\n{more}")
    assert str(caught.value).endswith(".")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "lions 1\nplayers: 2",
        "singhasan 99\nplayers: 2",
        "singhasan 1",
        "singhasan 1\nplayers: 6",
        "singhasan 1\nplayers: 2\nphase: lunch",
        "singhasan 1\nplayers: 2\nphase: court",
        "singhasan 1\nplayers: 2\nphase: answer",
        "singhasan 1\nplayers: 2\nphase: shield",
        "singhasan 1\nplayers: 2\nphase: choice",
    ],
)
def test_text_that_describes_no_position_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(PositionTextError) as caught:
        GAME.from_text(text)
    assert str(caught.value).endswith(".")


def test_clone_is_independent_both_ways_and_draws_alike() -> None:
    state = new_match(3, secret=4)
    before = state.to_text()
    copy = state.clone()
    rng = Random(5)
    for _ in range(60):
        seat = copy.awaited()[0].seat
        copy.apply(seat, rng.choice(list(copy.legal_actions(seat))), 0)
    assert state.to_text() == before
    again, rng = state.clone(), Random(5)
    for _ in range(60):
        seat = again.awaited()[0].seat
        again.apply(seat, rng.choice(list(again.legal_actions(seat))), 0)
    assert again.state_hash() == copy.state_hash()


def test_clone_shares_nothing_that_changes() -> None:
    everything = match(
        "phase: answer",
        "done:",
        "question: 1",
        "seat 0: stock=9/0/0/0 missed=1/1 bank=5000",
        "away: " + " ".join(map(str, range(2, 121))),
        "questions:",
        "row: 0 0 0",
        "used: " + " ".join(map(str, range(1, 41))),
        "followers:",
        "deadline: 1000",
    )
    before = everything.to_text()
    copy = everything.clone()
    act(copy, 0, Redraw(Resources(3)))
    pass_all(copy)
    act(copy, 0, AnswerQuestion(0))
    act(copy, 0, TradeWithBank(Resources(3), Resource.STEEL))
    act(copy, 0, EndTurn(), copy.position.deadline - 1000)
    copy.hand_over(0, is_bot=True, now_ms=0)
    changed = copy.to_text()
    assert everything.to_text() == before
    assert "bank=1000" in changed
    assert "missed=0/1" in changed
    assert "row: 0 0 0" not in changed


def other_values(state: Any) -> list[str]:
    """Texts that differ from the full one in one thing each."""
    text = state.to_text()
    changes = [
        ("round: 5", "round: 6"),
        ("actions: 57", "actions: 58"),
        ("deadline: 123456", "deadline: 123457"),
        ("last turns: 3", "last turns: 2"),
        ("ending: sworn", "ending: seats"),
        ("speed: swift", "speed: standard"),
        ("lots=2", "lots=3"),
        ("stock=3/0/2/1", "stock=3/0/1/1"),
        ("reached=4/0/0/7", "reached=4/0/0/8"),
        ("missed=1/2", "missed=0/2"),
        ("bank=7 ", "bank=8 "),
        ("sigil=5", "sigil=3"),
        ("tally=1/", "tally=2/"),
        ("s0=7+1", "s0=8"),
        ("hand 0: 12 3", "hand 0: 3 12"),
        ("called: 7@2 30@2", "called: 30@2 7@2"),
        ("used: 4 5", "used: 5 4"),
        ("row: 3 0 17", "row: 0 3 17"),
        ("headlines: 8 1 9", "headlines: 1 8 9"),
        ("questions: 1 2 4", "questions: 2 1 4"),
        ("declined: 2 0", "declined: 8 0"),
        ("lasting: 1", "lasting: 2"),
        ("court: hushed redrawn", "court: redrawn"),
        ("marched: capital thornwold", "marched: capital"),
        ("done: answered acted", "done: answered"),
        ("tax: 32", "tax: 2"),
        ("last played by: 1", "last played by: 2"),
        ("decision=59", "decision=58"),
        (" bot person", " person"),
    ]
    assert [old for old, _ in changes if old not in text] == []
    return [text.replace(old, new, 1) for old, new in changes]


def test_hash_tells_apart_whatever_play_follows_from() -> None:
    state = GAME.from_text(FULL)
    hashes = [state.state_hash()]
    hashes += [GAME.from_text(text).state_hash() for text in other_values(state)]
    assert len(set(hashes)) == len(hashes)
    assert {len(digest) for digest in hashes} == {SIZE}


def test_hash_leaves_out_what_lies_past_the_end_of_a_deck() -> None:
    one, other = new_match(2), new_match(2)
    other.position.follower_used[0] = 17
    assert canonical_bytes(one.position) == canonical_bytes(other.position)
