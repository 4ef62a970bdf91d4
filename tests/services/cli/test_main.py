from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from arena_services.cli import main


def test_help_lists_every_command_and_service(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run([]) == main.run(["--help"]) == 0
    text = capsys.readouterr().out
    assert all(f"  {name} " in text for name in [*main.COMMANDS, *main.SERVICES])


@pytest.mark.parametrize("name", main.COMMANDS)
def test_every_command_explains_itself(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run([name, "--help"]) == 0
    assert f"arena {name}" in capsys.readouterr().out


def test_unknown_command_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run(["dance"]) == 2
    assert "there is no command 'dance'" in capsys.readouterr().err


def test_unknown_option_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run(["version", "--loud"]) == 2
    assert "--loud" in capsys.readouterr().err


def test_service_takes_no_arguments(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run(["room", "--help"]) == 0
    assert main.run(["room", "fast"]) == 2
    assert "ARENA_*" in capsys.readouterr().err


@pytest.mark.parametrize("name", main.SERVICES)
def test_a_service_without_its_settings_names_them_and_exits_2(name: str) -> None:
    environment = {key: of for key, of in os.environ.items() if not key.startswith("ARENA_")}
    command = [sys.executable, "-m", "arena_services.cli", name]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "ARENA_" in done.stderr
    assert "Field required" in done.stderr


def test_help_imports_nothing_heavy() -> None:
    program = (
        "import sys; from arena_services.cli import main; main.run(['--help']); "
        "sys.exit(bool({'typer', 'grpc', 'nats', 'rich'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_version_as_json_names_games_and_whether_the_engine_is_compiled(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main.run(["version", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["games"]["crowns"] >= 1
    assert isinstance(facts["engine_compiled"], bool)


def test_settings_that_do_not_hold_are_all_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ARENA_ROOMS", "many")
    monkeypatch.setenv("ARENA_NATS_PORT", "99999")
    assert main.run(["up", "--ports", "some"]) == 2
    text = capsys.readouterr().err
    assert all(name in text for name in ("ARENA_ROOMS", "ARENA_NATS_PORT", "ARENA_PORTS"))
