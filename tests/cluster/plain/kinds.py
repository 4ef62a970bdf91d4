"""The kinds of objects that there are, and how clients discover them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

_VERBS = ["create", "delete", "get", "list", "patch", "update", "watch"]


@dataclass(frozen=True)
class Kind:
    """One kind, by the group and version it is served under."""

    name: str
    plural: str
    group: str = ""
    version: str = "v1"
    is_namespaced: bool = True
    subresources: tuple[str, ...] = ()

    @property
    def api_version(self) -> str:
        """As objects have it."""
        return f"{self.group}/{self.version}" if self.group else self.version


NAMESPACE = Kind("Namespace", "namespaces", is_namespaced=False)
POD = Kind("Pod", "pods", subresources=("eviction", "status"))
SERVICE = Kind("Service", "services")
SECRET = Kind("Secret", "secrets")
CONFIG_MAP = Kind("ConfigMap", "configmaps")
SERVICE_ACCOUNT = Kind("ServiceAccount", "serviceaccounts")
NODE = Kind("Node", "nodes", is_namespaced=False)
DEPLOYMENT = Kind("Deployment", "deployments", "apps", subresources=("scale", "status"))
STATEFUL_SET = Kind("StatefulSet", "statefulsets", "apps", subresources=("scale", "status"))
ROLE = Kind("Role", "roles", "rbac.authorization.k8s.io")
ROLE_BINDING = Kind("RoleBinding", "rolebindings", "rbac.authorization.k8s.io")
BUDGET = Kind("PodDisruptionBudget", "poddisruptionbudgets", "policy")
ACCESS_REVIEW = Kind(
    "SelfSubjectAccessReview",
    "selfsubjectaccessreviews",
    "authorization.k8s.io",
    is_namespaced=False,
)

KINDS = (
    *(NAMESPACE, POD, SERVICE, SECRET, CONFIG_MAP, SERVICE_ACCOUNT, NODE, DEPLOYMENT, STATEFUL_SET),
    *(ROLE, ROLE_BINDING, BUDGET, ACCESS_REVIEW),
    Kind("ReplicaSet", "replicasets", "apps"),
    Kind("Lease", "leases", "coordination.k8s.io"),
    Kind("NetworkPolicy", "networkpolicies", "networking.k8s.io"),
    Kind("HorizontalPodAutoscaler", "horizontalpodautoscalers", "autoscaling", "v2"),
)


def find(group: str, version: str, plural: str) -> Kind | None:
    """A kind by where it is served."""
    wanted = (group, version, plural)
    return next((k for k in KINDS if (k.group, k.version, k.plural) == wanted), None)


def groups() -> dict[str, Any]:
    """The answer to /apis."""
    versions = {kind.group: kind.version for kind in KINDS if kind.group}
    return {
        "kind": "APIGroupList",
        "apiVersion": "v1",
        "groups": [
            {"name": group, "versions": [each], "preferredVersion": each}
            for group, version in versions.items()
            for each in [{"groupVersion": f"{group}/{version}", "version": version}]
        ],
    }


def resources(group: str, version: str) -> dict[str, Any] | None:
    """The answer to /api/v1 and /apis/GROUP/VERSION; None where nothing is served there."""
    found = [kind for kind in KINDS if (kind.group, kind.version) == (group, version)]
    if not found:
        return None
    listed = [
        {
            "name": name,
            "singularName": "",
            "namespaced": kind.is_namespaced,
            "kind": kind.name,
            "verbs": _VERBS,
        }
        for kind in found
        for name in (kind.plural, *(f"{kind.plural}/{each}" for each in kind.subresources))
    ]
    return {
        "kind": "APIResourceList",
        "apiVersion": "v1",
        "groupVersion": found[0].api_version,
        "resources": listed,
    }
