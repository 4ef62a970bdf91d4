"""Folds whole logs."""

from __future__ import annotations

from collections.abc import Iterable

from arena.log.v1.entry_pb2 import Entry
from arena_services.common.log.fold import Fold, fold_entry


def fold_log(match_id: str, entries: Iterable[Entry]) -> Fold:
    """The fold of a whole log, every hash compared."""
    fold: Fold | None = None
    for entry in entries:
        fold, _ = fold_entry(match_id, fold, entry)
        fold.verify(entry)
    assert fold is not None
    return fold
