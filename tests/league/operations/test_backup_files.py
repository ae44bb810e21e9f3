"""The file of a backup: readable with its key, refused when anything about it is wrong."""

from __future__ import annotations

import io
import json
import random
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeAlias
from zipfile import ZipFile

import pyrage
import pytest

from league.services.core.errors import Refused
from league.services.operations import backup_files
from league.services.operations.backup_files import Manifest, Nowhere

if TYPE_CHECKING:
    from pathlib import Path

    Identity: TypeAlias = pyrage.x25519.Identity

DUMP = random.Random(1).randbytes(300_000)  # noqa: S311 - a dump, no key
KEY = pyrage.x25519.Identity.generate()


def written(path: Path, with_key: Identity | None = None, **changes: Any) -> Path:
    about = {
        "format": 1,
        "made_at": datetime(2026, 11, 1, tzinfo=UTC),
        "postgresql": 18,
        "migrations": {"league": ["0001_initial"]},
        "counts": {"matches": 3},
        "settings": ["SECRET_KEY"],
        "key": str(with_key.to_public()) if with_key else "",
    }
    with backup_files.draft_of(path) as file:
        backup_files.write(file, Manifest(**{**about, **changes}), io.BytesIO(DUMP), with_key)
    return path


def read(path: Path, key: Identity | None = None) -> tuple[Manifest, bytes]:
    sink = io.BytesIO()
    manifest = backup_files.read_manifest(path)
    backup_files.read_dump(path, manifest, sink, key)
    return manifest, sink.getvalue()


def read_or_refused(path: Path, key: Identity | None) -> tuple[Manifest, bytes] | str:
    try:
        return read(path, key)
    except Refused as refusal:
        return refusal.code


@pytest.fixture(params=[None, KEY], ids=["plain", "encrypted"])
def key(request: pytest.FixtureRequest) -> Identity | None:
    return request.param


def test_what_was_written_is_read_again_and_only_the_owner_may(
    tmp_path: Path, key: Identity | None
) -> None:
    path = written(tmp_path / "a", key)
    manifest, dump = read(path, key)
    assert dump == DUMP
    assert manifest.counts == {"matches": 3}
    assert path.stat().st_mode & 0o777 == 0o600
    assert (DUMP[:64] in path.read_bytes()) == (key is None)


def test_other_tools_read_it_too(tmp_path: Path) -> None:
    with ZipFile(written(tmp_path / "a", KEY)) as archive:
        assert archive.namelist() == ["manifest.json", "database.dump.age"]
        assert pyrage.decrypt(archive.read("database.dump.age"), [KEY]) == DUMP


def test_a_file_is_never_overwritten_and_a_failure_leaves_none(tmp_path: Path) -> None:
    path = written(tmp_path / "a")
    before = path.read_bytes()
    with pytest.raises(Refused, match=r"a exists\. Choose another name"):
        written(path)
    assert path.read_bytes() == before
    with pytest.raises(ZeroDivisionError), backup_files.draft_of(tmp_path / "b"):
        raise ZeroDivisionError
    assert [file.name for file in tmp_path.iterdir()] == ["a"]
    with pytest.raises(Refused, match="cannot be written to: No such file or directory"):
        written(tmp_path / "missing" / "a")


