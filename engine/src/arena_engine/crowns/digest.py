"""The hash of a position, by which stored logs are verified: BLAKE2b with 16 bytes over the bytes below.

They hold all that later play follows from, each thing once, and nothing that follows from the rest (where the Kings
stand, who lives, the reserves) or that lies past the end of a hand or pile. A whole number is signed, with 8 bytes,
the highest first; -1 stands for none. Everything else is single bytes::

    layout                   1: the number of this list
    rules version
    board, players
    done                     bit 0 the turn's first move, bit 1 its card
    how                      the length of the word, then the word; 0 alone while the match goes on
    secret                   32 bytes
    winner, turn_seconds, actions, round, turn, decision, moves_left, shield_at, deadline    whole numbers
    draws                    a whole number for each purpose: relics, deck
    each seat                crowns, out, whose (bit 0 a bot plays it, bit 1 it has a person); then missed_run and
                             missed_all as whole numbers; then the length of the hand and its cards as drawn
    each triangle            its cell, its ground: as in `packing` and `position`
    deck                     its length, then its cards, the top last
    discard                  its length, then its cards, the oldest first
    returning                for each relic in order of collection: relic, triangle

A change to this list makes logs of older builds unreadable to newer ones, as does a change of the rules: it raises both
the layout's number and the rules version.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Final

from librt.strings import BytesWriter, write_i64_be
from mypy_extensions import i64, u8

from arena_engine.crowns.position import BOT, HAND, PERSON, Position
from arena_engine.crowns.text import RULES_VERSION

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
    for seat in range(p.grid.players):
        _write_seat(p, seat, out)
    for t in range(p.grid.size):
        _byte(out, p.cells[t])
        out.append(p.ground[t])
    _write_piles(p, out)
    return out.getvalue()


def _byte(out: BytesWriter, number: i64) -> None:
    out.append(u8(number))


def _write_match(p: Position, out: BytesWriter) -> None:
    how = p.how.encode()
    for number in (_LAYOUT, RULES_VERSION, p.grid.board, p.grid.players):
        _byte(out, number)
    _byte(out, int(p.has_moved) | int(p.has_played_card) << 1)
    _byte(out, len(how))
    out.write(how)
    out.write(p.secret)
    write_i64_be(out, p.winner)
    write_i64_be(out, p.turn_seconds)
    write_i64_be(out, p.actions)
    write_i64_be(out, p.round)
    write_i64_be(out, p.turn)
    write_i64_be(out, p.decision)
    write_i64_be(out, p.moves_left)
    write_i64_be(out, p.shield_at)
    write_i64_be(out, p.deadline)
    for purpose in range(len(p.draws)):
        write_i64_be(out, p.draws[purpose])


def _write_seat(p: Position, seat: i64, out: BytesWriter) -> None:
    flags = p.flags[seat]
    _byte(out, p.crowns[seat])
    _byte(out, p.out[seat])
    _byte(out, int(flags & BOT != 0) | int(flags & PERSON != 0) << 1)
    write_i64_be(out, p.missed_run[seat])
    write_i64_be(out, p.missed_all[seat])
    _byte(out, p.hand_size[seat])
    for i in range(p.hand_size[seat]):
        _byte(out, p.hands[seat * HAND + i])


def _write_piles(p: Position, out: BytesWriter) -> None:
    _byte(out, p.deck_size)
    for i in range(p.deck_size):
        out.append(p.deck[i])
    _byte(out, p.discard_size)
    for i in range(p.discard_size):
        out.append(p.discard[i])
    for i in range(len(p.returning)):
        _byte(out, p.returning[i] & 7)
        _byte(out, p.returning[i] >> 3)
