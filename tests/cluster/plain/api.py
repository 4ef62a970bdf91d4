"""The API server: objects over HTTPS, as client-go, Helm and the Python client speak it."""

from __future__ import annotations

import asyncio
import base64
import json
import re
import ssl
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import yaml
from aiohttp import web

from tests.cluster.plain import kinds, patches, protobuf
from tests.cluster.plain.access import Access, Ask
from tests.cluster.plain.kinds import Kind
from tests.cluster.plain.pods import allows_eviction, text_of
from tests.cluster.plain.store import Change, Refused, Store, Thing, selects

_VERSION = {"major": "1", "minor": "34", "gitVersion": "v1.34.0", "platform": "linux/amd64"}
_SCHEMA_TYPE = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf"
"""Of a schema that says nothing: what is sent is not held against one."""
_PATH = re.compile(
    "/(?:api|apis/(?P<group>[^/]+))/(?P<version>[^/]+)(?:/namespaces/(?P<namespace>[^/]+))?"
    "/(?P<plural>[^/]+)(?:/(?P<name>[^/]+)(?:/(?P<part>[^/]+))?)?/?"
)
_VERBS = {"GET": "get", "POST": "create", "PUT": "update", "PATCH": "patch", "DELETE": "delete"}
_IMMUTABLE = {kinds.DEPLOYMENT: ("selector",), kinds.STATEFUL_SET: ("selector", "serviceName")}


@dataclass(frozen=True)
class _Target:
    """What a path names."""

    kind: Kind
    namespace: str
    name: str
    part: str
    """Subresource, or empty."""


