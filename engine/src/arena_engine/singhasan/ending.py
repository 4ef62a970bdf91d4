"""How a match ends: what brings the end about, last turns, the cap, the score, and who takes the throne."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from arena_engine.singhasan.board import PROVINCE_COUNT
from arena_engine.singhasan.duel import begin
from arena_engine.singhasan.events import EndTriggered, MatchEnded
from arena_engine.singhasan.kinds import Ending
from arena_engine.singhasan.phases import STRIKE, enter
from arena_engine.singhasan.position import Position

# `kinds.Ending` as ints.
BY_SWORN: Final = 1
BY_SEATS: Final = 2
BY_CAP: Final = 3

#: How a match ends: one claimant has most points, or wins the duel that a tie goes to, by its questions or its strikes.
POINTS: Final = "points"
DUEL: Final = "duel"
MARK: Final = "mark"
#: Every word of an outcome's `how`: what brought the end about, by `kinds.Ending` less one.
ENDINGS: Final = ("sworn", "seats", "cap")


def check_end(p: Position) -> None:
    """Trigger the end where every province has sworn or every seat is filled. Once triggered, it stays so."""
    if p.ending != 0:
        return
    if _has_all_sworn(p):
        _trigger(p, BY_SWORN)
    elif _is_full(p):
        _trigger(p, BY_SEATS)


def _trigger(p: Position, ending: i64) -> None:
    p.ending = ending
    if p.log is not None:
        p.log.append(EndTriggered(Ending(ending)))


def _has_all_sworn(p: Position) -> bool:
    return all(
        p.sworn[province] >= 0 or p.board.in_play[province] == 0
        for province in range(PROVINCE_COUNT)
    )


def _is_full(p: Position) -> bool:
    board = p.board
    free: i64 = 0
    for province in range(i64(PROVINCE_COUNT)):
        if board.in_play[province] != 0:
            free += board.seats[province] - board.wildfolk
    for seat in range(board.players):
        free -= board.supply - p.supply[seat]
    return free == 0


def after_turn(p: Position) -> bool:
    """Count the turn that has just ended; whether the match goes to its scoring now.

    The end, once triggered, gives every claimant one last turn; the completion of the last round ends the match anyway.
    """
    is_round_over = p.turn == p.board.players - 1
    if is_round_over and p.round >= p.board.round_cap:
        if p.ending == 0:
            _trigger(p, BY_CAP)
        return True
    if p.ending == 0:
        return False
    p.last_turns = p.board.players if p.last_turns < 0 else p.last_turns - 1
    return p.last_turns == 0


def is_last_turn(p: Position) -> bool:
    """Whether the turn that begins is its claimant's last for certain."""
    return p.last_turns >= 0 or p.round == p.board.round_cap


def outcome_word(p: Position) -> str:
    """What brought the end of an ended match about: the outcome's `how`. `p.how` tells how the throne was decided."""
    return ENDINGS[p.ending - 1]


def score(p: Position, seat: i64) -> i64:
    """Points of a seat: the number of each province sworn to it, and 1 for each of those that it has Sealed."""
    points: i64 = 0
    for province in range(i64(PROVINCE_COUNT)):
        if p.sworn[province] == seat:
            points += p.board.swears[province] + p.sealed[province]
    return points


def settle_scores(p: Position, now_ms: i64) -> None:
    """Give the throne to who has most points; a tie goes to the duel."""
    best: i64 = -1
    level: i64 = 0
    for seat in range(p.board.players):
        points = score(p, seat)
        if points > best:
            best = points
            level = 0
        if points == best:
            level |= i64(1) << seat
    if level & (level - 1) != 0:
        begin(p, level, now_ms)
        return
    for seat in range(p.board.players):
        if level >> seat & 1:
            finish(p, POINTS, seat)


def finish_duel(p: Position, winner: i64) -> None:
    """End the match where its duel has a winner (-1: not yet)."""
    if winner >= 0:
        finish(p, MARK if p.phase == STRIKE else DUEL, winner)


def finish(p: Position, how: str, winner: i64) -> None:
    """End the match."""
    p.how = how
    p.winner = winner
    p.deadline = -1
    enter(p, 0)
    if p.log is not None:
        scores = tuple([int(score(p, seat)) for seat in range(p.board.players)])
        p.log.append(MatchEnded(how, winner, scores))
