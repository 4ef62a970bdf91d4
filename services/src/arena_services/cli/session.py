"""One person's seat in a terminal: what is shown, what typed lines mean. Knows no game beyond its table of words."""

from __future__ import annotations

import difflib
import os
import sys
from collections.abc import Awaitable, Callable, Sequence
from random import Random
from typing import Any

from arena.room.v1.room_service_pb2 import SeatHolder
from arena_engine.errors import EngineError
from arena_engine.game import State, Table
from arena_services.cli import menu, result
from arena_services.cli.menu import Choice
from arena_services.cli.prompt import Prompt
from arena_services.client import RefusedError, Seat, Step

_LOG_SHOWN = 20
_LOG_KEPT = 1000
#: Moves that are listed as soon as there is something to decide.
_LISTED_AT_ONCE = 6
_PAUSE_WORTH_TELLING_MS = 100

_HELP = """\
Type a move in its notation, or its beginning, or its number in the last list.
  moves [TEXT]   your legal moves; only those that contain TEXT, such as K+ or king
  why MOVE       whether a move is legal, and if not, which rule forbids it
  hint           what the bot would do in your place
  auto           let the bot's judgement move for you until you type again
  board          draw the board
  log [N]        the last N things that happened
  players        who sits where
  leave          leave your seat to a bot; back takes it back
  quit           leave the match and the program
  rules          how to read the board and write moves"""

_Command = Callable[[str], Awaitable[None]]


