"""A short run of `make hostile`, with its own platform."""

from __future__ import annotations

from pathlib import Path

from tests.hostile import campaign

_REQUESTS = 3_000


async def test_hostile_requests_of_every_kind_neither_break_anything_nor_get_in(
    tmp_path: Path,
) -> None:
    report = await campaign.run(_REQUESTS, seed=7, folder=tmp_path)
    assert report["first_faults"] == []
    assert report["requests"] == _REQUESTS
    assert report["honest_acts"] > 0
    assert len(report["asked"]) == 9
