"""The hash of a position, by which stored logs are verified: BLAKE2b with 16 bytes over the bytes below.

They hold all that later play and the duel follow from, each thing once, and nothing that follows from the rest (oaths,
supplies, how many answers of an ideology a seat has) or that lies past the end of a deck. A whole number is signed,
with 8 bytes, the highest first; -1 stands for none. Everything else is single bytes::

    layout                   1: the number of this list
    rules version
    players, speed
    how                      the length of the word, then the word; 0 alone while the match goes on
    secret                   32 bytes
    winner, phase, turn, round, ending, last_turns, answered, question, court, court_tax, in_court, marched, decision,
    actions, has_acted, has_answered, pending, pending_seat, asked, aimed, shielded, resume_phase, program, step,
    choice_seat, last_played_by, duellists, duel_number, mark_ms, swing_at, deadline, act_ms       whole numbers
    draws                    a whole number for each purpose
    each seat                flags, used, colour, sigil; then missed_run, missed_all, bank_ms, decision, duel_score,
                             duel_answer and the facts as whole numbers; then for each kind stock and reached as
                             whole numbers; then for each province standing, on_rifts
    each province            sealed
    each Question            question_at
    question, follower and headline deck, used followers, conspiracy pile
                             each its length, then its cards, the top (of the used ones: the newest) last
    row                      3 cards
    each Conspiracy          conspiracy_at, conspiracy_order
    called, lasting, offers, declined, registers, quiz
                             each its length, then its entries as whole numbers

A change to this list makes logs of older builds unreadable to newer ones, as does a change of the rules: it raises both
the layout's number and the rules version.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Final

from librt.strings import BytesWriter, write_i64_be
from librt.vecs import vec
from mypy_extensions import i64, u8

from arena_engine.singhasan.board import PROVINCE_COUNT
from arena_engine.singhasan.position import (
    CONSPIRACIES,
    FACT_COUNT,
    KINDS,
    QUESTIONS,
    ROW,
    Position,
)
from arena_engine.singhasan.text import RULES_VERSION

#: Bytes of the hash.
SIZE: Final = 16

_LAYOUT: Final = 1


def state_hash(p: Position) -> bytes:
    """The hash of a position, 16 bytes: equal exactly for positions that play on alike."""
    return blake2b(canonical_bytes(p), digest_size=SIZE).digest()


def canonical_bytes(p: Position) -> bytes:
    """What is hashed, as the module's docstring lists it."""
    out = BytesWriter()
    _write_match(p, out)
    for seat in range(p.board.players):
        _write_seat(p, seat, out)
    for province in range(PROVINCE_COUNT):
        _byte(out, p.sealed[province])
    for i in range(QUESTIONS):
        out.append(p.question_at[i])
    _write_pile(out, p.question_deck, p.question_size)
    _write_pile(out, p.follower_deck, p.follower_size)
    _write_pile(out, p.headline_deck, p.headline_size)
    _write_pile(out, p.follower_used, p.follower_used_size)
    _write_pile(out, p.conspiracy_pile, p.conspiracy_size)
    for slot in range(ROW):
        _byte(out, p.row[slot])
    for i in range(CONSPIRACIES):
        out.append(p.conspiracy_at[i])
        out.append(p.conspiracy_order[i])
    for entries in (p.called, p.lasting, p.offers, p.declined, p.registers, p.quiz):
        _write_list(out, entries)
    return out.getvalue()


def _byte(out: BytesWriter, number: i64) -> None:
    out.append(u8(number))


def _write_match(p: Position, out: BytesWriter) -> None:
    how = p.how.encode()
    for number in (_LAYOUT, RULES_VERSION, p.board.players, p.speed, len(how)):
        _byte(out, number)
    out.write(how)
    out.write(p.secret)
    write_i64_be(out, p.winner)
    write_i64_be(out, p.phase)
    write_i64_be(out, p.turn)
    write_i64_be(out, p.round)
    write_i64_be(out, p.ending)
    write_i64_be(out, p.last_turns)
    write_i64_be(out, p.answered)
    write_i64_be(out, p.question)
    write_i64_be(out, p.court)
    write_i64_be(out, p.court_tax)
    write_i64_be(out, p.in_court)
    write_i64_be(out, p.marched)
    write_i64_be(out, p.decision)
    write_i64_be(out, p.actions)
    write_i64_be(out, p.has_acted)
    write_i64_be(out, p.has_answered)
    write_i64_be(out, p.pending)
    write_i64_be(out, p.pending_seat)
    write_i64_be(out, p.asked)
    write_i64_be(out, p.aimed)
    write_i64_be(out, p.shielded)
    write_i64_be(out, p.resume_phase)
    write_i64_be(out, p.program)
    write_i64_be(out, p.step)
    write_i64_be(out, p.choice_seat)
    write_i64_be(out, p.last_played_by)
    write_i64_be(out, p.duellists)
    write_i64_be(out, p.duel_number)
    write_i64_be(out, p.mark_ms)
    write_i64_be(out, p.swing_at)
    write_i64_be(out, p.deadline)
    write_i64_be(out, p.act_ms)
    for purpose in range(len(p.draws)):
        write_i64_be(out, p.draws[purpose])


def _write_seat(p: Position, seat: i64, out: BytesWriter) -> None:
    _byte(out, p.flags[seat])
    _byte(out, p.used[seat])
    _byte(out, p.colour[seat])
    _byte(out, p.sigil[seat])
    write_i64_be(out, p.missed_run[seat])
    write_i64_be(out, p.missed_all[seat])
    write_i64_be(out, p.bank_ms[seat])
    write_i64_be(out, p.decisions[seat])
    write_i64_be(out, p.duel_score[seat])
    write_i64_be(out, p.duel_answer[seat])
    for fact in range(FACT_COUNT):
        write_i64_be(out, p.facts[fact * p.board.players + seat])
    for kind in range(KINDS):
        write_i64_be(out, p.stock[seat * KINDS + kind])
        write_i64_be(out, p.reached[seat * KINDS + kind])
    for province in range(PROVINCE_COUNT):
        _byte(out, p.standing[seat * PROVINCE_COUNT + province])
        _byte(out, p.on_rifts[seat * PROVINCE_COUNT + province])


def _write_pile(out: BytesWriter, cards: vec[u8], size: i64) -> None:
    _byte(out, size)
    for i in range(size):
        out.append(cards[i])


def _write_list(out: BytesWriter, entries: vec[i64]) -> None:
    _byte(out, len(entries))
    for i in range(len(entries)):
        write_i64_be(out, entries[i])
