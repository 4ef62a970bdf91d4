"""What controllers, the evicter and DNS ask about pods."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from datetime import datetime

from tests.cluster.plain import kinds
from tests.cluster.plain.store import Store, Thing, selects

_COST = "controller.kubernetes.io/pod-deletion-cost"
_PHASES = ("Pending", "Unknown", "Running")


def is_active(pod: Thing) -> bool:
    """Whether its controller counts a pod."""
    over = pod.get("status", {}).get("phase") in {"Succeeded", "Failed"}
    return "deletionTimestamp" not in pod["metadata"] and not over


def ready_since(pod: Thing) -> float | None:
    """Since when a pod is ready, in seconds since the Unix epoch; None for one that is not, or is about to end."""
    for each in pod.get("status", {}).get("conditions", ()):
        if each["type"] == "Ready" and each["status"] == "True" and is_active(pod):
            return datetime.fromisoformat(each["lastTransitionTime"]).timestamp()
    return None


def is_ready(pod: Thing, for_seconds: float = 0.0) -> bool:
    """Whether a pod is ready, and has been for so long."""
    since = ready_since(pod)
    return since is not None and time.time() - since >= for_seconds


def deletion_order(pod: Thing) -> tuple[bool, int, bool, int, float]:
    """Of too many pods those that come first here go first, as a ReplicaSet has it."""
    cost = (pod["metadata"].get("annotations") or {}).get(_COST, "0")
    phase = _PHASES.index(pod.get("status", {}).get("phase", "Pending"))
    number = int(cost) if re.fullmatch(r"-?\d{1,10}", cost) else 0
    since = ready_since(pod)
    return "nodeName" in pod["spec"], phase, since is not None, number, -(since or 0.0)


def text_of(labels: Mapping[str, str]) -> str:
    """Labels as a selector."""
    return ",".join(f"{key}={value}" for key, value in labels.items())


def allows_eviction(store: Store, pod: Thing) -> bool:
    """Whether all budgets of a ready pod have one to spare; pods that are not ready may always go."""
    namespace = pod["metadata"]["namespace"]
    for budget in store.list(kinds.BUDGET, namespace):
        selector = text_of(budget["spec"]["selector"]["matchLabels"])
        if not is_ready(pod) or not selects(selector)(pod["metadata"]["labels"]):
            continue
        ready = [each for each in store.list(kinds.POD, namespace, selector) if is_ready(each)]
        wanted = _expected(store, namespace, selector) - budget["spec"]["maxUnavailable"]
        if len(ready) - 1 < wanted:
            return False
    return True


def _expected(store: Store, namespace: str, selector: str) -> int:
    """How many pods their controllers want."""
    fits = selects(selector)
    return sum(
        owner["spec"]["replicas"]
        for kind in (kinds.DEPLOYMENT, kinds.STATEFUL_SET)
        for owner in store.list(kind, namespace)
        if fits(owner["spec"]["template"]["metadata"]["labels"])
    )
