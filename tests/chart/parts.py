"""What the chart has to agree with: the parts' own settings."""

from __future__ import annotations

import re
from pathlib import Path

from pydantic_settings import BaseSettings

from arena_services.bot.config import BotSettings
from arena_services.edge.config import EdgeSettings
from arena_services.fleet.config import FleetSettings
from arena_services.local.nats_settings import NatsSettings
from arena_services.matchmaking.config import MatchmakingSettings
from arena_services.room.config import RoomSettings
from arena_services.timer.config import TimerSettings
from tests.chart.chart import ROOT

SETTINGS: dict[str, type[BaseSettings]] = {
    "matchmaking": MatchmakingSettings,
    "room": RoomSettings,
    "bot": BotSettings,
    "timer": TimerSettings,
    "fleet": FleetSettings,
    "edge": EdgeSettings,
    "nats": NatsSettings,
}
#: Parts whose own settings bear their name, which values leave out.
_NAMED = {"bot", "timer", "fleet"}


def field_of(part: str, key: str) -> str:
    """The setting that a key of a part's `settings` becomes: thinkMs of bot is bot_think_ms."""
    snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", key).lower()
    return f"{part}_{snake}" if part in _NAMED else snake


def image_environment() -> dict[str, str]:
    """ARENA_* that the image itself sets."""
    text = (Path(ROOT) / "deploy" / "Dockerfile").read_text()
    return dict(re.findall(r"\b(ARENA_\w+)=(\S+)", text))
