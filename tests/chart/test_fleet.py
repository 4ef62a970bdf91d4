"""The fleet may do what its code does, to what it does it to, and nobody else may do anything."""

from __future__ import annotations

import re

import pytest

from tests.chart.chart import ROOT, SETS, Rendered, render

#: What methods of the client library ask for, and what they are called after.
_VERBS = {"read": "get", "list": "list", "replace": "update", "patch": "patch"} | {
    verb: verb for verb in ("create", "delete", "watch")
}
_RESOURCES = {
    "deployment_scale": ("apps", "deployments/scale"),
    "pod": ("", "pods"),
    "lease": ("coordination.k8s.io", "leases"),
}

Right = tuple[str, str, str]


def _used() -> set[Right]:
    """What the fleet's code calls: group, resource, verb."""
    sources = (ROOT / "services" / "src" / "arena_services" / "fleet").glob("*.py")
    text = "\n".join(path.read_text() for path in sources)
    calls = set(re.findall(r"\.([a-z]+)_namespaced_(\w+)", text))
    assert calls
    return {(*_RESOURCES[resource], _VERBS[verb]) for verb, resource in calls}


def _granted(rendered: Rendered) -> set[Right]:
    (role,) = rendered.of_kind("Role")
    return {
        (group, resource, verb)
        for rule in role["rules"]
        for group in rule["apiGroups"]
        for resource in rule["resources"]
        for verb in rule["verbs"]
    }


def test_the_role_grants_what_the_code_calls_and_no_more() -> None:
    assert _granted(render("default")) == _used()


def test_rights_are_to_single_objects_wherever_they_can_be() -> None:
    rendered = render("default", release="other")
    fleet = {name: each.get("value") for name, each in rendered.pod("fleet").env.items()}
    named = {
        "deployments/scale": [fleet["ARENA_FLEET_DEPLOYMENT"]],
        "leases": [fleet["ARENA_FLEET_LEASE"]],
    }
    (role,) = rendered.of_kind("Role")
    for rule in role["rules"]:
        (resource,) = rule["resources"]
        # Nothing that is made or listed can be named.
        if "create" not in rule["verbs"] and resource != "pods":
            assert rule["resourceNames"] == named[resource]
    assert rendered.get("Deployment", fleet["ARENA_FLEET_DEPLOYMENT"] or "")


@pytest.mark.parametrize("name", SETS)
def test_nobody_but_the_fleet_is_granted_anything(name: str) -> None:
    rendered = render(name)
    assert not rendered.of_kind("ClusterRole", "ClusterRoleBinding")
    bindings = rendered.of_kind("RoleBinding")
    assert len(bindings) == (0 if name == "external-nats" else 1)
    for each in bindings:
        (subject,) = each["subjects"]
        assert subject["name"] == rendered.pod("fleet").spec["serviceAccountName"]
        assert subject["namespace"] == each["metadata"]["namespace"] == "games"
        assert each["roleRef"]["name"] == rendered.of_kind("Role")[0]["metadata"]["name"]
    accounts = {each["metadata"]["name"] for each in rendered.of_kind("ServiceAccount")}
    users = [pod.spec.get("serviceAccountName") for pod in rendered.pods if pod.part != "test"]
    assert set(users) == accounts
    assert all(
        each["automountServiceAccountToken"] is False for each in rendered.of_kind("ServiceAccount")
    )


def test_the_fleet_finds_the_rooms_of_its_own_release_alone() -> None:
    one, other = render("default"), render("default", release="other")
    for rendered, name in ((one, "arena"), (other, "other")):
        text = rendered.pod("fleet").env["ARENA_FLEET_SELECTOR"]["value"]
        selector = dict(each.split("=") for each in text.split(","))
        assert selector["app.kubernetes.io/instance"] == name
        for pod in rendered.pods:
            found = selector.items() <= pod.metadata["labels"].items()
            assert found is (pod.part == "room")
    assert one.pod("fleet").env["ARENA_FLEET_NAMESPACE"]["value"] == "games"
