"""TLS at the edge: towards people, and towards the parts behind it.

Envoy reads renewed certificates by itself, but only those that it was told of in a file of their own (SDS). Such files
name where certificates and keys are; they hold neither.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from arena_services.common.tls import Tls, name_of
from arena_services.edge.config import EdgeSettings

_TLS = "envoy.extensions.transport_sockets.tls.v3"
_PUBLIC, _PART, _AUTHORITY = "public", "part", "authority"

_Json = dict[str, Any]


def write_sources(settings: EdgeSettings, folder: Path) -> None:
    """Write into a folder what `towards_people` and `towards_parts` refer to."""
    for name, secret in _secrets(settings).items():
        resource = {"@type": f"type.googleapis.com/{_TLS}.Secret", "name": name, **secret}
        _source(folder, name).write_text(json.dumps({"resources": [resource]}))


def towards_people(settings: EdgeSettings, folder: Path) -> _Json:
    """What a filter chain has for TLS; nothing where people come in plainly."""
    if settings.public_cert_file is None:
        return {}
    return _socket(
        "DownstreamTlsContext",
        alpn_protocols=["h2", "http/1.1"],
        tls_certificate_sds_secret_configs=[_named(folder, _PUBLIC)],
    )


def towards_parts(settings: EdgeSettings, folder: Path, part: str) -> _Json:
    """What the cluster of a part has for mutual TLS; nothing where parts are reached plainly."""
    if settings.tls is None:
        return {}
    name = name_of(part)
    names = {"match_typed_subject_alt_names": [{"san_type": "DNS", "matcher": {"exact": name}}]}
    return _socket(
        "UpstreamTlsContext",
        {"sni": name},
        alpn_protocols=["h2"],
        tls_certificate_sds_secret_configs=[_named(folder, _PART)],
        combined_validation_context={
            "default_validation_context": names,
            "validation_context_sds_secret_config": _named(folder, _AUTHORITY),
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
            "certificate_chain": {"filename": str(cert)},
            "private_key": {"filename": str(key)},
            # Kubernetes swaps a link in this folder; the files in it are never written to.
            "watched_directory": {"path": str(cert.parent)},
        }
    }


def _authority(tls: Tls) -> _Json:
    return {
        "validation_context": {
            "trusted_ca": {"filename": str(tls.ca_file)},
            "watched_directory": {"path": str(tls.ca_file.parent)},
        }
    }


def _source(folder: Path, name: str) -> Path:
    return folder / f"{name}.json"


def _named(folder: Path, name: str) -> _Json:
    path = str(_source(folder, name))
    return {"name": name, "sds_config": {"path_config_source": {"path": path}}}


def _socket(kind: str, fields: _Json | None = None, **common: Any) -> _Json:
    config = {"@type": f"type.googleapis.com/{_TLS}.{kind}", "common_tls_context": common}
    return {
        "transport_socket": {
            "name": "envoy.transport_sockets.tls",
            "typed_config": {**config, **(fields or {})},
        }
    }
