"""Logs: an event phrase with fields; for people on a terminal, one JSON object a line elsewhere."""

from __future__ import annotations

import logging
import sys
from typing import Literal

import structlog

from arena_services.common import tracing


def set_up(
    service: str, instance: str, form: Literal["auto", "json", "console"], level: str
) -> None:
    """Set logging up for the process. Call once, before the first line is logged."""
    console = sys.stderr.isatty() if form == "auto" else form == "console"
    renderer: structlog.typing.Processor = (
        structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
        if console
        else structlog.processors.JSONRenderer()
    )
    threshold = logging.getLevelNamesMapping()[level.upper()]
    processors: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        tracing.add_trace_id,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    if not console:
        processors.append(structlog.processors.format_exc_info)
    structlog.configure(
        processors=[*processors, renderer],
        wrapper_class=structlog.make_filtering_bound_logger(threshold),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    # What libraries log, asyncio's complaints among it, reads like our own lines.
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=processors,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
        )
    )
    logging.basicConfig(level=max(threshold, logging.WARNING), handlers=[handler])
    structlog.contextvars.bind_contextvars(service=service, instance=instance)


def get() -> structlog.typing.FilteringBoundLogger:
    """A logger."""
    logger: structlog.typing.FilteringBoundLogger = structlog.get_logger()
    return logger
