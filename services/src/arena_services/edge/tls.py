"""TLS at the edge: towards people, and towards the parts behind it.

Envoy reads renewed certificates by itself, but only those that it was told of in a file of their own (SDS). Such files
name where certificates and keys are; they hold neither. They are in memory, and handed on as descriptors to the Envoy
that this process becomes: nobody would be left to remove what lay on a disk.

Envoy looks at what a source names whenever anything is moved into a folder of it, as renewals do: where Kubernetes
mounts a Secret it swaps a link there. Certificate and key that do not belong together it passes over.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from arena_services.common.tls import Tls, name_of
from arena_services.edge.config import EdgeSettings

_TLS = "envoy.extensions.transport_sockets.tls.v3"
_PUBLIC, _PART, _AUTHORITY = "public", "part", "authority"

_Json = dict[str, Any]

#: Files with secrets' whereabouts, as descriptors by the secret's name.
Sources = dict[str, int]


def open_sources(settings: EdgeSettings) -> Sources:
    """What `towards_people` and `towards_parts` refer to; open until who inherits them ends."""
    return {name: _in_memory(name, secret) for name, secret in _secrets(settings).items()}


def _in_memory(name: str, secret: _Json) -> int:
    resource = {"@type": f"type.googleapis.com/{_TLS}.Secret", "name": name, **secret}
    descriptor = os.memfd_create(f"arena-edge-{name}", 0)  # without flags: to be inherited
    os.write(descriptor, json.dumps({"resources": [resource]}).encode())
    return descriptor


def towards_people(settings: EdgeSettings, sources: Sources) -> _Json:
    """What a filter chain has for TLS; nothing where people come in plainly."""
    if settings.public_cert_file is None:
        return {}
    return _socket(
        "DownstreamTlsContext",
        alpn_protocols=["h2", "http/1.1"],
        tls_certificate_sds_secret_configs=[_named(sources, _PUBLIC)],
    )


def towards_parts(settings: EdgeSettings, sources: Sources, part: str) -> _Json:
    """What the cluster of a part has for mutual TLS; nothing where parts are reached plainly."""
    if settings.tls is None:
        return {}
    name = name_of(part)
    names = {"match_typed_subject_alt_names": [{"san_type": "DNS", "matcher": {"exact": name}}]}
    return _socket(
        "UpstreamTlsContext",
        {"sni": name},
        alpn_protocols=["h2"],
        tls_certificate_sds_secret_configs=[_named(sources, _PART)],
        combined_validation_context={
            "default_validation_context": names,
            "validation_context_sds_secret_config": _named(sources, _AUTHORITY),
        },
    )


def _secrets(settings: EdgeSettings) -> dict[str, _Json]:
    found: dict[str, _Json] = {}
    if settings.public_cert_file is not None and settings.public_key_file is not None:
        found[_PUBLIC] = _certificate(settings.public_cert_file, settings.public_key_file)
    if settings.tls is not None:
        found[_PART] = _certificate(settings.tls.cert_file, settings.tls.key_file)
        found[_AUTHORITY] = _authority(settings.tls)
    return found


def _certificate(cert: Path, key: Path) -> _Json:
    return {
        "tls_certificate": {
            "certificate_chain": _file(cert),
            "private_key": _file(key),
        }
    }


def _authority(tls: Tls) -> _Json:
    return {"validation_context": {"trusted_ca": _file(tls.ca_file)}}


def _file(path: Path) -> _Json:
    return {"filename": str(path.absolute())}  # links in it are followed anew each time


def _named(sources: Sources, name: str) -> _Json:
    path = f"/dev/fd/{sources[name]}"
    return {"name": name, "sds_config": {"path_config_source": {"path": path}}}


def _socket(kind: str, fields: _Json | None = None, **common: Any) -> _Json:
    config = {"@type": f"type.googleapis.com/{_TLS}.{kind}", "common_tls_context": common}
    return {
        "transport_socket": {
            "name": "envoy.transport_sockets.tls",
            "typed_config": {**config, **(fields or {})},
        }
    }