class Api:
    """`async with Api(...)`: serves until the end of the block."""

    def __init__(
        self, store: Store, access: Access, address: tuple[str, int], context: ssl.SSLContext
    ) -> None:
        self._store = store
        self._access = access
        self._address = address
        self._context = context
        self._applied: dict[tuple[str, str], Thing] = {}
        """What was applied last, by uid and manager."""

    async def __aenter__(self) -> str:
        """Serve; the URL."""
        app = web.Application(client_max_size=8 * 1024 * 1024)
        app.router.add_route("*", "/{path:.*}", self._serve)
        self._runner = web.AppRunner(app, shutdown_timeout=0.1)
        await self._runner.setup()
        host, port = self._address
        await web.TCPSite(self._runner, host, port, ssl_context=self._context).start()
        return f"https://{host}:{port}"

    async def __aexit__(self, *_: object) -> None:
        await self._runner.cleanup()

    async def _serve(self, request: web.Request) -> web.StreamResponse:
        try:
            who = self._access.who(request.headers.get("Authorization", "").partition(" ")[2])
            if request.path == "/openapi/v2":
                return web.Response(content_type=_SCHEMA_TYPE)
            if (page := _discovered(request.path.strip("/").split("/"))) is not None:
                return web.json_response(page)
            target = _target(request.path)
            is_watch = request.query.get("watch") in {"1", "true"}
            if target.kind != kinds.ACCESS_REVIEW:  # what one may do, everybody may ask
                self._access.check(who, _ask(request.method, target, is_watch))
            if is_watch:
                return await self._watch(request, target)
            body = await _body(request)
            if target.kind == kinds.ACCESS_REVIEW:
                return web.json_response(self._review(who, body), status=201)
            status = 201 if request.method == "POST" else 200
            return web.json_response(self._answer(request, target, body), status=status)
        except Refused as refused:
            return _refusal(refused)

    def _answer(self, request: web.Request, target: _Target, body: Any) -> Thing:
        if target.part == "eviction":
            return self._evict(target, body)
        match request.method:
            case "GET" if target.name:
                return _part(self._find(target), target)
            case "GET":
                return self._list(request, target)
            case "POST":
                return self._create(target, body)
            case "PUT":
                return self._put(target, body)
            case "PATCH":
                return self._patch(request, target, body)
            case "DELETE":
                return self._delete(request, target, body or {})
            case _:
                raise Refused(405, "MethodNotAllowed", f"{request.method} is not served here")

    def _find(self, target: _Target) -> Thing:
        return self._store.get(target.kind, target.namespace, target.name)

    def _list(self, request: web.Request, target: _Target) -> Thing:
        found = self._store.list(
            target.kind, target.namespace, request.query.get("labelSelector", "")
        )
        fits = _fields(request.query.get("fieldSelector", ""))
        return {
            "kind": f"{target.kind.name}List",
            "apiVersion": target.kind.api_version,
            "metadata": {"resourceVersion": str(self._store.version)},
            "items": [thing for thing in found if fits(thing)],
        }

    def _create(self, target: _Target, body: Thing) -> Thing:
        return self._store.create(target.kind, target.namespace, _defaulted(target.kind, body))

    def _put(self, target: _Target, body: Thing) -> Thing:
        return self._change(target, self._find(target), body)

    def _change(self, target: _Target, before: Thing, after: Thing) -> Thing:
        """Store a change of an object, of its status alone, or of its scale."""
        if target.part == "scale":
            spec = {**before["spec"], "replicas": after["spec"]["replicas"]}
            version = after["metadata"].get("resourceVersion")
            meta = {**before["metadata"], "resourceVersion": version}
            after = {**before, "metadata": meta, "spec": spec}
        elif target.part == "status":
            after = {**before, "status": after["status"]}
        elif "status" in before:
            after = {**after, "status": before["status"]}
        after = _defaulted(target.kind, after)
        for field in _IMMUTABLE.get(target.kind, ()):
            if after["spec"].get(field) != before["spec"].get(field):
                raise Refused(422, "Invalid", f"spec.{field}: field is immutable")
        return _part(self._store.update(target.kind, before, after), target)

    def _patch(self, request: web.Request, target: _Target, body: Any) -> Thing:
        how = request.content_type
        before = self._store.find(target.kind, target.namespace, target.name)
        if how == "application/apply-patch+yaml":
            return self._apply(request.query.get("fieldManager", ""), target, before, body)
        if before is None:
            raise Refused(404, "NotFound", f'{target.kind.plural} "{target.name}" not found')
        shown = _part(before, target)
        match how:
            case "application/merge-patch+json":
                after = patches.merge(shown, body)
            case "application/strategic-merge-patch+json":
                after = patches.strategic(shown, body)
            case _:
                raise Refused(415, "UnsupportedMediaType", f"{how} is not understood here")
        return self._change(target, before, after)

    def _apply(self, manager: str, target: _Target, before: Thing | None, body: Thing) -> Thing:
        if before is None:
            after = self._create(target, body)
        else:
            former = self._applied.get((before["metadata"]["uid"], manager), {})
            after = self._change(target, before, patches.apply(before, former, body))
        self._applied[after["metadata"]["uid"], manager] = body
        return after

    def _delete(self, request: web.Request, target: _Target, options: Thing) -> Thing:
        found = self._find(target)
        grace = request.query.get("gracePeriodSeconds", options.get("gracePeriodSeconds"))
        return self._store.delete(target.kind, found, None if grace is None else int(grace))

    def _evict(self, target: _Target, body: Thing) -> Thing:
        pod = self._find(target)
        if not allows_eviction(self._store, pod):
            raise Refused(429, "TooManyRequests", "the pod's disruption budget forbids it now")
        grace = (body.get("deleteOptions") or {}).get("gracePeriodSeconds")
        self._store.delete(target.kind, pod, grace)
        return {"kind": "Status", "apiVersion": "v1", "status": "Success"}

    def _review(self, who: str, body: Thing) -> Thing:
        asked = body["spec"]["resourceAttributes"]
        resource = "/".join(filter(None, (asked["resource"], asked.get("subresource"))))
        ask = Ask(asked["verb"], asked.get("group", ""), resource, asked.get("namespace", ""))
        return {**body, "status": {"allowed": self._access.may(who, ask)}}

    async def _watch(self, request: web.Request, target: _Target) -> web.StreamResponse:
        """Changes as they come, until the client has had enough."""
        said = request.query.get("resourceVersion", "")
        labels = selects(request.query.get("labelSelector", ""))
        fields = _fields(request.query.get("fieldSelector", ""))
        wants_all = request.query.get("sendInitialEvents") == "true" or said in {"", "0"}

        def fits(thing: Thing) -> bool:
            its = thing["metadata"]
            return (
                target.namespace in {"", its.get("namespace", "")}
                and labels(its.get("labels") or {})
                and fields(thing)
            )

        queue = self._store.watch(None if wants_all else int(said))
        response = web.StreamResponse(headers={"Content-Type": "application/json"})
        try:
            await response.prepare(request)
            if wants_all:
                for thing in self._store.list(target.kind):
                    if fits(thing):
                        await _send(response, "ADDED", thing)
                await _send(response, "BOOKMARK", self._bookmark(target.kind))
            async with asyncio.timeout(float(request.query.get("timeoutSeconds", 600))):
                while True:
                    change: Change = await queue.get()
                    if change.kind == target.kind and fits(change.thing):
                        await _send(response, change.what, change.thing)
        except (TimeoutError, ConnectionError):
            pass  # the client comes again where it left off
        finally:
            self._store.unwatch(queue)
        return response

    def _bookmark(self, kind: Kind) -> Thing:
        meta = {
            "resourceVersion": str(self._store.version),
            "annotations": {"k8s.io/initial-events-end": "true"},
        }
        return {"kind": kind.name, "apiVersion": kind.api_version, "metadata": meta}


