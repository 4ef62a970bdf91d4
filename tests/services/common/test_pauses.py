from __future__ import annotations

import pytest

from arena_services.common.pauses import Pauses, growing, spread


def test_pauses_double_up_to_the_longest() -> None:
    assert [growing(0.1, 1.0, tries) for tries in range(6)] == [0.1, 0.2, 0.4, 0.8, 1.0, 1.0]
    assert growing(0.1, 1.0, 10_000) == 1.0


def test_pauses_are_spread_over_their_second_half() -> None:
    drawn = [spread(2.0) for _ in range(200)]
    assert all(1.0 <= pause <= 2.0 for pause in drawn)
    assert max(drawn) - min(drawn) > 0.5


def test_pauses_begin_anew_after_a_success(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena_services.common.pauses.spread", lambda seconds: seconds)
    pauses = Pauses(0.5, 3.0)
    assert [pauses.next() for _ in range(4)] == [0.5, 1.0, 2.0, 3.0]
    pauses.reset()
    assert pauses.next() == 0.5
