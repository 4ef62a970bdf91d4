"""Every pod is told what its part can read, all that it must be told, and nothing else."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from arena_services.cli.main import SERVICES
from arena_services.common import config
from tests.chart.chart import PARTS, SETS, Pod, render
from tests.chart.parts import SETTINGS, image_environment

_POD_IPS = ("10.1.2.3", "fd00:10::3")
_FIELDS = {"metadata.name": "arena-part-0"}


def _pods(name: str) -> list[Pod]:
    return [pod for pod in render(name).pods if pod.part != "test"]


@pytest.mark.parametrize("name", SETS)
def test_every_command_is_a_part_that_arena_knows(name: str) -> None:
    for pod in _pods(name):
        assert pod.container["command"] == ["arena", pod.part]
        assert pod.part in SERVICES
        assert "args" not in pod.container
    assert set(PARTS) == set(SERVICES)


@pytest.mark.parametrize("name", SETS)
def test_every_name_set_is_a_setting_and_those_needed_are_set(name: str) -> None:
    for pod in _pods(name):
        names = [each["name"] for each in pod.container["env"]]
        assert len(names) == len(set(names)), pod.name
        fields = SETTINGS[pod.part].model_fields
        given = {each.removeprefix("ARENA_").lower() for each in names if each != "POD_IP"}
        assert given <= set(fields), pod.name
        needed = {each for each, field in fields.items() if field.is_required()}
        built_in = {each.removeprefix("ARENA_").lower() for each in image_environment()}
        assert needed <= given | built_in, pod.name


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("pod_ip", _POD_IPS)
def test_the_settings_hold(
    name: str, pod_ip: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number, pod in enumerate(_pods(name)):
        for variable in [each for each in os.environ if each.startswith("ARENA_")]:
            monkeypatch.delenv(variable)
        root = tmp_path / str(number)
        _make_mounts(pod, root)
        for variable, value in _environment(pod, pod_ip, root).items():
            monkeypatch.setenv(variable, value)
        settings: Any = config.load(SETTINGS[pod.part])
        if pod.part not in {"edge", "nats"}:
            assert settings.nats_user == pod.part
            assert settings.listen.endswith(":7400")


def _environment(pod: Pod, pod_ip: str, root: Path) -> dict[str, str]:
    """As the kubelet would make it, with the pod's folders below `root`."""
    found = dict(image_environment())
    mounts = [each["mountPath"] for each in pod.container["volumeMounts"]]
    for name, each in pod.env.items():
        source = each.get("valueFrom", {})
        if "fieldRef" in source:
            path = source["fieldRef"]["fieldPath"]
            value = {**_FIELDS, "status.podIP": pod_ip}[path]
        elif "secretKeyRef" in source:
            value = "s" * 48
        else:
            value = each["value"].replace("$(POD_IP)", pod_ip)
        if any(value.startswith(f"{mount}/") or value == mount for mount in mounts):
            value = f"{root}{value}"
        found[name] = value
    return found


def _make_mounts(pod: Pod, root: Path) -> None:
    """The files that a pod finds in its Secrets."""
    volumes = {each["name"]: each for each in pod.spec["volumes"]}
    for mount in pod.container["volumeMounts"]:
        folder = Path(f"{root}{mount['mountPath']}")
        folder.mkdir(parents=True)
        secret = volumes.get(mount["name"], {}).get("secret")
        if secret is not None:
            logins = ("room", "matchmaking", "bot", "timer", "fleet", "operator", "cluster")
            is_logins = mount["name"] == "logins"
            for key in logins if is_logins else ("tls.crt", "tls.key", "ca.crt"):
                (folder / key).write_text("x")


@pytest.mark.parametrize("name", SETS)
def test_everybody_is_told_the_same_where_it_matters(name: str) -> None:
    same = ("ARENA_LOG_PARTITIONS", "ARENA_LOG_REPLICAS", "ARENA_NATS_URL", "ARENA_TRACES_SHARE")
    services = [pod for pod in _pods(name) if pod.part not in {"edge", "nats"}]
    for variable in same:
        assert len({str(pod.env.get(variable)) for pod in services}) == 1


@pytest.mark.parametrize("name", SETS)
def test_a_pod_is_given_longer_to_stop_than_its_part_takes(name: str) -> None:
    for pod in _pods(name):
        given = pod.spec["terminationGracePeriodSeconds"]
        if pod.part == "edge":
            assert given > pod.container["lifecycle"]["preStop"]["sleep"]["seconds"]
        elif pod.part != "nats":
            # Handing over, then open calls: each may take the grace time (`common.service`).
            assert given > 2 * float(pod.env["ARENA_GRACE_SECONDS"]["value"]), pod.name


@pytest.mark.parametrize("name", SETS)
def test_a_start_waits_for_nats_no_longer_than_its_probe_does(name: str) -> None:
    for pod in _pods(name):
        if "ARENA_NATS_WAIT_SECONDS" in pod.env:
            probe = pod.container["startupProbe"]
            allowed = probe["periodSeconds"] * probe["failureThreshold"]
            assert float(pod.env["ARENA_NATS_WAIT_SECONDS"]["value"]) + 10 < allowed


def test_nothing_is_read_at_a_start_that_a_rollout_would_not_notice() -> None:
    # All that values say is in the pods' own description; so a change of it is a rollout, and no checksum is needed.
    for pod in (pod for name in SETS for pod in _pods(name)):
        assert "envFrom" not in pod.container
        assert not [each for each in pod.spec["volumes"] if "configMap" in each]


def test_nats_may_store_less_than_its_volume_holds() -> None:
    for name in SETS:
        for pod in (pod for pod in _pods(name) if pod.part == "nats"):
            limit = int(pod.env["ARENA_NATS_STORE_BYTES"]["value"])
            gibibytes = {"one-node": 1, "production": 500}.get(name, 20)
            assert 0.85 * gibibytes * 2**30 < limit < 0.95 * gibibytes * 2**30


def test_the_numbers_of_copies_follow_the_servers() -> None:
    for name, copies in (("default", 3), ("one-node", 1), ("external-nats", 3), ("production", 3)):
        assert render(name).pod("room").env["ARENA_LOG_REPLICAS"]["value"] == str(copies)


def test_long_numbers_stay_whole() -> None:
    assert render("production").pod("fleet").env["ARENA_FLEET_CEILING"]["value"] == "1000000"
