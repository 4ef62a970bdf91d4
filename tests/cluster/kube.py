"""The cluster's API as the test needs it, objects as in JSON."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from kubernetes import client, config
from kubernetes.client.exceptions import ApiException
from kubernetes.config import ConfigException
from urllib3.exceptions import HTTPError
from yaml import YAMLError

from tests.cluster.errors import CannotRunError

_CALL_SECONDS = 20.0
_FAILURES = 400
_NOT_FOUND = 404

Thing = dict[str, Any]

_PLACES = {
    "pods": "/api/v1",
    "services": "/api/v1",
    "secrets": "/api/v1",
    "configmaps": "/api/v1",
    "deployments": "/apis/apps/v1",
    "statefulsets": "/apis/apps/v1",
    "networkpolicies": "/apis/networking.k8s.io/v1",
}
#: What installing the chart takes, by API group.
_NEEDED = (
    *[("", each) for each in ("secrets", "services", "configmaps", "serviceaccounts", "pods")],
    *[("apps", each) for each in ("deployments", "statefulsets")],
    *[("rbac.authorization.k8s.io", each) for each in ("roles", "rolebindings")],
    ("networking.k8s.io", "networkpolicies"),
    ("policy", "poddisruptionbudgets"),
)


class Kube:
    """The cluster of KUBECONFIG, and one namespace of it."""

    def __init__(self, namespace: str) -> None:
        """Raises `CannotRunError` where KUBECONFIG names no cluster."""
        path = os.environ.get("KUBECONFIG", "")
        if not path:
            raise CannotRunError(
                "KUBECONFIG names no cluster; set it, or PLAIN=1 for a cluster of plain processes on this machine."
            )
        if not any(Path(each).is_file() for each in path.split(os.pathsep)):
            raise CannotRunError(f"KUBECONFIG is {path}, and there is no such file.")
        settings = client.Configuration()
        try:
            load: Any = config.load_kube_config
            load(path, client_configuration=settings)
        except (ConfigException, YAMLError, OSError, TypeError, ValueError) as error:
            raise CannotRunError(f"{path} is no kubeconfig that can be used: {error}.") from error
        settings.retries = False
        self.namespace = namespace
        self._host = settings.host
        self._api = client.ApiClient(settings)

    async def check(self) -> str:
        """See that it answers and lets us install; its version. Raises `CannotRunError`."""
        try:
            version = await self.call("GET", "/version")
        except (HTTPError, OSError) as error:
            raise CannotRunError(
                f"The cluster at {self._host} cannot be reached: {error}"
            ) from error
        except ApiException as error:
            raise CannotRunError(
                f"The cluster at {self._host} does not let us in: {error.status} {error.reason}."
            ) from error
        refused = [each for each in _NEEDED if not await self._may("create", *each)]
        if refused:
            names = ", ".join("/".join(filter(None, each)) for each in refused)
            raise CannotRunError(
                f"KUBECONFIG's user may not create {names} in namespace {self.namespace}; "
                "the test installs the chart, and needs what that takes."
            )
        return str(version.get("gitVersion", "unknown"))

    async def _may(self, verb: str, group: str, resource: str) -> bool:
        asked = {
            "namespace": self.namespace,
            "verb": verb,
            "group": group,
            "resource": resource,
        }
        body = {
            "apiVersion": "authorization.k8s.io/v1",
            "kind": "SelfSubjectAccessReview",
            "spec": {"resourceAttributes": asked},
        }
        path = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"
        try:
            return bool((await self.call("POST", path, body))["status"]["allowed"])
        except ApiException:
            return True  # nobody to ask: we shall see

    async def make_namespace(self) -> bool:
        """Make the namespace; False where it was there before. Raises `CannotRunError`."""
        with suppress(ApiException):
            await self.call("GET", f"/api/v1/namespaces/{self.namespace}")
            return False
        try:
            await self.call("POST", "/api/v1/namespaces", {"metadata": {"name": self.namespace}})
        except ApiException as error:
            raise CannotRunError(
                f"Namespace {self.namespace} cannot be made ({error.status} {error.reason}); "
                "name one that is there: NAMESPACE=..."
            ) from error
        return True

    async def remove_namespace(self) -> None:
        """Have the namespace gone, with all that is in it."""
        await self._gone(f"/api/v1/namespaces/{self.namespace}")

    async def find_all(self, resource: str, selector: str = "") -> list[Thing]:
        """Objects of the namespace by their labels."""
        found = await self.call("GET", self._path(resource), query={"labelSelector": selector})
        items: list[Thing] = found["items"]
        return items

    async def find(self, resource: str, name: str) -> Thing:
        """One object. Raises ApiException."""
        return await self.call("GET", f"{self._path(resource)}/{name}")

    async def create(self, resource: str, body: Thing) -> None:
        """Add an object to the namespace."""
        await self.call("POST", self._path(resource), body)

    async def remove(self, resource: str, name: str, grace_seconds: int | None = None) -> None:
        """Delete an object; nothing happens where it is not there."""
        query = {} if grace_seconds is None else {"gracePeriodSeconds": str(grace_seconds)}
        await self._gone(f"{self._path(resource)}/{name}", query)

    async def nodes(self) -> list[Thing]:
        """Nodes that take pods; none where we may not know."""
        try:
            found = (await self.call("GET", "/api/v1/nodes"))["items"]
        except ApiException:
            return []
        return [node for node in found if not node.get("spec", {}).get("unschedulable")]

    async def cordon(self, name: str, is_closed: bool) -> None:
        """Have a node take no new pods, or take them again."""
        body = {"spec": {"unschedulable": is_closed or None}}
        await self.call("PATCH", f"/api/v1/nodes/{name}", body)

    async def evict(self, pod: str) -> bool:
        """Ask a pod to leave its node; False where its disruption budget forbids that now."""
        body = {
            "apiVersion": "policy/v1",
            "kind": "Eviction",
            "metadata": {"name": pod, "namespace": self.namespace},
        }
        try:
            await self.call("POST", f"{self._path('pods')}/{pod}/eviction", body)
        except ApiException as error:
            if error.status == 429:
                return False
            if error.status != _NOT_FOUND:
                raise
        return True

    def _path(self, resource: str) -> str:
        return f"{_PLACES[resource]}/namespaces/{self.namespace}/{resource}"

    async def _gone(self, path: str, query: dict[str, str] | None = None) -> None:
        try:
            await self.call("DELETE", path, query=query)
        except ApiException as error:
            if error.status != _NOT_FOUND:
                raise

    async def call(
        self, verb: str, path: str, body: Thing | None = None, query: dict[str, str] | None = None
    ) -> Thing:
        """One call. Raises ApiException and what connections raise."""
        kind = "application/merge-patch+json" if verb == "PATCH" else "application/json"
        request = self._api.param_serialize(
            verb,
            path,
            query_params=list((query or {}).items()),
            header_params={"Accept": "application/json", "Content-Type": kind},
            body=body,
            auth_settings=["BearerToken"],
        )
        answer = await asyncio.to_thread(self._send, request)
        found: Thing = json.loads(answer.data)
        if answer.status >= _FAILURES:
            raise ApiException(status=answer.status, reason=found.get("message", answer.reason))
        return found

    def _send(self, request: Any) -> Any:
        call: Any = self._api.call_api
        answer = call(*request, _request_timeout=_CALL_SECONDS)
        answer.read()
        return answer


def is_ready(pod: Thing) -> bool:
    """Whether a pod is ready and not about to end."""
    conditions: Sequence[Thing] = pod.get("status", {}).get("conditions") or ()
    is_going = "deletionTimestamp" in pod["metadata"]
    return not is_going and any(
        each["type"] == "Ready" and each["status"] == "True" for each in conditions
    )