async def _send(response: web.StreamResponse, what: str, thing: Thing) -> None:
    await response.write(json.dumps({"type": what, "object": thing}).encode() + b"\n")


async def _body(request: web.Request) -> Any:
    if not request.can_read_body:
        return None
    body = await request.read()
    try:
        if request.content_type == protobuf.CONTENT_TYPE:
            return protobuf.read(body)
        return yaml.safe_load(body) if "yaml" in request.content_type else json.loads(body)
    except ValueError as error:
        raise Refused(415, "UnsupportedMediaType", f"{request.content_type}: {error}") from None


def _discovered(parts: list[str]) -> Thing | None:
    """The pages that say what there is."""
    match parts:
        case ["version"]:
            return _VERSION
        case ["api"]:
            return {"kind": "APIVersions", "versions": ["v1"]}
        case ["apis"]:
            return kinds.groups()
        case ["api", version]:
            return kinds.resources("", version)
        case ["apis", group, version]:
            return kinds.resources(group, version)
        case _:
            return None


def _target(path: str) -> _Target:
    """What a path names. Raises `Refused`."""
    said = _PATH.fullmatch(path)
    kind = kinds.find(said["group"] or "", said["version"], said["plural"]) if said else None
    if said is None or kind is None:
        raise Refused(404, "NotFound", f"{path} is not served")
    return _Target(kind, said["namespace"] or "", said["name"] or "", said["part"] or "")


def _ask(method: str, target: _Target, is_watch: bool) -> Ask:
    verb = "watch" if is_watch else _VERBS.get(method, method)
    if verb == "get" and not target.name:
        verb = "list"
    resource = "/".join(filter(None, (target.kind.plural, target.part)))
    return Ask(verb, target.kind.group, resource, target.namespace, target.name)


def _part(thing: Thing, target: _Target) -> Thing:
    """An object, or its scale."""
    if target.part != "scale":
        return thing
    meta = {key: thing["metadata"][key] for key in ("name", "namespace", "uid", "resourceVersion")}
    return {
        "kind": "Scale",
        "apiVersion": "autoscaling/v1",
        "metadata": meta,
        "spec": {"replicas": thing["spec"]["replicas"]},
        "status": {
            "replicas": thing.get("status", {}).get("replicas", 0),
            "selector": text_of(thing["spec"]["selector"]["matchLabels"]),
        },
    }


def _defaulted(kind: Kind, thing: Thing) -> Thing:
    """An object with what the API server adds by itself."""
    thing = {key: value for key, value in thing.items() if key != "stringData"} | _data(thing)
    if kind in {kinds.DEPLOYMENT, kinds.STATEFUL_SET}:
        return {**thing, "spec": {"replicas": 1, **thing["spec"]}}
    if kind == kinds.NAMESPACE:
        return {**thing, "status": {"phase": "Active"}}
    return thing


def _data(thing: Thing) -> Thing:
    """A Secret's `stringData` among its data."""
    if "stringData" not in thing:
        return {}
    given = {k: base64.b64encode(v.encode()).decode() for k, v in thing["stringData"].items()}
    return {"data": {**thing.get("data", {}), **given}}


def _fields(selector: str) -> Any:
    """Whether an object fits `metadata.name=x`."""
    wanted = [part.partition("=") for part in selector.split(",") if part]

    def fits(thing: Thing) -> bool:
        for path, _, value in wanted:
            found: Any = thing
            for step in path.split("."):
                with suppress(AttributeError):
                    found = found.get(step)
            if found != value.lstrip("="):
                return False
        return True

    return fits


def _refusal(refused: Refused) -> web.Response:
    body = {
        "kind": "Status",
        "apiVersion": "v1",
        "status": "Failure",
        "message": str(refused),
        "reason": refused.reason,
        "code": refused.status,
    }
    return web.json_response(body, status=refused.status)
