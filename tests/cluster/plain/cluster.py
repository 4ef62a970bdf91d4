"""The whole cluster, in one process beside the pods."""

from __future__ import annotations

import asyncio
import os
import shutil
import ssl
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import yaml

from tests.cluster.plain import container, kinds
from tests.cluster.plain.access import Access
from tests.cluster.plain.api import Api
from tests.cluster.plain.controllers import control
from tests.cluster.plain.dns import Dns
from tests.cluster.plain.kubelet import Kubelet
from tests.cluster.plain.store import Store

_API_PORT = 443
_DNS_PORT = 53


@asynccontextmanager
async def cluster(folder: Path, nodes: int) -> AsyncIterator[Path]:
    """Run a cluster while the block runs; yields its kubeconfig, in `folder`, which lies within the project."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "logs").mkdir(parents=True)
    container.make_image(folder)
    # Each cluster has a network of its own: several may run on a machine.
    network = f"127.{64 + os.getpid() % 128}"
    host = f"{network}.0.1"
    store = Store()
    access = Access(store)
    for name in ("default", "kube-system"):
        store.create(kinds.NAMESPACE, "", {"metadata": {"name": name}})
    for number in range(1, nodes + 1):
        _add_node(store, f"node-{number}")
    context = _certificate(folder, host)
    image = container.image_environment(folder, host, _API_PORT)
    ca = (folder / "ca.crt").read_bytes()
    kubelet = Kubelet(store, access, folder, network, host, image, ca)
    loop = asyncio.get_running_loop()
    transport, _ = await loop.create_datagram_endpoint(
        lambda: Dns(store), local_addr=(host, _DNS_PORT)
    )
    controlling = asyncio.create_task(control(store), name="controllers")
    try:
        async with Api(store, access, (host, _API_PORT), context) as url, kubelet.running():
            yield _kubeconfig(folder, url, access.owner_token)
    finally:
        controlling.cancel()
        transport.close()
        shutil.rmtree(folder / "pods", ignore_errors=True)


def _add_node(store: Store, name: str) -> None:
    labels = {"kubernetes.io/hostname": name}
    store.create(kinds.NODE, "", {"metadata": {"name": name, "labels": labels}, "spec": {}})
    node = store.get(kinds.NODE, "", name)
    store.set_status(kinds.NODE, node, conditions=[{"type": "Ready", "status": "True"}])


def _certificate(folder: Path, host: str) -> ssl.SSLContext:
    """A certificate for the API that is its own authority."""
    key, crt = folder / "ca.key", folder / "ca.crt"
    names = f"subjectAltName=IP:{host},DNS:kubernetes.default.svc"
    curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2")
    command = ["openssl", "req", "-x509", *curve, "-subj", "/CN=plain", "-addext", names]
    command += ["-keyout", str(key), "-out", str(crt)]
    subprocess.run(command, check=True, capture_output=True)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(crt, key)
    return context


def _kubeconfig(folder: Path, url: str, token: str) -> Path:
    path = folder / "kubeconfig"
    cluster = {"server": url, "certificate-authority": str(folder / "ca.crt")}
    context = {"cluster": "plain", "user": "owner"}
    config = {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": "plain",
        "clusters": [{"name": "plain", "cluster": cluster}],
        "users": [{"name": "owner", "user": {"token": token}}],
        "contexts": [{"name": "plain", "context": context}],
    }
    path.write_text(yaml.safe_dump(config))
    return path
