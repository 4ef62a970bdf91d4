"""What the Dockerfile says has to agree with the code that it holds: nothing is built here."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

import pytest

from arena_services.cli import main
from arena_services.edge.config import EdgeSettings

_ROOT = Path(__file__).parents[2]


def _instructions() -> list[tuple[str, str]]:
    """Name and argument of every instruction, in order; continued lines are joined."""
    text = (_ROOT / "deploy" / "Dockerfile").read_text()
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    joined = "\n".join(lines).replace("\\\n", " ").splitlines()
    found = [line.split(maxsplit=1) for line in joined if line.strip()]
    return [(name, argument) for name, argument in found]


def _of_last_stage(wanted: str) -> list[str]:
    stage: list[str] = []
    for name, argument in _instructions():
        if name == "FROM":
            stage = []
        elif name == wanted:
            stage.append(argument)
    return stage


def _taken_from_the_tree() -> Iterator[str]:
    for name, argument in _instructions():
        words = shlex.split(argument) if name == "COPY" else []
        if words and not words[0].startswith("--from="):
            yield from words[:-1]


def test_its_description_names_the_parts_that_the_command_line_knows() -> None:
    (labels,) = _of_last_stage("LABEL")
    (parts,) = re.findall(r"All parts of Arena: arena ([a-z, ]+)", labels)
    assert set(parts.split(", ")) == set(main.SERVICES)


def test_it_runs_arena_as_a_user_who_owns_nothing() -> None:
    assert _of_last_stage("ENTRYPOINT") == ['["arena"]']
    assert _of_last_stage("USER") == ["10001:10001"]
    assert not any("--chown" in argument for argument in _of_last_stage("COPY"))


def test_the_page_is_where_the_edge_is_told_to_look(monkeypatch: pytest.MonkeyPatch) -> None:
    (settings,) = _of_last_stage("ENV")
    environment = dict(pair.split("=", 1) for pair in shlex.split(settings))
    monkeypatch.setenv("ARENA_PAGE_DIR", environment["ARENA_PAGE_DIR"])
    edge = EdgeSettings(matchmaking_addresses=("m:1",), room_addresses=("r:1",))
    assert f"services/web/dist {edge.page_dir}" in _of_last_stage("COPY")


def test_whatever_is_installed_is_named_by_hashes_or_was_built_here() -> None:
    commands = [
        command
        for name, argument in _instructions()
        if name == "RUN"
        for command in argument.split("&&")
        if re.search(r"pip .*install", command) and "apt-get" not in command
    ]
    assert commands
    assert all("--require-hashes" in each or "--no-index" in each for each in commands)


def test_the_build_is_given_what_it_copies_and_no_more() -> None:
    ignore = (_ROOT / ".dockerignore").read_text().splitlines()
    let_in = [line[1:] for line in ignore if line.startswith("!")]
    assert "*" in ignore
    for source in _taken_from_the_tree():
        assert any(fnmatch(path, f"{source}*") for path in let_in), source
    taken = list(_taken_from_the_tree())
    for path in let_in:
        assert any(path.startswith(source) for source in taken), path
        assert path == "services/web/dist" or (_ROOT / path).exists(), path
