"""What keeps the fleet from acting: counted each time, logged when it begins and when it is over."""

from __future__ import annotations

from arena_services.common import logs
from arena_services.fleet import metrics
from arena_services.fleet.errors import FleetError, ThrottledError

_log = logs.get()


class Troubles:
    """Those of one thing that is tried again and again."""

    def __init__(self, event: str) -> None:
        """`event`: what is logged of it."""
        self._event = event
        self._said: str | None = None

    def tell(self, error: FleetError) -> None:
        """It failed."""
        metrics.ERRORS.labels(error.kind).inc()
        # How long there is to wait differs each time.
        text = error.kind if isinstance(error, ThrottledError) else str(error)
        if text != self._said:
            self._said = text
            _log.warning(self._event, kind=error.kind, error=str(error))

    def end(self) -> None:
        """It worked."""
        if self._said is not None:
            self._said = None
            _log.info(f"no longer: {self._event}")
