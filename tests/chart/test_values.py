"""Values, their schema, and the settings that they become say the same."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import annotated_types
import pytest
from pydantic.fields import FieldInfo

from tests.chart.chart import CHART, ROOT, SETS, refusal, values
from tests.chart.parts import SETTINGS, field_of

SCHEMA: dict[str, Any] = json.loads((CHART / "values.schema.json").read_text())
#: Settings that the chart decides by itself, by other values, or that are not for a cluster.
DECIDED = {
    *("instance", "listen", "metrics_listen", "advertise", "token_key", "grace_seconds"),
    *("nats_url", "nats_user", "nats_password", "nats_wait_seconds", "nats_ca_file"),
    *("log_format", "log_level", "log_partitions", "log_replicas"),
    *("traces_endpoint", "traces_share", "tls_cert_file", "tls_key_file", "tls_ca_file"),
    *("public_cert_file", "public_key_file", "public_address", "page_dir"),
    *("matchmaking_addresses", "room_addresses", "timer_delay_ms", "room_test_secrets"),
    *("fleet_deployment", "fleet_namespace", "fleet_selector", "fleet_lease", "fleet_nats_pages"),
    *("fleet_machine", "fleet_machine_key"),
}
#: What limits one player is asked by those who serve players.
PLAYERS = {
    "requests_per_second": {"matchmaking", "room"},
    "streams_per_player": {"matchmaking", "room"},
}
_BOUNDS = {
    annotated_types.Ge: ("ge", "minimum"),
    annotated_types.Gt: ("gt", "exclusiveMinimum"),
    annotated_types.Le: ("le", "maximum"),
    annotated_types.Lt: ("lt", "exclusiveMaximum"),
}


def _resolved(schema: dict[str, Any]) -> dict[str, Any]:
    reference = schema.get("$ref")
    if reference is None:
        return schema
    found: dict[str, Any] = SCHEMA["definitions"][reference.rpartition("/")[2]]
    return found


def _paths_of_schema(schema: dict[str, Any], at: str = "") -> Iterator[str]:
    """What may be said, but for settings of parts, which the settings themselves are held against."""
    for key, each in _resolved(schema).get("properties", {}).items():
        path = f"{at}.{key}".lstrip(".")
        inner = _resolved(each)
        is_open = each.get("$ref", "").rpartition("/")[2] in {"resources", "affinity"}
        if "properties" in inner and key != "settings" and not is_open:
            yield from _paths_of_schema(each, path)
        else:
            yield path


def _paths_of_values(given: dict[str, Any], at: str = "") -> Iterator[str]:
    for key, each in given.items():
        path = f"{at}.{key}".lstrip(".")
        if isinstance(each, dict) and each and key not in {"settings", "resources", "labels"}:
            yield from _paths_of_values(each, path)
        else:
            yield path


def test_every_value_is_in_the_schema_and_the_other_way_round() -> None:
    said = set(_paths_of_values(values()))
    allowed = set(_paths_of_schema(SCHEMA)) - {"global"}
    # These have nothing in them by default.
    said = {path if path != "mtls.issuerRef" else "mtls.issuerRef.name" for path in said}
    allowed -= {"mtls.issuerRef.kind", "mtls.issuerRef.group"}
    assert said == allowed


def test_nothing_is_allowed_that_is_not_named() -> None:
    def walk(schema: dict[str, Any], path: str) -> None:
        if "properties" in schema:
            assert schema.get("additionalProperties") is False, path
            for key, each in schema["properties"].items():
                walk(_resolved(each), f"{path}.{key}")

    walk(SCHEMA, "")


@pytest.mark.parametrize("part", [part for part in SETTINGS if part != "nats"])
def test_settings_of_a_part_are_those_of_its_code_with_the_same_bounds(part: str) -> None:
    schema = SCHEMA["properties"][part]["properties"]["settings"]["properties"]
    fields = SETTINGS[part].model_fields
    wanted = {name for name in fields if name not in DECIDED and part in PLAYERS.get(name, {part})}
    assert {field_of(part, key) for key in schema} == wanted
    for key, each in schema.items():
        for bound, limit in _bounds(fields[field_of(part, key)]):
            assert each[bound] == limit, f"{part}.{key}: {bound}"


def _bounds(field: FieldInfo) -> Iterator[tuple[str, object]]:
    for each in field.metadata:
        if type(each) in _BOUNDS:
            attribute, name = _BOUNDS[type(each)]
            yield name, getattr(each, attribute)


@pytest.mark.parametrize("part", [part for part in SETTINGS if part != "nats"])
def test_settings_that_values_repeat_are_the_defaults_of_the_code(part: str) -> None:
    fields = SETTINGS[part].model_fields
    for key, value in values()[part]["settings"].items():
        default = fields[field_of(part, key)].default
        assert value == (list(default) if isinstance(default, tuple) else default), key


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("nats.replicas=2", "nats.replicas.*one of 1, 3, 5"),
        ("rooms.replicas=3", "'rooms' not allowed"),
        ("room.replicas=3", "room.*'replicas' not allowed"),
        ("room.settings.maxMatchs=5", "room.settings.*'maxMatchs' not allowed"),
        ("room.settings.maxMatches=0", "maxMatches.*minimum.*1"),
        ('room.publicAddress="play.example.org"', "publicAddress.*does not match pattern"),
        ('image.digest="sha256:abc"', "digest.*does not match pattern"),
        ('log.level="loud"', "level.*one of 'debug', 'info', 'warning', 'error'"),
        ("log.partitions=0", "partitions.*minimum.*1"),
        ('fleet.settings.floor="many"', "floor.*got string, want integer"),
        ('edge.settings.allowedOrigins=["play.example.org"]', "allowedOrigins.*pattern"),
        ('edge.service.type="Balancer"', "type.*one of 'ClusterIP', 'NodePort'"),
        ('networkPolicy.kubeApi.cidrs=["all"]', "cidrs.*does not match pattern"),
        (
            'labels={"app.kubernetes.io/name": "other"}',
            "labels: app.kubernetes.io/name is the chart's own",
        ),
        ("log.replicas=5", "NATS cannot keep 5 copies on 3 servers"),
        ('fleet.settings={"floor": 9, "ceiling": 3}', r"floor \(9\) is above ceiling \(3\)"),
        ('bot.autoscaling={"minReplicas": 9, "maxReplicas": 3}', r"minReplicas \(9\) is above"),
        ("nats.enabled=false", "nats.external.url is needed|nats.existingSecret is needed"),
    ],
)
def test_a_bad_value_is_refused_in_words(change: str, said: str) -> None:
    words = " ".join(refusal(change).split())
    assert re.search(said, words), words


def test_what_the_chart_decides_is_a_setting_of_some_part() -> None:
    assert {name for each in SETTINGS.values() for name in each.model_fields} >= DECIDED


def test_there_are_values_for_each_way_to_run() -> None:
    assert set(SETS) >= {"default", "one-node", "production", "external-nats", "mtls"}


def test_the_readme_explains_every_value_as_it_is_now() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "chart_values.py", "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
