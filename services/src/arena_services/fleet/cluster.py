"""The Kubernetes API as the fleet uses it: one place that turns its failures into ours. Calls run in threads."""

from __future__ import annotations

import asyncio
import json
import os
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from kubernetes import client, config
from kubernetes.client.exceptions import ApiException
from kubernetes.config import ConfigException
from urllib3.exceptions import HTTPError

from arena_services.fleet.errors import (
    ConflictError,
    ExpiredError,
    FleetError,
    ForbiddenError,
    NotFoundError,
    ThrottledError,
    UnreachableError,
)
from arena_services.fleet.rooms import Sight, Standing, Turn

_CALL_SECONDS = 5.0
#: At a time, so that no answer takes longer than a call may.
_PODS = 250
_DELETION_COST = "controller.kubernetes.io/pod-deletion-cost"
_BUILD = "pod-template-hash"
_IS_COST = re.compile(r"-?\d{1,10}")
_PHASES = {"Pending": 0, "Unknown": 1, "Running": 2}
_WAIT_SECONDS = 2.0
_LONGEST_WAIT_SECONDS = 30.0


class Cluster:
    """The API server, asked of one namespace."""

    def __init__(self, settings: client.Configuration, namespace: str) -> None:
        self.namespace = namespace
        settings.retries = False  # the fleet looks again by itself
        api = client.ApiClient(settings)
        self.apps = client.AppsV1Api(api)
        self.core = client.CoreV1Api(api)
        self.coordination = client.CoordinationV1Api(api)
        self._quiet_until = 0.0

    async def call(self, verb: str, resource: str, method: Callable[..., Any], **asked: Any) -> Any:
        """What a call gives, as in JSON. Raises `FleetError`, and after a `ThrottledError` asks nothing for a while.

        The client's own models are passed by: they refuse a whole list for one field of one pod that nobody here reads.
        """
        if (left := self._quiet_until - time.monotonic()) > 0:
            raise ThrottledError(left)
        try:
            answer = await asyncio.to_thread(
                method,
                namespace=self.namespace,
                _request_timeout=_CALL_SECONDS,
                _preload_content=False,
                **asked,
            )
            return json.loads(answer.data)
        except ApiException as error:
            raise self._failure(verb, resource, error) from error
        except (HTTPError, OSError, ValueError) as error:
            raise UnreachableError(f"{verb} {resource}: {error}") from error

    def _failure(self, verb: str, resource: str, error: ApiException) -> FleetError:
        match error.status:
            case 403:
                return ForbiddenError(verb, resource, self.namespace)
            case 404:
                return NotFoundError(f"{verb} {resource}: there is none in {self.namespace}")
            case 409:
                return ConflictError(f"{verb} {resource}: somebody else changed it first")
            case 410:
                return ExpiredError(f"{verb} {resource}: what was read is too old by now")
            case 429:
                seconds = _seconds_in(error)
                self._quiet_until = time.monotonic() + seconds
                return ThrottledError(seconds)
            case _:
                return UnreachableError(f"{verb} {resource}: {error.status} {error.reason}")


def known_cluster() -> client.Configuration:
    """The cluster of KUBECONFIG, or else the one that this pod runs in. Raises `UnreachableError` for none."""
    settings = client.Configuration()
    is_named = Path(config.KUBE_CONFIG_DEFAULT_LOCATION.split(os.pathsep)[0]).expanduser().exists()
    load = config.load_kube_config if is_named else config.load_incluster_config
    try:
        load(client_configuration=settings)
    except ConfigException as error:
        raise UnreachableError(f"no cluster is known: {error}") from error
    return settings


