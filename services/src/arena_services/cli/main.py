"""`arena`: finds the subcommand and runs it. Imports nothing that the subcommand does not need.

Exit codes: 0 done, 1 failed, 2 the command line or a setting does not hold, 130 interrupted.
"""

from __future__ import annotations

import importlib
import runpy
import sys
from typing import Final

#: Subcommands: a module here with a function `command`, whose parameters are the options, as typer reads them, and
#: perhaps `CONTEXT_SETTINGS` for typer; or with `add_to`, which registers subcommands of its own.
COMMANDS: Final = {
    "admin": "look into rooms and matches, and set them right",
    "demo": "watch bots play a whole match",
    "play": "play in this terminal",
    "replay": "show a match from its log, or verify it",
    "simulate": "play many matches in the engine alone and count how they end",
    "up": "start the whole platform on this machine",
    "version": "say what is installed",
}
#: Single services, run by their package's `__main__` unless named below; settings come from `ARENA_*`.
SERVICES: Final = {
    "matchmaking": "sign-in, queues, tickets",
    "room": "hosts matches",
    "bot": "plays seats",
    "timer": "ends turns on time",
    "fleet": "keeps as many rooms as matches need",
    "edge": "Envoy, before everything that people reach",
    "nats": "one server of NATS, or of a cluster of it",
}
_MODULES: Final = {"nats": "arena_services.local.nats_node"}

_INTERRUPTED = 130


def main() -> None:
    """Run the command line of this process and exit."""
    try:
        sys.exit(run(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)


def run(arguments: list[str]) -> int:
    """Run a command line; returns the exit code."""
    name, *rest = arguments or ["--help"]
    if name in ("--help", "-h", "help"):
        print(_help())
        return 0
    if name == "--version":
        name = "version"
    if name in COMMANDS:
        return _run_command(name, rest)
    if name in SERVICES:
        return _run_service(name, rest)
    print(f"arena: there is no command {name!r}\n\n{_help()}", file=sys.stderr)
    return 2


def _run_command(name: str, arguments: list[str]) -> int:
    import typer

    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    module = importlib.import_module(f"arena_services.cli.{name}")
    if hasattr(module, "add_to"):
        module.add_to(app)
    else:
        settings = getattr(module, "CONTEXT_SETTINGS", None)
        app.command(name, context_settings=settings)(module.command)
    try:
        app(arguments, prog_name=f"arena {name}")
    except SystemExit as end:  # how typer ends
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    return 0


def _run_service(name: str, arguments: list[str]) -> int:
    if arguments:
        text = f"arena {name}: {SERVICES[name]}. Takes no arguments; settings come from ARENA_*."
        is_help = arguments in (["--help"], ["-h"])
        print(text, file=sys.stdout if is_help else sys.stderr)
        return 0 if is_help else 2
    module = _MODULES.get(name, f"arena_services.{name}")
    runpy.run_module(module, run_name="__main__")
    return 0


def _help() -> str:
    lines = ["Usage: arena COMMAND [OPTIONS]      arena COMMAND --help tells more", ""]
    lines += [f"  {name:<12}  {text}" for name, text in COMMANDS.items()]
    lines += ["", "Single services, set up by ARENA_* in the environment:", ""]
    lines += [f"  {name:<12}  {text}" for name, text in SERVICES.items()]
    return "\n".join(lines)
