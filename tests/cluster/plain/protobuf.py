"""The little that Helm sends as protobuf and not as JSON: the Secrets in which it keeps its releases."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Any

CONTENT_TYPE = "application/vnd.kubernetes.protobuf"
_MAGIC = b"k8s\0"
_VARINT, _BYTES = 0, 2


def read(body: bytes) -> dict[str, Any]:
    """A Secret, or options of a delete, as JSON has them. Raises ValueError for anything else."""
    if not body.startswith(_MAGIC):
        raise ValueError("no Kubernetes protobuf")
    envelope = _last(body[len(_MAGIC) :])
    kind = _last(envelope[1])[2].decode()
    fields = list(_fields(envelope[2]))
    if kind == "DeleteOptions":
        return {"gracePeriodSeconds": dict(fields).get(1)}
    if kind != "Secret":
        raise ValueError(f"a {kind} in protobuf is not read here")
    secret: dict[str, Any] = {"data": {}, "type": "Opaque"}
    for number, value in fields:
        match number:
            case 1:
                secret["metadata"] = _metadata(value)
            case 2:
                key, held = _pair(value)
                secret["data"][key] = base64.b64encode(held).decode()
            case 3:
                secret["type"] = value.decode()
    return secret


def _metadata(data: bytes) -> dict[str, Any]:
    meta: dict[str, Any] = {}
    plain = {1: "name", 3: "namespace", 5: "uid", 6: "resourceVersion"}
    maps = {11: "labels", 12: "annotations"}
    for number, value in _fields(data):
        if number in plain and value:
            meta[plain[number]] = value.decode()
        elif number in maps:
            key, held = _pair(value)
            meta.setdefault(maps[number], {})[key] = held.decode()
    return meta


def _pair(data: bytes) -> tuple[str, bytes]:
    found = _last(data)
    return found.get(1, b"").decode(), found.get(2, b"")


def _last(data: bytes) -> dict[int, Any]:
    return dict(_fields(data))


def _fields(data: bytes) -> Iterator[tuple[int, Any]]:
    """A message's fields by number: ints, and bytes."""
    at = 0
    while at < len(data):
        tag, at = _varint(data, at)
        if tag & 7 == _VARINT:
            value, at = _varint(data, at)
            yield tag >> 3, value
        elif tag & 7 == _BYTES:
            size, at = _varint(data, at)
            yield tag >> 3, data[at : at + size]
            at += size
        else:
            raise ValueError(f"wire type {tag & 7} is not read here")


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at += 1
        if byte < 0x80:
            return value, at
        shift += 7
