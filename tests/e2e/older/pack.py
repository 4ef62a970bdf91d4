"""`python -m tests.e2e.older.pack COMMIT`: keeps the services as they were, for tests that must not depend on git.

Python alone, as an uncompiled wheel would be: the engine, the messages, and each service that a platform runs. Take
another commit once this build need no longer work beside the one that is packed.
"""

from __future__ import annotations

import io
import subprocess
import sys
import tarfile
from pathlib import Path

HERE = Path(__file__).parent
BUILD = HERE / "build.tar.xz"
_SOURCES = ("engine/src", "services/src")
_LEFT_OUT = tuple(f"arena_services/{name}/" for name in ("cli", "client", "edge", "fleet", "local"))


def _is_kept(path: str) -> bool:
    return path.endswith(".py") and not path.startswith(_LEFT_OUT)


def _sources(commit: str) -> dict[str, bytes]:
    """What the build consists of, by the paths it is imported under."""
    found: dict[str, bytes] = {}
    for source in _SOURCES:
        packed = subprocess.run(
            ["git", "archive", "--format=tar", f"{commit}:{source}"],  # noqa: S607 - git as people have it
            check=True,
            capture_output=True,
            cwd=HERE.parents[2],
        ).stdout
        with tarfile.open(fileobj=io.BytesIO(packed)) as files:
            for member in files:
                if _is_kept(member.name) and (file := files.extractfile(member)) is not None:
                    found[member.name] = file.read()
    return found


def main() -> int:
    """Pack; the same commit always makes the same file."""
    commit = subprocess.run(
        ["git", "rev-parse", "--verify", f"{sys.argv[1]}^{{commit}}"],  # noqa: S607 - git as people have it
        check=True,
        capture_output=True,
        text=True,
        cwd=HERE.parents[2],
    ).stdout.strip()
    files = {"COMMIT": commit.encode(), **_sources(commit)}
    with tarfile.open(BUILD, "w:xz", preset=9) as packed:
        for name, content in sorted(files.items()):
            member = tarfile.TarInfo(name)
            member.size = len(content)
            packed.addfile(member, io.BytesIO(content))
    print(f"{BUILD.name}: {len(files)} files of {commit}, {BUILD.stat().st_size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
