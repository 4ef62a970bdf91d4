"""What the seat on turn may do, by the naive model."""

from __future__ import annotations

from collections.abc import Iterator

from tests.engine.naive.model import MOST_ON_A_TRIANGLE, Action, Formation, Model


def legal_actions(model: Model) -> set[Action]:
    """Every legal action of the seat on turn; resigning only where nothing else is legal."""
    if model.how:
        return set()
    if model.is_shield_open:
        return {("shield", t) for t in model.normal_knights(model.turn)}
    moves = set(board_moves(model))
    if model.has_moved:
        return moves | {("end",)}
    cards = set() if model.has_played_card else set(card_plays(model))
    sneaks = {c for c in cards if model.colours[_number(c)] == "violet"}
    if not moves and not sneaks:
        return {("resign",)}
    return moves | cards


def _number(card: Action) -> int:
    number = card[1]
    assert isinstance(number, int)
    return number


def board_moves(model: Model) -> Iterator[Action]:
    """Every move of pieces on the arena."""
    for start, formation in model.own(model.turn).items():
        if model.is_snared(start):
            continue
        for group in groups_of(formation):
            for end in destinations(model, start, group):
                yield ("move", start, end, group.king, group.knights, group.golden)


def groups_of(formation: Formation) -> Iterator[Formation]:
    """Every way to choose at least one piece of a formation."""
    for king in {False, formation.king}:
        for knights in range(formation.knights + 1):
            for golden in range(formation.golden + 1):
                group = Formation(formation.seat, king, knights, golden)
                if group.power:
                    yield group


def speed_of(group: Formation) -> int:
    """Triangles that a group may go: as many as its slowest piece."""
    if group.king:
        return 1
    return 2 if group.knights else 3


def destinations(model: Model, start: int, group: Formation) -> set[int]:
    """Where a group may end its move."""
    ends: set[int] = set()
    reached = {start}
    for _ in range(speed_of(group)):
        beside = {n for t in reached for n in model.arena.neighbours[t]}
        ends |= {t for t in beside if _may_end(model, t, group)}
        reached |= {t for t in beside if _is_passable(model, t, group.seat)}
    return ends - {start}


def _is_passable(model: Model, triangle: int, seat: int) -> bool:
    standing = model.pieces.get(triangle)
    return standing is None or standing.seat == seat


def _may_end(model: Model, triangle: int, group: Formation) -> bool:
    standing = model.pieces.get(triangle)
    if standing is None:
        return True
    if standing.seat == group.seat:
        return standing.power + group.power <= MOST_ON_A_TRIANGLE
    return group.power >= standing.power


def card_plays(model: Model) -> Iterator[Action]:
    """Every play of every card in hand that has an effect."""
    for number in model.seats[model.turn].hand:
        plays = _PLAYS[model.colours[number]]
        for rival, triangle, to_triangle in plays(model):
            yield ("card", number, rival, triangle, to_triangle)


Asked = tuple[int | None, int | None, int | None]


def _fortune(model: Model) -> Iterator[Asked]:
    if not model.seats[model.turn].is_bearer:
        yield None, None, None


def _snatch(model: Model) -> Iterator[Asked]:
    if not model.seats[model.turn].is_bearer:
        for rival in model.living():
            if rival != model.turn and model.seats[rival].crowns:
                yield rival, None, None


def _sneak(model: Model) -> Iterator[Asked]:
    for start in model.own(model.turn):
        if not model.is_snared(start):
            for end in range(len(model.arena.triangles)):
                if end not in model.pieces and not model.relics.get(end):
                    yield None, start, end


def _aegis(model: Model) -> Iterator[Asked]:
    for triangle in model.normal_knights(model.turn):
        yield None, triangle, None


def _muster(model: Model) -> Iterator[Asked]:
    seat = model.seats[model.turn]
    at_gate = model.pieces.get(seat.gate)
    is_blockaded = at_gate is not None and at_gate.seat != model.turn
    has_room = at_gate is None or at_gate.power < MOST_ON_A_TRIANGLE
    if is_blockaded or (seat.reserve and has_room):
        yield None, None, None


def _gallop(_model: Model) -> Iterator[Asked]:
    yield None, None, None


def _snare(model: Model) -> Iterator[Asked]:
    for triangle, formation in model.pieces.items():
        if formation.seat != model.turn and triangle not in model.snares:
            yield None, triangle, None


_PLAYS = {
    "gold": _fortune,
    "red": _snatch,
    "violet": _sneak,
    "blue": _aegis,
    "green": _muster,
    "white": _gallop,
    "black": _snare,
}
