"""What the rule book and the rulings say of the 32 Headlines and 30 Conspiracies, card by card and in all."""

from __future__ import annotations

from collections import Counter

import pytest

from arena_engine.singhasan import lasting, primitives, steps
from arena_engine.singhasan.content.conspiracies import CONSPIRACIES
from arena_engine.singhasan.content.headlines import HEADLINES
from arena_engine.singhasan.content.kinds import (
    Act,
    By,
    Conspiracy,
    Headline,
    Names,
    Op,
    Per,
    Step,
    Tone,
    Until,
    What,
    When,
    Where,
    Who,
)
from arena_engine.singhasan.kinds import Resource
from arena_engine.singhasan.programs import (
    COSTS,
    HEADLINE,
    is_court_card,
    names_of,
    step_at,
    step_count,
)

CARDS: tuple[Headline | Conspiracy, ...] = HEADLINES + CONSPIRACIES
COURT_OPS = {Op.TAX, Op.HUSH, Op.REPLACE_QUESTION, Op.BY_LOT, Op.NO_REDRAW}
LASTING_OPS = {Op.CHANGE, Op.FORBID, Op.PROTECT}
#: What each step that changes the board or a stock needs, as a played card names it.
NEEDS = {
    Op.REMOVE: Names.PROVINCE,
    Op.CONVERT: Names.PROVINCE,
    Op.PROTECT: Names.PROVINCE,
    Op.SHOVE: Names.PROVINCE | Names.TO,
    Op.RELOCATE: Names.PROVINCE | Names.TO,
    Op.SWAP: Names.PROVINCE | Names.TO,
    Op.RALLY: Names.TO,
    Op.LOSE_ANSWER: Names.KIND,
    Op.STEAL: Names.KIND,
}


def steps_of(card: Headline | Conspiracy, op: Op) -> list[Step]:
    return [step for step in card.steps if step.op == op]


def test_headlines_are_32_of_12_boons_12_banes_and_8_upheavals() -> None:
    assert len(HEADLINES) == 32
    tones = Counter(card.tone for card in HEADLINES)
    assert tones == {Tone.BOON: 12, Tone.BANE: 12, Tone.UPHEAVAL: 8}


def test_headlines_of_which_at_least_8_last() -> None:
    assert sum(any(s.op in LASTING_OPS for s in card.steps) for card in HEADLINES) >= 8


def test_conspiracies_are_30_of_20_deeds_and_10_court_cards() -> None:
    assert len(CONSPIRACIES) == 30
    assert Counter(card.is_court for card in CONSPIRACIES) == {False: 20, True: 10}


def test_conspiracies_half_cost_4_and_half_5() -> None:
    assert Counter(card.cost for card in CONSPIRACIES) == {4: 15, 5: 15}


def test_cards_are_numbered_by_their_sorts() -> None:
    tones = [card.tone for card in HEADLINES]
    assert tones == [Tone.BOON] * 12 + [Tone.BANE] * 12 + [Tone.UPHEAVAL] * 8
    assert [card.is_court for card in CONSPIRACIES] == [False] * 20 + [True] * 10


def test_names_texts_and_lines_are_all_different_and_short_enough_to_read() -> None:
    for texts in (
        [card.name for card in CARDS],
        [card.text for card in CARDS],
        [card.line for card in CARDS],
    ):
        assert len(set(texts)) == len(texts) == 62
    for card in CARDS:
        assert 1 <= len(card.name) <= 28
        assert 20 <= len(card.text) <= 200, card.name
        assert 20 <= len(card.line) <= 90, card.name
        assert card.text.endswith(".")
        assert card.line[-1] in ".?"


def test_every_primitive_of_the_rulings_is_on_some_card() -> None:
    used = {step.op for card in CARDS for step in card.steps}
    assert used == set(Op)
    assert {s.what for c in CARDS for s in c.steps if s.op == Op.CHANGE} == {
        What.HIRE,
        What.CONSPIRACY,
        What.LIMIT,
        What.INCOME,
    }


@pytest.mark.parametrize("kind", [Headline, Conspiracy])
def test_removal_shoves_and_conversions_come_in_both_decks(kind: type) -> None:
    used = Counter(s.op for card in CARDS if isinstance(card, kind) for s in card.steps)
    assert used[Op.REMOVE] + used[Op.DESERT] >= 3
    assert used[Op.SHOVE] >= 1
    assert used[Op.CONVERT] >= 2


def test_no_two_cards_of_a_sort_do_the_same() -> None:
    sorts = {(isinstance(c, Conspiracy) and c.is_court, c.steps) for c in CARDS}
    assert len(sorts) == len(CARDS)


def test_court_primitives_are_on_court_cards_alone_and_aimed_at_who_answers() -> None:
    for card in CARDS:
        for step in card.steps:
            if step.op in COURT_OPS:
                assert isinstance(card, Conspiracy)
                assert card.is_court
                assert step.who == Who.RIVAL


def test_every_court_card_does_something_to_who_answers_and_names_no_rival() -> None:
    for card in CONSPIRACIES:
        if card.is_court:
            assert card.steps[0].who == Who.RIVAL, card.name
            assert not card.names & Names.RIVAL


def test_court_cards_leave_nothing_to_choose() -> None:
    for card in CONSPIRACIES:
        for step in card.steps if card.is_court else ():
            needs = NEEDS.get(step.op, Names.NOTHING)
            if step.op == Op.GAIN:
                assert step.kind != Resource.UNSPECIFIED
            assert needs & ~card.names == Names.NOTHING, card.name


def test_a_card_that_is_played_at_a_rival_names_it() -> None:
    for card in CONSPIRACIES:
        at_rival = any(step.who == Who.RIVAL for step in card.steps)
        assert at_rival == bool(card.names & Names.RIVAL) or card.is_court, card.name


def test_what_a_card_names_is_what_its_steps_can_use() -> None:
    for card in CONSPIRACIES:
        useful = Names.RIVAL | Names.COUNT
        for step in card.steps:
            useful |= NEEDS.get(step.op, Names.NOTHING)
            if step.op == Op.GAIN and step.kind == Resource.UNSPECIFIED:
                useful |= Names.KIND
        assert card.names & ~useful == Names.NOTHING, card.name
        if card.names & Names.COUNT:
            assert card.steps[0].amount > 1


def test_headlines_never_end_with_the_turn_that_is_over() -> None:
    for card in HEADLINES:
        for step in card.steps:
            assert step.op not in LASTING_OPS or step.until != Until.TURN_END, card.name


def test_court_cards_last_for_the_turn_they_are_played_in() -> None:
    for card in CONSPIRACIES:
        for step in card.steps if card.is_court else ():
            assert step.op not in LASTING_OPS or step.until == Until.TURN_END, card.name


@pytest.mark.parametrize("card", [c for c in CARDS if any(s.op in LASTING_OPS for s in c.steps)])
def test_what_lasts_says_until_when(card: Headline | Conspiracy) -> None:
    words = {
        Until.TURN_END: ("this turn",),
        Until.NEXT_TURN: ("ntil your next turn begins",),
        Until.NEXT_TURN_END: ("ntil the end of your next turn",),
        Until.NEXT_ROUND_END: ("ntil the next round is complete",),
    }
    for step in card.steps:
        if step.op in LASTING_OPS:
            assert any(word in card.text for word in words[step.until]) or (
                step.until == Until.TURN_END and "This turn" in card.text
            )


def test_until_your_next_turn_means_the_callers() -> None:
    storm = next(card for card in HEADLINES if card.name == "The Festival of Storms")
    assert storm.tone == Tone.UPHEAVAL
    gain, change = storm.steps
    assert (gain.who, gain.kind, gain.amount) == (Who.EACH, Resource.SONG, 1)
    assert (change.who, change.what, change.amount) == (Who.EACH, What.CONSPIRACY, 1)
    assert change.until == Until.NEXT_TURN


def test_assassins_in_the_night_is_the_books_card() -> None:
    card = next(card for card in CONSPIRACIES if card.name == "Assassins in the Night")
    assert (card.is_court, card.cost) == (False, 5)
    assert card.steps == (Step(Op.REMOVE, Who.RIVAL, amount=2),)


def test_upheavals_hit_everyone() -> None:
    for card in HEADLINES:
        if card.tone == Tone.UPHEAVAL:
            assert {s.who for s in card.steps} & {Who.EACH, Who.LEADERS}, card.name


