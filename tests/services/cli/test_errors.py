"""How commands fail before people: a sentence and an exit code."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest
import typer

from arena_services.cli.errors import reported


def test_what_the_disk_refuses_is_said_without_a_traceback(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(typer.Exit) as exit_, reported():
        tmp_path.read_text()
    assert exit_.value.exit_code == 1
    assert capsys.readouterr().err == f"arena: {tmp_path}: Is a directory.\n"


def test_a_full_disk_is_said_without_a_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit), reported():
        raise OSError(errno.ENOSPC, "No space left on device")
    assert capsys.readouterr().err == "arena: writing a file: No space left on device.\n"


def test_a_reader_that_has_gone_is_left_to_the_caller() -> None:
    with pytest.raises(BrokenPipeError), reported():
        raise BrokenPipeError(errno.EPIPE, "Broken pipe")
