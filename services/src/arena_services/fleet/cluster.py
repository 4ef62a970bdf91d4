"""The Kubernetes API as the fleet uses it: one place that turns its failures into ours. Calls run in threads."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

from kubernetes import client, config
from kubernetes.client.exceptions import ApiException
from kubernetes.config import ConfigException
from urllib3.exceptions import HTTPError

from arena_services.fleet.errors import (
    ConflictError,
    ForbiddenError,
    ThrottledError,
    UnreachableError,
)
from arena_services.fleet.rooms import Sight

_CALL_SECONDS = 5.0
_DELETION_COST = "controller.kubernetes.io/pod-deletion-cost"
_LOWEST_COST = "-2147483648"
_WAIT_SECONDS = 2.0
_LONGEST_WAIT_SECONDS = 30.0

_T = TypeVar("_T")


class Cluster:
    """The API server, reached as KUBECONFIG says or as a pod's service account does."""

    def __init__(self, namespace: str) -> None:
        """Raises `UnreachableError` where nothing says how to reach it."""
        self.namespace = namespace
        settings = client.Configuration()
        try:
            config.load_config(client_configuration=settings)  # type: ignore[no-untyped-call]
        except (ConfigException, TypeError) as error:
            raise UnreachableError(f"no cluster is known: {error}") from error
        settings.retries = False  # the fleet looks again by itself
        api = client.ApiClient(settings)
        self.apps = client.AppsV1Api(api)
        self.core = client.CoreV1Api(api)
        self.coordination = client.CoordinationV1Api(api)

    async def call(self, verb: str, resource: str, method: Callable[..., _T], **asked: Any) -> _T:
        """What a call of the API gives. Raises `FleetError`; NotFound included, except where it is asked for."""
        try:
            return await asyncio.to_thread(
                method, namespace=self.namespace, _request_timeout=_CALL_SECONDS, **asked
            )
        except ApiException as error:
            raise self._failure(verb, resource, error) from error
        except (HTTPError, OSError, ValueError) as error:
            raise UnreachableError(f"{verb} {resource}: {error}") from error

    def _failure(self, verb: str, resource: str, error: ApiException) -> Exception:
        match error.status:
            case 403:
                return ForbiddenError(verb, resource, self.namespace)
            case 409:
                return ConflictError(f"{verb} {resource}: somebody else changed it first")
            case 429:
                return ThrottledError(_seconds_in(error))
            case _:
                return UnreachableError(f"{verb} {resource}: {error.status} {error.reason}")


class Deployment:
    """Rooms that are the pods of a Deployment."""

    def __init__(self, cluster: Cluster, name: str, selector: str) -> None:
        self._cluster = cluster
        self._name = name
        self._selector = selector

    async def look(self) -> Sight:
        """See `Rooms`."""
        scale: Any = await self._cluster.call(
            "get",
            "deployments/scale",
            self._cluster.apps.read_namespaced_deployment_scale,
            name=self._name,
        )
        pods: Any = await self._cluster.call(
            "list",
            "pods",
            self._cluster.core.list_namespaced_pod,
            label_selector=self._selector,
        )
        names = frozenset(
            str(pod.metadata.name) for pod in pods.items if pod.metadata.deletion_timestamp is None
        )
        version = str(scale.metadata.resource_version)
        return Sight(int(scale.spec.replicas or 0), names, version)

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

    async def mark(self, name: str) -> None:
        """See `Rooms`."""
        body = {"metadata": {"annotations": {_DELETION_COST: _LOWEST_COST}}}
        await self._cluster.call(
            "patch", "pods", self._cluster.core.patch_namespaced_pod, name=name, body=body
        )


def _seconds_in(error: ApiException) -> float:
    """How long to wait, as an answer says."""
    said = (error.headers or {}).get("Retry-After", "")
    return min(float(said), _LONGEST_WAIT_SECONDS) if said.isdigit() else _WAIT_SECONDS
