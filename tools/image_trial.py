"""Runs what is in the image as a cluster would: as its user, on a root that nobody can write to, with a /tmp alone.

Called by tools/image.sh as root, in a mount namespace of its own. Says `arena version`; starts NATS and every part that
needs no cluster, each once the one before is ready; asks for the page, plays a match, and stops them all by SIGTERM.
Exits 1 with what a part wrote if one does not keep to that.
"""

from __future__ import annotations

import argparse
import json
import os
import secrets
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import ExitStack
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Self

from arena_services.local import nats_users, ports

_READY_SECONDS = 60.0
_STOP_SECONDS = 30.0
_SERVICES = (nats_users.ROOM, nats_users.MATCHMAKING, nats_users.BOT, nats_users.TIMER)
#: Fails where the root can be written to, or where there is what builds.
_LOCKED = """
import errno, pathlib, shutil, sys
try:
    pathlib.Path('/opt/arena/trial').touch()
except OSError as error:
    assert error.errno == errno.EROFS, error
else:
    sys.exit('/opt/arena/trial was written')
found = list(filter(None, map(shutil.which, ('cc', 'gcc', 'ld', 'pip', 'pip3'))))
sys.exit(', '.join(found) or 0)
"""


class TrialError(Exception):
    """The image does not do what it should."""


