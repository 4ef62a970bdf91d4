"""Resources: what pays a cost, the canonical payment, the treasury limit, and the bank."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena_engine.singhasan import events as e
from arena_engine.singhasan import lasting, stock
from arena_engine.singhasan.explain_act import explain_bank
from arena_engine.singhasan.kinds import Cause
from arena_engine.singhasan.messages import Resources
from arena_engine.singhasan.packing import BANK, FIRST, PAYMENT
from tests.engine.singhasan.boards import acting, change, forbid, four, listed, log_of, packed

amounts = st.tuples(*[st.integers(0, 4)] * 4)
stocks = st.tuples(*[st.integers(0, 9)] * 4)


def test_gain_and_loss_are_logged_with_their_cause() -> None:
    p = acting(stock={1: (1, 2, 3, 4)})
    stock.gain(p, 1, stock.SONG, 2, stock.BY_TRIBUTE)
    assert stock.lose(p, 1, stock.OATH, 3, stock.BY_CARD) == 3
    assert four(p, 1) == (1, 2, 5, 1)
    assert log_of(p) == [
        e.ResourcesGained(1, Resources(song=2), Cause.TRIBUTE),
        e.ResourcesLost(1, Resources(oath=3), Cause.CARD),
    ]


def test_nobody_loses_more_than_there_is() -> None:
    p = acting(stock={1: (1, 0, 0, 0)})
    assert stock.lose(p, 1, stock.GOLD, 3, stock.BY_HEADLINE) == 1
    assert stock.lose(p, 1, stock.GOLD, 3, stock.BY_HEADLINE) == 0
    assert four(p, 1) == (0, 0, 0, 0)
    assert len(log_of(p)) == 1


def test_mixed_payment_is_one_event() -> None:
    p = acting(stock={0: (3, 3, 3, 3)})
    stock.pay(p, 0, packed(1, 0, 2, 3), stock.BY_HIRE)
    assert four(p, 0) == (2, 3, 1, 0)
    assert log_of(p) == [e.ResourcesLost(0, Resources(1, 0, 2, 3), Cause.HIRE)]


@pytest.mark.parametrize(
    ("payment", "is_paid"),
    [
        (packed(2, 1, 1), True),
        (packed(2, 2), True),  # 1 of any kind
        (packed(2, 1), False),  # too little
        (packed(2, 1, 1, 1), False),  # too much
        (packed(1, 1, 1, 1), False),  # the printed Gold is missing
    ],
)
def test_cost_is_its_printed_amounts_and_the_rest_in_any_kind(payment: int, is_paid: bool) -> None:
    assert stock.covers(payment, packed(2, 1), 1) == is_paid


@pytest.mark.parametrize("payment", [packed(1, 1, 0, 1), packed(2, 0, 0, 1), packed(2, 1)])
def test_discount_comes_off_the_part_that_the_payer_chooses(payment: int) -> None:
    assert stock.covers(payment, packed(2, 1), 1, discount=1)


def test_discount_beyond_the_cost_makes_it_free() -> None:
    assert stock.covers(0, packed(1), 0, discount=2)
    assert stock.canonical(acting(), 0, packed(1), 0, discount=2) == 0


def test_any_part_comes_from_the_largest_stock_ties_in_order() -> None:
    p = acting(stock={0: (2, 4, 2, 4)})
    assert stock.canonical(p, 0, 0, 1) == packed(0, 1)
    assert stock.canonical(p, 0, 0, 2) == packed(0, 1, 0, 1)
    assert stock.canonical(p, 0, 0, 5) == packed(1, 2, 0, 2)
    assert stock.canonical(p, 0, packed(0, 2), 1) == packed(0, 2, 0, 1)


@given(held=stocks, printed=amounts, any_kind=st.integers(0, 4), discount=st.integers(0, 3))
def test_canonical_payment_is_affordable_covers_the_cost_and_is_found_if_any_is(
    held: tuple[int, ...], printed: tuple[int, ...], any_kind: int, discount: int
) -> None:
    p = acting(stock={0: held})
    payment = stock.canonical(p, 0, packed(*printed), any_kind, discount)
    due = max(sum(printed) + any_kind - discount, 0)
    missing = sum(max(cost - there, 0) for cost, there in zip(printed, held, strict=True))
    assert (payment >= 0) == (missing <= discount and due <= sum(held))
    if payment >= 0:
        assert stock.affords(p, 0, payment)
        assert stock.covers(payment, packed(*printed), any_kind, discount)


def test_limit_is_12_and_15_with_many_harbours() -> None:
    p = acting(answers={0: (3, 0, 0, 0), 1: (2, 5, 5, 5)})
    assert (stock.limit(p, 0), stock.limit(p, 1)) == (15, 12)


def test_limit_is_changed_by_cards_in_force_but_never_below_0() -> None:
    p = acting()
    change(p, 0, lasting.LIMIT_CHANGE, -3)
    assert stock.limit(p, 0) == 9
    for _ in range(4):
        change(p, 0, lasting.LIMIT_CHANGE, -3)
    assert stock.limit(p, 0) == 0


def test_bank_takes_3_for_1_and_2_with_many_harbours() -> None:
    p = acting(answers={1: (3, 0, 0, 0)})
    assert (stock.bank_price(p, 0), stock.bank_price(p, 1)) == (3, 2)


def test_bank_trade_pays_and_gains() -> None:
    p = acting(stock={0: (4, 0, 0, 0)})
    stock.do_bank(p, 0, BANK | 4 << FIRST | packed(3) << PAYMENT)
    assert four(p, 0) == (1, 0, 0, 1)
    assert [type(event) for event in log_of(p)] == [e.ResourcesLost, e.ResourcesGained]


def test_bank_trade_is_no_bargain_with_a_rival_for_the_duel() -> None:
    p = acting(stock={0: (4, 0, 0, 0)})
    stock.do_bank(p, 0, BANK | 4 << FIRST | packed(3) << PAYMENT)
    assert not any(p.facts)


def test_bank_takes_a_mix() -> None:
    p = acting(stock={0: (1, 1, 1, 0)})
    assert explain_bank(p, 0, BANK | 4 << FIRST | packed(1, 1, 1) << PAYMENT) is None


def test_bank_gives_even_a_kind_that_it_takes() -> None:
    p = acting(stock={0: (3, 0, 0, 0)})
    trade = BANK | 1 << FIRST | packed(3) << PAYMENT
    assert explain_bank(p, 0, trade) is None
    assert trade not in listed(p, stock.fill_bank)


def test_listed_bank_trades_give_one_kind_for_another() -> None:
    p = acting(stock={0: (3, 2, 4, 0)})
    trades = listed(p, stock.fill_bank)
    assert {(stock.payment_of(t), t >> FIRST & 31) for t in trades} == {
        *((packed(3), taken) for taken in (2, 3, 4)),
        *((packed(0, 0, 3), taken) for taken in (1, 2, 4)),
    }


def test_without_three_of_a_kind_the_canonical_mix_is_listed() -> None:
    p = acting(stock={0: (2, 1, 0, 1)})
    trades = listed(p, stock.fill_bank)
    assert {(stock.payment_of(t), t >> FIRST & 31) for t in trades} == {
        (packed(2, 1), 3),
        (packed(2, 1), 4),
    }


@given(held=stocks, harbours=st.booleans())
def test_listed_bank_trades_are_legal(held: tuple[int, ...], harbours: bool) -> None:
    p = acting(stock={0: held}, answers={0: (3 if harbours else 0, 0, 0, 0)})
    for trade in listed(p, stock.fill_bank):
        assert explain_bank(p, 0, trade) is None


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        (BANK | 1 << FIRST | packed(0, 2) << PAYMENT, "The bank takes 3 from you for 1, not 2."),
        (BANK | 1 << FIRST | packed(0, 4) << PAYMENT, "The bank takes 3 from you for 1, not 4."),
        (BANK | 1 << FIRST | packed(0, 0, 3) << PAYMENT, "You do not have 3 Song."),
        (BANK | packed(0, 3) << PAYMENT, "The bank gives Gold, Steel, Song or Oath."),
        (BANK | 5 << FIRST | packed(0, 3) << PAYMENT, "The bank gives Gold, Steel, Song or Oath."),
    ],
)
def test_bank_trade_that_is_not_legal_says_why(action: int, reason: str) -> None:
    p = acting(stock={0: (0, 5, 2, 0)})
    assert explain_bank(p, 0, action) == reason


def test_bank_can_be_closed_by_a_card() -> None:
    p = acting(stock={0: (5, 5, 5, 5)})
    forbid(p, 0, lasting.FORBID_BANK)
    assert listed(p, stock.fill_bank) == []
    assert explain_bank(p, 0, BANK | 1 << FIRST | packed(0, 3) << PAYMENT) is not None
