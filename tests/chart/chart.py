"""Renders the chart with Helm itself, and finds things in what comes out."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2]
CHART = ROOT / "helm" / "arena"
TOOLS = Path(sys.prefix) / "chart" / "bin"
RELEASE, NAMESPACE = "arena", "games"
#: Names of the sets of values in the chart's ci/.
SETS = tuple(
    sorted(path.name.removesuffix("-values.yaml") for path in CHART.glob("ci/*-values.yaml"))
)
PARTS = ("matchmaking", "room", "bot", "timer", "fleet", "edge", "nats")
SERVICES = PARTS[:5]

Object = Mapping[str, Any]


class UniqueKeys(yaml.CSafeLoader):  # type: ignore[misc]  # ships no types
    """Refuses what YAML allows and Kubernetes does not: a key that is there twice."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:  # noqa: FBT002 - theirs
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        twice = {key for key in keys if keys.count(key) > 1}
        assert not twice, f"{twice} are there twice, {node.start_mark}"
        mapping: dict[Any, Any] = super().construct_mapping(node, deep)
        return mapping


@dataclass(frozen=True)
class Pod:
    """A pod as its owner describes it."""

    owner: Object
    part: str
    metadata: Object
    spec: Object

    @property
    def name(self) -> str:
        """Of its owner, for messages."""
        return f"{self.owner['kind']} {self.owner['metadata']['name']}"

    @property
    def container(self) -> Object:
        """The only one."""
        (container,) = self.spec["containers"]
        return dict(container)

    @property
    def env(self) -> dict[str, Object]:
        """The environment, by name."""
        return {each["name"]: each for each in self.container.get("env", [])}

    @property
    def ports(self) -> dict[str, int]:
        """Port numbers by name."""
        return {each["name"]: each["containerPort"] for each in self.container.get("ports", [])}


@dataclass(frozen=True)
class Rendered:
    """Everything that one set of values makes."""

    objects: tuple[Object, ...]

    def of_kind(self, *kinds: str) -> list[Object]:
        """All objects of some kinds."""
        return [each for each in self.objects if each["kind"] in kinds]

    def get(self, kind: str, name: str) -> Object:
        """The object of that name."""
        (found,) = (each for each in self.of_kind(kind) if each["metadata"]["name"] == name)
        return found

    @property
    def pods(self) -> list[Pod]:
        """All pods: of owners, and the one that tests."""
        found = []
        for each in self.of_kind("Pod", "Deployment", "StatefulSet"):
            template = each if each["kind"] == "Pod" else each["spec"]["template"]
            part = template["metadata"]["labels"]["app.kubernetes.io/component"]
            found.append(Pod(each, part, template["metadata"], template["spec"]))
        return found

    def pod(self, part: str) -> Pod:
        """The first pod of a part."""
        return next(each for each in self.pods if each.part == part)


def helm(*arguments: str | Path, fails: bool = False) -> str:
    """What Helm writes; on standard error where it is meant to fail."""
    known = {name: value for name, value in os.environ.items() if not name.startswith("KUBE")}
    command = [str(TOOLS / "helm"), *map(str, arguments)]
    done = subprocess.run(command, env=known, capture_output=True, text=True, check=False)
    assert (done.returncode != 0) is fails, done.stdout[-2000:] + done.stderr
    return done.stderr if fails else done.stdout


def values_of(name: str) -> Path:
    """The file of a set of values."""
    return CHART / "ci" / f"{name}-values.yaml"


def template(name: str, *arguments: str | Path, release: str = RELEASE) -> str:
    """The chart's text with a set of values."""
    return helm(
        *("template", release, CHART, "--namespace", NAMESPACE),
        *("--values", values_of(name), *arguments),
    )


@cache
def render(name: str, *sets: str, release: str = RELEASE) -> Rendered:
    """What a set of values makes; `sets` are changes to it, as `key=value`."""
    changes = (word for each in sets for word in ("--set", each))
    return Rendered(tuple(parse(template(name, *changes, release=release))))


def refusal(*sets: str, name: str = "default") -> str:
    """Why Helm refuses changes to a set of values."""
    changes = [word for each in sets for word in ("--set-json", each)]
    return helm("template", RELEASE, CHART, "--values", values_of(name), *changes, fails=True)


def parse(text: str) -> Iterator[Object]:
    """The objects in a text."""
    return (each for each in yaml.load_all(text, UniqueKeys) if each)


def values() -> dict[str, Any]:
    """The chart's own values."""
    found: dict[str, Any] = yaml.load((CHART / "values.yaml").read_text(), UniqueKeys)  # noqa: S506 - it is a safe one
    return found
