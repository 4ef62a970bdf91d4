"""checkov over all that is rendered: what it finds is mended, or named with a reason in policies.yaml."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from tests.chart.chart import NAMESPACE, SETS, TOOLS, template


@dataclass(frozen=True)
class Finding:
    """A check that something does not pass."""

    check: str
    of: str
    where: str
    """The set of values."""


@dataclass(frozen=True)
class Reason:
    """Why a check is not passed."""

    check: str
    of: str
    because: str

    def explains(self, finding: Finding) -> bool:
        return self.check == finding.check and re.fullmatch(self.of, finding.of) is not None


REASONS = tuple(
    Reason(**each) for each in yaml.safe_load(Path(__file__).with_name("policies.yaml").read_text())
)


def _findings(folder: Path) -> Iterator[Finding]:
    for name in SETS:
        (folder / f"{name}.yaml").write_text(template(name))
    command = [TOOLS / "checkov", "--directory", folder, "--framework", "kubernetes"]
    options = ["--output", "json", "--compact", "--quiet", "--skip-download"]
    offline = {**os.environ, "CKV_SKIP_PACKAGE_UPDATE_CHECK": "true"}
    done = subprocess.run(
        [*map(str, command), *options], env=offline, capture_output=True, text=True, check=False
    )
    assert done.stdout, done.stderr[-2000:]
    report = json.loads(done.stdout)
    assert report["summary"]["parsing_errors"] == 0
    assert report["summary"]["passed"] > 1000
    for each in report["results"]["failed_checks"]:
        of = each["resource"].replace(f".{NAMESPACE}.", ".")
        yield Finding(each["check_id"], of, Path(each["file_path"]).stem)


@pytest.mark.timeout(300)
def test_findings_are_reasoned_and_reasons_are_needed(tmp_path: Path) -> None:
    findings = set(_findings(tmp_path))
    open_ones = [each for each in findings if not any(it.explains(each) for it in REASONS)]
    assert not open_ones
    idle = [it for it in REASONS if not any(it.explains(each) for each in findings)]
    assert not idle
    # With a digest, as in production, there is nothing to reason about.
    assert not [
        each for each in findings if (each.check, each.where) == ("CKV_K8S_43", "production")
    ]
