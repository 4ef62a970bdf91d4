"""Expressions that several dashboards ask for. `by` names labels, as in "instance, code"; empty: one figure."""

from __future__ import annotations

from typing import Final

NAMESPACE: Final = 'namespace=~"$namespace"'
#: With the processes that were chosen.
CHOSEN: Final = f'{NAMESPACE},instance=~"$instance"'
#: Codes that are our fault, as the alerts count them.
FAULTS: Final = 'code=~"UNKNOWN|DEADLINE_EXCEEDED|INTERNAL|UNAVAILABLE|DATA_LOSS"'


def series(metric: str, labels: str = "", where: str = NAMESPACE) -> str:
    """The series of a metric within the chosen namespace."""
    return f"{metric}{{{where}{',' if labels else ''}{labels}}}"


def total(metric: str, by: str = "", labels: str = "", where: str = NAMESPACE) -> str:
    """A gauge, added up."""
    return f"sum{_by(by)} ({series(metric, labels, where)})"


def rate(metric: str, by: str = "", labels: str = "", where: str = NAMESPACE) -> str:
    """How fast a counter rises, each second."""
    return f"sum{_by(by)} (rate({series(metric, labels, where)}[$__rate_interval]))"


def rise(metric: str, window: str, by: str = "", labels: str = "", where: str = NAMESPACE) -> str:
    """By how much a counter rose within a window such as 10m."""
    return f"sum{_by(by)} (increase({series(metric, labels, where)}[{window}]))"


def quantile(share: float, metric: str, by: str = "", labels: str = "", where: str = NAMESPACE) -> str:  # fmt: skip
    """What so large a share of a histogram's values lie below."""
    bucket = rate(f"{metric}_bucket", ", ".join(filter(None, ("le", by))), labels, where)
    return f"histogram_quantile({share}, {bucket})"


def count(condition: str) -> str:
    """How many series a condition leaves, 0 included."""
    return f"count({condition}) or vector(0)"


def none_is_zero(expression: str) -> str:
    """One figure, 0 where the series begin with the first fault."""
    return f"{expression} or vector(0)"


def share(part: str, whole: str) -> str:
    """What part of a whole, from 0 to 1: 0 where the part has no series yet, nothing where the whole is 0."""
    return f"({part} or 0 * {whole}) / ({whole} > 0)"


def given_back() -> str:
    """What part of the time that matches were played was given back to their clocks."""
    return share(rate("arena_room_given_back_seconds_total"), total("arena_room_matches"))


def processes(metric: str, of: str, where: str = CHOSEN) -> str:
    """A figure of every process of the part that has the metric `of`."""
    return f"{metric} and on (namespace, job, instance) {series(of, where=where)}"


def cpu(of: str, where: str = CHOSEN) -> str:
    """Cores that each process of the part with the metric `of` uses."""
    used = f"rate({series('process_cpu_seconds_total', where=where)}[$__rate_interval])"
    return processes(used, of, where)


def memory(of: str, where: str = CHOSEN) -> str:
    """Bytes of memory that each process of the part with the metric `of` has."""
    return processes(series("process_resident_memory_bytes", where=where), of, where)


def _by(labels: str) -> str:
    return f" by ({labels})" if labels else ""
