"""Files that name winners and losers, and files of football."""

import pytest

from ratings.files.documents import Found
from ratings.files.problems import UnreadableFile
from ratings.files.reading import read
from ratings.history import NEITHER

# In the form of Jeff Sackmann's archives: the final comes first, and a name has an id beside it.
TENNIS = """\
tourney_id,tourney_name,surface,tourney_date,match_num,winner_id,winner_seed,winner_name,loser_id,\
loser_seed,loser_name,score,best_of,round,minutes,w_ace,l_ace
2019-1,Hill,Hard,20181231,300,11,2,Ann Archer,12,4,Bea Blum,6-4 3-6 6-2,3,F,124,3,8
2019-1,Hill,Hard,20181231,299,12,4,Bea Blum,13,,Cleo Cruz,7-6(6) 6-2,3,SF,82,10,1
2019-1,Hill,Hard,20181231,298,11,2,Ann Archer,14,,Dora Dahl,W/O,3,SF,,,
2019-1,Hill,Hard,20181231,297,13,,Cleo Cruz,15,7,Eve East,6-4 2-0 RET,3,QF,68,12,3
2019-1,Hill,Hard,20181231,296,14,,Dora Dahl,16,,Flo Fox,6-3 3-6 [10-7],3,QF,90,1,1
"""
# In the form of football-data.co.uk.
FOOTBALL = """\
Div,Date,Time,HomeTeam,AwayTeam,FTHG,FTAG,FTR,HTHG,HTAG,HTR,Referee,HS,AS,B365H,B365D,B365A
E0,16/08/14,15:00,Owls,Cats,2,1,H,1,1,D,J Moss,14,4,1.25,6.5,15
E0,16/08/14,17:30,Foxes,Dogs,2,2,D,1,2,A,M Jones,11,13,3.2,3.4,2.4
E0,05/09/14,20:00,Spurs,Reds,0,3,A,0,1,A,P Dowd,9,14,2.9,3.5,2.5
E0,06/09/14,15:00,Cats,Owls,,,,,,,,,,2,3,4
"""


def read_sample(text: str) -> Found:
    return read(text.encode())


def in_short(text: str) -> list[tuple[str, str, list[int], list[float | None]]]:
    pairs = [one.sides for one in read_sample(text).results]
    return [
        (one.names[0], other.names[0], [one.place, other.place], [one.score, other.score])
        for one, other in pairs
    ]


def test_a_file_of_winners_and_losers_needs_nothing_else() -> None:
    text = "date,winner,loser\n2024-01-05,Ann,Bob\n2024-01-06,Bob,Cid\n"
    assert in_short(text) == [
        ("Ann", "Bob", [0, 1], [None, None]),
        ("Bob", "Cid", [0, 1], [None, None]),
    ]
    assert {one.first for one in read_sample(text).results} == {NEITHER}


def test_no_score_for_either_is_a_walkover_of_the_winner() -> None:
    text = "date,winner,loser,winner_score,loser_score\n2024-01-05,Ann,Bob,0,0\n"
    [result] = read_sample(text).results
    assert (result.forfeit, [side.place for side in result.sides]) == (True, [0, 1])
    assert [side.score for side in result.sides] == [None, None]
    written = "date,winner,loser,score\n2024-01-05,Ann,Bob,0-0\n2024-01-05,Ann,Bob,w.o.\n"
    assert [one.forfeit for one in read_sample(written).results] == [True, True]


def test_a_column_of_winners_can_have_ties() -> None:
    text = "Date,Winner/tie,,Loser/tie,PtsW,PtsL\n1925-09-20,Owls,@,Cats,14,6\n"
    one, other = read_sample(text + "1925-09-27,Owls,,Cats,7,7\n").results
    assert [side.place for side in one.sides] == [0, 1]
    assert [side.place for side in other.sides] == [0, 0]
    assert one.first == 1  # the loser was at home


