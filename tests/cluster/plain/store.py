"""Keeps all objects: every change makes a new resourceVersion, is told to whoever watches, and wakes the controllers.

What is in the store is never changed in place; whoever changes something stores a copy.
"""

from __future__ import annotations

import asyncio
import copy
import itertools
import re
import uuid
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from tests.cluster.plain.kinds import NAMESPACE, POD, Kind

Thing = dict[str, Any]
"""An object as in JSON."""

_HISTORY = 4000
#: A part of a selector: that there is no, or any, such label, or how it has to be one of some values.
_TERM = re.compile(r"(!?)([^\s!=,]+)\s*(?:(==?|!=|in\b|notin\b)\s*(\([^)]*\)|[^\s,]*))?")
_IS_ONE = frozenset({"=", "==", "in"})


class Refused(Exception):  # noqa: N818 - an answer of the API, by its reason
    """The API says no."""

    def __init__(self, status: int, reason: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.reason = reason


@dataclass(frozen=True)
class Change:
    """Something that happened: ADDED, MODIFIED or DELETED."""

    version: int
    what: str
    kind: Kind
    thing: Thing


class Store:
    """All objects of the cluster."""

    def __init__(self, history: int = _HISTORY) -> None:
        """`history`: so many changes can be watched from."""
        self.changed = asyncio.Event()
        """Set at every change; whoever waits for it clears it."""
        self._things: dict[tuple[Kind, str, str], Thing] = {}
        self._versions = itertools.count(1)
        self._history: deque[Change] = deque(maxlen=history)
        self._watchers: set[asyncio.Queue[Change]] = set()
        self.version = 0

    def find(self, kind: Kind, namespace: str, name: str) -> Thing | None:
        """An object, or None."""
        return self._things.get((kind, namespace, name))

    def get(self, kind: Kind, namespace: str, name: str) -> Thing:
        """An object. Raises `Refused`."""
        if (found := self.find(kind, namespace, name)) is None:
            raise Refused(404, "NotFound", f'{kind.plural} "{name}" not found')
        return found

    def list(self, kind: Kind, namespace: str = "", selector: str = "") -> list[Thing]:
        """Objects of a namespace, or of all, by their labels."""
        fits = selects(selector)
        return [
            thing
            for (its_kind, its_namespace, _), thing in self._things.items()
            if its_kind == kind
            and namespace in {"", its_namespace}
            and fits(thing["metadata"].get("labels") or {})
        ]

    def create(self, kind: Kind, namespace: str, thing: Thing) -> Thing:
        """Add an object. Raises `Refused` where there is one of that name, or no such namespace."""
        thing = copy.deepcopy(thing)
        meta = thing.setdefault("metadata", {})
        if not meta.get("name"):
            meta["name"] = meta.get("generateName", "") + uuid.uuid4().hex[:5]
        if kind.is_namespaced:
            self.get(NAMESPACE, "", namespace)
            meta["namespace"] = namespace
        if self.find(kind, namespace, meta["name"]) is not None:
            raise Refused(409, "AlreadyExists", f'{kind.plural} "{meta["name"]}" already exists')
        meta.update(uid=str(uuid.uuid4()), creationTimestamp=now(), generation=1)
        thing.update(apiVersion=kind.api_version, kind=kind.name)
        return self._put("ADDED", kind, thing)

    def update(self, kind: Kind, before: Thing, after: Thing) -> Thing:
        """Store what an object has become. Raises `Refused` where `after` names another version than it has."""
        meta = before["metadata"]
        said = after["metadata"].get("resourceVersion")
        if said not in {None, "", meta["resourceVersion"]}:
            raise Refused(409, "Conflict", f'{kind.plural} "{meta["name"]}" has been modified')
        after = copy.deepcopy(after)
        kept = ("uid", "creationTimestamp", "generation", "name", "namespace", "deletionTimestamp")
        after["metadata"].update({key: meta[key] for key in kept if key in meta})
        after["metadata"]["resourceVersion"] = meta["resourceVersion"]
        if after == before:
            return before
        if after.get("spec") != before.get("spec"):
            after["metadata"]["generation"] += 1
        return self._put("MODIFIED", kind, after)

    def set_status(self, kind: Kind, thing: Thing, **fields: Any) -> None:
        """Change fields of the status of an object that is still there."""
        meta = thing["metadata"]
        before = self.find(kind, meta.get("namespace", ""), meta["name"])
        if before is None or before["metadata"]["uid"] != meta["uid"]:
            return
        status = {**before.get("status", {}), **fields}
        if status != before.get("status"):
            self._put("MODIFIED", kind, {**before, "status": status})

    def delete(self, kind: Kind, thing: Thing, grace_seconds: int | None = None) -> Thing:
        """Delete an object; of a pod only say so, for it to end within its grace: see `remove`."""
        meta = thing["metadata"]
        if kind != POD:
            self.remove(kind, thing)
            return thing
        if grace_seconds is None:
            grace_seconds = thing["spec"].get("terminationGracePeriodSeconds", 30)
        left = meta.get("deletionGracePeriodSeconds")
        if left is not None and grace_seconds >= left:
            return thing
        ending = {"deletionTimestamp": now(), "deletionGracePeriodSeconds": grace_seconds}
        return self._put("MODIFIED", kind, {**thing, "metadata": {**meta, **ending}})

    def remove(self, kind: Kind, thing: Thing) -> None:
        """Have an object gone, and then what it owned."""
        meta = thing["metadata"]
        gone = self._things.pop((kind, meta.get("namespace", ""), meta["name"]), None)
        if gone is not None:
            self._tell("DELETED", kind, copy.deepcopy(gone))
        for (its_kind, namespace, _), each in list(self._things.items()):
            owners = [o["uid"] for o in each["metadata"].get("ownerReferences", ())]
            if meta["uid"] in owners or (kind == NAMESPACE and namespace == meta["name"]):
                self.delete(its_kind, each)

    def watch(self, since: int | None) -> asyncio.Queue[Change]:
        """All changes behind a version, or from now on. Raises `Refused` where they are not known any more."""
        queue: asyncio.Queue[Change] = asyncio.Queue()
        if since is not None:
            if self._history and since + 1 < self._history[0].version:
                raise Refused(410, "Expired", f"too old resource version: {since}")
            for change in self._history:
                if change.version > since:
                    queue.put_nowait(change)
        self._watchers.add(queue)
        return queue

    def unwatch(self, queue: asyncio.Queue[Change]) -> None:
        """Tell a watcher nothing more."""
        self._watchers.discard(queue)

    def _put(self, what: str, kind: Kind, thing: Thing) -> Thing:
        meta = thing["metadata"]
        self._things[kind, meta.get("namespace", ""), meta["name"]] = thing
        return self._tell(what, kind, thing)

    def _tell(self, what: str, kind: Kind, thing: Thing) -> Thing:
        self.version = next(self._versions)
        thing["metadata"] = {**thing["metadata"], "resourceVersion": str(self.version)}
        change = Change(self.version, what, kind, thing)
        self._history.append(change)
        for queue in self._watchers:
            queue.put_nowait(change)
        self.changed.set()
        return thing


def now() -> str:
    """As Kubernetes writes times."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def selects(selector: str) -> Callable[[Mapping[str, str]], bool]:
    """Whether labels fit `a=b,c!=d,e,!f,g in (h,i)`."""
    terms = _TERM.findall(selector)
    return lambda labels: all(_fits(labels, *term) for term in terms)


def _fits(labels: Mapping[str, str], no: str, key: str, how: str, values: str) -> bool:
    if not how:
        return (key in labels) != bool(no)
    is_one = labels.get(key) in re.split(r"\s*,\s*", values.strip("() "))
    return is_one == (how in _IS_ONE)
