"""The little that Helm sends as protobuf and not as JSON: the Secrets in which it keeps its releases."""

from __future__ import annotations

from typing import Any

import grpc
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import DecodeError

CONTENT_TYPE = "application/vnd.kubernetes.protobuf"
_MAGIC = b"k8s\0"
_kube = grpc.protos("tests/cluster/plain/kube.proto")


def read(body: bytes) -> dict[str, Any]:
    """A Secret, or options of a delete, as JSON has them. Raises ValueError for anything else."""
    if not body.startswith(_MAGIC):
        raise ValueError("no Kubernetes protobuf")
    try:
        envelope = _kube.Unknown.FromString(body[len(_MAGIC) :])
        kind = envelope.type_meta.kind
        if kind not in {"Secret", "DeleteOptions"}:
            raise ValueError(f"a {kind} in protobuf is not read here")
        return MessageToDict(getattr(_kube, kind).FromString(envelope.raw))
    except DecodeError as error:
        raise ValueError(str(error)) from error
