"""Matches that ended early or not at all, by a column that says so or in the place of a score."""

import pytest

from ratings.files.documents import Found
from ratings.files.reading import read
from ratings.files.scores import DRAW, FIRST, SECOND
from ratings.files.scores import read as read_score

# In the form of tennis-data.co.uk.
TENNIS = """\
ATP,Location,Date,Round,Best of,Winner,Loser,WRank,LRank,W1,L1,W2,L2,Wsets,Lsets,Comment,B365W
1,Hill,2012-01-02,1st Round,3,Ann A.,Bea B.,9,3,6,1,6,2,2,0,Completed,1.5
1,Hill,2012-01-02,1st Round,3,Cleo C.,Dora D.,9,3,2,3,,,0,0,Retired,1.5
1,Hill,2012-01-02,1st Round,3,Eve E.,Flo F.,9,3,4,6,3,1,0,1,Retired,1.5
1,Hill,2012-01-03,2nd Round,3,Ann A.,Cleo C.,9,3,,,,,,,Walkover,1.5
1,Hill,2012-01-03,2nd Round,3,Gil G.,Hal H.,9,3,6,1,,,1,0,Disqualified,1.5
"""
LEAGUE = "date,home,away,home_score,away_score,status\n2024-05-01,Owls,Jays,3,1,{}\n"


def read_sample(text: str) -> Found:
    return read(text.encode())


def test_walkovers_of_tennis_are_no_matches_and_retirements_are_wins() -> None:
    found = read_sample(TENNIS)
    assert found.problems == []
    assert [
        (one.sides[0].names[0], one.sides[0].place, one.sides[0].score, one.forfeit)
        for one in found.results
    ] == [
        ("Ann A.", 0, 2, False),
        ("Cleo C.", 0, None, False),
        ("Eve E.", 0, None, False),
        ("Ann A.", 0, None, True),
        ("Gil G.", 0, None, True),
    ]


@pytest.mark.parametrize(
    "status",
    ["Scheduled", "SCHEDULED", "IN_PLAY", "STATUS_SCHEDULED", "Postp.", "Cancelled", "live", "TBD",
     "Not Started", "abandoned", "HT"],
)  # fmt: skip
def test_a_match_that_is_not_over_has_no_result_whatever_its_score_is(status: str) -> None:
    found = read_sample(LEAGUE.format(status) + "2024-05-02,Owls,Jays,0,1,Full Time\n")
    assert [one.line for one in found.results] == [3]
    assert found.problems == []


@pytest.mark.parametrize(
    "status", ["FT", "Finished", "", "a game that Ann retired early from", "v"]
)
def test_other_texts_say_nothing(status: str) -> None:
    [result] = read_sample(LEAGUE.format(status)).results
    assert (result.forfeit, result.sides[0].score) == (False, 3)


def test_a_walkover_between_sides_needs_its_winner() -> None:
    [result] = read_sample(LEAGUE.format("Walkover")).results
    assert (result.forfeit, [side.place for side in result.sides]) == (True, [0, 1])
    assert [side.score for side in result.sides] == [None, None]
    drawn = read_sample(LEAGUE.format("W/O").replace("3,1", "0,0"))
    assert "nothing says which side won" in drawn.problems[0].sentence
    retired = read_sample(LEAGUE.format("Retired"))
    assert "no column says which one won" in retired.problems[0].sentence
    named = LEAGUE.format("Retired").replace("status", "winner,status").replace(",R", ",Jays,R")
    [result] = read_sample(named).results
    assert (result.forfeit, [side.place for side in result.sides]) == (False, [1, 0])


def test_a_side_that_did_not_play_has_a_word_in_place_of_its_score() -> None:
    text = "date,p1,p1_score,p2,p2_score\n2024-05-01,Ann,DQ,Bob,0\n2024-05-01,Cid,3,Dee,1\n"
    one, other = read_sample(text + "2024-05-01,Eve,ff,Fay,FF\n").results[:2]
    assert (one.forfeit, [side.place for side in one.sides]) == (True, [1, 0])
    assert (other.forfeit, [side.score for side in other.sides]) == (False, [3, 1])


def test_scores_beside_a_code_of_the_result_are_kept() -> None:
    text = "date,home,away,home_score,away_score,result\n2024-05-01,A,B,92,73,1\n"
    for row in ("2024-05-01,A,B,92,73,H", "2024-05-01,A,B,92,73,A"):
        [_first, result] = read_sample(f"{text}{row}\n").results
        assert [side.score for side in result.sides] == [92, 73]
        assert [side.place for side in result.sides] == [0, 1]


@pytest.mark.parametrize(
    ("text", "winner", "score"),
    [
        ("W 3-1", FIRST, (3, 1)),
        ("L 2-5", SECOND, (2, 5)),
        ("L, 5-2", SECOND, (2, 5)),
        ("W 24:17", FIRST, (24, 17)),
        ("D 1-1", DRAW, (1, 1)),
    ],
)
def test_the_winner_can_stand_before_the_score(
    text: str, winner: str, score: tuple[float, float]
) -> None:
    found = read_score(text)
    assert (found.winner, found.score) == (winner, score)


def test_the_result_can_be_the_name_of_the_winner() -> None:
    text = "date,home,away,result\n2024-05-01,Owls,Jays,Jays\n2024-05-01,Owls,Jays,neither did\n"
    found = read_sample(text)
    assert [side.place for side in found.results[0].sides] == [1, 0]
    assert "“neither did” is not a result" in found.problems[0].sentence


def test_a_file_with_the_newest_first_can_have_a_day_in_a_wrong_place() -> None:
    days = [f"2024-05-{day:02}" for day in range(28, 1, -1)]
    days.insert(3, "2024-05-28")
    text = "".join(f"{day},P{at},Q{at},1-0\n" for at, day in enumerate(days))
    found = read_sample(f"date,home,away,score\n{text}")
    assert [one.line for one in found.results] == list(range(len(days) + 1, 1, -1))
