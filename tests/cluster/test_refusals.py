"""What is missing is said in a sentence before anything is installed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cluster.errors import CannotRunError
from tests.cluster.helm import find_program
from tests.cluster.kube import Kube


def test_no_cluster_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KUBECONFIG", raising=False)
    with pytest.raises(CannotRunError, match="KUBECONFIG names no cluster"):
        Kube("arena")


def test_the_file_is_not_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("KUBECONFIG", str(tmp_path / "none"))
    with pytest.raises(CannotRunError, match="there is no such file"):
        Kube("arena")


@pytest.mark.parametrize("text", ["", "nothing of the sort", "a: [", '{"kind": "Config"}'])
def test_the_file_is_no_kubeconfig(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, text: str
) -> None:
    file = tmp_path / "config"
    file.write_text(text)
    monkeypatch.setenv("KUBECONFIG", str(file))
    with pytest.raises(CannotRunError, match="is no kubeconfig"):
        Kube("arena")


async def test_nobody_is_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "config"
    file.write_text(
        json.dumps(
            {
                "kind": "Config",
                "current-context": "c",
                "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}],
                "clusters": [{"name": "c", "cluster": {"server": "http://127.0.0.1:9"}}],
                "users": [{"name": "u", "user": {"token": "t"}}],
            }
        )
    )
    monkeypatch.setenv("KUBECONFIG", str(file))
    with pytest.raises(CannotRunError, match=r"127\.0\.0\.1:9 cannot be reached"):
        await Kube("arena").check()


def test_there_is_no_helm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HELM", "no-such-helm")
    with pytest.raises(CannotRunError, match="which is no program"):
        find_program()
