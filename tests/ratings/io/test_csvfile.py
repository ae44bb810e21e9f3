"""CSV files of histories, and the problems they can have."""

import io
import re
from pathlib import Path

import numpy as np
import pytest

from ratings.history import History, Match, Participant, Side
from ratings.io import csvfile, csvrows
from ratings.io.csvproblems import CsvError
from ratings.registry import build
from ratings.replay import replay
from tests.support.rating_histories import all_bits

HEADER = "match_id,played_at,side,place,player\n"
BOB = Participant("Bob", 10, quit=True)
DUEL = "1,2024-05-01,a,0,Alice\n1,2024-05-01,b,1,Charlie\n"


SECOND_DUEL = DUEL.replace("1,2024", "2,2024")


def wrong(right: str, instead: str) -> str:
    """Return a file with one duel in which ``right`` is replaced by ``instead``."""
    assert right in DUEL
    return HEADER + DUEL.replace(right, instead)


def read(text: str | bytes) -> History:
    return csvfile.read(io.BytesIO(text.encode() if isinstance(text, str) else text))


def test_a_file_with_all_columns_in_any_order_gives_a_complete_match() -> None:
    history = read(
        "player,perf_ceiling,weight,profession,quit,seconds,score,place,side,played_at,match_id\n"
        "Alice,1900,2,mage,0,600.5,3,0,red,2024-05-01T19:30:00+02:00,m\n"
        "Bob,1900,2,,yes,10,3,0,red,2024-05-01T19:30:00+02:00,m\n"
        "Charlie,1900,2,mage,,,,1,blue,2024-05-01T19:30:00+02:00,m\n"
    )
    match = Match(
        "m",
        1714584600_000_000,
        [
            Side(0, [Participant("Alice", 600.5, profession="mage"), BOB], 3),
            Side(1, [Participant("Charlie", profession="mage")]),
        ],
        weight=2.0,
        perf_ceiling=1900.0,
    )
    expected = History.build([match])
    for name, value in vars(expected).items():
        np.testing.assert_array_equal(getattr(history, name), value, err_msg=name)


@pytest.mark.parametrize(
    "text",
    [
        HEADER + DUEL,
        "\ufeff" + HEADER + DUEL,
        (HEADER + DUEL).replace("\n", "\r\n"),
        "\n" + HEADER + "\n" + DUEL + "\n\n",
        wrong("Alice", '" Alice "'),
        wrong("1,2024-05-01,", "1,2024-05-01T00:00:00Z,"),
        HEADER + DUEL.replace(",b,", ", b ,").replace("2024-05-01,b", "2024-05-01 ,b"),
    ],
)
def test_harmless_formatting_differences_do_not_matter(text: str) -> None:
    history = read(text)
    assert history.players == ["Alice", "Charlie"]
    assert history.times.tolist() == [1714521600_000_000]
    assert history.places.tolist() == [0, 1]


def test_dates_before_1970_and_parts_of_seconds_are_kept() -> None:
    history = read(
        wrong("2024-05-01", "1872-11-30")
        + SECOND_DUEL.replace("2024-05-01", "2024-05-01T00:00:00.000001")
    )
    assert history.times.tolist() == [-3063744000_000_000, 1714521600_000_001]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "the file is empty; its first line must name the columns"),
        ("\n \n", "the file is empty; its first line must name the columns"),
        (HEADER, "there are no matches below the header"),
        ("match_id,played_at,side,player\n", "line 1: missing column place"),
        ("match_id;played_at;side\n", "cells must be separated by commas"),
        (HEADER.replace("place", "plcae"), "line 1: unknown column “plcae”; did you mean place?"),
        (HEADER.strip() + ",player\n", "line 1: column player appears twice"),
        (HEADER + "1,2024-05-01,a,0\n" + DUEL, "line 2: has 4 cells but the header has 5"),
        (wrong("05-01", "13-01"), "line 2, column played_at: “2024-13-01” is not a date"),
        (wrong("a,0", "a,first"), "line 2, column place: “first” is not a place"),
        (wrong("a,0", "a,-1"), "line 2, column place: “-1” is not a place"),
        (wrong("a,0", "a,１"), "line 2, column place: “１” is not a place"),
        (wrong("a,0", "a,"), "line 2, column place: “” is not a place"),
        (wrong("Charlie", "Alice"), "line 3, column player: Alice is in match 1 twice"),
        (wrong(",b,1", ",a,0"), "line 2, column side: match 1 has only one side"),
        (wrong(",b,", ",a,"), "line 3, column place: “1” here but “0” on line 2, for side a"),
        (wrong(",b,", ",,"), "line 3, column side: is empty"),
        (wrong("Charlie", ""), "line 3, column player: is empty"),
        (wrong("Charlie", "Char\u202elie"), "an invisible character (U+202E)"),
        (wrong("Charlie", "C" * 201), "line 3, column player: is longer than 200"),
        (wrong("1,2024-05-01,b", ",2024-05-01,b"), "line 3, column match_id: is empty"),
        (wrong("01,b", "02,b"), "line 3, column played_at: “2024-05-02” here but “2024-05-01”"),
        (HEADER + DUEL + SECOND_DUEL.replace("05-01", "04-01"),
         "line 4, column played_at: 2024-04-01 is before the match above it (2024-05-01); sort"),
        (HEADER + DUEL + SECOND_DUEL + DUEL,
         "line 6, column match_id: match 1 was already on line 2"),
        (wrong("Charlie", '"Charlie'), "look for a stray quotation mark"),
        (wrong("Charlie", "Cha\0rlie"), "line 3: has a NUL byte"),
        ((HEADER + DUEL).encode("utf-16"), "looks like UTF-16; save it as “CSV UTF-8”"),
        ((HEADER + DUEL).encode("utf-16-le"), "looks like UTF-16; save it as “CSV UTF-8”"),
        ((wrong("Alice", "Élise")).encode("latin-1"), "line 2: byte 18 (0xC9) is not UTF-8"),
        (HEADER + "x" * 200_000, "line 2: is longer than 100,000 bytes"),
    ],
)  # fmt: skip
def test_problems_are_reported_with_line_and_column(text: str | bytes, problem: str) -> None:
    with pytest.raises(CsvError, match=re.escape(problem)):
        read(text)


