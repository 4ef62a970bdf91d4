"""Every pod as a strict cluster wants it: restricted security, probes, budgets, spread, ports that meet."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from tests.chart.chart import SERVICES, SETS, Pod, render

GRPC, METRICS = 7400, 7490
PORTS = {
    **{part: {"grpc": GRPC, "metrics": METRICS} for part in SERVICES},
    "edge": {"http": 7480, "metrics": METRICS},
    "nats": {"nats": 4222, "cluster": 6222, "monitor": 8222},
    "test": {},
}


@pytest.fixture(params=SETS)
def pods(request: pytest.FixtureRequest) -> list[Pod]:
    return render(request.param).pods


def test_security_is_restricted(pods: list[Pod]) -> None:
    for pod in pods:
        spec, own = pod.spec, pod.container["securityContext"]
        for context in (spec["securityContext"], own):
            assert context["runAsNonRoot"] is True
            assert context["runAsUser"] == context["runAsGroup"] == 10001
            assert context["seccompProfile"] == {"type": "RuntimeDefault"}
        assert own["allowPrivilegeEscalation"] is False
        assert own["readOnlyRootFilesystem"] is True
        assert own["capabilities"] == {"drop": ["ALL"]}
        assert not {"hostNetwork", "hostPID", "hostIPC", "initContainers"} & set(spec)
        kinds = {key for volume in spec["volumes"] for key in volume} - {"name"}
        assert kinds <= {"emptyDir", "secret"}
        assert all("hostPort" not in port for port in pod.container.get("ports", []))


def test_only_the_fleet_has_a_token(pods: list[Pod]) -> None:
    for pod in pods:
        assert pod.spec["automountServiceAccountToken"] is (pod.part == "fleet"), pod.name
        # Names of Services would be taken for settings: ARENA_ROOM_PORT.
        assert pod.spec["enableServiceLinks"] is False


def test_ports_are_those_agreed(pods: list[Pod]) -> None:
    for pod in pods:
        assert pod.ports == PORTS[pod.part], pod.name
        listens = [each["value"] for name, each in pod.env.items() if name.endswith("LISTEN")]
        assert all(each.startswith("$(POD_IP):") for each in listens)
        assert {int(each.rpartition(":")[2]) for each in listens} == set(pod.ports.values())


def test_whoever_serves_is_probed_at_its_own_ports(pods: list[Pod]) -> None:
    for pod in pods:
        probes = {
            kind: pod.container.get(f"{kind}Probe") for kind in ("startup", "readiness", "liveness")
        }
        assert all(probes.values()) is (pod.part != "test"), pod.name
        for probe in filter(None, probes.values()):
            port = probe["grpc"]["port"] if "grpc" in probe else probe["httpGet"]["port"]
            assert port in pod.ports or port in pod.ports.values()


def test_a_drain_is_not_taken_for_death(pods: list[Pod]) -> None:
    for pod in (pod for pod in pods if pod.part in SERVICES):
        live, ready = (pod.container[f"{kind}Probe"] for kind in ("liveness", "readiness"))
        if "grpc" in live:
            assert live["grpc"]["service"] == "liveness"
            assert ready["grpc"].get("service") != "liveness"
        else:
            assert (live["httpGet"]["path"], ready["httpGet"]["path"]) == ("/healthz", "/readyz")


def test_resources_are_asked_for_and_memory_is_limited(pods: list[Pod]) -> None:
    for pod in pods:
        resources = pod.container["resources"]
        assert set(resources["requests"]) == {"cpu", "memory"}
        assert "memory" in resources["limits"]


def test_what_is_written_has_a_limit(pods: list[Pod]) -> None:
    for pod in pods:
        mounts = {each["name"]: each for each in pod.container["volumeMounts"]}
        assert mounts["tmp"]["mountPath"] == "/tmp"  # noqa: S108 - of a pod
        for volume in pod.spec["volumes"]:
            assert volume["name"] in mounts
            if "emptyDir" in volume:
                assert "sizeLimit" in volume["emptyDir"]
            else:
                assert mounts[volume["name"]]["readOnly"] is True


@pytest.mark.parametrize("name", SETS)
def test_pods_spread_over_zones_and_nodes(name: str) -> None:
    for pod in (pod for pod in render(name).pods if pod.part != "test"):
        keys = {each["topologyKey"] for each in pod.spec["topologySpreadConstraints"]}
        assert keys == {"topology.kubernetes.io/zone", "kubernetes.io/hostname"}
        for each in pod.spec["topologySpreadConstraints"]:
            labels = each["labelSelector"]["matchLabels"]
            assert labels.items() <= pod.metadata["labels"].items()


@pytest.mark.parametrize("name", SETS)
def test_every_part_has_a_budget_of_its_own(name: str) -> None:
    rendered = render(name)
    budgets = {
        each["spec"]["selector"]["matchLabels"]["app.kubernetes.io/component"]: each["spec"]
        for each in rendered.of_kind("PodDisruptionBudget")
    }
    assert set(budgets) == {pod.part for pod in rendered.pods} - {"test"}
    for budget in budgets.values():
        # Never none, which would keep a node from being drained for ever.
        assert budget["maxUnavailable"] == 1


@pytest.mark.parametrize("name", SETS)
def test_rolling_updates_take_nobody_away_first(name: str) -> None:
    for each in render(name).of_kind("Deployment"):
        strategy = each["spec"]["strategy"]["rollingUpdate"]
        assert strategy["maxUnavailable"] == 0
        assert strategy["maxSurge"]


@pytest.mark.parametrize("name", SETS)
def test_rooms_have_no_number_and_scaled_parts_neither(name: str) -> None:
    rendered = render(name)
    scaled = {
        each["spec"]["scaleTargetRef"]["name"]
        for each in rendered.of_kind("HorizontalPodAutoscaler")
    }
    for each in rendered.of_kind("Deployment"):
        own = each["metadata"]["name"]
        assert ("replicas" in each["spec"]) is (own not in {"arena-room", *scaled}), own
    assert scaled == ({"arena-bot", "arena-matchmaking"} if name == "production" else set())


def test_nats_comes_up_together_and_apart() -> None:
    for name in ("default", "production"):
        nats = render(name).get("StatefulSet", "arena-nats")["spec"]
        assert nats["podManagementPolicy"] == "Parallel"
        headless = render(name).get("Service", nats["serviceName"])["spec"]
        assert headless["clusterIP"] == "None"
        # A server that starts needs the names of the others, which do not answer before it does.
        assert headless["publishNotReadyAddresses"] is True
        (rule,) = nats["template"]["spec"]["affinity"]["podAntiAffinity"][
            "requiredDuringSchedulingIgnoredDuringExecution"
        ]
        assert rule["topologyKey"] == "kubernetes.io/hostname"
        assert rule["labelSelector"] == nats["selector"]
        pod = render(name).pod("nats")
        routes = pod.env["ARENA_NATS_ROUTES"]["value"].split(",")
        assert routes == [f"arena-nats-{index}.arena-nats-headless:6222" for index in range(3)]


def test_a_trial_needs_neither_volumes_nor_several_nodes() -> None:
    rendered = render("one-node")
    nats = rendered.get("StatefulSet", "arena-nats")["spec"]
    assert "volumeClaimTemplates" not in nats
    assert "ARENA_NATS_ROUTES" not in rendered.pod("nats").env
    assert rendered.pod("room").env["ARENA_NATS_URL"]["value"] == "nats://arena-nats:4222"


def test_places_to_run_are_taken_from_values() -> None:
    sets = [
        f"{part}.{key}"
        for part in (*SERVICES, "edge", "nats")
        for key in ("nodeSelector.disk=fast", "priorityClassName=high", "affinity.nodeAffinity.a=b")
    ]
    rendered = render("default", *sets)
    for pod in (pod for pod in rendered.pods if pod.part != "test"):
        assert pod.spec["nodeSelector"] == {"disk": "fast"}
        assert pod.spec["priorityClassName"] == "high"
        assert pod.spec["affinity"]["nodeAffinity"] == {"a": "b"}
        assert ("podAntiAffinity" in pod.spec["affinity"]) is (pod.part == "nats")


def test_images_are_pulled_as_values_say() -> None:
    for pod in render("production").pods:
        assert pod.container["image"].startswith(
            "registry.example.org/games/arena:0.1.0@sha256:0123"
        )
        assert pod.spec["imagePullSecrets"] == [{"name": "registry-login"}]
    assert {pod.container["image"] for pod in render("default").pods} == {"arena:0.1.0"}


def test_services_lead_to_the_same_ports_of_their_pods() -> None:
    for name in SETS:
        rendered = render(name)
        for service in rendered.of_kind("Service"):
            part = service["spec"]["selector"]["app.kubernetes.io/component"]
            for port in service["spec"]["ports"]:
                assert rendered.pod(part).ports[port["name"]] == port["targetPort"]
                assert port["port"] == port["targetPort"] or part == "edge"


def test_the_edge_finds_every_address_of_rooms_and_matchmaking() -> None:
    rendered = render("default")
    for part in ("room", "matchmaking"):
        address = rendered.pod("edge").env[f"ARENA_{part.upper()}_ADDRESSES"]["value"]
        host, port = address.split(":")
        assert rendered.get("Service", host)["spec"]["clusterIP"] == "None"
        assert int(port) == GRPC


def test_people_are_told_an_address_that_leads_to_the_edge() -> None:
    rendered = render("default")
    address = rendered.pod("room").env["ARENA_PUBLIC_ADDRESS"]["value"]
    name, port = address.split(".")[0], int(address.rpartition(":")[2])
    assert port in {each["port"] for each in rendered.get("Service", name)["spec"]["ports"]}
    assert render("production").pod("room").env["ARENA_PUBLIC_ADDRESS"]["value"].endswith(":443")


def test_an_ingress_leads_to_the_edge() -> None:
    (ingress,) = render("external-nats").of_kind("Ingress")
    (rule,) = ingress["spec"]["rules"]
    backend = rule["http"]["paths"][0]["backend"]["service"]
    assert backend == {"name": "arena-edge", "port": {"number": 7480}}
    assert not render("default").of_kind("Ingress")


def test_the_test_plays_a_match_through_the_edge() -> None:
    plain, secured = (render(name).get("Pod", "arena-test-match") for name in ("default", "mtls"))
    for pod in (plain, secured):
        assert pod["metadata"]["annotations"]["helm.sh/hook"] == "test"
    command = plain["spec"]["containers"][0]["command"]
    assert command[:3] == ["arena", "demo", "crowns"]
    assert command[command.index("--server") + 1] == "http://arena-edge:7480"
    command = secured["spec"]["containers"][0]["command"]
    assert command[command.index("--server") + 1] == "https://arena-edge:7480"
    assert {"--ca", "--server-name"} <= set(command)


def test_the_test_says_nothing_that_the_command_line_does_not_know() -> None:
    command = render("mtls").get("Pod", "arena-test-match")["spec"]["containers"][0]["command"]
    arena = [sys.executable, "-m", "arena_services.cli", "demo", "--help"]
    done = subprocess.run(arena, capture_output=True, text=True, check=True)
    assert {word for word in command if word.startswith("--")} <= set(
        re.findall(r"--[a-z-]+", done.stdout)
    )
