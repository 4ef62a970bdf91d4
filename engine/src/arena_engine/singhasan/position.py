"""One position as flat arrays and ints: the data that the rules work on, its copy and its draws.

Nothing here decides anything. `State` in `state` is the face that others see; text and views are made elsewhere.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64, u8

from arena_engine.singhasan.board import PROVINCE_COUNT, Board
from arena_engine.singhasan.draws import keyed_draw, next_fast
from arena_engine.singhasan.events import EventBody
from arena_engine.singhasan.listing import filled

QUESTIONS: Final = 120
FOLLOWERS: Final = 40
HEADLINES: Final = 32
CONSPIRACIES: Final = 30
#: Places of the hire row.
ROW: Final = 3
#: Resources, ideologies, legends.
KINDS: Final = 4

# Bits of `flags`.
BOT: Final = 1
PERSON: Final = 2
CLAIMED: Final = 4

# Bits of `used`: powers used this turn (Shield: this round), by seat.
USED_HORSE: Final = 1
USED_STABLES: Final = 2
USED_SONG: Final = 4
USED_WALLS: Final = 8
USED_SHIELD: Final = 16
#: The first of Charm the Stones' two followers has moved, and the second.
CHARMED_ONCE: Final = 32
CHARMED_TWICE: Final = 64

# Bits of `court`: what court cards do to the answer under way.
COURT_HUSHED: Final = 1
COURT_BY_LOT: Final = 2
COURT_NO_REDRAW: Final = 4
#: The Question has been sent away by its claimant this turn.
COURT_REDRAWN: Final = 8
#: The Question is swapped: its second answer is A.
COURT_SWAPPED: Final = 16

# Where a Conspiracy is, in `conspiracy_at`; a holder is its seat plus `HELD`.
IN_PILE: Final = 0
SPENT: Final = 1
HELD: Final = 2

# Purposes of draws.
DRAW_QUESTIONS: Final = 0
DRAW_SWAP: Final = 1
DRAW_FOLLOWERS: Final = 2
DRAW_HEADLINES: Final = 3
DRAW_CONSPIRACIES: Final = 4
DRAW_LOTS: Final = 5
DRAW_DUEL: Final = 6
_PURPOSES: Final = (
    b"singhasan questions ",
    b"singhasan swap ",
    b"singhasan followers ",
    b"singhasan headlines ",
    b"singhasan conspiracies ",
    b"singhasan lots ",
    b"singhasan duel ",
)

# Facts of the match so far that the duel asks about, in `facts` at `fact * players + seat`.
FACT_HIRED: Final = 0
FACT_MARCHED: Final = 1
FACT_HEADLINES: Final = 2
FACT_PLAYED: Final = 3
FACT_REDRAWN: Final = 4
FACT_POWERS: Final = 5
FACT_SWORN: Final = 6
FACT_TRADES: Final = 7
FACT_COUNT: Final = 8


class Position:
    """One position of one match. -1 stands for none unless said otherwise.

    By seat and province, at `seat * PROVINCE_COUNT + province`: `standing` (followers not on Rifts), `on_rifts`.
    By province: `sworn` (seat or -1), `sealed` (0 or 1).
    By seat and kind, at `seat * KINDS + kind` (kind from 0): `stock` (resources), `answers`, `reached` (the number of
    the answer, counted over the match, that brought the legend to its present count: for "the one reached first").
    By seat: `supply`, `flags`, `used`, `colour`, `sigil`, `missed_run`, `missed_all`, `bank_ms` (time bank left),
    `decisions` (open decision id or 0), `hand_sizes` (Conspiracies held).

    `question_at`: for each Question 0 in the deck, 1 sent away, 2 under way, else 3 + seat * 4 + kind of the answer
    kept. `question_deck`, `follower_deck`, `headline_deck`, `conspiracy_pile`: card numbers, the top last of the first
    `..._size`. `follower_used` likewise. `row`: three Follower cards, 0 for an empty place. `conspiracy_at` as above;
    `conspiracy_order`: for each held card its place in its hand plus one, as `hands` keeps it; else 0.
    `called`: Headlines called this turn in order, packed card | seat << 8.
    `lasting`: lasting effects in force, as `lasting` packs them. `offers`: open offers as packed actions, 0 for a
    closed one; `declined`: for each, bits of the seats that have declined.
    `marched`: bits of the provinces from which the active claimant has marched this turn.

    `phase` is a `kinds.Phase`; `turn` the active claimant; `round` from 1. `ending` is a `kinds.Ending`; `last_turns`
    counts the turns left once it is set. `how` is empty until the match has ended.

    `in_court`: bits of the rivals who have not passed yet in the court window.
    An aimed act waits in `pending` (packed, of `pending_seat`) while the seats in `asked` have yet to answer; those in
    `shielded` have raised the Shield. `resume_phase` is the phase to go back to. A card that waits for a choice keeps
    `program` (which card, as `effects` packs it), `step`, `choice_seat` and its `registers`.

    Clocks: `deadline` of the running window; `act_ms` what is left of the act step's clock while it stands still.
    `log` collects events where it is not None. `fast` is the state of a quick generator that takes the place of keyed
    draws where it is not 0: for search and playouts only.
    """

    def __init__(self, board: Board, secret: bytes, speed: i64) -> None:
        n = board.players
        self.board = board
        self.secret = secret
        self.speed = speed
        self.standing = filled(n * PROVINCE_COUNT, 0)
        self.on_rifts = filled(n * PROVINCE_COUNT, 0)
        self.sworn = filled(PROVINCE_COUNT, -1)
        self.sealed = filled(PROVINCE_COUNT, 0)
        self.stock = filled(n * KINDS, 0)
        self.answers = filled(n * KINDS, 0)
        self.reached = filled(n * KINDS, 0)
        self.supply = filled(n, board.supply)
        self.flags = filled(n, PERSON)
        self.used = filled(n, 0)
        self.colour = filled(n, 0)
        self.sigil = filled(n, 0)
        self.missed_run = filled(n, 0)
        self.missed_all = filled(n, 0)
        self.bank_ms = filled(n, 0)
        self.decisions = filled(n, 0)
        self.hand_sizes = filled(n, 0)
        self.called = vec[i64]()
        self.lasting = vec[i64]()
        self.offers = vec[i64]()
        self.declined = vec[i64]()
        self.registers = filled(8, 0)
        self.facts = filled(FACT_COUNT * n, 0)
        self.duel_score = filled(n, 0)
        self.duel_answer = filled(n, -1)
        self.quiz = filled(8, 0)
        self.row = filled(ROW, 0)
        self.draws = filled(len(_PURPOSES), 0)
        self.question_at = vec[u8]([0] * QUESTIONS)
        self.question_deck = vec[u8]([0] * QUESTIONS)
        self.follower_deck = vec[u8]([0] * FOLLOWERS)
        self.follower_used = vec[u8]([0] * FOLLOWERS)
        self.headline_deck = vec[u8]([0] * HEADLINES)
        self.conspiracy_pile = vec[u8]([0] * CONSPIRACIES)
        self.conspiracy_at = vec[u8]([0] * CONSPIRACIES)
        self.conspiracy_order = vec[u8]([0] * CONSPIRACIES)
        self.question_size: i64 = 0
        self.follower_size: i64 = 0
        self.follower_used_size: i64 = 0
        self.headline_size: i64 = 0
        self.conspiracy_size: i64 = 0
        self.answered: i64 = 0
        self.phase: i64 = 1
        self.turn: i64 = 0
        self.round: i64 = 1
        self.ending: i64 = 0
        self.last_turns: i64 = -1
        self.winner: i64 = -1
        self.question: i64 = 0
        self.court: i64 = 0
        self.court_tax: i64 = 0
        self.in_court: i64 = 0
        self.marched: i64 = 0
        self.decision: i64 = 0
        self.actions: i64 = 0
        self.has_acted: i64 = 0
        self.has_answered: i64 = 0
        self.pending: i64 = 0
        self.pending_seat: i64 = -1
        self.asked: i64 = 0
        self.aimed: i64 = 0
        self.shielded: i64 = 0
        self.resume_phase: i64 = 0
        self.program: i64 = 0
        self.step: i64 = 0
        self.choice_seat: i64 = -1
        self.last_played_by: i64 = -1
        self.duellists: i64 = 0
        self.duel_number: i64 = 0
        self.mark_ms: i64 = 0
        self.swing_at: i64 = -1
        self.deadline: i64 = -1
        self.act_ms: i64 = -1
        self.fast: i64 = 0
        self.how: str = ""
        self.log: list[EventBody] | None = None

    def clone(self) -> Position:
        """An independent copy that draws alike and logs nothing.

        What seldom changes is shared, as it is replaced and never changed in place once a match is under way: decks
        (what lies past the end of one stays), `flags`, `colour`, `sigil`, `missed_run`, `missed_all` and `bank_ms`.
        """
        p = Position(self.board, self.secret, self.speed)
        p.standing = self.standing[:]
        p.on_rifts = self.on_rifts[:]
        p.sworn = self.sworn[:]
        p.sealed = self.sealed[:]
        p.stock = self.stock[:]
        p.answers = self.answers[:]
        p.reached = self.reached[:]
        p.supply = self.supply[:]
        p.flags = self.flags
        p.used = self.used[:]
        p.colour = self.colour
        p.sigil = self.sigil
        p.missed_run = self.missed_run
        p.missed_all = self.missed_all
        p.bank_ms = self.bank_ms
        p.decisions = self.decisions[:]
        p.hand_sizes = self.hand_sizes[:]
        p.called = self.called[:]
        p.lasting = self.lasting[:]
        p.offers = self.offers[:]
        p.declined = self.declined[:]
        p.registers = self.registers[:]
        p.facts = self.facts[:]
        p.duel_score = self.duel_score[:]
        p.duel_answer = self.duel_answer[:]
        p.quiz = self.quiz[:]
        p.row = self.row[:]
        p.draws = self.draws[:]
        p.question_at = self.question_at[:]
        p.question_deck = self.question_deck
        p.follower_deck = self.follower_deck
        p.follower_used = self.follower_used[:]
        p.headline_deck = self.headline_deck
        p.conspiracy_pile = self.conspiracy_pile
        p.conspiracy_at = self.conspiracy_at[:]
        p.conspiracy_order = self.conspiracy_order[:]
        p.question_size = self.question_size
        p.follower_size = self.follower_size
        p.follower_used_size = self.follower_used_size
        p.headline_size = self.headline_size
        p.conspiracy_size = self.conspiracy_size
        p.answered = self.answered
        p.phase = self.phase
        p.turn = self.turn
        p.round = self.round
        p.ending = self.ending
        p.last_turns = self.last_turns
        p.winner = self.winner
        p.question = self.question
        p.court = self.court
        p.court_tax = self.court_tax
        p.in_court = self.in_court
        p.marched = self.marched
        p.decision = self.decision
        p.actions = self.actions
        p.has_acted = self.has_acted
        p.has_answered = self.has_answered
        p.pending = self.pending
        p.pending_seat = self.pending_seat
        p.asked = self.asked
        p.aimed = self.aimed
        p.shielded = self.shielded
        p.resume_phase = self.resume_phase
        p.program = self.program
        p.step = self.step
        p.choice_seat = self.choice_seat
        p.last_played_by = self.last_played_by
        p.duellists = self.duellists
        p.duel_number = self.duel_number
        p.mark_ms = self.mark_ms
        p.swing_at = self.swing_at
        p.deadline = self.deadline
        p.act_ms = self.act_ms
        p.fast = self.fast
        p.how = self.how
        return p

    def draw(self, purpose: i64, count: i64) -> i64:
        """A number below `count`, the next draw of this purpose."""
        if self.fast != 0:
            self.fast = next_fast(self.fast)
            return (self.fast * count) >> 32
        number = self.draws[purpose]
        self.draws[purpose] = number + 1
        return keyed_draw(self.secret, _PURPOSES[purpose], number, count)

    def followers(self, seat: i64, province: i64) -> i64:
        """Followers of a seat in a province, those on Rifts included."""
        at = seat * PROVINCE_COUNT + province
        return self.standing[at] + self.on_rifts[at]

    def total(self, seat: i64) -> i64:
        """Resources of a seat, all kinds together."""
        at = seat * KINDS
        return self.stock[at] + self.stock[at + 1] + self.stock[at + 2] + self.stock[at + 3]


def with_value(values: vec[i64], at: i64, value: i64) -> vec[i64]:
    """A vector that differs in one place: for those that copies of a position share."""
    changed = values[:]
    changed[at] = value
    return changed
