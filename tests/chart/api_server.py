"""As much of a Kubernetes API server as Helm asks for while it renders: which kinds there are, and some Secrets."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import yaml

from tests.chart.chart import NAMESPACE, Object


@contextmanager
def serving(kinds: set[tuple[str, str]], secrets: Mapping[str, Object]) -> Iterator[str]:
    """Serve kinds, by version and name, and Secrets by name; yields the address."""
    answers = {
        **_discovery(kinds),
        **{
            f"/api/v1/namespaces/{NAMESPACE}/secrets/{name}": each for name, each in secrets.items()
        },
    }

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            answer = answers.get(self.path.partition("?")[0])
            missing = {"kind": "Status", "apiVersion": "v1", "reason": "NotFound", "code": 404}
            body = json.dumps(answer or missing).encode()
            self.send_response(200 if answer else 404)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()


def write_kubeconfig(file: Path, url: str) -> Path:
    """Say how a server is reached."""
    config = {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": "it", "cluster": {"server": url}}],
        "users": [{"name": "it", "user": {}}],
        "contexts": [{"name": "it", "context": {"cluster": "it", "user": "it"}}],
        "current-context": "it",
    }
    file.write_text(yaml.safe_dump(config))
    return file


def _discovery(kinds: set[tuple[str, str]]) -> dict[str, Any]:
    versions = sorted({version for version, _ in kinds})
    groups = [
        {
            "name": version.partition("/")[0],
            "versions": [{"groupVersion": version, "version": version.partition("/")[2]}],
        }
        for version in versions
        if "/" in version
    ]
    lists = {
        f"/apis/{version}" if "/" in version else f"/api/{version}": {
            "kind": "APIResourceList",
            "groupVersion": version,
            "resources": [
                {"name": f"{kind.lower()}s", "namespaced": True, "kind": kind, "verbs": ["get"]}
                for its_version, kind in sorted(kinds)
                if its_version == version
            ],
        }
        for version in versions
    }
    return {
        "/version": {"major": "1", "minor": "36", "gitVersion": "v1.36.0"},
        "/api": {"kind": "APIVersions", "versions": ["v1"]},
        "/apis": {"kind": "APIGroupList", "apiVersion": "v1", "groups": groups},
        **lists,
    }