@dataclass(frozen=True)
class Image:
    """An image whose root is mounted."""

    root: Path
    user: str
    """uid:gid"""
    entry: tuple[str, ...]
    environment: dict[str, str]

    @classmethod
    def read(cls, root: Path, description: Path) -> Image:
        """From what `buildah inspect` wrote into the file `description`."""
        facts = json.loads(description.read_text())["OCIv1"]["config"]
        environment = dict(pair.split("=", 1) for pair in facts["Env"])
        return cls(root, facts["User"], tuple(facts["Entrypoint"]), environment)

    def command(self, *words: str) -> list[str]:
        """What runs `words` inside, in place of the entry."""
        chroot = shutil.which("chroot") or "/usr/sbin/chroot"
        return [chroot, f"--userspec={self.user}", "--groups=", str(self.root), *words]

    def output(self, *arguments: str) -> str:
        """What the entry says to these arguments. Raises `TrialError`."""
        return self.run(*self.entry, *arguments)

    def run(self, *words: str) -> str:
        """What a command inside writes. Raises `TrialError` where it fails."""
        done = subprocess.run(  # noqa: S603 - the image's own
            self.command(*words), env=self.environment, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise TrialError(f"{' '.join(words)} exited {done.returncode}: {done.stderr}")
        return done.stdout


@dataclass(frozen=True)
class Way:
    """How one part is run."""

    part: str
    settings: dict[str, str]
    ready_url: str
    """Answers 200 once it is ready."""


class Part:
    """One part inside: `with Part(image, way) as part: part.wait_ready()`. Stops it at the end."""

    def __init__(self, image: Image, way: Way) -> None:
        self._image = image
        self._way = way
        self._log = image.root / "tmp" / f"{way.part}.log"

    def __enter__(self) -> Self:
        """Start it."""
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(  # noqa: S603 - likewise
                self._image.command(*self._image.entry, self._way.part),
                env={**self._image.environment, **self._way.settings},
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        return self

    def __exit__(self, *_: object) -> None:
        """End it by SIGTERM. Raises `TrialError` where it does not end well, or not in time."""
        self._process.terminate()
        try:
            code = self._process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            raise TrialError(f"arena {self._way.part} did not stop at SIGTERM") from None
        if code:
            raise self._failed(f"exited {code} at SIGTERM")

    def wait_ready(self) -> float:
        """Wait until it says that it is ready; returns the seconds. Raises `TrialError`."""
        began = time.monotonic()
        while time.monotonic() < began + _READY_SECONDS and self._process.poll() is None:
            if _status(self._way.ready_url) == HTTPStatus.OK:
                return time.monotonic() - began
            time.sleep(0.05)
        raise self._failed("did not get ready")

    def _failed(self, how: str) -> TrialError:
        return TrialError(f"arena {self._way.part} {how}:\n{self._log.read_text()}")


def _status(url: str) -> int:
    try:
        with urllib.request.urlopen(url, timeout=2) as answer:  # noqa: S310 - of ours
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code
    except OSError:
        return 0


def main() -> int:
    """Run the command line; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("description", type=Path, help="what `buildah inspect` says of the image")
    parser.add_argument("root", type=Path, help="its root, which mounts are made in")
    args = parser.parse_args()
    mount(args.root)
    try:
        try_out(Image.read(args.root, args.description))
    except TrialError as error:
        print(f"image: {error}", file=sys.stderr)
        return 1
    return 0


def mount(root: Path) -> None:
    """Make `root` what a container with a read-only root and an empty /tmp sees."""
    for words in (
        f"--bind {root} {root}",
        f"--rbind /dev {root}/dev",
        f"-t proc proc {root}/proc",
        f"-t tmpfs -o mode=1777,nosuid,nodev tmpfs {root}/tmp",  # noqa: S108 - a new one
        f"-o remount,bind,ro {root}",
    ):
        subprocess.run([shutil.which("mount") or "/bin/mount", *words.split(" ")], check=True)  # noqa: S603


def try_out(image: Image) -> None:
    """Everything in order. Raises `TrialError`."""
    print(image.output("version"), end="")
    if not json.loads(image.output("version", "--json"))["engine_compiled"]:
        raise TrialError("the engine is not compiled")
    try:
        image.run("python3", "-c", _LOCKED)
    except TrialError as error:
        raise TrialError(f"its root can be written to, or it has what builds: {error}") from None
    ways = lay_out(image.root / "tmp", image.user)
    with ExitStack() as running:
        for way in ways:
            part = running.enter_context(Part(image, way))
            print(f"{way.part:<16} ready after {part.wait_ready():.1f} s")
        edge = ways[-1].settings["ARENA_LISTEN"]
        if _status(f"http://{edge}/") != HTTPStatus.OK:
            raise TrialError("it has no page")
        print(f"{'page':<16} served at /")
        match = json.loads(image.output("demo", "--server", edge, "--json"))
        print(f"{'match':<16} of {match['game']}, {match['moves']} moves in {match['seconds']} s")
    print(f"{'stopped':<16} by SIGTERM, all with exit code 0")


def lay_out(folder: Path, user: str) -> list[Way]:
    """How to run NATS and every part, in the order to start them; their passwords are written to `folder`."""
    free = (f"{ports.HOST}:{port}" for port in ports.find_free(5 + 2 * len(_SERVICES)))
    nats, monitor, peers = next(free), next(free), next(free)
    logins = folder / "logins"
    logins.mkdir()
    for name in (each.name for each in nats_users.USERS):
        (logins / name).write_text(secrets.token_hex(16))
    for path in (logins, *logins.iterdir()):
        os.chown(path, *map(int, user.split(":")))
    settings = {
        "ARENA_NATS_LISTEN": nats,
        "ARENA_NATS_MONITOR_LISTEN": monitor,
        "ARENA_NATS_CLUSTER_LISTEN": peers,
        "ARENA_NATS_STORE_DIR": "/tmp/nats",  # noqa: S108 - inside, where nothing else is
        "ARENA_NATS_LOGINS_DIR": "/tmp/logins",  # noqa: S108
    }
    ways = [Way("nats", settings, f"http://{monitor}/healthz")]
    key = secrets.token_hex(32)
    for name in _SERVICES:
        settings = {
            "ARENA_INSTANCE": f"{name}-trial",
            "ARENA_LISTEN": next(free),
            "ARENA_METRICS_LISTEN": next(free),
            "ARENA_NATS_URL": f"nats://{nats}",
            "ARENA_NATS_USER": name,
            "ARENA_NATS_PASSWORD": (logins / name).read_text(),
            "ARENA_TOKEN_KEY": key,
            "ARENA_BOT_WAIT_MS": "0",
            "ARENA_BOT_THINK_MS": "0",
        }
        ways.append(Way(name, settings, f"http://{settings['ARENA_METRICS_LISTEN']}/readyz"))
    listen = {way.part: way.settings["ARENA_LISTEN"] for way in ways[1:]}
    settings = {
        "ARENA_LISTEN": next(free),
        "ARENA_METRICS_LISTEN": next(free),
        "ARENA_MATCHMAKING_ADDRESSES": listen[nats_users.MATCHMAKING],
        "ARENA_ROOM_ADDRESSES": listen[nats_users.ROOM],
    }
    ways.append(Way("edge", settings, f"http://{settings['ARENA_METRICS_LISTEN']}/ready"))
    return ways


if __name__ == "__main__":
    sys.exit(main())
