"""`arena admin` and `arena replay` run in a room's pod: what they need is there, and guides say the right command."""

from __future__ import annotations

import re
import shlex

import pytest

from arena_services.cli.elsewhere import RoomsAccessSettings
from arena_services.cli.main import COMMANDS
from tests.chart.chart import CHART, NAMESPACE, RELEASE, ROOT, SETS, helm, render, values_of

_GUIDES = (ROOT / "docs" / "operating.md", *sorted((ROOT / "docs" / "runbooks").glob("*.md")))
_EXEC = re.compile(r"kubectl exec [^\n`]* arena [^\n`]*")


@pytest.mark.parametrize("name", SETS)
def test_a_rooms_pod_has_every_setting_that_an_operators_command_needs(name: str) -> None:
    pod = render(name).pod("room")
    needed = {"ARENA_NATS_URL", "ARENA_NATS_USER", "ARENA_NATS_PASSWORD", "ARENA_TOKEN_KEY"}
    assert needed <= set(pod.env)
    # Certificates and the authority of an external NATS: whatever the room itself reads, the command reads too.
    access = {f"ARENA_{field.upper()}" for field in RoomsAccessSettings.model_fields}
    is_access = re.compile("ARENA_(NATS|TLS|TOKEN)_.*_?(URL|USER|PASSWORD|KEY|FILE)").fullmatch
    assert {each for each in pod.env if is_access(each)} <= access
    assert "ARENA_DATA_DIR" not in pod.env


def test_every_kubectl_exec_that_is_told_names_a_deployment_and_a_command_of_arena() -> None:
    deployments = {each["metadata"]["name"] for each in render("default").of_kind("Deployment")}
    told = [line for guide in _GUIDES for line in _EXEC.findall(guide.read_text())]
    assert told
    for line in told:
        _, _, target, *rest = shlex.split(line, comments=True)
        kind, _, name = target.partition("/")
        assert kind == "deployment", line
        assert name in deployments, line
        assert rest[:2] == ["--", "arena"], line
        assert rest[2] in COMMANDS, line


def test_no_command_of_an_operator_is_told_without_where_it_runs() -> None:
    for guide in _GUIDES:
        for block in re.findall(r"^```sh\n(.*?)^```", guide.read_text(), re.MULTILINE | re.DOTALL):
            assert not re.search(r"^arena ", block, re.MULTILINE), guide.name


def test_the_notes_of_an_installation_say_the_command() -> None:
    values = ("--values", values_of("default"), "--namespace", NAMESPACE)
    said = helm("install", RELEASE, CHART, *values, "--dry-run=client")
    assert "exec deployment/arena-room -- arena admin list" in said
