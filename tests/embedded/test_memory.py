"""Where the tests themselves keep their servers: in memory, where the machine has room for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support import memory

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "memory"
    place.mkdir()
    monkeypatch.setattr(memory, "MEMORY", place)
    monkeypatch.setattr(memory, "ROOM", 0)
    return tmp_path / "data"


def folders() -> list[Path]:
    return sorted(memory.MEMORY.iterdir())


def test_servers_go_to_memory_and_stay_there(data: Path) -> None:
    memory.use_for_servers(data)
    [folder] = folders()
    assert (data / "servers").resolve() == folder
    memory.use_for_servers(data)
    assert folders() == [folder]


def test_servers_on_disk_stay_on_disk(data: Path) -> None:
    (data / "servers").mkdir(parents=True)
    memory.use_for_servers(data)
    assert not (data / "servers").is_symlink()
    assert folders() == []


def test_without_room_nothing_is_put_into_memory(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "ROOM", 2**70)
    memory.use_for_servers(data)
    assert not (data / "servers").exists()
    assert folders() == []


def test_a_link_to_what_a_restart_has_emptied_is_made_anew(data: Path) -> None:
    data.mkdir()
    (data / "servers").symlink_to(memory.MEMORY / "gone")
    memory.use_for_servers(data)
    assert [(data / "servers").resolve()] == folders()


def test_servers_that_somebody_starts_meanwhile_stay(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another program makes the folder after this one has looked for it."""

    def has_room() -> bool:
        (data / "servers").mkdir()
        return True

    monkeypatch.setattr(memory, "has_room", has_room)
    memory.use_for_servers(data)
    assert not (data / "servers").is_symlink()
    assert folders() == []


def test_folders_of_deleted_data_go_and_those_of_others_stay(data: Path, tmp_path: Path) -> None:
    memory.use_for_servers(data)
    [deleted] = folders()
    (data / "servers").unlink()
    unmarked = memory.MEMORY / f"{memory.PREFIX}new"
    unmarked.mkdir()
    memory.use_for_servers(tmp_path / "other")
    assert deleted not in folders()
    assert unmarked in folders()
