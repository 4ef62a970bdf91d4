"""The folder that holds everything a platform must remember: NATS's store, the token key, logs, where things run.

nats/            JetStream's store
nats.conf        written anew at each start; only its owner may read it
nats.key         what the passwords of NATS's users follow from; only its owner may read it
token.key        signs players' and services' tokens; only its owner may read it
logs/NAME.log    output of each process
platform.json    what runs where, while a platform runs
lock             held by the one platform that uses the folder
"""

from __future__ import annotations

import fcntl
import os
import secrets
import time
from hashlib import blake2b
from pathlib import Path
from typing import IO, Self

from arena_services.common.nats import Login
from arena_services.local.errors import DataFolderError, DataFolderInUseError, TokenKeyError

_KEY_BYTES = 32
_LOCK_ATTEMPTS = 5
_LOCK_PAUSE_SECONDS = 0.01


class DataFolder:
    """Held by one platform at a time: `with DataFolder(path) as folder`. The kernel lets go of it when we die."""

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        self._lock: IO[str] | None = None

    def __enter__(self) -> Self:
        """Take hold of it. Raises `DataFolderError` or `DataFolderInUseError`."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            lock = (self.path / "lock").open("a+")
        except OSError as error:
            raise DataFolderError(self.path, error) from error
        if not _lock(lock):
            lock.seek(0)
            holder = lock.read().strip()
            lock.close()
            raise DataFolderInUseError(self.path, int(holder) if holder.isdigit() else None)
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        self._lock = lock
        self.info.unlink(missing_ok=True)  # left by a platform that was killed
        return self

    def __exit__(self, *_: object) -> None:
        """Let go of it."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    @property
    def info(self) -> Path:
        """Where a running platform says what runs where."""
        return self.path / "platform.json"

    def log(self, name: str) -> Path:
        """The log file of a process."""
        return self.path / "logs" / f"{name}.log"

    def nats_login(self, user: str) -> Login:
        """How a user shows itself to NATS; the secret that its password follows from is made at the first call."""
        secret = self._secret(self.path / "nats.key")
        password = blake2b(user.encode(), key=secret.encode(), digest_size=24).hexdigest()
        return Login(user, password)

    def token_key(self) -> str:
        """The key that signs tokens, in hex; made at the first call. Raises `TokenKeyError`."""
        return self._secret(self.path / "token.key")

    def _secret(self, path: Path) -> str:
        """A secret of this folder, in hex; made where it is missing. Raises `TokenKeyError`."""
        if not path.exists():
            # Complete before it has its name: a crash in between leaves no half a key.
            fresh = path.with_suffix(".new")
            write_private(fresh, secrets.token_hex(_KEY_BYTES))
            fresh.rename(path)
        key = path.read_text().strip()
        if len(key) != 2 * _KEY_BYTES:
            raise TokenKeyError(path)
        return key


def write_private(path: Path, text: str) -> None:
    """Write a file anew that only its owner may read."""
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)


def is_held(path: Path) -> bool:
    """Whether a platform uses this data folder now."""
    try:
        with (path / "lock").open("r") as lock:
            return not _try_lock(lock, fcntl.LOCK_SH)
    except OSError:
        return False


def _lock(lock: IO[str]) -> bool:
    for _ in range(_LOCK_ATTEMPTS):
        if _try_lock(lock):
            return True
        time.sleep(_LOCK_PAUSE_SECONDS)  # somebody may just be looking with `is_held`
    return False


def _try_lock(lock: IO[str], kind: int = fcntl.LOCK_EX) -> bool:
    try:
        fcntl.flock(lock, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
