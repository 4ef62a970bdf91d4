"""`arena simulate`: many matches in the engine alone, and how they went."""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table

from arena_services.cli import errors
from arena_services.cli.options import KEEP_UNKNOWN, find_game, parse_options, shown
from arena_services.cli.simulation import Policy, Setting, Spread, Tally, simulate
from arena_services.common import games
from arena_services.common.games import HostedGame

CONTEXT_SETTINGS = KEEP_UNKNOWN

_ENDS = ("min", "median", "max")


def command(
    ctx: typer.Context,
    game: Annotated[str, typer.Argument(help="Which game.")] = games.hosted()[0].game.name,
    players: Annotated[int | None, typer.Option(help="How many; the most by default.")] = None,
    matches: Annotated[int, typer.Option("--games", min=1, help="How many matches.")] = 1000,
    option: Annotated[list[str] | None, typer.Option(help="One of the game's, name=value.")] = None,
    policy: Annotated[Policy, typer.Option(help="Who plays.")] = Policy.BOT,
    seed: Annotated[int, typer.Option(help="The same seed gives the same matches.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Play many matches in the engine alone and count how they end.

    The game's own options may be given by name, such as --board large.
    """
    with errors.reported():
        hosted, unknown = find_game(game, ctx.args)
        count = hosted.game.max_players if players is None else players
        options = parse_options(hosted.game, option or (), unknown)
        options = hosted.game.check_options(options, count)
        setting = Setting(hosted.game.name, count, options, policy, seed)
        start = time.perf_counter()
        tally = _run(hosted, setting, matches)
        report = _report(setting, tally, time.perf_counter() - start)
        if as_json:
            print(json.dumps(report))
        else:
            _show(hosted, report)


def _run(hosted: HostedGame, setting: Setting, matches: int) -> Tally:
    tally = Tally(setting.players, Counter(dict.fromkeys(hosted.game.endings, 0)))
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(file=sys.stderr), transient=True) as progress:
        task = progress.add_task(f"{hosted.game.title}, {setting.players} players", total=matches)
        for figures in simulate(setting, matches):
            tally.add(figures)
            progress.advance(task)
    return tally


def _report(setting: Setting, tally: Tally, seconds: float) -> dict[str, Any]:
    """All figures, as JSON has them. A dotted name of the game's becomes nested objects."""
    report: dict[str, Any] = {
        "game": setting.game,
        "players": setting.players,
        "options": shown(setting.options),
        "policy": setting.policy.value,
        "seed": setting.seed,
        "games": tally.matches,
        "seconds": round(seconds, 3),
        "actions": _rounded(tally.actions),
        "endings": dict(tally.endings),
        "seats": [_rounded_seat(seat) for seat in tally.seats()],
    }
    for name, spread in tally.game.items():
        place = report
        *path, last = name.split(".")
        for part in path:
            place = place.setdefault(part, {})
        place[last] = _rounded(spread)
    return report


def _rounded(spread: Spread) -> dict[str, float]:
    return {name: round(value, 3) for name, value in spread.summary().items()}


def _rounded_seat(seat: dict[str, float]) -> dict[str, float]:
    return {name: round(value, 4) for name, value in seat.items()}


def _show(hosted: HostedGame, report: dict[str, Any]) -> None:
    console = Console()
    console.print(
        f"[bold]{hosted.game.title}[/bold], {report['players']} players, {report['options']}, "
        f"policy {report['policy']}, seed {report['seed']}: "
        f"{report['games']} matches in {report['seconds']:.1f} s",
        highlight=False,
        soft_wrap=True,
    )
    console.print(_endings(report))
    console.print(_seats(report["seats"]))
    console.print(_figures(report))


def _endings(report: dict[str, Any]) -> Table:
    table = Table("ending", "matches", "share", title="How matches ended")
    for how, count in report["endings"].items():
        table.add_row(how, str(count), f"{count / report['games']:.1%}")
    return table


def _seats(seats: list[dict[str, float]]) -> Table:
    table = Table("seat", "wins", "share", "95 % interval", title="Who won")
    for seat in seats:
        interval = f"{seat['low']:.1%} - {seat['high']:.1%}"
        table.add_row(f"{seat['seat']:g}", f"{seat['wins']:g}", f"{seat['share']:.1%}", interval)
    return table


def _figures(report: dict[str, Any]) -> Table:
    table = Table("figure", "mean", "min", "median", "max", title="Per match")
    for name, summary in _flat("", report):
        table.add_row(name, f"{summary['mean']:.2f}", *(f"{summary[key]:g}" for key in _ENDS))
    return table


def _flat(prefix: str, report: dict[str, Any]) -> list[tuple[str, dict[str, float]]]:
    """Every summary in a report, by dotted name."""
    found: list[tuple[str, dict[str, float]]] = []
    for name, value in report.items():
        if not isinstance(value, dict):
            continue
        if "mean" in value:
            found.append((prefix + name, value))
        else:
            found.extend(_flat(f"{prefix}{name}.", value))
    return found
