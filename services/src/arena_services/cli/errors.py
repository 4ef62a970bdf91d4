"""How a subcommand fails: one sentence on standard error and an exit code, never a traceback for what people can mend.

CliError            exit code 1: it was tried and failed
└── UsageError      exit code 2: what was asked for cannot be
"""

from __future__ import annotations

import errno
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar

import typer

from arena_engine.errors import EngineError
from arena_services.client.errors import ClientError
from arena_services.common.errors import ArenaError, InvalidArgumentError
from arena_services.local.errors import LocalError

_INTERRUPTED = 130
_DISK_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})


class CliError(Exception):
    """It was tried and failed; the text is a sentence that says what to do."""

    exit_code: ClassVar[int] = 1


class UsageError(CliError):
    """What was asked for cannot be."""

    exit_code = 2


@contextmanager
def reported() -> Iterator[None]:
    """What is raised for people within ends the process with its sentence and exit code."""
    try:
        yield
    except KeyboardInterrupt:
        raise typer.Exit(_INTERRUPTED) from None
    except Exception as error:
        known = find_failure(error)
        if known is None:
            raise
        print(f"arena: {known}", file=sys.stderr)
        raise typer.Exit(exit_code_of(known)) from None


def exit_code_of(error: Exception) -> int:
    """2 where the request itself was at fault, otherwise 1."""
    if isinstance(error, CliError | LocalError):
        return error.exit_code
    return 2 if isinstance(error, InvalidArgumentError | EngineError) else 1


def find_failure(error: BaseException) -> Exception | None:
    """The failure meant for people in an error, or in the first such one of a group; None where there is none."""
    if isinstance(error, BaseExceptionGroup):
        found = (find_failure(part) for part in error.exceptions)
        return next((failure for failure in found if failure is not None), None)
    if isinstance(error, CliError | LocalError | ClientError | ArenaError | EngineError):
        return error
    if isinstance(error, OSError) and (error.filename or error.errno in _DISK_FULL):
        return CliError(f"{error.filename or 'writing a file'}: {error.strerror}.")
    return None