@pytest.mark.parametrize(
    ("column", "cell", "problem"),
    [
        ("seconds", "-5", "line 2, column seconds: “-5” must be a number at least 0"),
        ("seconds", "long", "line 2, column seconds: “long” must be a number at least 0"),
        ("score", "nan", "line 2, column score: “nan” must be a number"),
        ("quit", "maybe", "line 2, column quit: “maybe” is not yes or no"),
        ("weight", "0", "line 2, column weight: “0” must be a number more than 0 and at most"),
        ("weight", "inf", "line 2, column weight: “inf” must be a number"),
        ("perf_ceiling", "high", "line 2, column perf_ceiling: “high” must be a number"),
    ],
)
def test_problems_in_optional_columns_are_reported(column: str, cell: str, problem: str) -> None:
    header = HEADER.replace("player", f"player,{column}")
    rows = "".join(f"{row},{cell}\n" for row in DUEL.splitlines())
    with pytest.raises(CsvError, match=re.escape(problem)):
        read(header + rows)


@pytest.mark.parametrize(("cell", "ceiling"), [("", np.inf), ("inf", np.inf), ("1800", 1800.0)])
def test_a_missing_performance_ceiling_is_infinite(cell: str, ceiling: float) -> None:
    header = HEADER.replace("player", "player,perf_ceiling")
    rows = "".join(f"{row},{cell}\n" for row in DUEL.splitlines())
    assert read(header + rows).perf_ceilings.tolist() == [ceiling]


def test_all_problems_are_reported_at_once() -> None:
    with pytest.raises(CsvError) as refused:
        read(HEADER + DUEL.replace("a,0", "a,x").replace("Charlie", "") + "2,noon,a,0,Bob\n")
    assert [(each.line, each.column) for each in refused.value.problems] == [
        (2, "place"),
        (3, "player"),
        (4, "played_at"),
    ]


def test_a_file_full_of_problems_is_not_read_to_its_end() -> None:
    rows = "".join(f"{number},never,a,0,Alice\n" for number in range(10_000))
    with pytest.raises(CsvError, match="Reading stopped after 20 problems") as refused:
        read(HEADER + rows)
    assert len(refused.value.problems) == 20


class Endless(io.RawIOBase):
    """A file that never ends, and counts how much of it was read."""

    def __init__(self, line: bytes) -> None:
        self.line = line
        self.bytes_read = 0

    def readline(self, size: int | None = -1, /) -> bytes:
        line = HEADER.encode() if not self.bytes_read else self.line[:size]
        self.bytes_read += len(line)
        return line


@pytest.mark.parametrize("line", [b"x" * 10**7, b"1,2024-05-01,a,0,Alice,\n"])
def test_an_endless_file_is_rejected_before_it_fills_the_memory(line: bytes) -> None:
    endless = Endless(line)
    with pytest.raises(CsvError):
        csvfile.read(endless)  # type: ignore[arg-type] # a stream of bytes all the same
    assert endless.bytes_read < 1_000_000


def test_a_file_above_the_limit_is_rejected_unread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    huge = tmp_path / "huge.csv"
    with huge.open("wb") as file:
        file.write((HEADER + DUEL).encode())
        file.truncate(10**9)  # sparse: a gigabyte that takes no room
    with pytest.raises(CsvError, match="the file has 1,000 MB; the limit is 256 MB"):
        csvfile.read_file(huge)
    monkeypatch.setattr(csvrows, "LARGEST_FILE", 60)
    with pytest.raises(CsvError, match="the file is too large; the limit"):
        read(HEADER + DUEL)


def test_a_file_of_matches_gives_the_same_history_as_the_matches() -> None:
    rows = "".join(
        f"{number},2024-05-01T00:{number:02}:00Z,a,{number % 3},Alice\n"
        f"{number},2024-05-01T00:{number:02}:00Z,b,1,Charlie\n"
        for number in range(30)
    )
    history = History.build(
        Match(
            str(number),
            1714521600_000_000 + number * 60_000_000,
            [Side(number % 3, [Participant("Alice")]), Side(1, [Participant("Charlie")])],
        )
        for number in range(30)
    )
    system = build("glicko-2")
    assert all_bits(replay(system, read(HEADER + rows))) == all_bits(replay(system, history))
