"""Sides, scores and winners are found by names of columns that differ in a word."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.files import column_guesses, column_pairs
from ratings.files.documents import Found
from ratings.files.reading import read

STYLES = ["{0}_{1}", "{1}_{0}", "{0} {1}", "{1} ({0})", "{0}-{1}"]


def read_sample(text: str) -> Found:
    return read(text.encode())


def in_short(text: str) -> list[tuple[str, str, list[int], list[float | None]]]:
    pairs = [one.sides for one in read_sample(text).results]
    return [
        (one.names[0], other.names[0], [one.place, other.place], [one.score, other.score])
        for one, other in pairs
    ]


@given(
    pair=st.sampled_from(sorted(column_pairs.PAIRS)),
    noun=st.sampled_from(sorted(column_pairs.NOUNS - {"p", "t", "a"})),
    score=st.sampled_from(sorted(column_pairs.SCORES)),
    styles=st.tuples(st.sampled_from(STYLES), st.sampled_from(STYLES)),
    capital=st.booleans(),
)
def test_any_words_for_the_sides_are_understood_with_any_nouns(
    pair: tuple[str, str], noun: str, score: str, styles: tuple[str, str], capital: bool
) -> None:
    if noun in pair:
        return
    header = [style.format(side, word) for style, word in zip(styles, (noun, score), strict=True)
              for side in pair]  # fmt: skip
    header = [name.title() if capital else name for name in ("when", *header)]
    assert column_pairs.find_sides(header) == (1, 2)
    assert column_pairs.find_scores(header, (1, 2)) == (3, 4)


def test_names_come_before_the_numbers_of_programs() -> None:
    header = ["home_team_id", "away_team_id", "home_team_name", "away_team_name"]
    assert column_pairs.find_sides(header) == (2, 3)
    assert column_pairs.find_sides(header[:2]) == (0, 1)
    assert column_pairs.find_sides(["home_odds", "away_odds", "home_elo", "away_elo"]) is None


# In the forms of Kaggle's games of the NBA, of UFC fights, of a form of Google, and of clubs.
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "DATE_EST,GAME_ID,HOME_TEAM_ID,VISITOR_TEAM_ID,PTS_home,FG_home,PTS_away\n2022-12-21,9,40,59,126.0,0.5,117.0\n",
            [("40", "59", [0, 1], [126, 117])],
        ),
        (
            ("R_fighter,B_fighter,R_odds,B_odds,date,Winner,finish\nAnn,Bea,-1,2,2021-10-02,Blue,KO\n"
            "Cleo,Dora,-1,2,2021-10-02,Red,KO\n"),
            [("Ann", "Bea", [1, 0], [None, None]), ("Cleo", "Dora", [0, 1], [None, None])],
        ),
        (
            "match_date,blue_team,red_team,winner\n2024-05-01,T1,Gen,blue\n2024-05-02,A,B,Red\n",
            [("T1", "Gen", [0, 1], [None, None]), ("A", "B", [1, 0], [None, None])],
        ),
        (
            "Timestamp,Your name,Your opponent,Who won?,Score\n10/13/2023 19:03,Ann,Bob,Bob,1-3\n",
            [("Ann", "Bob", [1, 0], [1, 3])],
        ),
        (
            "Date,Team A,Team B,Winner\n2024-05-01,Ann,Bob,Team B\n2024-05-02,Cid,Dee,A\n",
            [("Ann", "Bob", [1, 0], [None, None]), ("Cid", "Dee", [0, 1], [None, None])],
        ),
        ("Rd,Wh,Bl,Res\n1,Ann,Bob,1-0\n1,Cid,Dee,½-½\n",
         [("Ann", "Bob", [0, 1], [1, 0]), ("Cid", "Dee", [0, 0], [0.5, 0.5])]),
        (
            "Termin;Heimmannschaft;Gastmannschaft;Spiele\nFr. 08.09.2023 20:00;Rot;Blau;9:5\n",
            [("Rot", "Blau", [0, 1], [9, 5])],
        ),
        (
            "Date;Équipe à domicile;Équipe à l'extérieur;Buts\n12 août 2023;Lyon;Nice;2-1\n",
            [("Lyon", "Nice", [0, 1], [2, 1])],
        ),
        (
            "Round,Room,Aff,Neg,Win\n1,101,Owls,Crows,Neg\n",
            [("Owls", "Crows", [1, 0], [None, None])],
        ),
    ],
)  # fmt: skip
def test_files_of_many_programs_need_no_choice_of_columns(
    text: str, expected: list[tuple[str, str, list[int], list[float | None]]]
) -> None:
    assert read_sample(text).problems == []
    assert in_short(text) == expected


def test_columns_beside_the_sides_are_scores_only_if_their_names_are_alike() -> None:
    text = "date,team1,team2,{0},{1}\n2024-05-01,Owls,Cats,0.31,1\n2024-05-02,Cats,Jays,0.2,0\n"
    for one, other in (("prob1", "prob1_outcome"), ("odds", "odds.1")):
        assert "score_1" not in guess(text.format(one, other))
    scores = text.replace("0.31", "3").replace("0.2", "2")
    for one, other in (("pts", "pts.1"), ("HS", "AS"), ("", "")):
        assert guess(scores.format(one, other))["score_1"] == 3


def guess(text: str) -> dict[str, int]:
    header, *rows = [line.split(",") for line in text.splitlines()]
    return column_guesses.guess(header, rows)


def test_the_names_of_all_kinds_of_columns_are_kept_apart() -> None:
    for pair, noun in product(sorted(column_pairs.PAIRS), ("odds", "rating", "rank", "prob")):
        assert column_pairs.find_sides([f"{side}_{noun}" for side in pair]) is None


def test_times_that_a_spreadsheet_shortened_are_read() -> None:
    text = "created_at,winner,white_id,black_id\n1.50421E+12,white,Ann,Bob\n"
    [result] = read_sample(text).results
    assert str(result.played_at) == "2017-08-31 20:06:40+00:00"
    assert result.first == 0
