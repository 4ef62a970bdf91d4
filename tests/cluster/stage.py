"""The release that is tested: what of it is there, whether it is whole, and the ways into it."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from kubernetes.client.exceptions import ApiException

from arena_services.common.log.reader import LogReader
from arena_services.common.log.streams import stored_partitions
from arena_services.common.nats import Login, connected
from arena_services.local.nats_users import OPERATOR
from tests.cluster.errors import StepError
from tests.cluster.helm import Helm
from tests.cluster.kube import Kube, Thing, is_ready
from tests.cluster.reach import Door, Wanted, is_edge, is_nats

_POLL_SECONDS = 0.5
_FIND_SECONDS = 60.0
_NATS_DOOR = "cluster-test-nats"


@dataclass(frozen=True)
class Stage:
    """The release, on its cluster."""

    kube: Kube
    helm: Helm
    say: Callable[[str], None]
    wait_seconds: float
    edge_given: str = ""
    nats_given: str = ""

    def selector(self, part: str = "") -> str:
        """Labels of the release's objects, or of a part's."""
        own = f"app.kubernetes.io/instance={self.helm.release}"
        return f"{own},app.kubernetes.io/component={part}" if part else own

    async def pods(self, part: str) -> list[Thing]:
        """A part's pods that are not about to end."""
        found = await self.kube.find_all("pods", self.selector(part))
        return [pod for pod in found if "deletionTimestamp" not in pod["metadata"]]

    async def rooms_wanted(self) -> int:
        """How many rooms the Deployment is to have."""
        found = await self.kube.find("deployments", f"{self.name}-room")
        return int(found["spec"]["replicas"])

    @property
    def name(self) -> str:
        """The first part of all names."""
        release = self.helm.release
        return release if "arena" in release else f"{release}-arena"

    async def until_whole(self) -> None:
        """Wait until everything is there and ready, and nothing of a former time. Raises `StepError`."""
        missing: Sequence[str] = ()
        try:
            async with asyncio.timeout(self.wait_seconds):
                while missing := await self._missing():
                    await asyncio.sleep(_POLL_SECONDS)
        except TimeoutError:
            raise StepError(f"after {self.wait_seconds:g} s: {'; '.join(missing)}") from None

    async def _missing(self) -> list[str]:
        missing, count = [], 0
        for resource in ("deployments", "statefulsets"):
            for owner in await self.kube.find_all(resource, self.selector()):
                wanted, status = owner["spec"]["replicas"], owner.get("status", {})
                count += wanted
                counts = [
                    status.get(key, 0) for key in ("replicas", "updatedReplicas", "readyReplicas")
                ]
                if counts != [wanted] * 3:
                    name = owner["metadata"]["name"]
                    missing.append(f"{name} has {counts[2]} ready of {wanted}, {counts[0]} in all")
        pods = await self.kube.find_all("pods", self.selector())
        ready = sum(map(is_ready, pods))
        if ready < count:  # what owners say of their pods may lag
            missing.append(f"{ready} pods are ready of {count}")
        going = [p["metadata"]["name"] for p in pods if "deletionTimestamp" in p["metadata"]]
        return missing + [f"{name} has not ended" for name in going]

    async def kill(self, pod: Thing) -> None:
        """Have a pod gone at once."""
        await self.kube.remove("pods", pod["metadata"]["name"], grace_seconds=0)

    async def ready_pod(self, part: str) -> Thing:
        """Some ready pod of a part. Raises `StepError`."""
        for pod in await self.pods(part):
            if is_ready(pod):
                return pod
        raise StepError(f"no pod of {part} is ready")

    @asynccontextmanager
    async def edge(self) -> AsyncIterator[Door]:
        """The way in for guests."""
        wanted = Wanted(f"{self.name}-edge", 7480, is_edge, self.edge_given, "EDGE")
        async with Door(self.kube, wanted).opened(_FIND_SECONDS) as door:
            yield door

    @asynccontextmanager
    async def log_reader(self) -> AsyncIterator[LogReader]:
        """What reads the stored matches, as an operator, by a Service and a policy of the test's own."""
        await self._open_nats()
        secret = await self.kube.find("secrets", f"{self.name}-nats")
        password = base64.b64decode(secret["data"][OPERATOR]).decode()
        wanted = Wanted(_NATS_DOOR, 4222, is_nats, self.nats_given, "NATS")
        async with (
            Door(self.kube, wanted).opened(_FIND_SECONDS) as door,
            connected(
                f"nats://{door.address}", "cluster-test", _FIND_SECONDS, Login(OPERATOR, password)
            ) as nats,
        ):
            yield LogReader(nats, await stored_partitions(nats.jetstream()) or 1)

    async def _open_nats(self) -> None:
        labels = dict(each.split("=") for each in self.selector("nats").split(","))
        ports = [{"name": "nats", "port": 4222, "targetPort": 4222, "protocol": "TCP"}]
        meta = {"name": _NATS_DOOR, "labels": {"app.kubernetes.io/instance": self.helm.release}}
        service = {
            "apiVersion": "v1",
            "kind": "Service",
            "metadata": meta,
            "spec": {"type": "NodePort", "selector": labels, "ports": ports},
        }
        policy = {
            "apiVersion": "networking.k8s.io/v1",
            "kind": "NetworkPolicy",
            "metadata": meta,
            "spec": {
                "podSelector": {"matchLabels": labels},
                "policyTypes": ["Ingress"],
                "ingress": [{"ports": [{"port": 4222, "protocol": "TCP"}]}],
            },
        }
        for resource, body in (("services", service), ("networkpolicies", policy)):
            try:
                await self.kube.create(resource, body)
            except ApiException as error:
                if error.status != 409:
                    raise

    async def close_nats(self) -> None:
        """Take back what was opened to read logs."""
        await self.kube.remove("services", _NATS_DOOR)
        await self.kube.remove("networkpolicies", _NATS_DOOR)

    async def leftovers(self) -> list[str]:
        """What of the release is still there."""
        found = []
        for resource in (
            "pods",
            "services",
            "configmaps",
            "deployments",
            "statefulsets",
            "secrets",
        ):
            found += [
                f"{resource}/{each['metadata']['name']}"
                for each in await self.kube.find_all(resource, self.selector())
            ]
        return found