class Session:
    """A seat at a prompt. Feed it steps and lines; `is_over` says when to stop."""

    def __init__(self, seat: Seat, prompt: Prompt, rng: Random) -> None:
        self.is_over = False
        """There is nothing more to do: the match has ended, or the player has quit."""
        self._seat = seat
        self._prompt = prompt
        prompt.text = self._prompt_text
        self._rng = rng
        self._log: list[str] = []
        self._listed: Sequence[Choice] = ()
        """The last list, which numbers refer to."""
        self._question: Callable[[], Awaitable[None]] | None = None
        """What a yes would do."""
        self._is_auto = False
        self._asked_for = 0
        """The decision that was last announced."""
        self._acted_at = 0
        """The sequence of the player's last action: until that is seen, the decision shown as open is an old one."""
        self._has_colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
        self._commands: dict[str, _Command] = {
            "moves": self._moves,
            "why": self._why,
            "hint": self._hint,
            "auto": self._auto,
            "board": self._board,
            "log": self._show_log,
            "players": self._players,
            "leave": self._leave,
            "back": self._back,
            "quit": self._quit,
            "rules": self._rules,
            "help": self._help,
        }

    @property
    def wants_line(self) -> bool:
        """Whether the player has something to decide: a move, or a question that was asked."""
        return self._question is not None or self._is_turn or self._is_held_by_bot

    @property
    def _is_turn(self) -> bool:
        return self._is_asked and not self._is_held_by_bot and not self._is_auto

    @property
    def _is_asked(self) -> bool:
        """Whether a decision is open for the seat that it has not answered yet, as far as is known."""
        return self._seat.decision is not None and self._seat.sequence >= self._acted_at

    @property
    def _is_held_by_bot(self) -> bool:
        return self._holder.is_bot

    @property
    def _holder(self) -> SeatHolder:
        return self._seat.holders[self._seat.number]

    @property
    def _table(self) -> Table:
        return self._seat.game.game.table

    def _prompt_text(self) -> str:
        """What stands before the typed line: the clock, and who is to act."""
        remaining = self._seat.remaining_ms()
        clock = "" if remaining is None else f"[{remaining // 60_000}:{remaining // 1000 % 60:02}] "
        if self._question is not None:
            return "yes or no> "
        if self._is_turn:
            moving = self._table.pulse(self._seat.latest.common, remaining or 0)
            return f"{clock}{moving}your move> "
        names = self._seat.names
        waiting = [names[awaited.seat] for awaited in self._seat.latest.update.awaited]
        return f"{clock}{', '.join(waiting) or 'nobody'} to act> "

    def open(self) -> None:
        """Say where the player is."""
        seats = ", ".join(self._described(seat) for seat in range(len(self._seat.holders)))
        self._prompt.say(f"Match {self._seat.match_id}. {seats}.\nType help for what you can do.")

    async def take_step(self, step: Step) -> None:
        """Tell what happened; announce the player's turn."""
        for event in step.events:
            if text := self._table.tell(event, self._seat.names):
                self._log.append(text)
                self._prompt.say(f"  {text}")
        del self._log[:-_LOG_KEPT]
        if step.update.given_back_ms >= _PAUSE_WORTH_TELLING_MS:
            self._prompt.say(f"  ({step.update.given_back_ms / 1000:.1f} s of pause given back)")
        if self._seat.outcome is not None:
            self._end()
        elif self._seat.is_up_to_date and self._is_asked:
            await self._turn()

    async def take_line(self, line: str) -> None:
        """Do what a typed line says; whatever is wrong with it is said."""
        text = line.strip()
        self._is_auto = False
        try:
            if (question := self._question) is not None:
                self._question = None
                if text.lower() in {"y", "yes"}:
                    await question()
                else:
                    self._prompt.say("Nothing was done.")
            elif text:
                await self._obey(text)
        except (EngineError, RefusedError) as error:
            self._prompt.say(str(error))

    async def give_up_seat(self) -> None:
        """The player is gone: a bot plays on."""
        if not self._is_held_by_bot and self._seat.outcome is None:
            await self._seat.leave()
            self._prompt.say("A bot plays on in your place.")

    async def _obey(self, text: str) -> None:
        word, _, rest = text.partition(" ")
        word = {"?": "help", "m": "moves", "b": "board", "q": "quit"}.get(word, word.lower())
        if word in self._commands:
            await self._commands[word](rest.strip())
        elif text.isascii() and text.isdigit() and 1 <= int(text) <= len(self._listed):
            await self._act(self._listed[int(text) - 1].action)
        else:
            await self._move(text)

    async def _move(self, text: str) -> None:
        """Take what was typed for a move, for the beginning of one, or for that of a command, in this order."""
        action = self._find_action(text)
        if action is not None and self._is_allowed(action):
            await self._act(action)
            return
        fitting = menu.beginning(self._choices(), text)
        if len(fitting) == 1:
            self._prompt.say(f"{fitting[0].notation}: {fitting[0].phrase}")
            await self._act(fitting[0].action)
        elif fitting:
            self._show(fitting, text)
        elif (command := self._find_command(text)) is not None:
            await command("")
        else:
            await self._act(self._read(text))

    def _find_action(self, text: str) -> Any | None:
        """An action by its whole notation; None where this is none."""
        try:
            return self._table.parse(text)
        except EngineError:
            return None

    def _is_allowed(self, action: Any) -> bool:
        state = self._position()
        if state.is_any_time(action):
            return True
        return not state.explain(self._seat.number, state.pack(action))

    def _find_command(self, text: str) -> _Command | None:
        """A command by its beginning, where that is three letters or more and no other begins so."""
        word = text.lower()
        fitting = [name for name in self._commands if len(word) >= 3 and name.startswith(word)]
        return self._commands[fitting[0]] if len(fitting) == 1 else None

    def _read(self, text: str) -> Any:
        """An action by its number in the last list, or by its notation. Raises `MalformedActionError`."""
        if text.isascii() and text.isdigit() and 1 <= int(text) <= len(self._listed):
            return self._listed[int(text) - 1].action
        try:
            return self._table.parse(text)
        except EngineError as error:
            near = difflib.get_close_matches(text.lower(), self._commands, n=1)
            also = f" Did you mean {near[0]}?" if near else " Type help for what you can do."
            raise type(error)(f"{error}{also}") from None

    async def _act(self, action: Any) -> None:
        """Act, once it is sure that the player may and means it."""
        state = self._position()
        if state.is_any_time(action):
            said = self._phrase(action)
            self._ask(f"{said}: are you sure?", lambda: self._send(action))
        elif self._is_held_by_bot:
            self._prompt.say("A bot plays your seat; type back to take it back.")
        elif self._seat.decision is None:
            self._prompt.say("It is not your turn.")
        elif reason := state.explain(self._seat.number, state.pack(action)):
            self._prompt.say(f"Not legal: {reason}")
        else:
            await self._send(action)

    async def _send(self, action: Any) -> None:
        acted = await self._seat.act(action)
        self._acted_at = acted.sequence

    def _ask(self, text: str, if_yes: Callable[[], Awaitable[None]]) -> None:
        self._question = if_yes
        self._prompt.say(f"{text} (yes or no)")

    async def _turn(self) -> None:
        """Announce an open decision, or let the bot's judgement answer it."""
        if self._is_held_by_bot:
            return
        if self._is_auto:
            await self._move_by_itself()
            return
        if self._seat.decision != self._asked_for:
            self._asked_for = self._seat.decision or 0
            self._draw()
            self._listed = self._choices()
            if len(self._listed) <= _LISTED_AT_ONCE:
                self._prompt.say("\n".join(["Your move:", *menu.numbered(self._listed)]))
            else:
                said = menu.summary(self._listed)
                self._prompt.say(f"Your move: {said} (moves lists them).")

    async def _move_by_itself(self) -> None:
        try:
            await self._send(self._choice())
        except RefusedError as error:
            self._prompt.say(str(error))

    def _position(self) -> State:
        """A position that fits what this seat knows: enough for all that is asked of it here."""
        latest = self._seat.latest
        game = latest.game.game
        return game.resample(latest.common, latest.own, self._seat.number, self._rng)

    def _choices(self) -> list[Choice]:
        """What the seat may do now."""
        if self._seat.decision is None:
            return []
        state = self._position()
        actions = [state.unpack(action) for action in state.legal_actions(self._seat.number)]
        return [Choice(a, self._table.notation(a), self._phrase(a)) for a in actions]

    def _phrase(self, action: Any) -> str:
        return self._table.phrase(action, self._seat.names, self._seat.latest.common)

    def _choice(self) -> Any:
        state = self._position()
        return state.unpack(self._seat.game.game.choose(state, self._seat.number, self._rng))

    async def _moves(self, text: str) -> None:
        choices = self._choices()
        if not choices:
            self._prompt.say("You have nothing to decide now.")
        elif fitting := menu.containing(choices, text):
            self._show(fitting, "")
        else:
            self._prompt.say(f"None of your {len(choices)} moves contains {text!r}.")

    def _show(self, choices: list[Choice], typed: str) -> None:
        """Show a list, which numbers refer to from now on."""
        lines, self._listed = menu.listing(choices, typed)
        self._prompt.say("\n".join(lines))

    async def _why(self, text: str) -> None:
        if not text:
            self._prompt.say("Type why and a move.")
            return
        action = self._read(text)
        state = self._position()
        reason = state.explain(self._seat.number, state.pack(action))
        self._prompt.say(f"{self._phrase(action)}: {reason or 'that is legal now.'}")

    async def _hint(self, _: str) -> None:
        if self._seat.decision is None:
            self._prompt.say("You have nothing to decide now.")
            return
        action = self._choice()
        said = self._phrase(action).rstrip(".")
        self._prompt.say(f"The bot would play {self._table.notation(action)}: {said}.")

    async def _auto(self, _: str) -> None:
        self._is_auto = True
        self._prompt.say("The bot's judgement moves for you; press Enter to take over.")
        if self._seat.decision is not None:
            await self._turn()

    async def _board(self, _: str) -> None:
        self._draw()

    def _draw(self) -> None:
        latest, seat = self._seat.latest, self._seat
        drawn = self._table.draw(
            latest.common, latest.own, seat.number, seat.names, self._has_colour
        )
        self._prompt.say(drawn)

    async def _show_log(self, text: str) -> None:
        count = int(text) if text.isascii() and text.isdigit() else _LOG_SHOWN
        self._prompt.say("\n".join(self._log[-count:] if count else []) or "Nothing has happened.")

    async def _players(self, _: str) -> None:
        seats = range(len(self._seat.holders))
        self._prompt.say("\n".join(self._described(seat) for seat in seats))

    def _described(self, seat: int) -> str:
        holder = self._seat.holders[seat]
        notes = [f"seat {seat}"]
        notes += ["you"] if seat == self._seat.number else []
        notes += ["bot"] if holder.is_bot else []
        return f"{holder.name} ({', '.join(notes)})"

    async def _leave(self, _: str) -> None:
        if self._is_held_by_bot:
            self._prompt.say("A bot plays your seat already.")
            return
        self._ask("Leave your seat to a bot?", self.give_up_seat)

    async def _back(self, _: str) -> None:
        if not self._is_held_by_bot:
            self._prompt.say("You play your seat.")
            return
        await self._seat.take_back()
        self._asked_for = 0
        self._prompt.say("You play your seat again.")

    async def _quit(self, _: str) -> None:
        if self._is_held_by_bot:
            await self._stop()
            return
        self._ask("Leave the match to a bot and quit?", self._stop)

    async def _stop(self) -> None:
        await self.give_up_seat()
        self.is_over = True

    async def _rules(self, _: str) -> None:
        self._prompt.say(self._table.help())

    async def _help(self, _: str) -> None:
        self._prompt.say(_HELP)

    def _end(self) -> None:
        outcome = self._seat.latest.update.outcome
        names = self._seat.names
        self._draw()
        lines = [result.headline(outcome, names), *result.ranking(outcome, names)]
        self._prompt.say("\n".join(lines))
        self.is_over = True
