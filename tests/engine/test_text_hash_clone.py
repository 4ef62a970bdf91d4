"""Positions as text, as hash, and as copies."""

from __future__ import annotations

import pytest

from arena_engine.crowns import GAME
from arena_engine.errors import PositionTextError
from tests.engine.new_matches import new_match
from tests.engine.positions import a_card, a_move, act, card, legal, move, position

FULL = """
crowns 1
board: large
players: 4
clock: 60
secret: 00000000000000000000000000000000000000000000000000000000000000ff
draws: relics=17 deck=39
actions: 57
round: 5
turn: 2
decision: 60
moves: 2
done: move card
shield: 70
deadline: 123456
seat 0: crowns=2 hand=3,17 missed=1/2
seat 1: out=1
seat 2: crowns=1 bot person missed=2/2
seat 3: bot hand=40
at 5: s0 K+2k
at 12: s2 1k, crown, fallen 2
at 50: s0 2k+1g, snare
at 70: s2 K+1k+1g, snare now
at 90: s3 K
at 91: fallen
at 100: horse
deck: 5 1 39
discard: 2 9
returning: boat@7 shield@70
"""


def rest_of_the_deck(text: str) -> str:
    """The text with all cards that it does not mention discarded."""
    used = {3, 17, 40, 5, 1, 39, 2, 9}
    rest = " ".join(str(n) for n in range(1, 41) if n not in used)
    return text.replace("discard: 2 9", f"discard: 2 9 {rest}")


def test_text_of_a_position_with_everything_reads_back() -> None:
    state = GAME.from_text(rest_of_the_deck(FULL))
    again = GAME.from_text(state.to_text())
    assert again.to_text() == state.to_text()
    assert again.state_hash() == state.state_hash()
    assert again.common(()) == state.common(())
    assert [again.own(s, ()) for s in range(4)] == [state.own(s, ()) for s in range(4)]


def test_text_of_a_finished_match_reads_back() -> None:
    state = position("0:K@14", crowns=[3])
    move(state, 14, 4, "K")
    again = GAME.from_text(state.to_text())
    assert again.outcome() == state.outcome()
    assert again.awaited() == ()


def test_text_may_hold_comments_and_blank_lines_in_any_order() -> None:
    one = GAME.from_text("crowns 1\nplayers: 2\nat 4: s0 K\nat 91: s1 K\n")
    other = GAME.from_text("crowns 1  # game\n\nat 91: s1 K\n# half way\nat 4: s0 K\nplayers: 2")
    assert one.state_hash() == other.state_hash()


#: Two Kings on their Gates, which is a whole position.
TWO = "crowns 1\nplayers: 2\nat 4: s0 K\nat 91: s1 K\n"


@pytest.mark.parametrize(
    "more",
    [
        "at 40: dragon",
        "at 40: horse, boat",
        "turn: 2",
        "seat 0: hand=1\nseat 1: hand=1",
        "seat 0: hand=1,2,3,4",
        "seat 0: hand=41",
        "moves: many",
        "secret: 12",
        "mood: good",
        "clock: 31",
        "board: round",
        "draws: luck=1",
        "seat 0: crowns=4",
        "at 40: fallen 2",
        "at 4: horse",
        "at 40: snare",
        "at 40: s0 3k\nat 41: s0 3k\nat 42: s0 3k\nat 43: s0 2k",
        "done: nothing",
        "returning: boat@96",
        "ended: escape 2",
        "ended: badly",
        "moves: 0",
        "words without a key",
    ],
)
def test_line_that_fits_no_position_is_refused_with_a_sentence(more: str) -> None:
    GAME.from_text(TWO)
    with pytest.raises(PositionTextError) as caught:
        GAME.from_text(TWO + more)
    assert str(caught.value).endswith(".")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "lions 1\nplayers: 2\nat 4: s0 K\nat 91: s1 K",
        "crowns 99\nplayers: 2\nat 4: s0 K\nat 91: s1 K",
        "crowns 1\nplayers: 7\nat 4: s0 K\nat 91: s1 K",
        "crowns 1\nplayers: 2\nat 4: s0 K",
        "crowns 1\nplayers: 2\nat 4: s0 K\nat 5: s0 K\nat 91: s1 K",
        "crowns 1\nplayers: 2\nat 96: s0 K\nat 91: s1 K",
        "crowns 1\nplayers: 2\nat 4: s0 K+3k\nat 91: s1 K",
        "crowns 1\nplayers: 2\nat 4: s0 K, s1 K",
        "crowns 1\nplayers: 2\nat 4: s0 K\nat 91: s2 K",
        "crowns 1\nat 4: s0 K\nat 91: s1 K",
        "crowns 1\nplayers: 2\nplayers: 2\nat 4: s0 K\nat 91: s1 K",
        "crowns 1\nplayers: 2\nat 4: s0 K, horse\nat 91: s1 K",
        "crowns 1\nplayers: 2\nat 4: s0 K\nseat 1: out=1 crowns=1",
        "crowns 1\nplayers: 3\nat 4: s0 K\nat 74: s1 K\nseat 2: out=2",
        "crowns 1\nplayers: 3\nat 4: s0 K\nat 74: s1 K\nseat 2: out=1\nturn: 2",
    ],
)
def test_text_that_describes_no_position_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(PositionTextError) as caught:
        GAME.from_text(text)
    assert str(caught.value).endswith(".")


def test_clone_is_independent_both_ways() -> None:
    state = new_match(3, secret=4)
    before = state.to_text()
    copy = state.clone()
    copy.apply(0, next(iter(copy.legal_actions(0))), 0)
    assert state.to_text() == before
    after = copy.to_text()
    state.apply(0, list(state.legal_actions(0))[-1], 0)
    assert copy.to_text() == after


def test_clone_draws_the_same_randomness() -> None:
    state = position("0:k@40 1:k@60", relics="horse@41 boat@61")
    copy = state.clone()
    for one in (state, copy):
        move(one, 40, 41, "k")
        move(one, 41, 42, "k")
        move(one, 42, 43, "k")
        move(one, 60, 61, "k")
    assert copy.to_text() == state.to_text()


def test_hash_is_16_bytes_and_equal_for_equal_positions() -> None:
    one, other = new_match(2, secret=9), new_match(2, secret=9)
    assert len(one.state_hash()) == 16
    assert one.state_hash() == other.state_hash()


@pytest.mark.parametrize(
    "more",
    [
        "turn: 1",
        "moves: 2",
        "round: 2",
        "done: card",
        "at 40: horse",
        "seat 0: crowns=1",
        "seat 1: hand=3",
        "seat 1: bot",
        "seat 1: missed=1/1",
        "deck: 2 1 " + " ".join(map(str, range(3, 41))),
        "returning: boat@7",
        "secret: " + "1" * 64,
        "draws: relics=1",
        "actions: 1",
    ],
)
def test_hash_tells_positions_apart_that_play_on_differently(more: str) -> None:
    assert position(more=more).state_hash() != position().state_hash()


def test_pack_and_unpack_are_inverse_for_legal_actions() -> None:
    number = card("red")
    state = position("0:Kkg@40 0:k@43 1:k@41", crowns=[0, 1], hands=[[number, card("violet")]])
    for action in legal(state):
        assert state.unpack(state.pack(action)) == action


def test_actions_may_be_built_from_scratch() -> None:
    state = position("0:Kkg@40", crowns=[0, 1], hands=[[card("red")]])
    assert a_move(40, 41, "Kkg") in legal(state)
    assert a_card(card("red"), rival=1) in legal(state)
    act(state, a_card(card("red"), rival=1))
