"""Where a person types while things happen: a line editor that lives below the text that scrolls by.

On a terminal the line being typed is kept at the bottom and its prompt, with a clock in it, is drawn anew all the time.
Off a terminal lines are read as they come, and nothing but text is written.
"""

from __future__ import annotations

import asyncio
import codecs
import os
import re
import shutil
import sys
import termios
import threading
import tty
from collections.abc import Callable
from typing import Protocol, Self

#: What moves by itself in the prompt, such as the blade of a duel, moves so often.
_TICK_SECONDS = 0.1
_ESCAPE = re.compile(r"\x1b(\[[0-9;?]*[A-Za-z~]|O[A-Z]|.)")
_UP, _DOWN = "\x1b[A", "\x1b[B"
_ERASE_LINE = "\r\x1b[K"


class Prompt(Protocol):
    """Text out, lines in."""

    is_terminal: bool
    text: Callable[[], str]
    """What stands before the line being typed; asked for anew every moment."""

    async def __aenter__(self) -> Self: ...

    async def __aexit__(self, *_: object) -> None: ...

    def say(self, text: str) -> None:
        """Write some lines."""

    async def line(self) -> str | None:
        """The next line that was typed; None when there will be no more."""


def open_prompt() -> Prompt:
    """A prompt for this process's standard input and output."""
    return TerminalPrompt() if sys.stdin.isatty() and sys.stdout.isatty() else PipePrompt()


class PipePrompt:
    """Lines from a pipe or file. A line is read only when it is asked for."""

    is_terminal = False

    def __init__(self) -> None:
        self.text: Callable[[], str] = str
        self._wanted = threading.Semaphore(0)
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()

    async def __aenter__(self) -> Self:
        loop = asyncio.get_running_loop()
        # A daemon thread: reading from a pipe that stays silent must not hold the process's end up.
        threading.Thread(target=self._read, args=(loop,), name="stdin", daemon=True).start()
        return self

    async def __aexit__(self, *_: object) -> None:
        sys.stdout.flush()

    def say(self, text: str) -> None:
        """Write some lines."""
        print(text, flush=True)

    async def line(self) -> str | None:
        """The next line; None at the end of the input."""
        self._wanted.release()
        return await self._lines.get()

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        while True:
            self._wanted.acquire()
            line = sys.stdin.readline()
            try:
                loop.call_soon_threadsafe(
                    self._lines.put_nowait, line.rstrip("\n") if line else None
                )
            except RuntimeError:  # the loop has closed
                return


class LineEditor:
    """What keys do to the line being typed. Pure: bytes in, lines out."""

    def __init__(self) -> None:
        self.text = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._history: list[str] = []
        self._at = 0
        """Which line of the history is shown; its length: the one being typed."""

    def feed(self, data: bytes) -> list[str | None]:
        """Take keys in; returns the lines they finished, None for the end of the input."""
        finished: list[str | None] = []
        keys = self._decoder.decode(data)
        while keys:
            key = keys[0]
            if key == "\x1b" and (escape := _ESCAPE.match(keys)):
                self._recall(escape.group())
                keys = keys[escape.end() :]
                continue
            keys = keys[1:]
            if key in "\r\n":
                finished.append(self._finish())
            elif key == "\x04" and not self.text:
                finished.append(None)
            else:
                self._edit(key)
        return finished

    def _edit(self, key: str) -> None:
        if key in "\x7f\b":
            self.text = self.text[:-1]
        elif key == "\x15":
            self.text = ""
        elif key == "\x17":
            self.text = self.text.rstrip().rpartition(" ")[0]
        elif key.isprintable():
            self.text += key

    def _finish(self) -> str:
        line, self.text = self.text, ""
        if line and (not self._history or self._history[-1] != line):
            self._history.append(line)
        self._at = len(self._history)
        return line

    def _recall(self, escape: str) -> None:
        step = {_UP: -1, _DOWN: 1}.get(escape)
        if step is None:
            return
        self._at = max(0, min(self._at + step, len(self._history)))
        self.text = self._history[self._at] if self._at < len(self._history) else ""


class TerminalPrompt:
    """A line editor at the bottom of a terminal. Ctrl-C stays what it is."""

    is_terminal = True

    def __init__(self) -> None:
        self.text: Callable[[], str] = str
        self._editor = LineEditor()
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._input = sys.stdin.fileno()
        self._ticker: asyncio.Task[None] | None = None
        self._drawn = ""

    async def __aenter__(self) -> Self:
        self._before = termios.tcgetattr(self._input)
        tty.setcbreak(self._input)
        asyncio.get_running_loop().add_reader(self._input, self._readable)
        self._ticker = asyncio.create_task(self._tick(), name="prompt-clock")
        return self

    async def __aexit__(self, *_: object) -> None:
        asyncio.get_running_loop().remove_reader(self._input)
        if self._ticker is not None:
            self._ticker.cancel()
        termios.tcsetattr(self._input, termios.TCSADRAIN, self._before)
        self._write(_ERASE_LINE)

    def say(self, text: str) -> None:
        """Write some lines above the one being typed."""
        self._drawn = ""
        self._write(f"{_ERASE_LINE}{text}\n")
        self._draw()

    async def line(self) -> str | None:
        """The next line that was typed; None after Ctrl-D."""
        return await self._lines.get()

    def _readable(self) -> None:
        data = os.read(self._input, 4096)
        for line in self._editor.feed(data) if data else [None]:
            if line is not None:
                self._drawn = ""
                self._write(f"{_ERASE_LINE}{self.text()}{line}\n")
            self._lines.put_nowait(line)
        self._draw()

    async def _tick(self) -> None:
        while True:
            self._draw()
            await asyncio.sleep(_TICK_SECONDS)

    def _draw(self) -> None:
        width = shutil.get_terminal_size().columns - 1
        prompt = self.text()
        room = max(width - len(prompt), 8)
        line = f"{prompt}{self._editor.text[-room:]}"[-width:]
        if line != self._drawn:
            self._drawn = line
            self._write(_ERASE_LINE + line)

    @staticmethod
    def _write(text: str) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()
