"""How a match is and what it waits for, for operators. Nothing that is hidden from its players is in it."""

from __future__ import annotations

from arena.room.v1.room_admin_service_pb2 import MatchStatus, SeatStatus, Wait
from arena_services.room.match import Match


def status_of(match: Match, room_id: str, at_ms: int, storage_away_ms: int | None) -> MatchStatus:
    """A match as its room sees it. `storage_away_ms`: since when the log has not answered; None while it does."""
    fold = match.fold
    status = MatchStatus(
        match_id=match.match_id,
        game=fold.hosted.game.name,
        room_id=room_id,
        sequence=fold.sequence,
        epoch=fold.epoch,
        update_time_ms=fold.time_ms,
        person_time_ms=fold.person_time_ms,
        remaining_ms=match.remaining_ms,
        waiting_requests=match.waiting,
    )
    here = match.seats_here
    decisions = {} if match.is_over else {each.seat: each.decision for each in fold.state.awaited()}
    for seat, (player, is_bot) in enumerate(zip(fold.players, fold.bots(), strict=True)):
        status.seats.append(
            SeatStatus(
                player_id=player.player_id,
                is_bot=is_bot,
                is_here=seat in here,
                decision=decisions.get(seat),
            )
        )
    if match.is_over:
        outcome = fold.state.outcome()
        status.result = fold.closed or (outcome.how if outcome else "")
    else:
        status.waits.extend(waits_of(status, at_ms, storage_away_ms))
    return status


def waits_of(status: MatchStatus, at_ms: int, storage_away_ms: int | None) -> list[Wait]:
    """What a match waits for, the platform's own faults first."""
    waits = []
    if storage_away_ms is not None:
        text = f"The log has not answered {status.room_id} for {_seconds(at_ms - storage_away_ms)}."
        waits.append(
            Wait(reason="STORAGE", text=f"{text} Nothing can be stored; clocks stand still.")
        )
    if status.waiting_requests:
        text = f"{status.waiting_requests} requests wait for their turn at the match."
        waits.append(Wait(reason="REQUESTS", text=text))
    since = _seconds(at_ms - status.update_time_ms)
    waits += [
        _seat_wait(number, seat, since)
        for number, seat in enumerate(status.seats)
        if seat.HasField("decision")
    ]
    return waits


def _seat_wait(number: int, seat: SeatStatus, since: str) -> Wait:
    who = f"Seat {number} ({seat.player_id}) is to act; nothing has happened for {since}"
    if seat.is_bot:
        return Wait(reason="BOT", text=f"{who}. A bot plays it: look at the bot service.")
    if seat.is_here:
        return Wait(reason="PERSON", text=f"{who}. Its person follows the match.")
    return Wait(reason="PERSON_AWAY", text=f"{who}. Its person follows the match on no stream.")


def _seconds(milliseconds: int) -> str:
    return f"{max(0, milliseconds) / 1000:.1f} s"
