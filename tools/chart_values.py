"""Writes the table of values in the chart's README from values.yaml, where they are explained.

With --check it writes nothing, and fails where the table is not what it would write.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

CHART = Path(__file__).resolve().parents[1] / "helm" / "arena"
README = CHART / "README.md"
BEGIN, END = "<!-- values -->\n", "<!-- end of values -->\n"
#: Explained once, there.
_FIRST_PART = "matchmaking"


@dataclass(frozen=True)
class Value:
    """A value: where it is, what it is unless said otherwise, what it means."""

    path: str
    default: str
    meaning: str


def values(text: str) -> list[Value]:
    """The values of a values.yaml, in its order. Raises ValueError for one that is not explained."""
    found = list(_walk(yaml.compose(text), text.splitlines(), ()))
    meanings = {value.path: value.meaning for value in found}
    return [_explained(value, meanings) for value in found]


def table(found: list[Value]) -> str:
    """As the README has it."""
    rows = [f"| `{it.path}` | `{it.default}` | {it.meaning} |\n" for it in found]
    return "| value | default | meaning |\n|---|---|---|\n" + "".join(rows)


def _walk(node: yaml.MappingNode, lines: list[str], above: tuple[str, ...]) -> Iterator[Value]:
    for key, value in node.value:
        path = (*above, key.value)
        meaning = _comment_above(lines, key.start_mark.line)
        is_map = isinstance(value, yaml.MappingNode) and value.value and not value.flow_style
        if is_map and key.value not in {"resources", "labels"}:
            yield from _walk(value, lines, path)
        else:
            default = json.dumps(yaml.safe_load(yaml.serialize(value)))
            yield Value(".".join(path), default, meaning)


def _comment_above(lines: list[str], at: int) -> str:
    said: list[str] = []
    while at > 0 and lines[at - 1].strip().startswith("# "):
        at -= 1
        said.insert(0, lines[at].strip().removeprefix("# "))
    text = " ".join(said)
    return text.partition("-- ")[2] if "-- " in text else ""


def _explained(value: Value, meanings: dict[str, str]) -> Value:
    part, _, rest = value.path.partition(".")
    meaning = value.meaning or meanings.get(f"{_FIRST_PART}.{rest}", "")
    if not meaning and rest.startswith("settings."):
        meaning = f"A setting of {part}, in docs/architecture.md."
    if not meaning:
        raise ValueError(f"values.yaml does not explain {value.path}: write `# -- ...` above it")
    return Value(value.path, value.default, meaning)


def main() -> None:
    """Write the table, or check it."""
    text = README.read_text()
    before, rest = text.split(BEGIN)
    wanted = table(values((CHART / "values.yaml").read_text()))
    new = before + BEGIN + wanted + END + rest.split(END)[1]
    if "--check" not in sys.argv[1:]:
        README.write_text(new)
    elif new != text:
        sys.exit(f"{README} is behind values.yaml; type: .venv/bin/python tools/chart_values.py")


if __name__ == "__main__":
    main()
