"""The form of the dashboards: Grafana finds its way in them, and so does whoever looks at them."""

from __future__ import annotations

import itertools
import json
import re
from pathlib import Path
from typing import Any

import pytest

from tools.dashboards import __main__ as dashboards

_ROOT = Path(__file__).parents[2]
_FILES = sorted((_ROOT / "helm/arena/files/dashboards").glob("*.json"))
_COLUMNS = 24
_VARIABLE = re.compile(r"\$(\w+)")
_BUILT_IN = {"__rate_interval"}
_each_dashboard = pytest.mark.parametrize("path", _FILES, ids=lambda path: path.stem)


def test_the_files_are_what_the_modules_make() -> None:
    assert {path: path.read_text() for path in _FILES} == dashboards.files()


def test_names_and_ids_are_unique() -> None:
    found = [_read(path) for path in _FILES]
    assert len({each["uid"] for each in found}) == len(found)
    assert len({each["title"] for each in found}) == len(found)


@_each_dashboard
def test_every_panel_says_what_good_looks_like(path: Path) -> None:
    dashboard = _read(path)
    assert dashboard["description"].endswith("?" if path.stem == "overview" else ".")
    assert len({panel["id"] for panel in dashboard["panels"]}) == len(dashboard["panels"])
    assert len({panel["title"] for panel in dashboard["panels"]}) == len(dashboard["panels"])
    for panel in _asking(dashboard):
        title = panel["title"]
        assert title
        assert len(panel["description"]) > 20, title
        assert panel["description"].endswith("."), title
        assert panel["fieldConfig"]["defaults"]["unit"], title


@_each_dashboard
def test_thresholds_rise_and_lines_can_be_told_apart(path: Path) -> None:
    for panel in _asking(_read(path)):
        steps = [step["value"] for step in panel["fieldConfig"]["defaults"]["thresholds"]["steps"]]
        assert steps[0] is None, panel["title"]
        assert steps[1:] == sorted(set(steps[1:])), panel["title"]
        if panel["type"] == "timeseries":
            legends = [target["legendFormat"] for target in panel["targets"]]
            assert len(set(legends)) == len(legends), panel["title"]
            assert "__auto" not in legends, panel["title"]


@_each_dashboard
def test_legends_name_labels_that_the_expression_keeps(path: Path) -> None:
    for panel in _asking(_read(path)):
        for target in panel["targets"]:
            named = set(re.findall(r"\{\{(\w+)\}\}", target["legendFormat"]))
            kept = re.search(r"\bby \(([\w, ]+)\)", target["expr"])
            if kept:
                assert named <= set(kept[1].split(", ")), panel["title"]


@_each_dashboard
def test_all_is_asked_of_the_chosen_datasource_and_of_known_variables(path: Path) -> None:
    dashboard = _read(path)
    known = {each["name"] for each in dashboard["templating"]["list"]}
    assert {"datasource", "namespace"} <= known
    for panel in _asking(dashboard):
        for asked in (panel, *panel["targets"]):
            assert asked["datasource"]["uid"] == "${datasource}", panel["title"]
        for target in panel["targets"]:
            used = set(_VARIABLE.findall(target["expr"]))
            assert "namespace" in used, panel["title"]
            assert used <= known | _BUILT_IN, panel["title"]


@_each_dashboard
def test_panels_lie_on_the_grid_without_overlap(path: Path) -> None:
    places = [panel["gridPos"] for panel in _read(path)["panels"]]
    for place in places:
        assert place["x"] + place["w"] <= _COLUMNS
    for one, other in itertools.combinations(places, 2):
        apart = (
            one["x"] + one["w"] <= other["x"]
            or other["x"] + other["w"] <= one["x"]
            or one["y"] + one["h"] <= other["y"]
            or other["y"] + other["h"] <= one["y"]
        )
        assert apart, (one, other)


def _read(path: Path) -> dict[str, Any]:
    dashboard: dict[str, Any] = json.loads(path.read_text())
    return dashboard


def _asking(dashboard: dict[str, Any]) -> list[dict[str, Any]]:
    """Panels that are no headlines."""
    return [panel for panel in dashboard["panels"] if panel["type"] != "row"]
