"""The alert rules: promtool takes them, each fires when it should and not otherwise, and each has a way out."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

_HERE = Path(__file__).parent
_ROOT = _HERE.parents[1]
_RULES = sorted((_ROOT / "helm/arena/files/alerts").glob("*.yaml"))
_RUNBOOKS = _ROOT / "docs/runbooks"
_SEVERITIES = {"critical", "warning"}


@pytest.mark.parametrize("rules", _RULES, ids=lambda path: path.stem)
def test_promtool_takes_the_rules(rules: Path) -> None:
    _promtool("check", "rules", "--lint-fatal", rules)


@pytest.mark.parametrize("rules", _RULES, ids=lambda path: path.stem)
def test_alerts_fire_when_they_should_and_not_otherwise(rules: Path) -> None:
    tests = _HERE / rules.name
    _promtool("test", "rules", tests)
    fires: set[str] = set()
    silent: set[str] = set()
    for each in _tried(tests):
        (fires if each["exp_alerts"] else silent).add(each["alertname"])
    named = {alert["alert"] for alert in _alerts(rules)}
    assert fires == named
    assert silent == named


@pytest.mark.parametrize("rules", _RULES, ids=lambda path: path.stem)
def test_alerts_say_what_is_wrong_and_what_to_do(rules: Path) -> None:
    for alert in _alerts(rules):
        name, said = alert["alert"], alert["annotations"]
        assert name.startswith("Arena")
        assert alert["labels"]["severity"] in _SEVERITIES, name
        assert "for" in alert, name
        assert "$value" in said["description"] or "| value" in said["description"], name
        assert said["summary"], name
        assert not said["summary"].endswith("."), name
        assert said["runbook_url"] == f"docs/runbooks/{name}.md"


def test_every_alert_has_a_runbook_and_every_runbook_an_alert() -> None:
    named = {alert["alert"] for rules in _RULES for alert in _alerts(rules)}
    assert {page.stem for page in _RUNBOOKS.glob("Arena*.md")} == named
    listed = (_RUNBOOKS / "README.md").read_text()
    assert [name for name in sorted(named) if f"[{name}]({name}.md)" not in listed] == []


def _alerts(rules: Path) -> Iterator[dict[str, Any]]:
    for group in yaml.safe_load(rules.read_text())["groups"]:
        yield from (rule for rule in group["rules"] if "alert" in rule)


def _tried(tests: Path) -> Iterator[dict[str, Any]]:
    for each in yaml.safe_load(tests.read_text())["tests"]:
        yield from each["alert_rule_test"]


def _promtool(*arguments: str | Path) -> None:
    program = shutil.which("promtool")
    assert program, "there is no `promtool` on the PATH; tools/setup.sh prometheus installs it"
    done = subprocess.run(
        [program, *arguments], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stdout + done.stderr
