"""Certificates for tests: an authority of their own and what it signs, by the openssl of the machine."""

from __future__ import annotations

import itertools
import subprocess
from pathlib import Path

from arena_services.common.tls import Tls

_serials = itertools.count(1)
_NEW_KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2")


class Authority:
    """Signs certificates into a folder."""

    def __init__(self, folder: Path, name: str = "authority") -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.file, self._key = folder / f"{name}.crt", folder / f"{name}.key"
        self._folder = folder
        _openssl(*_NEW_KEY, "-subj", f"/CN={name}", "-out", self.file, "-keyout", self._key)

    def sign(self, host: str, name: str, *hosts: str) -> Tls:
        """A certificate for DNS names, in files called `name`; those of an earlier one are replaced."""
        tls = Tls(self._folder / f"{name}.crt", self._folder / f"{name}.key", self.file)
        made = [each.with_suffix(f"{each.suffix}.new") for each in (tls.cert_file, tls.key_file)]
        _openssl(
            *(*_NEW_KEY, "-subj", f"/CN={name}", "-set_serial", str(next(_serials))),
            *("-addext", "subjectAltName=" + ",".join(f"DNS:{each}" for each in (host, *hosts))),
            *("-addext", "basicConstraints=critical,CA:FALSE"),
            *("-CA", self.file, "-CAkey", self._key, "-out", made[0], "-keyout", made[1]),
        )
        for new, file in zip(made, (tls.cert_file, tls.key_file), strict=True):
            new.replace(file)
        return tls


def _openssl(*arguments: str | Path) -> None:
    command = ["openssl", "req", "-x509", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
