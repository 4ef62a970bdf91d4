"""Secrets are drawn once: an upgrade finds what there is, and adds what is missing."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from pathlib import Path

from arena_services.local import nats_users
from tests.chart.api_server import serving, write_kubeconfig
from tests.chart.chart import NAMESPACE, RELEASE, Object, parse, refusal, render, template

USERS = {user.name for user in nats_users.USERS}


def _secrets(objects: list[Object]) -> dict[str, Object]:
    return {each["metadata"]["name"]: each for each in objects if each["kind"] == "Secret"}


def _installed(secret: Object) -> Object:
    """As Helm leaves it behind, so that it takes it for the release's own."""
    owner = {"meta.helm.sh/release-name": RELEASE, "meta.helm.sh/release-namespace": NAMESPACE}
    metadata = secret["metadata"]
    annotations = {**metadata.get("annotations", {}), **owner}
    return {**secret, "metadata": {**metadata, "annotations": annotations}}


def _upgraded(folder: Path, secrets: Mapping[str, Object]) -> dict[str, Object]:
    """The Secrets that an upgrade renders on a cluster that has these."""
    kinds = {(each["apiVersion"], each["kind"]) for each in render("default").objects}
    with serving(kinds, {name: _installed(each) for name, each in secrets.items()}) as url:
        asked = ("--dry-run=server", "--disable-openapi-validation")
        config = write_kubeconfig(folder / "config", url)
        return _secrets(list(parse(template("default", *asked, "--kubeconfig", config))))


def test_a_password_for_each_user_and_each_another() -> None:
    first, second = (
        _secrets(list(parse(template("default", "--show-only", "templates/secrets.yaml"))))
        for _ in range(2)
    )
    assert set(first) == {"arena-token", "arena-nats"}
    assert set(first["arena-nats"]["data"]) == {*USERS, "cluster"}
    drawn = [
        base64.b64decode(value)
        for secrets in (first, second)
        for each in secrets.values()
        for value in each["data"].values()
    ]
    assert len(set(drawn)) == len(drawn)
    assert all(len(value) >= 32 for value in drawn)


def test_an_upgrade_keeps_what_there_is(tmp_path: Path) -> None:
    installed = _upgraded(tmp_path, {})
    assert _upgraded(tmp_path, installed) == installed


def test_an_upgrade_adds_a_user_that_is_new_and_keeps_the_others(tmp_path: Path) -> None:
    installed = _upgraded(tmp_path, {})
    known = dict(installed["arena-nats"]["data"])
    del known["fleet"]
    older = {**installed, "arena-nats": {**installed["arena-nats"], "data": known}}
    upgraded = _upgraded(tmp_path, older)["arena-nats"]["data"]
    assert set(upgraded) == {*USERS, "cluster"}
    assert known.items() <= upgraded.items()


def test_secrets_of_ones_own_are_used_and_none_is_made() -> None:
    rendered = render("production")
    assert not rendered.of_kind("Secret")
    named = [
        (each["valueFrom"]["secretKeyRef"]["name"], each["valueFrom"]["secretKeyRef"]["key"])
        for pod in rendered.pods
        for each in pod.env.values()
        if "secretKeyRef" in each.get("valueFrom", {})
    ]
    assert set(named) == {
        ("arena-token", "key"),
        *(("arena-nats-logins", user) for user in USERS - {"operator"}),
    }


def test_each_pod_is_given_its_own_password_alone() -> None:
    for pod in render("default").pods:
        keys = [
            each["valueFrom"]["secretKeyRef"]["key"]
            for each in pod.env.values()
            if "secretKeyRef" in each.get("valueFrom", {})
        ]
        own = {"edge": [], "nats": [], "test": []}.get(pod.part, ["key", pod.part])
        assert keys == own, pod.name
        secrets = [each["secret"] for each in pod.spec["volumes"] if "secret" in each]
        assert [each["secretName"] for each in secrets] == (
            ["arena-nats"] if pod.part == "nats" else []
        ), pod.name


def test_secrets_stay_after_an_uninstallation_unless_told_otherwise() -> None:
    for name, is_kept in (("default", True), ("one-node", False)):
        for each in render(name).of_kind("Secret"):
            kept = each["metadata"].get("annotations", {}).get("helm.sh/resource-policy") == "keep"
            assert kept is is_kept


def test_an_external_nats_has_to_come_with_passwords() -> None:
    said = refusal("nats.enabled=false", 'nats.external={"url": "nats://n:4222"}')
    assert "nats.existingSecret is needed" in said
