"""The cluster of plain processes is as honest as the test needs it."""

from __future__ import annotations

import pytest

from tests.cluster.plain import api, kinds, patches, protobuf
from tests.cluster.plain.access import Access, Ask
from tests.cluster.plain.store import Refused, Store, selects

_LEASE = kinds.find("coordination.k8s.io", "v1", "leases")


def _store() -> Store:
    store = Store(history=10)
    store.create(kinds.NAMESPACE, "", {"metadata": {"name": "arena"}})
    return store


def test_a_change_that_names_an_old_version_is_refused() -> None:
    store = _store()
    first = store.create(kinds.SECRET, "arena", {"metadata": {"name": "s"}, "data": {"a": "1"}})
    store.update(kinds.SECRET, first, {**first, "data": {"a": "2"}})
    now = store.get(kinds.SECRET, "arena", "s")
    with pytest.raises(Refused, match="modified"):
        store.update(kinds.SECRET, now, {**first, "data": {"a": "3"}})


def test_what_was_not_changed_keeps_its_version() -> None:
    store = _store()
    first = store.create(kinds.SECRET, "arena", {"metadata": {"name": "s"}, "data": {"a": "1"}})
    assert store.update(kinds.SECRET, first, first) is first


def test_a_watch_goes_on_behind_a_version_and_expires() -> None:
    store = _store()
    first = store.create(kinds.SECRET, "arena", {"metadata": {"name": "s"}})
    since = store.version
    store.delete(kinds.SECRET, first)
    change = store.watch(since).get_nowait()
    assert (change.what, change.thing["metadata"]["name"]) == ("DELETED", "s")
    for number in range(11):
        store.create(kinds.CONFIG_MAP, "arena", {"metadata": {"name": f"c{number}"}})
    with pytest.raises(Refused, match="too old"):
        store.watch(since)


@pytest.mark.parametrize(
    ("selector", "fits"),
    [
        ("a=1", True),
        ("a=1,b!=1", True),
        ("a==1", True),
        ("a=2", False),
        ("a=", False),
        ("b!=1,a!=1", False),
        ("c!=1", True),
        ("a in (1,2),b", True),
        ("b,a in ( 3, 1 )", True),
        ("in", False),
        ("c notin (1)", True),
        ("a notin (1,2)", False),
        ("!a", False),
        ("c", False),
    ],
)
def test_labels_are_selected(selector: str, fits: bool) -> None:
    assert selects(selector)({"a": "1", "b": "2"}) is fits


def test_applied_fields_that_are_not_wanted_any_more_go_and_others_stay() -> None:
    former = {
        "spec": {"x": 1, "containers": [{"name": "c", "env": [{"name": "A"}, {"name": "B"}]}]}
    }
    whole = {"spec": {"replicas": 5, **former["spec"]}}
    wanted = {"spec": {"containers": [{"name": "c", "env": [{"name": "B", "value": "2"}]}]}}
    assert patches.apply(whole, former, wanted) == {
        "spec": {
            "replicas": 5,
            "containers": [{"name": "c", "env": [{"name": "B", "value": "2"}]}],
        }
    }


def test_a_strategic_patch_knows_lists_by_names_and_directives() -> None:
    whole = {"env": [{"name": "A", "value": "1"}, {"name": "B", "value": "2"}], "args": ["x"]}
    patch = {
        "env": [{"name": "A", "value": "3"}, {"name": "B", "$patch": "delete"}],
        "$setElementOrder/env": [{"name": "A"}],
        "args": ["y"],
    }
    assert patches.strategic(whole, patch) == {
        "env": [{"name": "A", "value": "3"}],
        "args": ["y"],
    }


def test_a_secret_comes_as_protobuf() -> None:
    meta = b"\x0a\x01s" + b"\x5a\x06\x0a\x01k\x12\x01v"
    secret = b"\x0a" + bytes([len(meta)]) + meta + b"\x12\x06\x0a\x01a\x12\x01b" + b"\x1a\x01t"
    types = b"\x0a\x02v1\x12\x06Secret"
    body = b"k8s\0\x0a" + bytes([len(types)]) + types + b"\x12" + bytes([len(secret)]) + secret
    assert protobuf.read(body) == {
        "metadata": {"name": "s", "labels": {"k": "v"}},
        "data": {"a": "Yg=="},
        "type": "t",
    }


def test_options_of_a_delete_come_as_protobuf() -> None:
    types = b"\x12\x0dDeleteOptions"
    start = b"k8s\0\x0a" + bytes([len(types)]) + types + b"\x12"
    assert int(protobuf.read(start + b"\x02\x08\x00")["gracePeriodSeconds"]) == 0
    assert protobuf.read(start + b"\x00") == {}


def test_what_does_not_read_as_protobuf_is_refused() -> None:
    pod = b"\x0a\x05\x12\x03Pod\x12\x00"
    for body in (b"{}", b"k8s\0\xff", b"k8s\0" + pod):
        with pytest.raises(ValueError, match="."):
            protobuf.read(body)


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/api/v1/namespaces", ("namespaces", "", "", "")),
        ("/api/v1/namespaces/arena", ("namespaces", "", "arena", "")),
        ("/api/v1/pods", ("pods", "", "", "")),
        ("/api/v1/namespaces/arena/pods/", ("pods", "arena", "", "")),
        ("/api/v1/namespaces/arena/pods/p/eviction", ("pods", "arena", "p", "eviction")),
        ("/apis/apps/v1/namespaces/a/deployments/d/scale", ("deployments", "a", "d", "scale")),
    ],
)
def test_paths_name_objects(path: str, said: tuple[str, str, str, str]) -> None:
    target = api._target(path)
    assert (target.kind.plural, target.namespace, target.name, target.part) == said


@pytest.mark.parametrize("path", ["/", "/api/v1", "/apis/apps/v1", "/api/v2/pods", "/api/v1/dogs"])
def test_paths_that_name_nothing_are_refused(path: str) -> None:
    with pytest.raises(Refused, match="is not served"):
        api._target(path)


def test_an_account_may_do_what_its_role_says_and_no_more() -> None:
    store = _store()
    assert _LEASE is not None
    rule = {
        "apiGroups": [_LEASE.group],
        "resources": ["leases"],
        "resourceNames": ["mine"],
        "verbs": ["get"],
    }
    store.create(kinds.ROLE, "arena", {"metadata": {"name": "r"}, "rules": [rule]})
    binding = {"roleRef": {"name": "r"}, "subjects": [{"name": "fleet"}]}
    store.create(kinds.ROLE_BINDING, "arena", {"metadata": {"name": "r"}, **binding})
    access = Access(store)
    who = access.who(access.token("arena", "fleet"))
    assert access.may(who, Ask("get", _LEASE.group, "leases", "arena", "mine"))
    assert not access.may(who, Ask("get", _LEASE.group, "leases", "arena", "other"))
    assert not access.may(who, Ask("update", _LEASE.group, "leases", "arena", "mine"))
    with pytest.raises(Refused, match="Unauthorized"):
        access.who("somebody")
