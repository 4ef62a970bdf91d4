"""Alerts and dashboards on a running platform: all they ask for is there, and no alert fires."""

from __future__ import annotations

import asyncio
import math
import re
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from arena_services.client import Lobby, PlayClient, Seat
from arena_services.common import games
from arena_services.local.platform import Platform
from arena_services.local.settings import PlatformSettings
from tests.e2e import grafana, playing
from tests.e2e.program import ROOT
from tests.e2e.prometheus import Prometheus, scraping

_GAME = games.find("crowns")
_RULES = ROOT / "helm/arena/files/alerts"
_FAULTS = "UNKNOWN|DEADLINE_EXCEEDED|INTERNAL|UNAVAILABLE|DATA_LOSS"
#: Label values that faults alone bring: without them the same series are asked for.
_ONLY_FAULTS_BRING = (f'code=~"{_FAULTS}"', 'code!="OK"', 'envoy_response_code_class="5"')
#: Series that begin with a fault, which a sound platform need not have.
_ONLY_AFTER_FAULTS = {"arena_bot_errors_total", "arena_bot_failed_decisions_total"}
#: Panels that are empty while all is well.
_SHOWN_IN_TROUBLE = {"overview: Alerts by name [A]"}
_PATIENCE_SECONDS = 45.0
_STRING = re.compile(r'"[^"]*"')
_SELECTOR = re.compile(r"(?<![\w:])([a-zA-Z_:][\w:]*)(\{[^}]*\})?(?!\s*\()(?![\w:{])")
_LABEL_LISTS = re.compile(r"\b(?:by|on|without|ignoring|group_left|group_right)\s*\([^)]*\)")
_RANGES = re.compile(r"\[[^\]]*\]")
_WORDS = {"and", "or", "unless", "bool", "offset"}


async def test_alerts_and_dashboards_find_what_they_ask_for_and_a_sound_platform_raises_none(
    tmp_path: Path,
) -> None:
    page, data, rules = (_made(tmp_path / name) for name in ("page", "data", "rules"))
    (page / "index.html").write_text("<!doctype html>")
    settings = PlatformSettings(data_dir=data, ports="auto", page_dir=page)
    async with (
        Platform(settings, environment={"ARENA_BOT_THINK_MS": "0"}) as platform,
        scraping(platform, tmp_path, rules=_hurried(rules)) as prometheus,
        Lobby(edge := platform.processes["edge"].address) as lobby,
    ):
        async with _seat(lobby, edge, "Ada") as seat:
            # A person's turn may have many actions.
            while not await prometheus.total("arena_bot_actions_total"):
                await playing.act(seat, 1)
                await asyncio.sleep(0.5)
            await prometheus.until("min(arena_bot_link_up)")
            asked = _selectors(await prometheus.rules())
            assert asked
            assert await _without_data(prometheus, asked) == set()
            unfit = [rule for rule in await prometheus.rules() if rule["health"] != "ok"]
            assert unfit == []
        # Rates want to see figures rise that have been seen before.
        async with _seat(lobby, edge, "Bea") as seat:
            wanted = grafana.expressions()
            assert await _without_value(prometheus, wanted, seat) == _SHOWN_IN_TROUBLE
            assert await prometheus.total('ALERTS{alertstate="firing"}') == 0


def test_selectors_are_found_in_expressions() -> None:
    expression = 'sum by (a, b) (rate(x_total{c=~"d|e"}[5m])) / on (a) y{f="g (h)"} > 0.5 and z:s'
    assert set(_selectors_of(expression)) == {'x_total{c=~"d|e"}', 'y{f="g (h)"}', "z:s"}


def _selectors(rules: Sequence[Mapping[str, Any]]) -> set[str]:
    """What alerts ask for, by way of recording rules too, loosened where faults alone would bring it."""
    recorded = {rule["name"] for rule in rules if rule["type"] == "recording"}
    found = {selector for rule in rules for selector in _selectors_of(rule["query"])}
    return {
        _loosened(selector)
        for selector in found
        if selector.partition("{")[0] not in recorded | _ONLY_AFTER_FAULTS
    }


def _selectors_of(expression: str) -> Iterator[str]:
    plain = _RANGES.sub("", _LABEL_LISTS.sub("", expression))
    for match in _SELECTOR.finditer(plain):
        is_text = any(
            string.start() < match.start() < string.end() for string in _STRING.finditer(plain)
        )
        if match[1] not in _WORDS and not is_text:
            yield match[0]


def _loosened(selector: str) -> str:
    for matcher in _ONLY_FAULTS_BRING:
        label = re.split(r"\W", matcher)[0]
        selector = selector.replace(matcher, f'{label}!=""')
    return selector


async def _without_data(prometheus: Prometheus, selectors: set[str]) -> set[str]:
    """Those that nothing is found for, however long one waits."""
    missing = set(selectors)
    with suppress(TimeoutError):
        async with asyncio.timeout(_PATIENCE_SECONDS):
            while missing:
                await asyncio.sleep(0.25)
                missing -= {one for one in missing if await prometheus.total(f"count({one})")}
    return missing


async def _without_value(
    prometheus: Prometheus, expressions: Mapping[str, str], seat: Seat
) -> set[str]:
    """Names of those that come to no number, however long a person plays."""
    missing = set(expressions)
    with suppress(TimeoutError):
        async with asyncio.timeout(_PATIENCE_SECONDS):
            while missing - _SHOWN_IN_TROUBLE:
                await playing.act(seat, 1)
                await asyncio.sleep(0.25)
                for name in tuple(missing):
                    if any(map(math.isfinite, await prometheus.values(expressions[name]))):
                        missing.remove(name)
    return missing


def _hurried(folder: Path) -> Path:
    """The rules, evaluated each second."""
    for path in _RULES.glob("*.yaml"):
        text, groups = re.subn(r"(?m)^    interval: \w+$", "    interval: 1s", path.read_text())
        assert groups
        (folder / path.name).write_text(text)
    return folder


@asynccontextmanager
async def _seat(lobby: Lobby, edge: str, name: str) -> AsyncIterator[Seat]:
    """A person's seat in a new match against a bot."""
    account = await lobby.sign_in(name)
    options = _GAME.game.check_options(_GAME.game.types.options(), 2)
    place = await lobby.queue(account, _GAME, 2, options, bot_wait_ms=0)
    async with PlayClient((edge,), account.token) as client:
        yield await client.join(place.match_id, place.seat)


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder
