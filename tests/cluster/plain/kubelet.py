"""Runs the pods: places them on nodes, which are nothing but names, gives them addresses, starts, probes, ends them."""

from __future__ import annotations

import asyncio
import itertools
import shutil
import signal
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.cluster.plain import container, dns, kinds, volumes
from tests.cluster.plain.access import Access
from tests.cluster.plain.container import Container
from tests.cluster.plain.pods import is_active, text_of
from tests.cluster.plain.probes import Probe
from tests.cluster.plain.store import Refused, Store, Thing, now, selects

#: Pods alike by these are spread over nodes.
_ALIKE = ("app.kubernetes.io/instance", "app.kubernetes.io/component")
_POLL_SECONDS = 0.1
_LONGEST_BACKOFF_SECONDS = 10.0
#: How long a container that fails its liveness probe is given.
_LIVENESS_GRACE_SECONDS = 10.0


@dataclass
class Kubelet:
    """`async with kubelet.running()`: looks after all pods of the store."""

    store: Store
    access: Access
    folder: Path
    """The cluster's, within the project."""
    network: str
    """127.N, in which pods have their addresses."""
    name_server: str
    image: Mapping[str, str]
    """Environment that the image and the cluster set."""
    ca: bytes
    _runs: dict[str, _Run] = field(default_factory=dict)
    _numbers: Any = field(default_factory=lambda: itertools.count(256))

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """While the block runs; at its end all containers are killed."""
        following = asyncio.create_task(self._follow(), name="kubelet")
        try:
            yield
        finally:
            following.cancel()
            for run in self._runs.values():
                run.end(0)
            tasks = [run.task for run in self._runs.values() if run.task]
            if tasks:
                await asyncio.wait(tasks, timeout=10)

    async def _follow(self) -> None:
        while True:
            for pod in self.store.list(kinds.POD):
                self._look_after(pod)
            await asyncio.sleep(_POLL_SECONDS)

    def _look_after(self, pod: Thing) -> None:
        uid = pod["metadata"]["uid"]
        run = self._runs.get(uid)
        if run is None:
            if "deletionTimestamp" in pod["metadata"]:
                self.store.remove(kinds.POD, pod)
            elif (node := self._node_for(pod)) is not None:
                number = next(self._numbers)
                ip = f"{self.network}.{number // 250}.{number % 250 + 1}"
                run = self._runs[uid] = _Run(self, pod, node, ip)
                run.task = asyncio.create_task(run.live(), name=pod["metadata"]["name"])
                run.task.add_done_callback(lambda _: self._runs.pop(uid, None))
        elif "deletionTimestamp" in pod["metadata"]:
            run.end(pod["metadata"]["deletionGracePeriodSeconds"])

    def _node_for(self, pod: Thing) -> str | None:
        """The node with the fewest pods of its sort, and of all; None where there is none that it may be on."""
        counts = {
            node["metadata"]["name"]: [0, 0]
            for node in self.store.list(kinds.NODE)
            if not node["spec"].get("unschedulable")
        }
        labels = pod["metadata"].get("labels") or {}
        fits = selects(text_of({k: v for k, v in labels.items() if k in _ALIKE}))
        for each in self.store.list(kinds.POD):
            node = each["spec"].get("nodeName")
            if is_active(each) and node in counts:
                counts[node][0] += fits(each["metadata"].get("labels") or {})
                counts[node][1] += 1
        anti = pod["spec"].get("affinity", {}).get("podAntiAffinity", {})
        if anti.get("requiredDuringSchedulingIgnoredDuringExecution"):
            counts = {node: count for node, count in counts.items() if not count[0]}
        return min(counts, key=lambda node: counts[node], default=None)

    def account_files(self, pod: Thing) -> dict[str, bytes]:
        """By what the pod's ServiceAccount is known to the API, and knows it."""
        namespace = pod["metadata"]["namespace"]
        account = pod["spec"].get("serviceAccountName", "default")
        token = self.access.token(namespace, account)
        return {"token": token.encode(), "namespace": namespace.encode(), "ca.crt": self.ca}


