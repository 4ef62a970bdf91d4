from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.chaos.checks import check_match
from tests.chaos.tale import START_MS, Tale
from tests.witness.problems import Wrong
from tests.witness.record import Fate


def _tale() -> Tale:
    tale = Tale()
    for _ in range(3):
        tale.act()
    tale.claim("room-2", 4000, 3500)
    tale.act()
    tale.expire()
    tale.act()
    return tale


def _wrongs(tale: Tale, calm_ms: int = START_MS) -> list[Wrong]:
    return [problem.wrong for problem in check_match(tale.record, tale.entries, (), calm_ms)]


def test_honest_match_has_nothing_wrong_with_it() -> None:
    assert _wrongs(_tale()) == []


def _lose_the_last_entry(tale: Tale) -> None:
    tale.entries.pop()


def _acknowledge_what_was_not_stored(tale: Tale) -> None:
    tale.record.wishes[1].counter = 77


def _acknowledge_another_place(tale: Tale) -> None:
    tale.record.wishes[1].sequence += 1


def _acknowledge_another_decision(tale: Tale) -> None:
    tale.record.wishes[1].act = tale.record.wishes[2].act


def _refuse_what_was_stored(tale: Tale) -> None:
    tale.record.wishes[1].fate = Fate.REFUSED


def _store_what_nobody_asked_for(tale: Tale) -> None:
    tale.record.wishes.pop()


def _leave_out_an_update(tale: Tale) -> None:
    del tale.record.viewers[2].shown[3]


def _repeat_an_update(tale: Tale) -> None:
    shown = tale.record.viewers[0].shown
    shown.insert(3, shown[2])


def _go_back(tale: Tale) -> None:
    shown = tale.record.viewers[0].shown
    shown[4] = shown[0]
    del shown[5:]
    tale.record.goal = 0


def _show_another_position(tale: Tale) -> None:
    shown = tale.record.viewers[0].shown
    shown[2] = shown[2]._replace(digest=b"another!")


def _show_another_time(tale: Tale) -> None:
    shown = tale.record.viewers[0].shown
    shown[2] = shown[2]._replace(time_ms=START_MS)


def _show_other_time_given_back(tale: Tale) -> None:
    shown = tale.record.viewers[0].shown
    shown[4] = shown[4]._replace(given_back_ms=0)


def _leave_a_viewer_behind(tale: Tale) -> None:
    tale.record.viewers[1].shown.pop()


def _store_another_hash(tale: Tale) -> None:
    tale.entries[4].state_hash = b"another"


def _trouble_a_player(tale: Tale) -> None:
    tale.record.troubles.append("INTERNAL")


@pytest.mark.parametrize(
    ("falsify", "wrong"),
    [
        (_lose_the_last_entry, {Wrong.LOST, Wrong.UNFOUNDED}),
        (_acknowledge_what_was_not_stored, {Wrong.LOST, Wrong.FOREIGN}),
        (_acknowledge_another_place, {Wrong.LOST}),
        (_acknowledge_another_decision, {Wrong.LOST}),
        (_refuse_what_was_stored, {Wrong.REFUSED}),
        (_store_what_nobody_asked_for, {Wrong.FOREIGN}),
        (_leave_out_an_update, {Wrong.GAP}),
        (_repeat_an_update, {Wrong.GAP}),
        (_go_back, {Wrong.GAP}),
        (_show_another_position, {Wrong.UNFOUNDED}),
        (_show_another_time, {Wrong.UNFOUNDED}),
        (_show_other_time_given_back, {Wrong.UNFOUNDED}),
        (_leave_a_viewer_behind, {Wrong.BEHIND}),
        (_store_another_hash, {Wrong.CORRUPT}),
        (_trouble_a_player, {Wrong.TROUBLE}),
    ],
)
def test_falsified_match_is_found_out(falsify: Callable[[Tale], None], wrong: set[Wrong]) -> None:
    tale = _tale()
    falsify(tale)
    assert set(_wrongs(tale)) == wrong


def test_request_that_is_stored_twice_is_found() -> None:
    tale = Tale()
    while tale.act().seat != tale.record.wishes[0].seat or len(tale.record.wishes) == 1:
        pass
    first, again = tale.record.wishes[0], tale.record.wishes[-1]
    tale.entries[-1].acted.key.counter = again.counter = first.counter
    assert Wrong.DOUBLED in _wrongs(tale)


def test_match_that_stands_still_once_all_is_calm_is_stuck() -> None:
    tale = _tale()
    assert _wrongs(tale, tale.now_ms) == [Wrong.STUCK]
    tale.act()
    assert _wrongs(tale, tale.now_ms - 1) == []