def test_banes_hurt_their_caller_and_boons_never_do() -> None:
    hurts = {Op.LOSE, Op.DESERT, Op.SHOVE, Op.CONVERT, Op.LOSE_ANSWER, Op.LOSE_CARD, Op.FORBID}
    for card in HEADLINES:
        own = [step for step in card.steps if step.who == Who.CALLER]
        is_hurt = any(s.op in hurts for s in own) or any(
            s.op == Op.GIVE or (s.op == Op.CHANGE and _is_worse(s)) for s in card.steps
        )
        if card.tone == Tone.BANE:
            assert is_hurt, card.name
        elif card.tone == Tone.BOON:
            assert not is_hurt, card.name


def _is_worse(step: Step) -> bool:
    dearer = step.what in {What.HIRE, What.CONSPIRACY}
    return step.amount > 0 if dearer else step.amount < 0


def test_cards_that_take_an_answer_say_who_chooses_which() -> None:
    for card in CARDS:
        for step in steps_of(card, Op.LOSE_ANSWER):
            assert step.by in {By.CALLER, By.SUBJECT}
            assert "of your choice" in card.text


def test_desertion_is_the_owners_choice() -> None:
    for card in CARDS:
        assert all(step.by == By.SUBJECT for step in steps_of(card, Op.DESERT)), card.name


def test_branches_follow_the_either_that_chooses_them_and_have_names() -> None:
    for card in CARDS:
        branches = [step.branch for step in card.steps]
        if steps_of(card, Op.EITHER):
            assert card.steps[0].op == Op.EITHER
            assert branches == [0, 1, 2]
            assert all(card.branches)
        else:
            assert set(branches) == {0}
            assert card.branches == ("", "")


def test_costs_and_sorts_reach_the_rules_as_written() -> None:
    for number, card in enumerate(CONSPIRACIES, start=1):
        assert COSTS[number] == card.cost
        assert is_court_card(number) == card.is_court
        assert names_of(number) == card.names


def test_steps_reach_the_rules_as_written() -> None:
    programs: list[tuple[int, Headline | Conspiracy]] = [
        *enumerate(CONSPIRACIES, start=1),
        *enumerate(HEADLINES, start=HEADLINE + 1),
    ]
    for program, card in programs:
        assert step_count(program) == len(card.steps)
        for at, step in enumerate(card.steps):
            packed = step_at(program, at)
            assert primitives.op_of(packed) == step.op
            assert primitives.who_of(packed) == step.who
            assert primitives.chooser_of(packed) == step.by
            assert primitives.amount_of(packed) == step.amount
            assert primitives.kind_of(packed) == step.kind - 1
            assert primitives.where_of(packed) == step.where
            assert primitives.until_of(packed) == step.until
            assert primitives.what_of(packed) == max(step.what, step.act)
            assert primitives.when_of(packed) == step.when
            assert primitives.per_of(packed) == step.per
            assert primitives.most_of(packed) == step.most
            assert primitives.is_optional(packed) == step.is_optional
            assert primitives.branch_of(packed) == step.branch


def test_what_is_named_has_the_bits_of_the_registers_it_fills() -> None:
    registers = (steps.R_RIVAL, steps.R_FROM, steps.R_TO, steps.R_KIND, steps.R_COUNT)
    names = (Names.RIVAL, Names.PROVINCE, Names.TO, Names.KIND, Names.COUNT)
    assert [1 << register for register in registers] == [int(bit) for bit in names]


def test_fields_of_packed_steps_hold_every_value() -> None:
    assert max(Op) <= primitives.OP
    assert max(Who) < 8
    assert max(By) < 4
    assert max(Where) < 16
    assert max(When) < 4
    assert max(Per) < 4
    assert max(*What, *Act) < 16
    assert all(-8 <= s.amount <= 7 for c in CARDS for s in c.steps if s.op == Op.CHANGE)


def test_everything_that_can_be_forbidden_has_a_number_of_its_own() -> None:
    bans = [value for name, value in vars(lasting).items() if name.startswith("FORBID_")]
    assert sorted(bans) == sorted(act for act in Act if act)