class _Run:
    """The life of one pod."""

    def __init__(self, kubelet: Kubelet, pod: Thing, node: str, ip: str) -> None:
        self.task: asyncio.Task[None] | None = None
        self._kubelet = kubelet
        self._store = kubelet.store
        self._pod = self._store.update(
            kinds.POD, pod, {**pod, "spec": {**pod["spec"], "nodeName": node}}
        )
        self._ip = ip
        self._folder = kubelet.folder / "pods" / pod["metadata"]["uid"]
        self._ending = asyncio.Event()
        self._until = 0.0
        self._restarts = 0
        self._set(podIP=ip, hostIP=ip, phase="Pending", startTime=now())
        self._set_ready(False)

    def end(self, grace_seconds: float) -> None:
        """Have it end within a time; a second word can only shorten it."""
        until = time.monotonic() + grace_seconds
        self._until = min(self._until, until) if self._ending.is_set() else until
        self._ending.set()

    async def live(self) -> None:
        """From the first start to the end of the pod."""
        try:
            places, environment = await self._prepare()
            for delay in itertools.accumulate(
                itertools.repeat(1.0), lambda d, _: min(2 * d, _LONGEST_BACKOFF_SECONDS)
            ):
                code = await self._run_once(places, environment)
                if self._ending.is_set() or self._is_over(code):
                    break
                self._restarts += 1
                self._set_container({"waiting": {"reason": "CrashLoopBackOff"}})
                await self._pause(delay)
            await self._ending.wait()
        finally:
            self._store.remove(kinds.POD, self._pod)
            shutil.rmtree(self._folder, ignore_errors=True)

    async def _prepare(self) -> tuple[dict[str, Path], dict[str, str]]:
        """Volumes and environment, once all is there that they are made of."""
        while not self._ending.is_set():
            try:
                return self._make_volumes(), container.environment_of(
                    self._store, self._current(), self._kubelet.image
                )
            except (Refused, KeyError) as refused:
                shutil.rmtree(self._folder, ignore_errors=True)
                self._set_container({"waiting": {"reason": "NotThere", "message": str(refused)}})
                await self._pause(0.5)
        return {}, {}

    def _make_volumes(self) -> dict[str, Path]:
        """The pod's own, and two that every pod has: how to resolve names, and its account."""
        pod, kubelet = self._current(), self._kubelet
        account = kubelet.account_files(pod)
        made = volumes.make_volumes(self._store, pod, self._folder, account)
        namespace = pod["metadata"]["namespace"]
        resolver = dns.RESOLVER.format(server=kubelet.name_server, namespace=namespace)
        held = {"resolver": {"resolv.conf": resolver.encode()}}
        if pod["spec"].get("automountServiceAccountToken", True):
            held["account"] = account
        for volume, files in held.items():
            made[volume] = self._folder / volume
            made[volume].mkdir(parents=True)
            for name, content in files.items():
                (made[volume] / name).write_bytes(content)
        return made

    async def _run_once(self, places: dict[str, Path], environment: dict[str, str]) -> int:
        """Start the container and see it to its end; the exit code."""
        if self._ending.is_set():
            return 0
        running = await container.start(self._pod, self._kubelet.folder, places, environment)
        self._set(phase="Running")
        self._set_container({"running": {"startedAt": now()}})
        probing = asyncio.create_task(self._probe(running), name="probe")
        exited = asyncio.create_task(running.wait(), name="container")
        ending = asyncio.create_task(self._ending.wait(), name="ending")
        try:
            await asyncio.wait((exited, ending), return_when=asyncio.FIRST_COMPLETED)
            if not exited.done():
                await self._stop(running, exited)
            return await exited
        finally:
            running.signal(signal.SIGKILL)
            for task in (probing, ending):
                task.cancel()
            self._set_ready(False)

    async def _stop(self, running: Container, exited: asyncio.Task[int]) -> None:
        """As long as the grace lasts: preStop, SIGTERM, and in the end SIGKILL."""
        (spec,) = self._pod["spec"]["containers"]
        sleep = spec.get("lifecycle", {}).get("preStop", {}).get("sleep", {}).get("seconds", 0)
        until = time.monotonic() + sleep
        while time.monotonic() < min(until, self._until) and not exited.done():
            await asyncio.sleep(_POLL_SECONDS)
        if time.monotonic() < self._until:
            running.signal(signal.SIGTERM)
        while time.monotonic() < self._until and not exited.done():
            await asyncio.sleep(_POLL_SECONDS)
        running.signal(signal.SIGKILL)

    async def _probe(self, running: Container) -> None:
        """First the start, then readiness and liveness beside each other."""
        (spec,) = self._pod["spec"]["containers"]
        if (asked := spec.get("startupProbe")) is not None:
            async for passes in Probe(asked, self._ip, spec).changes(passes=False):
                if passes:
                    break
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._watch_readiness(spec), name="readiness")
            tasks.create_task(self._watch_liveness(spec, running), name="liveness")

    async def _watch_readiness(self, spec: Thing) -> None:
        if (asked := spec.get("readinessProbe")) is None:
            self._set_ready(True)
            return
        async for passes in Probe(asked, self._ip, spec).changes(passes=False):
            self._set_ready(passes)

    async def _watch_liveness(self, spec: Thing, running: Container) -> None:
        if (asked := spec.get("livenessProbe")) is None:
            return
        async for passes in Probe(asked, self._ip, spec).changes(passes=True):
            if not passes:
                running.signal(signal.SIGTERM)
                await asyncio.sleep(_LIVENESS_GRACE_SECONDS)
                running.signal(signal.SIGKILL)

    def _is_over(self, code: int) -> bool:
        """Whether a container that has ended is not started again."""
        if self._pod["spec"].get("restartPolicy", "Always") == "Always":
            return False
        self._set(phase="Failed" if code else "Succeeded")
        self._set_container({"terminated": {"exitCode": code, "finishedAt": now()}})
        return True

    async def _pause(self, seconds: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._ending.wait()

    def _current(self) -> Thing:
        meta = self._pod["metadata"]
        return self._store.get(kinds.POD, meta["namespace"], meta["name"])

    def _set(self, **fields: Any) -> None:
        self._store.set_status(kinds.POD, self._pod, **fields)

    def _set_ready(self, is_ready: bool) -> None:
        at = {"lastTransitionTime": now()}
        kinds_of = {"PodScheduled": True, "Ready": is_ready, "ContainersReady": is_ready}
        self._set(
            conditions=[{"type": key, "status": str(so), **at} for key, so in kinds_of.items()]
        )

    def _set_container(self, state: Thing) -> None:
        (spec,) = self._pod["spec"]["containers"]
        status = {
            "name": spec["name"],
            "image": spec["image"],
            "imageID": "",
            "ready": "running" in state,
            "restartCount": self._restarts,
            "state": state,
        }
        self._set(containerStatuses=[status])
