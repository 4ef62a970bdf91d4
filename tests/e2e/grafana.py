"""The dashboards as Grafana would ask for them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.e2e.program import ROOT

FILES = sorted((ROOT / "helm/arena/files/dashboards").glob("*.json"))
#: What Grafana puts in: four times the chart's scrape interval, and whatever "All" stands for.
_PUT_IN = {"$__rate_interval": "1m", "$namespace": ".*", "$instance": ".*"}
_LABEL_VALUES = re.compile(r"label_values\((.*), \w+\)")


def expressions() -> dict[str, str]:
    """All that dashboards ask for, by "dashboard: panel [letter]"; what one may choose from included."""
    found: dict[str, str] = {}
    for path in FILES:
        dashboard = json.loads(path.read_text())
        for panel in dashboard["panels"]:
            for target in panel.get("targets", []):
                name = f"{path.stem}: {panel['title']} [{target['refId']}]"
                found[name] = _filled_in(target["expr"])
        found |= {f"{path.stem}: ${name}": expr for name, expr in _choices(path, dashboard)}
    return found


def _choices(path: Path, dashboard: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for variable in dashboard["templating"]["list"]:
        if variable["type"] == "query":
            asked = _LABEL_VALUES.fullmatch(variable["query"]["query"])
            assert asked, path
            yield variable["name"], _filled_in(asked[1])


def _filled_in(expression: str) -> str:
    for name, value in _PUT_IN.items():
        expression = expression.replace(name, value)
    assert "$" not in expression, expression
    return expression
