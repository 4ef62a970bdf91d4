"""What the fleet asks of a Kubernetes API server, over HTTP, with a Deployment's controller behind it.

True to the real one where it matters: every change makes a new resourceVersion, a change that names an old one is
refused, a Deployment's status counts as a change, and of too many pods those go first that a ReplicaSet would delete.
"""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Self

from aiohttp import web

NAMESPACE = "arena"
DEPLOYMENT = "arena-room"
_SELECTOR = {"app.kubernetes.io/instance": "arena", "app.kubernetes.io/component": "room"}
LABELS = {**_SELECTOR, "pod-template-hash": "a"}
_COST = "controller.kubernetes.io/pod-deletion-cost"
_MERGES = {"application/merge-patch+json", "application/strategic-merge-patch+json"}
_REASONS = {
    403: "Forbidden",
    404: "NotFound",
    409: "Conflict",
    410: "Expired",
    415: "UnsupportedMediaType",
}
_PHASES = ("Pending", "Unknown", "Running")


@dataclass(frozen=True)
class Fault:
    """What is answered in place of an answer, or how late."""

    status: int = 0
    retry_after: int | None = None
    seconds: float = 0.0


@dataclass(frozen=True)
class Call:
    """Who asked for what."""

    user: str
    verb: str
    resource: str


