"""Rules and dashboards arrive as they are in their files, and Prometheus is told where metrics are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from tests.chart.chart import CHART, SERVICES, refusal, render

ALERTS = sorted((CHART / "files" / "alerts").glob("*.yaml"))
DASHBOARDS = sorted((CHART / "files" / "dashboards").glob("*.json"))


def test_alerts_are_in_their_map_byte_for_byte() -> None:
    data = render("default").get("ConfigMap", "arena-alerts")["data"]
    assert data == {path.name: path.read_text() for path in ALERTS}


@pytest.mark.parametrize("path", DASHBOARDS, ids=lambda path: path.stem)
def test_a_dashboard_is_in_a_map_of_its_own_byte_for_byte(path: Path) -> None:
    found = render("default").get("ConfigMap", f"arena-dashboard-{path.stem}")
    assert found["data"] == {path.name: path.read_text()}
    assert json.loads(found["data"][path.name])
    assert found["metadata"]["labels"]["grafana_dashboard"] == "1"


def test_there_is_a_map_for_every_dashboard_and_none_is_too_large() -> None:
    maps = render("default").of_kind("ConfigMap")
    assert len(maps) == 1 + len(DASHBOARDS)
    for each in maps:
        assert sum(len(text.encode()) for text in each["data"].values()) < 1024 * 1024


def test_rules_for_the_operator_are_the_same() -> None:
    rules = render("production").of_kind("PrometheusRule")
    specs = [each["spec"] for each in rules]
    assert specs == [yaml.safe_load(path.read_text()) for path in ALERTS]
    assert all(each["metadata"]["labels"]["release"] == "prometheus" for each in rules)


def test_alerts_link_to_where_runbooks_are_served() -> None:
    served = "https://pages.example.org/runbooks/"
    sets = ("monitoring.rules.configMap=true", f"monitoring.rules.runbooks={served}")
    rendered = render("production", *sets)
    asked = [each["spec"] for each in rendered.of_kind("PrometheusRule")]
    plain = rendered.get("ConfigMap", "arena-alerts")["data"].values()
    for rules in (*asked, *map(yaml.safe_load, plain)):
        alerts = [rule for group in rules["groups"] for rule in group["rules"] if "alert" in rule]
        for alert in alerts:
            assert alert["annotations"]["runbook_url"] == f"{served}{alert['alert']}.md"


def test_runbooks_are_served_by_http_and_in_a_folder() -> None:
    for wrong in ("docs/runbooks/", "https://pages.example.org/runbooks", "https://a b/"):
        assert "runbooks" in refusal(f'monitoring.rules.runbooks="{wrong}"')


def test_monitors_reach_every_part_that_has_metrics() -> None:
    rendered = render("production")
    found = {}
    for each in rendered.of_kind("PodMonitor"):
        (endpoint,) = each["spec"]["podMetricsEndpoints"]
        (parts,) = each["spec"]["selector"]["matchExpressions"]
        for part in parts["values"]:
            assert endpoint["port"] in rendered.pod(part).ports
            found[part] = endpoint["path"]
    assert found == {**dict.fromkeys(SERVICES, "/metrics"), "edge": "/stats/prometheus"}


def test_annotations_say_the_same_as_monitors() -> None:
    for pod in render("default").pods:
        notes = {
            key.partition("/")[2]: value
            for key, value in pod.metadata["annotations"].items()
            if key.startswith("prometheus.io/")
        }
        if pod.part in {"nats", "test"}:
            assert not notes
        else:
            assert int(notes["port"]) == pod.ports["metrics"]
            assert notes["path"] == ("/stats/prometheus" if pod.part == "edge" else "/metrics")