class Deployment:
    """Rooms that are the pods of a Deployment."""

    def __init__(self, cluster: Cluster, name: str, selector: str = "") -> None:
        """`selector`: labels of its pods; by default those that the Deployment itself goes by."""
        self._cluster = cluster
        self._name = name
        self._selector = selector

    async def look(self) -> Sight:
        """See `Rooms`."""
        scale = await self._cluster.call(
            "get",
            "deployments/scale",
            self._cluster.apps.read_namespaced_deployment_scale,
            name=self._name,
        )
        try:
            return _sight(scale, await self._pods(self._labels(scale)))
        except (KeyError, TypeError, AttributeError) as error:
            raise UnreachableError(f"list pods: an answer without {error}") from error

    def _labels(self, scale: dict[str, Any]) -> str:
        labels = self._selector or (scale.get("status") or {}).get("selector")
        if not labels:
            raise NotFoundError(
                f"get deployments/scale: {self._name} does not say by which labels its pods are found; "
                "set ARENA_FLEET_SELECTOR"
            )
        return str(labels)

    async def _pods(self, labels: str) -> list[dict[str, Any]]:
        """All pods of these labels; from the start again where reading on took too long."""
        try:
            return await self._read_pods(labels)
        except ExpiredError:
            return await self._read_pods(labels)

    async def _read_pods(self, labels: str) -> list[dict[str, Any]]:
        pods: list[dict[str, Any]] = []
        further: dict[str, str] = {}
        while True:
            listed = await self._cluster.call(
                "list",
                "pods",
                self._cluster.core.list_namespaced_pod,
                label_selector=labels,
                limit=_PODS,
                **further,
            )
            pods += listed["items"]
            if not (token := (listed.get("metadata") or {}).get("continue")):
                return pods
            further = {"_continue": str(token)}

    async def scale(self, sight: Sight, to: int) -> None:
        """See `Rooms`."""
        place = {"name": self._name, "namespace": self._cluster.namespace}
        body = {
            "apiVersion": "autoscaling/v1",
            "kind": "Scale",
            "metadata": {**place, "resourceVersion": sight.version},
            "spec": {"replicas": to},
        }
        await self._cluster.call(
            "update",
            "deployments/scale",
            self._cluster.apps.replace_namespaced_deployment_scale,
            name=self._name,
            body=body,
        )

    async def mark(self, name: str, turn: Turn) -> None:
        """See `Rooms`."""
        cost = None if turn is Turn.STAYS else str(int(turn))
        body = {"metadata": {"annotations": {_DELETION_COST: cost}}}
        await self._cluster.call(
            "patch", "pods", self._cluster.core.patch_namespaced_pod, name=name, body=body
        )


def _sight(scale: dict[str, Any], listed: list[dict[str, Any]]) -> Sight:
    pods = [pod for pod in listed if _is_active(pod)]
    builds = {(pod["metadata"].get("labels") or {}).get(_BUILD) for pod in pods}
    replicas = int(scale["spec"].get("replicas", 0))
    return Sight(
        replicas,
        {str(pod["metadata"]["name"]): _standing(pod) for pod in pods},
        str(scale["metadata"]["resourceVersion"]),
        is_settled=len(pods) == replicas and len(builds) == 1,
    )


def _is_active(pod: dict[str, Any]) -> bool:
    """Whether its controller counts it."""
    is_over = pod.get("status", {}).get("phase") in {"Succeeded", "Failed"}
    return "deletionTimestamp" not in pod["metadata"] and not is_over


def _standing(pod: dict[str, Any]) -> Standing:
    """What a ReplicaSet compares first when it has one too many, in its order."""
    status = pod.get("status", {})
    is_ready = any(
        each["type"] == "Ready" and each["status"] == "True"
        for each in status.get("conditions") or ()
    )
    phase = _PHASES.get(status.get("phase", ""), 0)
    cost = (pod["metadata"].get("annotations") or {}).get(_DELETION_COST, "")
    turn = int(cost) if _IS_COST.fullmatch(cost) else Turn.STAYS
    return Standing((bool(pod["spec"].get("nodeName")), phase, is_ready), turn)


def _seconds_in(error: ApiException) -> float:
    """How long to wait, as an answer says."""
    said = (error.headers or {}).get("Retry-After", "")
    return min(float(said), _LONGEST_WAIT_SECONDS) if said.isdigit() else _WAIT_SECONDS