class ApiServer:
    """One namespace with one Deployment. `started` and `ended` are called with pods' names."""

    def __init__(self, replicas: int, start_seconds: float = 0.5) -> None:
        self.replicas = replicas
        self.start_seconds = start_seconds
        self.page = 500
        """How many things a list gives at a time, where the caller limits it."""
        self.pods: dict[str, dict[str, Any]] = {}
        self.leases: dict[str, dict[str, Any]] = {}
        self.calls: list[Call] = []
        self.faults: dict[tuple[str, str], list[Fault]] = {}
        """By verb and resource, each used once; the last one for ever where `stays` holds it."""
        self.stays: set[tuple[str, str]] = set()
        self.started: Callable[[str], None] = lambda _name: None
        self.ended: Callable[[str], None] = lambda _name: None
        self._versions = itertools.count(1000)
        self._numbers = itertools.count(1)
        self._version = self._next()
        self._runner: web.AppRunner | None = None
        self._port = 0
        self._starting: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        await self.come_back()
        self.reconcile()
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._starting:
            task.cancel()
        await asyncio.gather(*self._starting, return_exceptions=True)
        await self.leave()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    @property
    def holder(self) -> str:
        """Who holds the Lease; empty where nobody does."""
        return next((str(each["spec"]["holderIdentity"]) for each in self.leases.values()), "")

    def fail(self, verb: str, resource: str, *faults: Fault, stays: bool = False) -> None:
        """Have the next calls fail, or with `stays` every one until `heal`."""
        self.faults[verb, resource] = list(faults)
        if stays:
            self.stays.add((verb, resource))

    def heal(self) -> None:
        """Have nothing fail any more."""
        self.faults.clear()
        self.stays.clear()

    async def leave(self) -> None:
        """Serve nobody: connections are refused."""
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    async def come_back(self) -> None:
        """Serve again, at the same address."""
        apps = f"/apis/apps/v1/namespaces/{NAMESPACE}/deployments/{DEPLOYMENT}/scale"
        leases = f"/apis/coordination.k8s.io/v1/namespaces/{NAMESPACE}/leases"
        pods = f"/api/v1/namespaces/{NAMESPACE}/pods"
        app = web.Application()
        app.add_routes(
            [
                web.get(apps, self._served("get", "deployments/scale", self._get_scale)),
                web.put(apps, self._served("update", "deployments/scale", self._put_scale)),
                web.get(pods, self._served("list", "pods", self._list_pods)),
                web.patch(pods + "/{name}", self._served("patch", "pods", self._patch_pod)),
                web.post(leases, self._served("create", "leases", self._create_lease)),
                web.get(leases + "/{name}", self._served("get", "leases", self._get_lease)),
                web.put(leases + "/{name}", self._served("update", "leases", self._put_lease)),
            ]
        )
        self._runner = web.AppRunner(app, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", self._port, reuse_address=True)
        await site.start()
        self._port = self._runner.addresses[0][1]

    def writes_of(self, user: str) -> list[Call]:
        """What one user has changed, or tried to."""
        reads = {"get", "list"}
        return [call for call in self.calls if call.user == user and call.verb not in reads]

    def active(self) -> list[str]:
        """Names of the pods that are not being ended."""
        return [name for name, pod in self.pods.items() if not _is_ending(pod)]

    def set_ready(self, name: str, ready: bool) -> None:
        """Have a pod's probe pass or fail."""
        pod = self.pods[name]
        pod["status"]["conditions"] = [{"type": "Ready", "status": str(ready)}]
        self._touch(pod)
        self._version = self._next()

    def cost(self, name: str) -> int:
        """What a pod's deletion costs."""
        return int(self.pods[name]["metadata"]["annotations"].get(_COST, 0))

    def reconcile(self) -> None:
        """What the controllers do: make pods that are missing, end those that are too many."""
        for _ in range(self.replicas - len(self.active())):
            self._make()
        for name in sorted(self.active(), key=self._order)[: len(self.active()) - self.replicas]:
            self._end(name)

    def _order(self, name: str) -> tuple[bool, int, bool, int]:
        pod = self.pods[name]
        phase = _PHASES.index(pod["status"]["phase"])
        ready = pod["status"]["conditions"][0]["status"] == "True"
        return "nodeName" in pod["spec"], phase, ready, self.cost(name)

    def _make(self) -> None:
        name = f"{DEPLOYMENT}-{next(self._numbers)}"
        self.pods[name] = {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {
                "name": name,
                "namespace": NAMESPACE,
                "labels": dict(LABELS),
                "annotations": {},
                "resourceVersion": self._next(),
            },
            "spec": {"containers": [{"name": "room"}]},
            "status": {"phase": "Pending", "conditions": [{"type": "Ready", "status": "False"}]},
        }
        task = asyncio.create_task(self._start(name), name=f"start-{name}")
        self._starting.add(task)
        task.add_done_callback(self._starting.discard)

    async def _start(self, name: str) -> None:
        await asyncio.sleep(self.start_seconds)
        pod = self.pods.get(name)
        if pod is not None and not _is_ending(pod):
            pod["spec"]["nodeName"] = "node-1"
            pod["status"]["phase"] = "Running"
            self.set_ready(name, ready=True)
            self.started(name)

    def _end(self, name: str) -> None:
        self.pods[name]["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"
        self._touch(self.pods[name])
        self.ended(name)
        asyncio.get_running_loop().call_later(0.5, self.pods.pop, name)

    def _next(self) -> str:
        return str(next(self._versions))

    def _touch(self, thing: dict[str, Any]) -> None:
        thing["metadata"]["resourceVersion"] = self._next()

    def _served(
        self, verb: str, resource: str, answer: Callable[[web.Request, Any], Any]
    ) -> Callable[[web.Request], Any]:
        async def serve(request: web.Request) -> web.Response:
            user = request.headers.get("Authorization", "").removeprefix("Bearer ")
            self.calls.append(Call(user, verb, resource))
            fault = self._fault(verb, resource)
            await asyncio.sleep(fault.seconds)
            if fault.status:
                return _refusal(fault.status, fault.retry_after)
            body = await request.json() if request.can_read_body else None
            return _answer(answer(request, body))

        return serve

    def _fault(self, verb: str, resource: str) -> Fault:
        waiting = self.faults.get((verb, resource)) or [Fault()]
        is_last = len(waiting) == 1 and (verb, resource) in self.stays
        return waiting[0] if is_last else waiting.pop(0)

    def _get_scale(self, request: web.Request, body: Any) -> Any:
        return {
            "apiVersion": "autoscaling/v1",
            "kind": "Scale",
            "metadata": {
                "name": DEPLOYMENT,
                "namespace": NAMESPACE,
                "resourceVersion": self._version,
            },
            "spec": {"replicas": self.replicas},
            "status": {
                "replicas": len(self.active()),
                "selector": ",".join(f"{key}={value}" for key, value in _SELECTOR.items()),
            },
        }

    def _put_scale(self, request: web.Request, body: Any) -> Any:
        if body["metadata"].get("resourceVersion", self._version) != self._version:
            return 409
        self.replicas, self._version = body["spec"]["replicas"], self._next()
        self.reconcile()
        return self._get_scale(request, body)

    def _list_pods(self, request: web.Request, body: Any) -> Any:
        wanted = [part.partition("=") for part in request.query["labelSelector"].split(",")]
        items = [
            pod
            for pod in self.pods.values()
            if all(pod["metadata"]["labels"].get(key) == value for key, _, value in wanted)
        ]
        start, limit = int(request.query.get("continue", 0)), int(request.query.get("limit", 0))
        end = start + min(limit, self.page) if limit else len(items)
        further = {"continue": str(end)} if end < len(items) else {}
        return {
            "apiVersion": "v1",
            "kind": "PodList",
            "metadata": further,
            "items": items[start:end],
        }

    def _patch_pod(self, request: web.Request, body: Any) -> Any:
        pod = self.pods.get(request.match_info["name"])
        if request.content_type not in _MERGES:
            return 415
        if pod is None:
            return 404
        merged = _merged(pod, body)
        pod.clear()
        pod.update(merged)
        self._touch(pod)
        return pod

    def _create_lease(self, request: web.Request, body: Any) -> Any:
        name = body["metadata"]["name"]
        if name in self.leases:
            return 409
        return self._store_lease(name, body)

    def _get_lease(self, request: web.Request, body: Any) -> Any:
        return self.leases.get(request.match_info["name"], 404)

    def _put_lease(self, request: web.Request, body: Any) -> Any:
        name = request.match_info["name"]
        if name not in self.leases:
            return 404
        said = body["metadata"].get("resourceVersion")
        if said is None:
            return 422
        if said != self.leases[name]["metadata"]["resourceVersion"]:
            return 409
        return self._store_lease(name, body)

    def _store_lease(self, name: str, body: Any) -> Any:
        self.leases[name] = body
        self._touch(body)
        return body


@asynccontextmanager
async def away(server: ApiServer) -> AsyncIterator[None]:
    """Nobody reaches the server within the block."""
    await server.leave()
    try:
        yield
    finally:
        await server.come_back()


def kubeconfig(server: ApiServer, user: str) -> str:
    """A file's text by which `user` reaches a server."""
    context = {"cluster": "here", "user": user}
    return json.dumps(
        {
            "apiVersion": "v1",
            "kind": "Config",
            "current-context": "here",
            "clusters": [{"name": "here", "cluster": {"server": server.url}}],
            "users": [{"name": user, "user": {"token": user}}],
            "contexts": [{"name": "here", "context": context}],
        }
    )


def _is_ending(pod: dict[str, Any]) -> bool:
    return "deletionTimestamp" in pod["metadata"]


def _merged(whole: Any, patch: Any) -> Any:
    """As RFC 7396 merges; the other kind differs in lists alone."""
    if not isinstance(patch, dict):
        return patch
    kept = dict(whole) if isinstance(whole, dict) else {}
    for key, value in patch.items():
        if value is None:
            kept.pop(key, None)
        else:
            kept[key] = _merged(kept.get(key), value)
    return kept


def _answer(said: Any) -> web.Response:
    return _refusal(said) if isinstance(said, int) else web.json_response(said)


def _refusal(status: int, retry_after: int | None = None) -> web.Response:
    body = {
        "apiVersion": "v1",
        "kind": "Status",
        "status": "Failure",
        "reason": _REASONS.get(status, "InternalError"),
        "code": status,
    }
    headers = {} if retry_after is None else {"Retry-After": str(retry_after)}
    return web.json_response(body, status=status, headers=headers)