def test_wherever_a_file_is_cut_off_it_is_refused(tmp_path: Path, key: Identity | None) -> None:
    whole = written(tmp_path / "a", key).read_bytes()
    cut = tmp_path / "cut"
    for length in [*range(0, len(whole), len(whole) // 40), len(whole) - 1]:
        cut.write_bytes(whole[:length])
        with pytest.raises(Refused, match="damaged or incomplete"):
            read(cut, key)


def test_a_changed_byte_is_noticed_or_means_nothing(tmp_path: Path, key: Identity | None) -> None:
    path = written(tmp_path / "a", key)
    whole, content = path.read_bytes(), read(path, key)
    chance = random.Random(2)  # noqa: S311 - places in a file
    ends = [*range(700), *range(len(whole) - 300, len(whole))]  # all headers and the directory
    for at in [*ends, *(chance.randrange(len(whole)) for _ in range(100))]:
        changed = bytearray(whole)
        changed[at] ^= chance.randrange(1, 256)
        path.write_bytes(changed)
        assert read_or_refused(path, key) in (content, "backup_damaged", "backup_newer"), at


def test_what_is_no_backup_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a"
    with pytest.raises(Refused, match="a cannot be read: No such file or directory"):
        read(path)
    with pytest.raises(Refused, match="cannot be read: Is a directory"):
        read(tmp_path)
    for content in ("", "a text", "{}"):
        path.write_text(content)
        with pytest.raises(Refused, match="damaged or incomplete, or no backup of Laurel"):
            read(path)
    for manifest in ("", "[]", "{}", '{"format": 1}', "{" * 100_000, "\0"):
        with ZipFile(path, "w") as archive:
            archive.writestr("manifest.json", manifest)
        with pytest.raises(Refused, match="damaged or incomplete, or no backup of Laurel"):
            read(path)


def test_a_file_of_a_newer_format_is_refused_whatever_it_contains(tmp_path: Path) -> None:
    with ZipFile(tmp_path / "a", "w") as archive:
        archive.writestr("manifest.json", json.dumps({"format": 2, "new": True}))
    with pytest.raises(Refused, match=r"made by a newer version of Laurel\. Update Laurel first"):
        read(tmp_path / "a")


def test_nothing_in_a_backup_is_compressed(tmp_path: Path) -> None:
    """A small file could otherwise unpack into any amount of data. The dump in it is compressed."""
    with ZipFile(written(tmp_path / "a")) as plain, ZipFile(tmp_path / "b", "w", 8) as packed:
        for name in plain.namelist():
            packed.writestr(name, plain.read(name))
    with pytest.raises(Refused, match="damaged"):
        read(tmp_path / "b")


def test_a_missing_or_wrong_key_is_named(tmp_path: Path) -> None:
    path, other = written(tmp_path / "a", KEY), pyrage.x25519.Identity.generate()
    with pytest.raises(Refused, match=f"It needs the key .* belongs to {KEY.to_public()}"):
        read(path)
    with pytest.raises(Refused, match=f"belongs to {other.to_public()}, and the backup needs"):
        read(path, other)
    relabelled = written(tmp_path / "b", other, key=str(KEY.to_public()))
    with pytest.raises(Refused, match="damaged"):
        read(relabelled, KEY)
    assert read(written(tmp_path / "c"), KEY)[1] == DUMP


@pytest.mark.parametrize(
    "text",
    ["secret", "age1xyz", str(KEY)[:-1], str(KEY) + "Q"],
    ids=["word", "public", "short", "long"],
)
def test_a_key_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(Refused, match="is not a key of age"):
        backup_files.key_from(text)


def test_a_sink_that_is_closed_says_so(tmp_path: Path, key: Identity | None) -> None:
    class Closed(Nowhere):
        def write(self, data: bytes, /) -> int:
            raise BrokenPipeError

    path = written(tmp_path / "a", key)
    with pytest.raises(BrokenPipeError):
        backup_files.read_dump(path, backup_files.read_manifest(path), Closed(), key)


def test_writing_and_reading_take_little_memory(tmp_path: Path, key: Identity | None) -> None:
    import tracemalloc  # noqa: PLC0415 - only here

    class Long(io.RawIOBase):
        left = 30 * 2**20

        def read(self, size: int = -1) -> bytes:
            taken = min(size, self.left)
            self.left -= taken
            return bytes(taken)

    tracemalloc.start()
    with backup_files.draft_of(tmp_path / "a") as file:
        about = Manifest.model_validate(
            {**read(written(tmp_path / "b", key), key)[0].model_dump(), "counts": {}}
        )
        backup_files.write(file, about, Long(), key)  # type: ignore[arg-type] # reads as a file
    backup_files.read_dump(tmp_path / "a", about, Nowhere(), key)
    assert tracemalloc.get_traced_memory()[1] < 4 * 2**20
    tracemalloc.stop()
