"""Which side is first, as files say it."""

import io

import pytest

from ratings.io.csvfile import Layout, read
from ratings.io.csvproblems import CsvError

HEADER = "match_id,played_at,side,place,player,where"


def firsts(*rows: str, column: str = "where") -> list[int] | None:
    """Return the first side of each match of these rows: match, side and cell."""
    lines = [HEADER.replace("where", column)]
    for number, row in enumerate(rows):
        match, side, cell = row.split(" ", 2)
        lines.append(f"{match},2024-05-01,{side},{number % 2},p{number},{cell}")
    history = read(io.BytesIO("\n".join(lines).encode()), Layout(first_side=column))
    return None if history.first is None else history.first.tolist()


@pytest.mark.parametrize(
    ("rows", "wanted"),
    [
        (("1 a 1", "1 b 0"), [0]),
        (("1 a no", "1 b yes"), [1]),
        (("1 a home", "1 b away"), [0]),
        (("1 a black", "1 b white"), [1]),
        (("1 a TRUE", "1 b TRUE"), [0]),
        (("1 a 1", "1 b 0", "2 a 0", "2 b 0"), [0, -1]),
        (("1 red blue", "1 blue blue"), [1]),
        (("1 1 2", "1 2 2"), [1]),
        (("1 a ", "1 b "), None),
    ],
)
def test_a_column_marks_or_names_the_first_side(
    rows: tuple[str, ...], wanted: list[int] | None
) -> None:
    assert firsts(*rows) == wanted


def test_a_column_called_neutral_says_the_opposite() -> None:
    assert firsts("1 a FALSE", "1 b FALSE", "2 a TRUE", "2 b TRUE", column="neutral") == [0, -1]


def test_columns_called_first_and_neutral_are_read_without_being_asked_for() -> None:
    text = b"match_id,played_at,side,place,player,first\n1,2024-05-01,a,0,A,0\n1,2024-05-01,b,1,B,1"
    history = read(io.BytesIO(text))
    assert history.first is not None
    assert history.first.tolist() == [1]


@pytest.mark.parametrize(
    ("rows", "column", "message"),
    [
        (("1 a purple", "1 b 0"), "where", "must be 1 for the side that is first"),
        (("1 a maybe", "1 b maybe"), "neutral", "must be 1 on neutral ground and 0 elsewhere"),
        (("1 a 1", "1 b 0"), "neutral", "on all rows of a match"),
        (("1 a 1", "1 b 0", "1 c 0"), "where", "only matches of two sides have a first side"),
    ],
)
def test_other_cells_are_refused_with_their_line(
    rows: tuple[str, ...], column: str, message: str
) -> None:
    with pytest.raises(CsvError, match=message) as refused:
        firsts(*rows, column=column)
    assert str(refused.value).startswith(f"line 2, column {column}: ")


def test_a_missing_column_and_unknown_columns_are_named() -> None:
    text = (
        b"match_id,played_at,side,place,player,colour\n1,2024-05-01,a,0,A,x\n1,2024-05-01,b,1,B,y"
    )
    with pytest.raises(CsvError, match="there is no column “surface”"):
        read(io.BytesIO(text), Layout(context="surface", others=True))
    with pytest.raises(CsvError, match="unknown column “colour”"):
        read(io.BytesIO(text))
    history = read(io.BytesIO(text), Layout(context="colour", others=True))
    assert history.professions == ["", "x", "y"]
