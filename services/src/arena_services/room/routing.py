"""Asks for a match wherever it is, again and again while it is on the move."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from arena_services.common.errors import ArenaError, UnavailableError
from arena_services.common.pauses import Pauses
from arena_services.common.roster import Beat
from arena_services.room.commands import Answer, Command
from arena_services.room.errors import SlowAnswerError
from arena_services.room.hall import Hall
from arena_services.room.match import Match

#: A request is answered, one way or the other, within this.
ANSWER_SECONDS = 10.0
_FIRST_PAUSE_SECONDS = 0.04
_LONGEST_PAUSE_SECONDS = 0.5

_T = TypeVar("_T")


async def ask(
    hall: Hall,
    match_id: str,
    here: Callable[[Match], Awaitable[_T]],
    there: Callable[[Beat], Awaitable[_T]],
    *,
    is_forwarded: bool,
    seconds: float = ANSWER_SECONDS,
) -> _T:
    """What `here` makes of the match if this room has it, or `there` of the room that does.

    While either raises `UnavailableError` the match is looked for again, unless the request was forwarded here: then
    the room that forwarded it looks. Raises what they raise, or `SlowAnswerError`.
    """
    loop = asyncio.get_running_loop()
    deadline = loop.time() + seconds
    pauses = Pauses(_FIRST_PAUSE_SECONDS, _LONGEST_PAUSE_SECONDS)
    while True:
        try:
            async with asyncio.timeout_at(deadline):
                place = await hall.locate(match_id, is_forwarded=is_forwarded)
                return await (here(place) if isinstance(place, Match) else there(place))
        except TimeoutError:
            raise SlowAnswerError(match_id) from None
        except UnavailableError:
            pause = pauses.next()
            if is_forwarded or loop.time() + pause >= deadline:
                raise
        await asyncio.sleep(pause)


async def answer(match: Match, command: Command) -> Answer:
    """A command's answer; raises it where it is an `ArenaError`."""
    said = await match.submit(command)
    if isinstance(said, ArenaError):
        raise said
    return said
