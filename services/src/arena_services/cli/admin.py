"""`arena admin`: what operators do with the matches and rooms of a platform."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Annotated, Any, TypeVar

import typer
from google.protobuf.json_format import MessageToDict
from rich.console import Console
from rich.table import Column, Table

from arena.room.v1.room_admin_service_pb2 import MatchStatus, SeatStatus
from arena_services.cli import errors
from arena_services.cli.admin_rooms import RefusedError, RoomAnswer, Rooms, open_rooms
from arena_services.cli.errors import UsageError
from arena_services.common import logs
from arena_services.common.log.subjects import is_match_id

_MatchId = Annotated[str, typer.Argument(metavar="MATCH", help="The match's id.")]
_AsJson = Annotated[bool, typer.Option("--json", help="One JSON object.")]

_PIPE_COLUMNS = 1000

_T = TypeVar("_T")


def add_to(app: typer.Typer) -> None:
    """Register the subcommands."""
    app.callback()(_introduce)
    app.command("list")(list_matches)
    app.command("inspect")(inspect)
    app.command("explain")(explain)
    app.command("hand-over")(hand_over)
    app.command("void")(void)
    app.command("drain")(drain)


def _introduce() -> None:
    """Look into the rooms of a platform, and set them right.

    The platform is the one that ARENA_NATS_URL names, with ARENA_TOKEN_KEY and what else its parts have set; without
    them, the one that runs on ARENA_DATA_DIR. Whoever has the key, or may read the folder's token.key, is an operator.
    """


def list_matches(as_json: _AsJson = False) -> None:
    """List every room's unfinished matches, those first in which nothing has happened for longest.

    Exits 1 where a room does not answer; the others are listed all the same.
    """
    with errors.reported():
        answers = _run(lambda rooms: rooms.list())
        if as_json:
            print(json.dumps({"rooms": [_room_fields(answer) for answer in answers]}))
        else:
            _show_rooms(answers)
        problems = [answer.problem for answer in answers if answer.problem]
        if problems:
            raise errors.CliError(" ".join(problems))


def inspect(match_id: _MatchId, as_json: _AsJson = False) -> None:
    """Show one match: its room, seats, clock, and what it waits for."""
    with errors.reported():
        status = _of_match(match_id, lambda rooms: rooms.inspect(match_id))
        if as_json:
            print(json.dumps(_fields(status)))
        else:
            _show_match(status)


def explain(match_id: _MatchId, as_json: _AsJson = False) -> None:
    """Say why a match waits, also where no room can have it."""
    with errors.reported():
        waits = _of_match(match_id, lambda rooms: _explain(rooms, match_id))
        if as_json:
            print(json.dumps({"match_id": match_id, "waits": waits}))
            return
        for wait in waits:
            print(f"{wait['reason']}: {wait['text']}")


async def _explain(rooms: Rooms, match_id: str) -> list[dict[str, str]]:
    try:
        status = await rooms.inspect(match_id)
    except RefusedError as error:
        if error.reason == "NO_SUCH_MATCH":
            raise
        return [{"reason": error.reason or error.code.name, "text": str(error)}]
    if status.result:
        return [
            {"reason": "ENDED", "text": f"It waits for nothing: it has ended ({status.result})."}
        ]
    waits = [{"reason": wait.reason, "text": wait.text} for wait in status.waits]
    if status.HasField("remaining_ms"):
        left = f"{status.remaining_ms / 1000:.1f} s"
        return [*waits, {"reason": "CLOCK", "text": f"Its clock ends that in {left}."}]
    return [
        *waits,
        {"reason": "NO_CLOCK", "text": "No clock runs: it may wait for as long as it likes."},
    ]


def hand_over(
    match_id: _MatchId,
    to: Annotated[
        str, typer.Option("--to", metavar="ROOM", help="The room that is to have it.")
    ] = "",
    as_json: _AsJson = False,
) -> None:
    """Move a match to another room; its players notice a short pause."""
    with errors.reported():
        room_id = _of_match(match_id, lambda rooms: rooms.hand_over(match_id, to))
        _tell(as_json, f"{room_id} takes match {match_id} over", match_id=match_id, room_id=room_id)


def void(
    match_id: _MatchId,
    is_sure: Annotated[bool, typer.Option("--yes", help="Do it: there is no way back.")] = False,
    as_json: _AsJson = False,
) -> None:
    """End a match without a result, for good."""
    with errors.reported():
        if not is_sure:
            raise UsageError("A voided match cannot be had back; say --yes if you mean it.")
        sequence = _of_match(match_id, lambda rooms: rooms.void(match_id))
        _tell(
            as_json,
            f"match {match_id} is void since entry {sequence}",
            match_id=match_id,
            sequence=sequence,
        )


def drain(
    room_id: Annotated[str, typer.Argument(metavar="ROOM", help="Its name, such as room-1.")],
    as_json: _AsJson = False,
) -> None:
    """Have a room hand all its matches over and take nothing more until it is started anew."""
    with errors.reported():
        matches = _run(lambda rooms: rooms.drain(room_id))
        text = f"{room_id} has handed over {matches} matches and takes nothing more until it is started anew"
        _tell(as_json, text, room_id=room_id, matches=matches)


def _of_match(match_id: str, work: Callable[[Rooms], Awaitable[_T]]) -> _T:
    if not is_match_id(match_id):
        raise UsageError(f"{match_id!r} is no match id: those are 26 characters of a-z and 2-7.")
    return _run(work)


def _run(work: Callable[[Rooms], Awaitable[_T]]) -> _T:
    logs.set_up("arena", "cli", "auto", "error")

    async def run() -> _T:
        async with open_rooms() as rooms:
            return await work(rooms)

    return asyncio.run(run())


def _tell(as_json: bool, text: str, **fields: Any) -> None:
    print(json.dumps(fields) if as_json else text)


def _fields(status: MatchStatus) -> dict[str, Any]:
    """A match as JSON, its numbers as numbers."""
    fields: dict[str, Any] = MessageToDict(
        status, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )
    return {name: _number(value) for name, value in fields.items()}


def _number(value: Any) -> Any:
    """Protobuf's JSON writes 64-bit numbers as text."""
    match value:
        case str() if value.isdigit():
            return int(value)
        case list():
            return [_number(each) for each in value]
        case dict():
            return {name: _number(each) for name, each in value.items()}
        case _:
            return value


