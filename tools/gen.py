"""Generates services/src/arena from proto/. With --check only tells whether it is up to date (exit 1 if not).

The generated code is committed, so that neither an image nor a reader needs the compiler.
"""

from __future__ import annotations

import argparse
import filecmp
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROTO = ROOT / "proto"
TARGET = ROOT / "services" / "src" / "arena"


def generate(target: Path) -> None:
    """Write the whole `arena` package into the folder `target`."""
    protos = sorted(str(path.relative_to(PROTO)) for path in PROTO.rglob("*.proto"))
    services = [path for path in protos if path.endswith("_service.proto")]
    with tempfile.TemporaryDirectory() as scratch:
        _protoc(scratch, ["--python_out", "--mypy_out"], protos)
        _protoc(scratch, ["--grpc_python_out", "--mypy_grpc_out"], services)
        package = Path(scratch) / "arena"
        for folder in [package, *(path for path in package.rglob("*") if path.is_dir())]:
            (folder / "__init__.py").write_text('"""Generated from proto/ by `make gen`."""\n')
        (package / "py.typed").touch()
        shutil.copytree(package, target)


def _protoc(out: str, outputs: list[str], protos: list[str]) -> None:
    # The plug-ins that write the type stubs lie beside this interpreter.
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    command = [sys.executable, "-m", "grpc_tools.protoc", f"-I{PROTO}"]
    command += [f"{output}={'quiet:' if 'mypy' in output else ''}{out}" for output in outputs]
    subprocess.run([*command, *protos], check=True, env={**os.environ, "PATH": path})  # noqa: S603


def differences(left: Path, right: Path) -> list[str]:
    """Relative names of files that are missing on one side or differ."""
    names = {
        str(path.relative_to(top))
        for top in (left, right)
        for path in top.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    return sorted(name for name in names if not _same(left / name, right / name))


def _same(left: Path, right: Path) -> bool:
    return left.is_file() and right.is_file() and filecmp.cmp(left, right, shallow=False)


def main() -> int:
    """Run the command line; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing, exit 1 when stale")
    check = parser.parse_args().check
    with tempfile.TemporaryDirectory() as scratch:
        fresh = Path(scratch) / "arena"
        generate(fresh)
        stale = differences(fresh, TARGET)
        if stale and not check:
            shutil.rmtree(TARGET, ignore_errors=True)
            shutil.copytree(fresh, TARGET)
    for name in stale:
        print(f"{'stale' if check else 'written'}: services/src/arena/{name}")
    if stale and check:
        print("The generated code does not match proto/. Type: make gen", file=sys.stderr)
    return 1 if stale and check else 0


if __name__ == "__main__":
    sys.exit(main())
