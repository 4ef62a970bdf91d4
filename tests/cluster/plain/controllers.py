"""Deployments and StatefulSets: make the pods that are missing, end those too many, roll from one template to the next.

Between Deployment and pods there is no ReplicaSet; a pod's template is told by its `pod-template-hash`, as always.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import math
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from tests.cluster.plain import kinds
from tests.cluster.plain.kinds import Kind
from tests.cluster.plain.pods import deletion_order, is_active, is_ready
from tests.cluster.plain.store import Store, Thing, now

_HASH = "pod-template-hash"
_REVISION = "controller-revision-hash"
#: What is only a matter of time is looked at again after so long.
_ROUND_SECONDS = 0.5


async def control(store: Store) -> None:
    """Look after everything for ever."""
    while True:
        for deployment in store.list(kinds.DEPLOYMENT):
            _deploy(store, deployment)
        for stateful in store.list(kinds.STATEFUL_SET):
            _keep_set(store, stateful)
        for namespace in store.list(kinds.NAMESPACE):
            if not store.find(kinds.SERVICE_ACCOUNT, namespace["metadata"]["name"], "default"):
                account = {"metadata": {"name": "default"}}
                store.create(kinds.SERVICE_ACCOUNT, namespace["metadata"]["name"], account)
        store.changed.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(_ROUND_SECONDS):
                await store.changed.wait()


def _deploy(store: Store, owner: Thing) -> None:
    spec, pods = owner["spec"], _pods_of(store, owner)
    build = _hash_of(spec["template"])
    new = [pod for pod in pods if pod["metadata"]["labels"][_HASH] == build]
    old = [pod for pod in pods if pod not in new]
    wanted, patience = spec["replicas"], spec.get("minReadySeconds", 0)
    rolling = spec.get("strategy", {}).get("rollingUpdate", {})
    surge = _share(rolling.get("maxSurge", "25%"), wanted, is_up=True)
    missing = _share(rolling.get("maxUnavailable", "25%"), wanted, is_up=False)
    for _ in range(min(wanted - len(new), wanted + surge - len(pods))):
        _make(store, kinds.DEPLOYMENT, owner, build, _HASH)
    for pod in _surplus(new, len(new) - wanted):
        store.delete(kinds.POD, pod)
    able = [pod for pod in pods if is_ready(pod, patience)]
    _retire(store, old, len(able) - (wanted - missing), patience)
    _tell_deployment(store, owner, new, able, pods)


def _surplus(pods: Sequence[Thing], count: int) -> list[Thing]:
    return sorted(pods, key=deletion_order)[: max(0, count)]


def _retire(store: Store, old: Sequence[Thing], spare: int, patience: float) -> None:
    """End pods of the former template: those that are good for nothing, and as many others as can be spared."""
    for pod in sorted(old, key=deletion_order):
        if is_ready(pod, patience):
            if spare <= 0:
                return
            spare -= 1
        store.delete(kinds.POD, pod)


def _tell_deployment(
    store: Store, owner: Thing, new: Sequence[Thing], able: Sequence[Thing], pods: Sequence[Thing]
) -> None:
    wanted = owner["spec"]["replicas"]
    is_done = len(new) == len(pods) == wanted and all(pod in able for pod in new)
    is_able = len(able) >= wanted
    conditions = [
        _condition("Available", is_able, "MinimumReplicasAvailable"),
        _condition(
            "Progressing", True, "NewReplicaSetAvailable" if is_done else "ReplicaSetUpdated"
        ),
    ]
    store.set_status(
        kinds.DEPLOYMENT,
        owner,
        observedGeneration=owner["metadata"]["generation"],
        replicas=len(pods),
        updatedReplicas=len(new),
        readyReplicas=sum(map(is_ready, pods)),
        availableReplicas=len(able),
        unavailableReplicas=max(0, wanted - len(able)),
        conditions=conditions,
    )


def _condition(kind: str, is_so: bool, reason: str) -> Thing:
    return {"type": kind, "status": str(is_so), "reason": reason, "message": ""}


def _keep_set(store: Store, owner: Thing) -> None:
    """All members side by side; a new template goes through them from the last to the first, one at a time."""
    spec, pods = owner["spec"], _pods_of(store, owner)
    build = _hash_of(spec["template"])
    base = owner["metadata"]["name"]
    names = [f"{base}-{number}" for number in range(spec["replicas"])]
    for name in names:
        if store.find(kinds.POD, owner["metadata"]["namespace"], name) is None:
            _make(store, kinds.STATEFUL_SET, owner, build, _REVISION, name)
    for pod in pods:
        if pod["metadata"]["name"] not in names:
            store.delete(kinds.POD, pod)
    old = [pod for pod in pods if pod["metadata"]["labels"][_REVISION] != build]
    others = [pod for pod in pods if pod not in old]
    if old and len(pods) == len(names) and all(map(is_ready, others)):
        store.delete(kinds.POD, max(old, key=lambda pod: names.index(pod["metadata"]["name"])))
    ready = sum(map(is_ready, pods))
    former = owner.get("status", {}).get("currentRevision", build)
    is_done = not old and ready == len(names)
    store.set_status(
        kinds.STATEFUL_SET,
        owner,
        observedGeneration=owner["metadata"]["generation"],
        replicas=len(pods),
        readyReplicas=ready,
        availableReplicas=ready,
        updatedReplicas=len(others),
        currentReplicas=len(others) if is_done else len(old),
        currentRevision=build if is_done else former,
        updateRevision=build,
    )


def _pods_of(store: Store, owner: Thing) -> list[Thing]:
    uid = owner["metadata"]["uid"]
    return [
        pod
        for pod in store.list(kinds.POD, owner["metadata"]["namespace"])
        if is_active(pod)
        and any(each["uid"] == uid for each in pod["metadata"].get("ownerReferences", ()))
    ]


def _make(
    store: Store, kind: Kind, owner: Thing, build: str, label: str, name: str | None = None
) -> None:
    its, template = owner["metadata"], owner["spec"]["template"]
    meta = template["metadata"]
    labels = {**meta["labels"], label: build}
    spec: dict[str, Any] = dict(template["spec"])
    if name is not None:
        spec |= {"hostname": name, "subdomain": owner["spec"]["serviceName"]}
        labels["statefulset.kubernetes.io/pod-name"] = name
    reference = {"apiVersion": kind.api_version, "kind": kind.name, "name": its["name"]}
    pod = {
        "metadata": {
            **({"name": name} if name else {"generateName": f"{its['name']}-{build}-"}),
            "labels": labels,
            "annotations": meta.get("annotations") or {},
            "ownerReferences": [{**reference, "uid": its["uid"], "controller": True}],
        },
        "spec": spec,
        "status": {"phase": "Pending", "startTime": now()},
    }
    store.create(kinds.POD, its["namespace"], pod)


def _hash_of(template: Thing) -> str:
    return hashlib.sha256(json.dumps(template, sort_keys=True).encode()).hexdigest()[:10]


def _share(value: int | str, whole: int, *, is_up: bool) -> int:
    if isinstance(value, int):
        return value
    share = whole * int(value.rstrip("%")) / 100
    return math.ceil(share) if is_up else math.floor(share)
