"""Who may talk to whom: docs/architecture.md ("In a cluster"), the chart's list, and the policies say the same."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from tests.chart.chart import CHART, PARTS, ROOT, SETS, Object, Rendered, render

Edge = tuple[str, str, int]

TRACES, KUBE_API, COLLECTOR = "traces", "kube-api", 4317
#: With all that the architecture draws.
WHOLE = (
    "traces.endpoint=otel-collector.monitoring:4317",
    "networkPolicy.traces[0].namespaceSelector.matchLabels.is=collector",
)


def _documented() -> set[Edge]:
    """The rows of the table: who | talks to | port | about what."""
    text = (ROOT / "docs" / "architecture.md").read_text()
    section = text[text.index("\n## In a cluster") :].split("\n## ")[1]
    table = section[section.index("| who | talks to |") :].split("\n\n")[0]
    found: set[Edge] = set()
    for row in table.splitlines()[2:]:
        who, whom, port = (cell.strip() for cell in row.strip("|").split("|")[:3])
        found |= {
            (one, other, int(number))
            for one in who.split(", ")
            for other in whom.split(", ")
            for number in re.findall(r"\d+", port)
        }
    return found


def _listed() -> set[Edge]:
    """The chart's own list."""
    text = (CHART / "templates" / "network" / "_edges.tpl").read_text()
    lines = [line for line in text.splitlines() if line.startswith("- {from:")]
    return {
        (each["from"], each["to"], each.get("port", COLLECTOR))
        for each in yaml.safe_load("\n".join(lines))
    }


def _part_of(selector: Object) -> str:
    labels = selector["podSelector"]["matchLabels"]
    assert labels["app.kubernetes.io/instance"] == "arena"
    return str(labels["app.kubernetes.io/component"])


def _policies(rendered: Rendered) -> Iterator[tuple[str, Any]]:
    for each in rendered.of_kind("NetworkPolicy"):
        if each["metadata"]["name"] != "arena":
            yield _part_of(each["spec"]), each["spec"]


def _ingress(rendered: Rendered) -> set[Edge]:
    """Who is let in."""
    found: set[Edge] = set()
    for part, spec in _policies(rendered):
        for rule in spec["ingress"] or ():
            for port in rule["ports"]:
                found |= {(who, part, port["port"]) for who in _comers(rule)}
    return found


def _comers(rule: Object) -> set[str]:
    if "from" not in rule:
        return {"people"}
    return {_part_of(each) if "podSelector" in each else "monitoring" for each in rule["from"]}


def _egress(rendered: Rendered) -> set[Edge]:
    """Who is let out; to names everybody is."""
    found: set[Edge] = set()
    for part, spec in _policies(rendered):
        names, *rules = spec["egress"]
        assert {each["port"] for each in names["ports"]} == {53}
        for rule in rules:
            ports = [each["port"] for each in rule["ports"]]
            if "to" not in rule:
                assert ports == [443, 6443]
                found.add((part, KUBE_API, 443))
            else:
                for each in rule["to"]:
                    whom = _part_of(each) if "podSelector" in each else TRACES
                    found |= {(part, whom, port) for port in ports}
    return found


def test_the_architecture_draws_what_the_chart_lists() -> None:
    assert _documented() == _listed()


def test_policies_let_in_and_out_what_is_listed_and_nothing_else() -> None:
    rendered, listed = render("default", *WHOLE), _listed()
    outside = {KUBE_API, TRACES}
    assert _ingress(rendered) == {edge for edge in listed if edge[1] not in outside}
    assert _egress(rendered) == {edge for edge in listed if edge[0] not in {"people", "monitoring"}}


@pytest.mark.parametrize("name", SETS)
def test_every_pod_is_under_a_policy_and_what_none_allows_is_refused(name: str) -> None:
    rendered = render(name)
    everything = rendered.get("NetworkPolicy", "arena")["spec"]
    assert everything["policyTypes"] == ["Ingress", "Egress"]
    assert not {"ingress", "egress"} & set(everything)
    wanted = everything["podSelector"]["matchLabels"].items()
    assert all(wanted <= pod.metadata["labels"].items() for pod in rendered.pods)
    assert {part for part, _ in _policies(rendered)} == {pod.part for pod in rendered.pods}


@pytest.mark.parametrize("name", SETS)
def test_ports_of_policies_are_those_that_pods_listen_on(name: str) -> None:
    rendered = render(name)
    for _, part, port in _ingress(rendered):
        assert port in rendered.pod(part).ports.values()


def test_people_may_be_told_apart_and_nats_may_be_elsewhere() -> None:
    rendered = render("external-nats")
    policies = dict(_policies(rendered))
    people, *_ = policies["edge"]["ingress"]
    assert people["from"][0]["namespaceSelector"]["matchLabels"] == {
        "kubernetes.io/metadata.name": "ingress"
    }
    for part in ("matchmaking", "room", "bot", "timer"):
        nats = policies[part]["egress"][-1]
        assert nats["to"] == [{"ipBlock": {"cidr": "10.20.0.0/24"}}]
        assert nats["ports"] == [{"port": 4222, "protocol": "TCP"}]


def test_policies_may_be_left_to_others() -> None:
    assert not render("default", "networkPolicy.enabled=false").of_kind("NetworkPolicy")


def test_the_table_of_parts_names_the_ports_of_their_pods() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text()
    rows = dict(re.findall(r"^\| `arena (\w+)` \| [^|]* \| ([^|]*) \|", text, re.MULTILINE))
    rendered = render("default")
    assert set(rows) == set(PARTS)
    for part, ports in rows.items():
        assert {int(port) for port in re.findall(r"\d+", ports)} == set(
            rendered.pod(part).ports.values()
        )
