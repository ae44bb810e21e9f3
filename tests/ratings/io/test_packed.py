"""Files that gzip has packed are read as they would be unpacked, up to a limit."""

import gzip
from pathlib import Path

import pytest

from ratings.files.histories import read_history
from ratings.io.csvproblems import CsvError
from ratings.io.csvrows import LARGEST_FILE

OURS = """match_id,played_at,side,place,player
1,2026-01-02T12:00:00+00:00,a,0,Ann
1,2026-01-02T12:00:00+00:00,b,1,Bob
"""
TABLE = "date,home,away,home score,away score\n2026-01-02,Ann,Bob,3,1\n"
PGN = '[White "Ann"]\n[Black "Bob"]\n[Date "2026.01.02"]\n[Result "1-0"]\n\n1. e4 1-0\n'


@pytest.mark.parametrize("text", [OURS, TABLE, PGN])
def test_a_packed_file_is_read_as_the_file(tmp_path: Path, text: str) -> None:
    plain, packed = tmp_path / "plain", tmp_path / "results.gz"
    plain.write_text(text)
    packed.write_bytes(gzip.compress(text.encode()))
    one, other = read_history(plain), read_history(packed)
    assert one.players == other.players == ["Ann", "Bob"]
    assert one.places.tolist() == other.places.tolist()
    assert one.times.tolist() == other.times.tolist()


@pytest.mark.parametrize("text", [OURS, TABLE * 500])
@pytest.mark.parametrize("end", [12, -9, -4])
def test_a_packed_file_that_is_cut_off_says_so(tmp_path: Path, text: str, end: int) -> None:
    packed = tmp_path / "results.gz"
    packed.write_bytes(gzip.compress(text.encode())[:end])
    with pytest.raises(CsvError, match="damaged or cut off"):
        read_history(packed)


def test_a_packed_file_with_other_bytes_inside_is_damaged(tmp_path: Path) -> None:
    content = bytearray(gzip.compress(TABLE.encode()))
    content[20] ^= 0xFF
    packed = tmp_path / "results.gz"
    packed.write_bytes(content)
    with pytest.raises(CsvError):
        read_history(packed)


@pytest.mark.slow
@pytest.mark.parametrize("start", [TABLE, ""])
def test_a_small_file_does_not_unpack_into_more_than_the_limit(tmp_path: Path, start: str) -> None:
    packed = tmp_path / "bomb.gz"
    with gzip.open(packed, "wb", compresslevel=1) as into:
        into.write(start.encode())
        for _ in range(LARGEST_FILE // 10**6 + 1):
            into.write((b"x" * 49_999 + b"\n") * 20)
    with pytest.raises(CsvError, match="limit is 256 MB"):
        read_history(packed)