def test_an_archive_of_tennis_is_read_by_its_names_in_the_order_of_rounds() -> None:
    read_file = read_sample(TENNIS)
    assert read_file.problems == []
    assert [one.round for one in read_file.results] == ["QF", "QF", "SF", "SF", "F"]
    assert in_short(TENNIS) == [
        ("Cleo Cruz", "Eve East", [0, 1], [None, None]),
        ("Dora Dahl", "Flo Fox", [0, 1], [2, 1]),
        ("Bea Blum", "Cleo Cruz", [0, 1], [2, 0]),
        ("Ann Archer", "Dora Dahl", [0, 1], [None, None]),
        ("Ann Archer", "Bea Blum", [0, 1], [2, 1]),
    ]
    assert [one.forfeit for one in read_file.results] == [False, False, False, True, False]
    assert any("order of their rounds" in remark for remark in read_file.remarks)


@pytest.mark.parametrize(
    "header",
    ["W_Name,L_Name", "WTeamName,LTeamName", "winner_id,loser_id", "Gewinner,Verlierer"],
)
def test_winners_and_losers_have_many_names(header: str) -> None:
    if header == "W_Name,L_Name":  # a letter alone can mean many things, but a name cannot
        with pytest.raises(UnreadableFile):
            read_sample(f"date,{header}\n2024-01-05,Ann,Bob\n")
        return
    assert in_short(f"date,{header}\n2024-01-05,Ann,Bob\n") == [
        ("Ann", "Bob", [0, 1], [None, None])
    ]


def test_the_home_side_can_be_a_letter_beside_the_winner() -> None:
    text = "date,WTeamID,WScore,LTeamID,LScore,WLoc\n"
    rows = "".join(
        f"2024-01-0{at + 1},1101,70,1102,60,{letter}\n" for at, letter in enumerate("HAN")
    )
    assert [one.first for one in read_sample(text + rows).results] == [0, 1, NEITHER]


def test_files_of_football_are_read_with_home_and_away() -> None:
    read_file = read_sample(FOOTBALL)
    assert read_file.problems == []
    assert in_short(FOOTBALL) == [
        ("Owls", "Cats", [0, 1], [2, 1]),
        ("Foxes", "Dogs", [0, 0], [2, 2]),
        ("Spurs", "Reds", [1, 0], [0, 3]),
    ]
    assert {one.first for one in read_file.results} == {0}
    assert [str(one.played_at) for one in read_file.results][::2] == [
        "2014-08-16 15:00:00",
        "2014-09-05 20:00:00",
    ]
    assert any("left out: 1." in remark for remark in read_file.remarks)


def test_one_column_can_have_the_score() -> None:
    text = "Round,Date,Team 1,FT,HT,Team 2\n1,Sat Aug 19 2000,Owls,4-0,2-0,Cats\n"
    assert in_short(text) == [("Owls", "Cats", [0, 1], [4, 0])]
    assert in_short(
        "date,home,away,score\n2000-08-19,Owls,Cats,2-1 (1-0)\n2000-08-20,A,B,3:2 a.e.t.\n"
    ) == [
        ("Owls", "Cats", [0, 1], [2, 1]),
        ("A", "B", [0, 1], [3, 2]),
    ]


def test_scores_can_stand_beside_the_sides() -> None:
    text = "Date,Home,Pts,Visitor,Pts\n2000-08-19,Owls,101,Cats,99\n"
    assert in_short(text) == [("Owls", "Cats", [0, 1], [101, 99])]
    assert in_short(
        text.replace("Home,Pts,Visitor,Pts", "Home,Visitor,HS,AS").replace(
            "Owls,101,Cats,99", "Owls,Cats,101,99"
        )
    ) == [("Owls", "Cats", [0, 1], [101, 99])]


def test_nobody_is_at_home_on_neutral_ground() -> None:
    text = "date,home_team,away_team,home_score,away_score,city,neutral\n"
    rows = (
        "1872-11-30,Scotland,England,0,0,Glasgow,FALSE\n1873-03-08,England,Wales,4,2,Paris,TRUE\n"
    )
    assert [one.first for one in read_sample(text + rows).results] == [0, NEITHER]
