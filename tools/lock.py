"""Writes the lock files requirements/*.txt: exact versions with hashes, and no host, so any index serves them.

With --check only tells, without the network, whether they still fit what the three pyproject.toml files ask for.

runtime.txt  what the services need to run
dev.txt      the same, and the tools
bench.txt    what the benchmarks measure against, on top of dev.txt
browser.txt  what drives a browser in tests, on top of dev.txt
node.txt     what builds the page on machines without a new Node
image.txt    what lints the Dockerfile
chart.txt    Helm and what checks the chart, for an environment of its own

The page's own lock file, services/web/package-lock.json, is npm's to write; it is checked for hosts alone.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
LOCKS = ROOT / "requirements"
OWN = {"arena-engine", "arena-services"}
PAGE_LOCK = ROOT / "services" / "web" / "package-lock.json"
# Which lock file each one has to agree with, in the order in which they are written.
UNDER = {
    "runtime": None,
    "dev": "runtime",
    "bench": "dev",
    "browser": "dev",
    "node": None,
    "image": None,
    "chart": None,
}
HEADER = "# Written by `make lock`; install with --require-hashes.\n"


def wanted() -> dict[str, list[Requirement]]:
    """What each lock file must satisfy directly, by its name."""
    groups = _toml("pyproject.toml")["dependency-groups"]
    runtime = [
        *_toml("engine/pyproject.toml")["project"]["dependencies"],
        *_toml("services/pyproject.toml")["project"]["dependencies"],
    ]
    lists = {**groups, "runtime": runtime, "dev": [*runtime, *groups["dev"]]}
    return {
        name: [req for req in map(Requirement, texts) if canonicalize_name(req.name) not in OWN]
        for name, texts in lists.items()
    }


def _toml(path: str) -> dict[str, dict[str, list[str]]]:
    return tomllib.loads((ROOT / path).read_text())


def lock(name: str, requirements: list[Requirement], under: str | None, *, upgrade: bool) -> None:
    """Resolve `requirements` into requirements/NAME.txt, agreeing with the lock file `under`."""
    target = LOCKS / f"{name}.txt"
    command = [sys.executable, "-m", "piptools", "compile", "--quiet", "--generate-hashes"]
    command += ["--allow-unsafe", "--strip-extras", "--no-header", "--no-annotate"]
    command += ["--no-emit-index-url", "--no-emit-trusted-host", "--no-emit-find-links"]
    command += ["--upgrade"] if upgrade else []
    command += ["--constraint", str(LOCKS / f"{under}.txt")] if under else []
    command += ["--output-file", str(target), "-"]
    text = "\n".join(map(str, requirements))
    subprocess.run(command, input=text, text=True, check=True, cwd=ROOT)  # noqa: S603
    target.write_text(HEADER + target.read_text())


def problems(name: str, requirements: list[Requirement]) -> list[str]:
    """What is wrong with requirements/NAME.txt, one line each."""
    place = f"requirements/{name}.txt"
    text = (LOCKS / f"{name}.txt").read_text()
    pins = dict(re.findall(r"^([A-Za-z0-9._-]+)==([^\s;]+)", text, flags=re.MULTILINE))
    pins = {canonicalize_name(key): version for key, version in pins.items()}
    found = [
        f"{place}: {requirement} is asked for, {pins.get(canonicalize_name(requirement.name))} locked"
        for requirement in requirements
        if not requirement.specifier.contains(pins.get(canonicalize_name(requirement.name), "0"))
        or canonicalize_name(requirement.name) not in pins
    ]
    if re.search(
        r"://|--(extra-)?index-url|--find-links|--trusted-host| @ |^/", text, re.MULTILINE
    ):
        found.append(f"{place}: names a host or a path")
    if text.count("==") > text.count("--hash=sha256:"):
        found.append(f"{place}: has a version without a hash")
    return found


def page_problems() -> list[str]:
    """What is wrong with the page's lock file, one line each."""
    place = PAGE_LOCK.relative_to(ROOT)
    found = []
    for name, package in json.loads(PAGE_LOCK.read_text())["packages"].items():
        if not name:
            continue
        if "resolved" in package:
            found.append(f"{place}: names the host of {name}")
        if "integrity" not in package:
            found.append(f"{place}: has no hash of {name}")
    return found


def main() -> int:
    """Run the command line; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing, exit 1 when stale")
    parser.add_argument("--upgrade", action="store_true", help="take the newest versions")
    args = parser.parse_args()
    lists = wanted()
    if not args.check:
        LOCKS.mkdir(exist_ok=True)
        for name, under in UNDER.items():
            lock(name, lists[name], under, upgrade=args.upgrade)
    found = [line for name in UNDER for line in problems(name, lists[name])]
    found += page_problems()
    print(*found, sep="\n", end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
