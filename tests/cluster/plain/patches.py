"""The four ways in which an object is patched, as far as Helm and the fleet use them."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

#: By which key the items of a list are known again, by the list's name. Other lists are one value.
_KEYS: Mapping[str, tuple[str, ...]] = {
    "containers": ("name",),
    "initContainers": ("name",),
    "env": ("name",),
    "volumes": ("name",),
    "volumeMounts": ("mountPath",),
    "imagePullSecrets": ("name",),
    "conditions": ("type",),
    "ownerReferences": ("uid",),
    "topologySpreadConstraints": ("topologyKey", "whenUnsatisfiable"),
    "ports": ("containerPort", "port", "protocol"),
}


def merge(whole: Any, patch: Any) -> Any:
    """As RFC 7396 merges."""
    if not isinstance(patch, dict):
        return patch
    merged = dict(whole) if isinstance(whole, dict) else {}
    for key, value in patch.items():
        if value is None:
            merged.pop(key, None)
        else:
            merged[key] = merge(merged.get(key), value)
    return merged


def strategic(whole: Any, patch: Any, name: str = "") -> Any:
    """As Kubernetes merges: lists of named things by their names, with directives among the values."""
    if isinstance(patch, list):
        return _strategic_list(whole, patch, name)
    if not isinstance(patch, dict):
        return patch
    if patch.get("$patch") == "replace":
        return {key: value for key, value in patch.items() if key != "$patch"}
    merged = dict(whole) if isinstance(whole, dict) else {}
    if (retained := patch.get("$retainKeys")) is not None:
        merged = {key: value for key, value in merged.items() if key in retained}
    for key, value in patch.items():
        if key.startswith("$deleteFromPrimitiveList/"):
            listed = key.partition("/")[2]
            merged[listed] = [each for each in merged.get(listed, ()) if each not in value]
        elif key.startswith("$"):
            continue
        elif value is None:
            merged.pop(key, None)
        else:
            merged[key] = strategic(merged.get(key), value, key)
    return merged


def _strategic_list(whole: Any, patch: list[Any], name: str) -> list[Any]:
    if not isinstance(whole, list) or name not in _KEYS:
        return [each for each in patch if not _is_directive(each)]
    merged = {_id(each, name): each for each in whole}
    for each in patch:
        if isinstance(each, dict) and each.get("$patch") == "delete":
            merged.pop(_id(each, name), None)
        elif not _is_directive(each):
            merged[_id(each, name)] = strategic(merged.get(_id(each, name)), each)
    return list(merged.values())


def apply(whole: Any, former: Any, wanted: Any) -> Any:
    """What server-side apply makes of an object: `former` is what the same manager applied before, if anything.

    Managers' conflicts are not told: the last one wins.
    """
    return strategic(_without(copy.deepcopy(whole), former, wanted, ""), wanted)


def _without(whole: Any, former: Any, wanted: Any, name: str) -> Any:
    """An object without what is not wanted any more."""
    if isinstance(whole, list) and isinstance(former, list) and name in _KEYS:
        said = wanted if isinstance(wanted, list) else []
        olds = {_id(each, name): each for each in former}
        news = {_id(each, name): each for each in said}
        return [
            _without(each, olds.get(_id(each, name)), news.get(_id(each, name)), "")
            for each in whole
            if _id(each, name) in news or _id(each, name) not in olds
        ]
    if not (isinstance(whole, dict) and isinstance(former, dict) and isinstance(wanted, dict)):
        return whole
    return {
        key: _without(value, former.get(key), wanted.get(key), key)
        for key, value in whole.items()
        if key in wanted or key not in former
    }


def _id(item: Any, name: str) -> Any:
    return tuple(item.get(key) for key in _KEYS[name]) if isinstance(item, dict) else item


def _is_directive(item: Any) -> bool:
    return isinstance(item, dict) and "$patch" in item
