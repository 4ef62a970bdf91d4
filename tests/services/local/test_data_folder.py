from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from arena_services.local.data_folder import DataFolder, is_held
from arena_services.local.errors import DataFolderError, DataFolderInUseError, TokenKeyError
from arena_services.local.info import PlatformInfo, find_running


def test_token_key_is_kept_and_private(tmp_path: Path) -> None:
    with DataFolder(tmp_path / "data") as folder:
        key = folder.token_key()
    with DataFolder(tmp_path / "data") as folder:
        assert folder.token_key() == key
    assert len(bytes.fromhex(key)) == 32
    assert stat.S_IMODE((tmp_path / "data" / "token.key").stat().st_mode) == 0o600


@pytest.mark.parametrize("key", ["", "short", "0" * 63])
def test_a_damaged_token_key_is_named_and_kept(tmp_path: Path, key: str) -> None:
    with DataFolder(tmp_path) as folder:
        (tmp_path / "token.key").write_text(key)
        with pytest.raises(TokenKeyError, match=r"token\.key is damaged.*delete it"):
            folder.token_key()
    assert (tmp_path / "token.key").read_text() == key


def test_folder_in_use_is_refused_with_its_holder(tmp_path: Path) -> None:
    with DataFolder(tmp_path):
        assert is_held(tmp_path)
        with pytest.raises(DataFolderInUseError, match=rf"process {os.getpid()}.*ARENA_DATA_DIR"):
            DataFolder(tmp_path).__enter__()
    assert not is_held(tmp_path)


def test_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(DataFolderError, match="file/data.*ARENA_DATA_DIR"):
        DataFolder(tmp_path / "file" / "data").__enter__()


def test_platform_is_found_while_its_folder_is_held(tmp_path: Path) -> None:
    info = PlatformInfo(
        pid=os.getpid(),
        data_dir=str(tmp_path),
        nats_url="nats://127.0.0.1:7422",
        matchmaking_address="127.0.0.1:7400",
        page_url="http://127.0.0.1:7480/",
        processes=(),
    )
    with DataFolder(tmp_path) as folder:
        assert find_running(tmp_path) is None
        info.write(folder)
        assert find_running(tmp_path) == info
    assert find_running(tmp_path) is None


def test_what_a_killed_platform_left_is_not_found(tmp_path: Path) -> None:
    (tmp_path / "platform.json").write_text("{}")
    with DataFolder(tmp_path):
        assert find_running(tmp_path) is None
        assert not (tmp_path / "platform.json").exists()
