"""Which one payment is listed among those that a cost allows, as RULES.md has it."""

from __future__ import annotations

from tests.engine.singhasan.naive.model import KINDS, NOTHING, Amounts


def amounts(numbers: list[int]) -> Amounts:
    """Four numbers as amounts."""
    gold, steel, song, oath = numbers
    return gold, steel, song, oath


def one(kind: int, count: int = 1) -> Amounts:
    """So many of one kind."""
    return amounts([count * (k == kind) for k in KINDS])


def even(total: int) -> Amounts:
    """As even as possible."""
    return amounts([total // 4 + (k < total % 4) for k in KINDS])


def splits(total: int) -> set[Amounts]:
    """Every way to make a total of the four kinds."""
    return {
        (a, b, c, total - a - b - c)
        for a in range(total + 1)
        for b in range(total + 1 - a)
        for c in range(total + 1 - a - b)
    }


def of_any(stock: Amounts, count: int, spared: int | None = None) -> Amounts | None:
    """So many of whatever there is most of, one by one; None where there are too few."""
    left = [n if k != spared else 0 for k, n in enumerate(stock)]
    paid = [0, 0, 0, 0]
    for _ in range(count):
        kind = left.index(max(left))
        if not left[kind]:
            return None
        left[kind] -= 1
        paid[kind] += 1
    return amounts(paid)


def of_cost(stock: Amounts, printed: Amounts, any_kind: int, change: int) -> Amounts | None:
    """A printed cost with an *any* part, and what cards in force change about it; None for who cannot pay."""
    any_kind += max(change, 0)
    discount = max(-change, 0)
    due = [min(n, mine) for n, mine in zip(printed, stock, strict=True)]
    discount -= sum(printed) - sum(due)
    if discount < 0:
        return None
    off_any = min(discount, any_kind)
    any_kind -= off_any
    for _ in range(min(discount - off_any, sum(due))):
        due[min((k for k in KINDS if due[k]), key=lambda k: stock[k])] -= 1
    rest = amounts([mine - n for mine, n in zip(stock, due, strict=True)])
    more = of_any(rest, any_kind)
    return None if more is None else amounts([a + b for a, b in zip(due, more, strict=True)])


def less(stock: Amounts, spent: Amounts) -> Amounts:
    """What is left of a stock; below 0 where it is not enough."""
    return amounts([a - b for a, b in zip(stock, spent, strict=True)])


__all__ = ["NOTHING", "amounts", "even", "less", "of_any", "of_cost", "one", "splits"]
