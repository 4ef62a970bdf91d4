"""Bundles the public contracts for whoever writes a client elsewhere: `make protos` writes build/protos.

arena-protos.binpb is a file descriptor set (with comments), for tools and for clients that read contracts when they
start; arena-protos-<version>.tar.gz holds the .proto files, to generate code from, and a manifest. The same sources
make the same bytes.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import io
import json
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path

from google.protobuf.descriptor_pb2 import FileDescriptorSet

ROOT = Path(__file__).resolve().parent.parent
PROTO = ROOT / "proto"
#: What services say to each other behind the edge is nobody else's business.
INTERNAL = ("arena/room/v1/room_admin_service.proto", "arena/room/v1/room_control_service.proto")


def build(target: Path) -> dict[str, object]:
    """Write descriptor set, manifest and archive into the folder `target`; returns the manifest."""
    target.mkdir(parents=True, exist_ok=True)
    image = target / "arena-protos.binpb"
    buf = Path(sys.executable).with_name("buf")
    command: list[str | Path] = [
        buf,
        "build",
        *(word for path in INTERNAL for word in ("--exclude-path", path)),
        "--output",
        image.absolute(),
    ]
    subprocess.run(command, cwd=PROTO, check=True)  # noqa: S603
    manifest = describe(image.read_bytes())
    text = json.dumps(manifest, indent=2) + "\n"
    (target / "manifest.json").write_text(text)
    archive(target / f"arena-protos-{manifest['version']}.tar.gz", text)
    return manifest


def describe(image: bytes) -> dict[str, object]:
    """What the bundle holds: version, packages with their services, files with their SHA-256."""
    files = FileDescriptorSet.FromString(image).file
    services: dict[str, list[str]] = {}
    for file in files:
        if file.package.startswith("arena."):
            services.setdefault(file.package, []).extend(each.name for each in file.service)
    project = tomllib.loads((ROOT / "services" / "pyproject.toml").read_text())["project"]
    return {
        "name": "arena-protos",
        "version": project["version"],
        "packages": dict(sorted(services.items())),
        "files": {name: digest((PROTO / name).read_bytes()) for name in sources()},
        "descriptor_set": {"name": "arena-protos.binpb", "sha256": digest(image)},
    }


def sources() -> list[str]:
    """The public .proto files, relative to proto/."""
    found = (str(path.relative_to(PROTO)) for path in PROTO.rglob("*.proto"))
    return sorted(name for name in found if name not in INTERNAL)


def archive(path: Path, manifest: str) -> None:
    """Write the .proto files and the manifest as an archive that depends on nothing but them."""
    contents = {name: (PROTO / name).read_bytes() for name in sources()}
    contents["manifest.json"] = manifest.encode()
    with (
        path.open("wb") as out,
        gzip.GzipFile(filename="", fileobj=out, mode="wb", mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w") as tar,
    ):
        for name, data in sorted(contents.items()):
            info = tarfile.TarInfo(f"arena-protos/{name}")
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))


def digest(data: bytes) -> str:
    """SHA-256 as hex."""
    return hashlib.sha256(data).hexdigest()


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "protos", help="folder")
    target = parser.parse_args().out
    build(target)
    for path in sorted(target.iterdir()):
        print(f"{path.stat().st_size:8,} bytes  {path}")


if __name__ == "__main__":
    main()
