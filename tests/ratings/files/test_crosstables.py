"""Crosstables of clubs, and lists of ratings."""

from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.files.choices import Choices, Layout
from ratings.files.documents import Found
from ratings.files.problems import UnreadableFile
from ratings.files.reading import read
from ratings.files.results import StartingRating
from ratings.history import NEITHER

CHESS = "Name,Ann,Bob,Cid\nAnn,X,1,½\nBob,0,X,1\nCid,½,0,X\n"
LEGS = ",Owls,Cats,Foxes\nOwls,–,2-1,0-0\nCats,3-1,–,1-0\nFoxes,1-1,2-2,–\n"


def read_sample(text: str, **choices: str) -> Found:
    return read(text.encode(), Choices(**choices))  # type: ignore[arg-type]


def in_short(read_file: Found) -> list[tuple[str, str, int, int]]:
    return [
        (one.sides[0].names[0], one.sides[1].names[0], one.sides[0].place, one.sides[1].place)
        for one in read_file.results
    ]


def test_cells_that_mirror_each_other_are_one_game() -> None:
    read_file = read_sample(CHESS)
    assert in_short(read_file) == [("Ann", "Bob", 0, 1), ("Ann", "Cid", 0, 0), ("Bob", "Cid", 0, 1)]
    assert [one.sides[0].score for one in read_file.results] == [1, 0.5, 1]
    assert {one.first for one in read_file.results} == {NEITHER}
    assert {one.played_at for one in read_file.results} == {None}
    assert any("same game" in remark for remark in read_file.remarks)


@pytest.mark.parametrize(
    "table",
    [
        "No,Name,Rtg,1,2,3,Pts\n1,Ann,2000,,1,½,1.5\n2,Bob,1900,0,,1,1\n3,Cid,1800,½,0,,0.5\n",
        "Name,Ann,Bob,Cid,Total\nAnn,***,1,=,1½\nBob,0,***,1,1\nCid,=,0,***,½\nTotal,,,,3\n",
        "Club,,,\n2024,,,\nName,Ann,Bob,Cid\nAnn,,1,½\nBob,,,1\nCid,,,\n",
        "Name;Ann;Bob;Cid\nAnn;;1:0;0,5:0,5\nBob;0:1;;1:0\nCid;0,5:0,5;0:1;\n",
    ],
)
def test_crosstables_are_recognised_however_they_are_drawn(table: str) -> None:
    assert in_short(read_sample(table)) == in_short(read_sample(CHESS))


def test_cells_that_differ_are_two_legs_with_the_row_at_home() -> None:
    read_file = read_sample(LEGS)
    assert len(read_file.results) == 6
    assert {one.first for one in read_file.results} == {0}
    assert in_short(read_file)[:3] == [
        ("Owls", "Cats", 0, 1),
        ("Owls", "Foxes", 0, 0),
        ("Cats", "Owls", 0, 1),
    ]
    assert [side.score for side in read_file.results[2].sides] == [3, 1]
    assert len(read_sample(CHESS, layout=Layout.LEGS).results) == 6


def test_a_chosen_single_round_names_cells_that_contradict_each_other() -> None:
    read_file = read_sample(LEGS, layout=Layout.CROSSTABLE)
    assert read_file.problems[0].sentence.startswith(
        "The cell of “Owls” against “Cats”: says “2-1”"
    )


def test_a_cell_can_have_the_score_of_its_row_alone() -> None:
    read_file = read_sample("Name,Ann,Bob,Cid\nAnn,,5,2\nBob,3,,4\nCid,5,4,\n")
    assert [[side.score for side in one.sides] for one in read_file.results] == [
        [5, 3],
        [2, 5],
        [4, 4],
    ]


def test_a_cell_can_have_several_games_of_chess() -> None:
    read_file = read_sample("Name,Ann,Bob,Cid\nAnn,,1½,10\nBob,0½,,½ 1\nCid,01,½ 0,\n")
    assert len(read_file.results) == 6
    assert in_short(read_file)[:2] == [("Ann", "Bob", 0, 1), ("Ann", "Bob", 0, 0)]


def test_a_table_of_matches_is_no_crosstable() -> None:
    with pytest.raises(UnreadableFile, match="no crosstable"):
        read_sample("date,home,away,score\n2024-01-01,A,B,1-0\n", layout=Layout.CROSSTABLE)
    assert read_sample("date,home,away,score\n2024-01-01,A,B,1-0\n").results[0].sides[0].names == [
        "A"
    ]


SCORES = st.tuples(st.integers(0, 9), st.integers(0, 9))


@given(st.lists(SCORES, min_size=21, max_size=21), st.integers(3, 7))
def test_every_pair_of_a_crosstable_is_read_as_it_was_written(
    scores: list[tuple[int, int]], n: int
) -> None:
    names = [f"Player {at}" for at in range(n)]
    pairs = list(combinations(range(n), 2))
    games = dict(zip(pairs, scores, strict=False))
    cells = {pair: f"{one}:{other}" for pair, (one, other) in games.items()}
    cells |= {pair[::-1]: f"{other}:{one}" for pair, (one, other) in games.items()}
    rows = [[names[down], *(cells.get((down, at), "x") for at in range(n))] for down in range(n)]
    read_file = read_sample("\n".join(",".join(row) for row in [["", *names], *rows]))
    assert read_file.problems == []
    assert {
        tuple(names.index(side.names[0]) for side in one.sides): tuple(
            side.score for side in one.sides
        )
        for one in read_file.results
    } == games
    both = read_sample(
        "\n".join(",".join(row) for row in [["", *names], *rows]), layout=Layout.LEGS
    )
    assert len(both.results) == len(list(permutations(range(n), 2)))


def test_a_list_of_ratings_has_no_results() -> None:
    read_file = read_sample(
        "Rank,Name,Rating,RD\n1,Ann,1650,80\n2,Bob,1500.5,\n3,Cid,,\n4,Dan,x,\n"
    )
    assert read_file.ratings == [
        StartingRating(2, "Ann", 1650, 80),
        StartingRating(3, "Bob", 1500.5, None),
    ]
    assert read_file.results == []
    assert [problem.line for problem in read_file.problems] == [5]
    assert any("Ratings: 2." in remark for remark in read_file.remarks)
