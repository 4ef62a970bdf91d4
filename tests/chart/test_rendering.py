"""Every set of values is linted, rendered, and valid to Kubernetes."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import kubernetes_validate
import pytest

from tests.chart.chart import CHART, RELEASE, SETS, helm, render, template, values_of

#: What is no part of Kubernetes itself, and by what it is known.
CUSTOM = {
    ("cert-manager.io/v1", "Certificate"): {"secretName", "issuerRef"},
    ("cert-manager.io/v1", "Issuer"): set(),
    ("monitoring.coreos.com/v1", "PodMonitor"): {"selector", "podMetricsEndpoints"},
    ("monitoring.coreos.com/v1", "PrometheusRule"): {"groups"},
}
_SCHEMAS = Path(kubernetes_validate.__file__).parent / "kubernetes-json-schema"
#: The newest two that can be checked here.
VERSIONS = sorted(
    (
        tuple(int(number) for number in path.name.split("-")[0].removeprefix("v").split("."))
        for path in _SCHEMAS.glob("v*-local-strict")
    ),
)[-2:]


@pytest.mark.parametrize("name", SETS)
def test_lint_finds_nothing(name: str) -> None:
    said = helm("lint", "--strict", CHART, "--values", values_of(name))
    assert "[WARNING]" not in said
    assert "[ERROR]" not in said


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("version", VERSIONS, ids=lambda each: ".".join(map(str, each)))
def test_every_object_is_valid_to_kubernetes(name: str, version: tuple[int, ...]) -> None:
    text = ".".join(map(str, version[:2]))
    for each in render(name).objects:
        if (each["apiVersion"], each["kind"]) not in CUSTOM:
            _validate(json.dumps(each), text)


@cache
def _validate(text: str, version: str) -> None:
    """Most objects are the same in all sets, and looking at one takes a while."""
    kubernetes_validate.validate(json.loads(text), version, strict=True)


def test_custom_objects_are_those_that_we_know_and_have_what_they_need() -> None:
    seen = set()
    for each in (each for name in SETS for each in render(name).objects):
        kind = (each["apiVersion"], each["kind"])
        if kind in CUSTOM:
            seen.add(kind)
            assert set(each["spec"]) >= CUSTOM[kind], each["metadata"]["name"]
    assert seen == set(CUSTOM)


@pytest.mark.parametrize("name", SETS)
def test_names_fit_and_are_there_once(name: str) -> None:
    rendered = render(name, release="a-release-with-a-name-that-is-as-long-as-helm-takes")
    names = [(each["kind"], each["metadata"]["name"]) for each in rendered.objects]
    assert len(names) == len(set(names))
    longest = {"Service": 63, "StatefulSet": 52}
    for kind, each in names:
        assert len(each) <= longest.get(kind, 253), each
    for each in rendered.objects:
        labels = each["metadata"]["labels"]
        assert all(len(value) <= 63 for value in labels.values()), labels


@pytest.mark.parametrize("name", SETS)
def test_every_object_says_whose_it_is(name: str) -> None:
    for each in render(name).objects:
        assert each["metadata"]["namespace"] == "games"
        labels = each["metadata"]["labels"]
        wanted = ("name", "instance", "component", "version", "managed-by")
        assert {f"app.kubernetes.io/{key}" for key in wanted} <= set(labels)
        assert labels["app.kubernetes.io/instance"] == RELEASE


@pytest.mark.parametrize("name", SETS)
def test_selectors_find_their_own_pods_and_never_change(name: str) -> None:
    plain, labelled = render(name), render(name, "labels.team=a", "image.tag=9.9.9")
    for rendered in (plain, labelled):
        for each in rendered.of_kind("Deployment", "StatefulSet"):
            wanted = each["spec"]["selector"]["matchLabels"]
            assert wanted.items() <= each["spec"]["template"]["metadata"]["labels"].items()
            # A change of these is refused by Kubernetes: what may change at an upgrade must not be among them.
            assert {key.partition("/")[2] for key in wanted} <= {
                *("name", "instance", "component"),
                "rank",
            }
            for claim in each["spec"].get("volumeClaimTemplates", []):
                assert "team" not in claim["metadata"]["labels"]
    owners = plain.of_kind("Deployment", "StatefulSet")
    selectors = [tuple(sorted(each["spec"]["selector"]["matchLabels"].items())) for each in owners]
    assert len(selectors) == len(set(selectors))


def test_labels_of_values_are_on_everything() -> None:
    rendered = render("default", "labels.team=games")
    for each in rendered.objects:
        assert each["metadata"]["labels"]["team"] == "games"
    assert all(pod.metadata["labels"]["team"] == "games" for pod in rendered.pods)


@pytest.mark.parametrize("name", SETS)
def test_notes_name_the_release(name: str) -> None:
    values = ("--values", values_of(name), "--namespace", "games")
    said = helm("install", RELEASE, CHART, *values, "--dry-run=client")
    notes = said[said.index("NOTES:") :]
    assert f"helm test {RELEASE} --namespace games" in notes
    assert "%!" not in notes  # how printf says that it was called wrongly


def test_rendering_twice_differs_in_nothing_but_what_is_drawn() -> None:
    existing = ("--set", "token.existingSecret=a,nats.existingSecret=b")
    assert template("default", *existing) == template("default", *existing)
