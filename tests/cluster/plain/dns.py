"""Names of Services and of StatefulSets' pods, by UDP: all of them stand for the addresses of pods."""

from __future__ import annotations

import asyncio
import ipaddress
import struct
from typing import Any

from tests.cluster.plain import kinds
from tests.cluster.plain.pods import is_ready, text_of
from tests.cluster.plain.store import Store, Thing

DOMAIN = "cluster.local"
#: What a pod's resolv.conf holds.
RESOLVER = f"""nameserver {{server}}
search {{namespace}}.svc.{DOMAIN} svc.{DOMAIN} {DOMAIN}
options ndots:5 timeout:1
"""
_A = 1
_ANSWER, _NO_NAME = 0x8580, 0x8583
_SECONDS = 2


class Dns(asyncio.DatagramProtocol):
    """Answers for the cluster's domain, and knows nothing else."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._transport: Any = None

    def connection_made(self, transport: Any) -> None:
        """Keep what answers go out by."""
        self._transport = transport

    def datagram_received(self, data: bytes, address: Any) -> None:
        """Answer a question."""
        name, end = _name(data)
        (kind,) = struct.unpack_from("!H", data, end)
        found = self._addresses(name.lower())
        flags = _NO_NAME if found is None else _ANSWER
        addresses = (found or []) if kind == _A else []
        head = data[:2] + struct.pack("!HHHHH", flags, 1, len(addresses), 0, 0)
        body = b"".join(
            struct.pack("!HHHIH", 0xC00C, _A, 1, _SECONDS, 4) + ipaddress.IPv4Address(each).packed
            for each in addresses
        )
        self._transport.sendto(head + data[12 : end + 4] + body, address)

    def _addresses(self, name: str) -> list[str] | None:
        """Addresses of pods; None for no such name."""
        stem, _, rest = name.partition(f".svc.{DOMAIN}")
        parts = stem.split(".")
        if rest or not name.endswith(DOMAIN) or len(parts) not in {2, 3}:
            return None
        *host, service_name, namespace = parts
        service = self._store.find(kinds.SERVICE, namespace, service_name)
        if service is None:
            return None
        pods = [
            pod
            for pod in self._store.list(kinds.POD, namespace, text_of(service["spec"]["selector"]))
            if _is_told(service, pod) and (not host or _is_called(pod, host[0], service_name))
        ]
        if host and not pods:
            return None
        return [pod["status"]["podIP"] for pod in pods]


def _is_told(service: Thing, pod: Thing) -> bool:
    has_address = "podIP" in pod.get("status", {})
    return has_address and (service["spec"].get("publishNotReadyAddresses") or is_ready(pod))


def _is_called(pod: Thing, host: str, service_name: str) -> bool:
    spec = pod["spec"]
    return bool(spec.get("hostname") == host and spec.get("subdomain") == service_name)


def _name(data: bytes) -> tuple[str, int]:
    """The name that is asked for, and where it ends."""
    parts, at = [], 12
    while size := data[at]:
        parts.append(data[at + 1 : at + 1 + size].decode("ascii", "replace"))
        at += 1 + size
    return ".".join(parts), at + 1
