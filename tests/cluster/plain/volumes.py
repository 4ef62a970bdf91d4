"""A pod's volumes as folders, and what they hold. Written once: later changes of a Secret do not reach a pod here."""

from __future__ import annotations

import base64
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tests.cluster.plain import kinds
from tests.cluster.plain.store import Store, Thing

ACCOUNT_DIR = "/var/run/secrets/kubernetes.io/serviceaccount"


def make_volumes(
    store: Store, pod: Thing, folder: Path, account: Mapping[str, bytes]
) -> dict[str, Path]:
    """A folder for each volume, by its name. Raises `Refused` where what it holds is not there.

    Args:
        store: Where ConfigMaps and Secrets are.
        pod: Whose volumes.
        folder: Where they are made.
        account: The files by which the pod's ServiceAccount is known.
    """
    group = pod["spec"].get("securityContext", {}).get("fsGroup", 0)
    made: dict[str, Path] = {}
    for volume in pod["spec"].get("volumes", ()):
        path = made[volume["name"]] = folder / volume["name"]
        path.mkdir(parents=True)
        os.chown(path, 0, group)
        if "emptyDir" in volume:
            path.chmod(0o2777)
            continue
        path.chmod(0o755)
        for name, held, mode in _files(store, pod, volume, account):
            _write(path / name, held, mode, group)
    return made


def _files(
    store: Store, pod: Thing, volume: Thing, account: Mapping[str, bytes]
) -> Iterator[tuple[str, bytes, int]]:
    """Name, content and mode of each file."""
    if "projected" in volume:
        projected = volume["projected"]
        for source in projected["sources"]:
            (how,) = source
            inner = {how: {**source[how], "defaultMode": projected.get("defaultMode", 0o644)}}
            yield from _files(store, pod, inner, account)
        return
    (how,) = (key for key in volume if key != "name")
    asked = volume[how]
    mode = asked.get("defaultMode", 0o644)
    if how == "serviceAccountToken":
        yield asked["path"], account["token"], mode
        return
    if how == "downwardAPI":
        for item in asked["items"]:
            yield item["path"], field(pod, item["fieldRef"]["fieldPath"]).encode(), mode
        return
    held = content(store, pod, how, asked.get("secretName") or asked["name"])
    names = {item["key"]: item["path"] for item in asked.get("items", ())} or {k: k for k in held}
    for key, path in names.items():
        yield path, held[key], mode


def content(store: Store, pod: Thing, how: str, name: str) -> dict[str, bytes]:
    """What a ConfigMap (`configMap`) or Secret (`secret`) of the pod's namespace holds. Raises `Refused`."""
    namespace = pod["metadata"]["namespace"]
    if how == "secret":
        data = store.get(kinds.SECRET, namespace, name).get("data", {})
        return {key: base64.b64decode(value) for key, value in data.items()}
    data = store.get(kinds.CONFIG_MAP, namespace, name).get("data", {})
    return {key: value.encode() for key, value in data.items()}


def field(pod: Thing, path: str) -> str:
    """A field of the pod, as the downward API names it."""
    found: Any = pod
    for step in path.split("."):
        found = found[step]
    return str(found)


def _write(path: Path, held: bytes, mode: int, group: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(held)
    path.chmod(mode)
    os.chown(path, 0, group)