def _room_fields(answer: RoomAnswer) -> dict[str, Any]:
    return {
        "room_id": answer.room.name,
        "state": answer.room.state,
        "matches": [_fields(status) for status in answer.matches],
        "problem": answer.problem or None,
    }


def _show_rooms(answers: list[RoomAnswer]) -> None:
    names = (Column(name, no_wrap=True) for name in ("match", "game", "room"))
    table = Table(*names, "entries", "last entry", "clock", "waits for")
    for answer in answers:
        for status in answer.matches:
            waits = ", ".join(wait.reason for wait in status.waits)
            table.add_row(
                status.match_id,
                status.game,
                status.room_id,
                str(status.sequence),
                _time(status.update_time_ms),
                _clock(status),
                waits,
            )
    # A terminal shows what it has room for; in a pipe, such as `kubectl exec` is, names are whole.
    console = Console(highlight=False, width=None if sys.stdout.isatty() else _PIPE_COLUMNS)
    if table.row_count:
        console.print(table)
    for answer in answers:
        print(f"{answer.room.name}: {len(answer.matches)} matches, {answer.room.state}")


def _show_match(status: MatchStatus) -> None:
    print(
        f"match {status.match_id}: {status.game}, {status.sequence} entries, epoch {status.epoch}"
    )
    print(
        f"room {status.room_id}, last entry {_time(status.update_time_ms)}, clock {_clock(status)}"
    )
    for number, seat in enumerate(status.seats):
        print(f"seat {number}: {seat.player_id}, {_seat(seat)}")
    for wait in status.waits:
        print(f"waits for {wait.reason}: {wait.text}")
    if status.result:
        print(f"ended: {status.result}")


def _seat(seat: SeatStatus) -> str:
    who = "played by a bot" if seat.is_bot else "here" if seat.is_here else "away"
    return f"{who}, to act in decision {seat.decision}" if seat.HasField("decision") else who


def _time(milliseconds: int) -> str:
    return f"{datetime.fromtimestamp(milliseconds / 1000, UTC):%Y-%m-%d %H:%M:%S} UTC"


def _clock(status: MatchStatus) -> str:
    return f"{status.remaining_ms / 1000:.1f} s" if status.HasField("remaining_ms") else "none"
