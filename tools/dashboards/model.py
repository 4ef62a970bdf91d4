"""What a dashboard is made of, and its JSON as Grafana reads it.

Panels are told by what they ask and what good looks like; ids, places on the grid and all that repeats follow.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

#: Of Grafana 12; newer ones migrate it when they load it.
_SCHEMA_VERSION: Final = 42
_COLUMNS: Final = 24
_DATASOURCE: Final = {"type": "prometheus", "uid": "${datasource}"}
_COLORS: Final = ("green", "orange", "red")

Json = dict[str, Any]


@dataclass(frozen=True)
class Query:
    """One expression and how its series are named."""

    expr: str
    legend: str = ""


@dataclass(frozen=True)
class Panel:
    """One panel.

    `good` says what good looks like, for whoever sees it the first time at night. `unit` is one of Grafana's names.
    `limits`: from where on it is orange, and from where on red; where less is worse, `falls` is set and they descend.
    """

    title: str
    good: str
    unit: str
    queries: tuple[Query, ...]
    limits: tuple[float, ...] = ()
    falls: bool = False
    kind: str = "timeseries"
    """timeseries, stat or table."""
    width: int = 8
    height: int = 8
    least: float | None = 0
    most: float | None = None
    none: str = ""
    """What is shown where there are no series."""


@dataclass(frozen=True)
class Row:
    """Panels under one headline; with an empty one, panels alone."""

    title: str
    panels: tuple[Panel, ...]


@dataclass(frozen=True)
class Dashboard:
    """One dashboard. `instances`: a metric that all processes have among which one may choose; empty: no choice."""

    name: str
    title: str
    description: str
    rows: tuple[Row, ...]
    instances: str = ""


def render(dashboard: Dashboard) -> Json:
    """A dashboard as Grafana reads it."""
    return {
        "uid": f"arena-{dashboard.name}",
        "title": f"Arena / {dashboard.title}",
        "description": dashboard.description,
        "tags": ["arena"],
        "schemaVersion": _SCHEMA_VERSION,
        "version": 1,
        "editable": False,
        "graphTooltip": 1,
        "refresh": "30s",
        "time": {"from": "now-1h", "to": "now"},
        "timezone": "browser",
        "links": [_link_to_the_others()],
        "templating": {"list": list(_variables(dashboard))},
        "annotations": {"list": [_alerts_as_marks()]},
        "panels": list(_panels(dashboard.rows)),
    }


def _panels(rows: Sequence[Row]) -> Iterator[Json]:
    number, top = 0, 0
    for row in rows:
        if row.title:
            number += 1
            place = {"x": 0, "y": top, "w": _COLUMNS, "h": 1}
            yield {
                "id": number,
                "type": "row",
                "title": row.title,
                "collapsed": False,
                "gridPos": place,
                "panels": [],
            }
            top += 1
        left, tallest = 0, 0
        for panel in row.panels:
            if left + panel.width > _COLUMNS:
                left, top, tallest = 0, top + tallest, 0
            number += 1
            place = {"x": left, "y": top, "w": panel.width, "h": panel.height}
            yield {"id": number, "gridPos": place, **_panel(panel)}
            left, tallest = left + panel.width, max(tallest, panel.height)
        top += tallest


def _panel(panel: Panel) -> Json:
    is_table = panel.kind == "table"
    return {
        "type": panel.kind,
        "title": panel.title,
        "description": panel.good,
        "datasource": _DATASOURCE,
        "targets": [
            {
                "refId": chr(ord("A") + index),
                "datasource": _DATASOURCE,
                "expr": query.expr,
                "legendFormat": query.legend or "__auto",
                "instant": panel.kind != "timeseries",
                "range": panel.kind == "timeseries",
                "format": "table" if is_table else "time_series",
            }
            for index, query in enumerate(panel.queries)
        ],
        "fieldConfig": {"defaults": _defaults(panel), "overrides": []},
        "options": _options(panel),
        **({"transformations": [_labels_alone()]} if is_table else {}),
    }


def _defaults(panel: Panel) -> Json:
    colors = _COLORS if not panel.falls else tuple(reversed(_COLORS))
    limits = sorted(panel.limits)
    if panel.falls and len(limits) == 1:
        colors = ("red", "green")
    steps = [
        {"color": color, "value": limit}
        for color, limit in zip(colors, [None, *limits], strict=False)
    ]
    defaults: Json = {
        "unit": panel.unit,
        "thresholds": {"mode": "absolute", "steps": steps},
        "color": {"mode": "palette-classic" if panel.kind == "timeseries" else "thresholds"},
    }
    defaults |= {
        name: value
        for name, value in (("min", panel.least), ("max", panel.most), ("noValue", panel.none))
        if value not in {None, ""}
    }
    if panel.kind == "timeseries":
        defaults["custom"] = {
            "fillOpacity": 8,
            "lineWidth": 1,
            "showPoints": "never",
            "thresholdsStyle": {"mode": "dashed" if limits else "off"},
        }
    return defaults


def _options(panel: Panel) -> Json:
    if panel.kind == "timeseries":
        return {
            "legend": {"displayMode": "list", "placement": "bottom", "showLegend": True},
            "tooltip": {"mode": "multi", "sort": "desc"},
        }
    if panel.kind == "stat":
        return {
            "colorMode": "background" if panel.limits else "value",
            "graphMode": "none",
            "reduceOptions": {"calcs": ["lastNotNull"], "fields": "", "values": False},
            "textMode": "value",
        }
    return {"showHeader": True}


def _labels_alone() -> Json:
    hidden = {"Time": True, "Value": True}
    return {"id": "organize", "options": {"excludeByName": hidden}}


def _variables(dashboard: Dashboard) -> Iterator[Json]:
    yield {
        "name": "datasource",
        "label": "Prometheus",
        "type": "datasource",
        "query": "prometheus",
        "refresh": 1,
    }
    yield _variable("namespace", "Namespace", "label_values(arena_ready, namespace)", several=False)
    if dashboard.instances:
        labels = f'label_values({dashboard.instances}{{namespace=~"$namespace"}}, instance)'
        yield _variable("instance", "Process", labels, several=True)


def _variable(name: str, label: str, query: str, *, several: bool) -> Json:
    return {
        "name": name,
        "label": label,
        "type": "query",
        "datasource": _DATASOURCE,
        "query": {"query": query, "refId": name},
        "refresh": 2,
        "sort": 1,
        "multi": several,
        "includeAll": True,
        "allValue": ".*",
        "current": {"text": "All", "value": "$__all"},
    }


def _alerts_as_marks() -> Json:
    return {
        "name": "Critical alerts",
        "enable": True,
        "iconColor": "red",
        "datasource": _DATASOURCE,
        "expr": 'ALERTS{namespace=~"$namespace",alertname=~"Arena.+",alertstate="firing",severity="critical"}',
        "titleFormat": "{{alertname}}",
        "step": "60s",
    }


def _link_to_the_others() -> Json:
    return {
        "title": "Arena",
        "type": "dashboards",
        "tags": ["arena"],
        "asDropdown": False,
        "includeVars": True,
        "keepTime": True,
    }
