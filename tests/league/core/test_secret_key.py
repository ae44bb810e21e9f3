"""The key that signs sessions and links, kept in a file."""

from pathlib import Path

import pytest

from league.secret_key import kept_key


def test_a_key_is_generated_once(tmp_path: Path) -> None:
    key = kept_key(tmp_path / "new")
    assert len(key) >= 50
    assert kept_key(tmp_path / "new") == key


@pytest.mark.parametrize("content", [b"", b"  \n", b"\xff\xfe"])
def test_a_file_without_a_key_gets_a_sentence(content: bytes, tmp_path: Path) -> None:
    """As a machine may leave it that lost power, or a disk that is full."""
    (tmp_path / "secret-key").write_bytes(content)
    with pytest.raises(SystemExit) as told:
        kept_key(tmp_path)
    assert str(tmp_path / "secret-key") in str(told.value)
    assert "delete it" in str(told.value)


def test_a_folder_in_its_place_gets_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "secret-key").mkdir()
    with pytest.raises(SystemExit, match="cannot be read"):
        kept_key(tmp_path)
