"""Tables with a row for each participant."""

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.files.choices import Choices
from ratings.files.documents import Found
from ratings.files.histories import games_of, history_of
from ratings.files.problems import UnreadableFile
from ratings.files.reading import read
from ratings.files.rows import GameRules
from ratings.io import csvfile

RACES = """raceId,date,driver,constructor,position,points
2,2024-03-09,Max,Red Bull,1,26
2,2024-03-09,Charles,Ferrari,3,16
2,2024-03-09,Sergio,Red Bull,2,18
2,2024-03-09,Pierre,Alpine,R,0
2,2024-03-09,Lance,Aston Martin,DNS,0
1,2024-03-02,Max,Red Bull,1,25
1,2024-03-02,Carlos,Ferrari,2,18
"""


def read_sample(text: str, **choices: object) -> Found:
    return read(text.encode(), Choices(**choices))  # type: ignore[arg-type]


def test_races_are_joined_by_their_number() -> None:
    other, one = read_sample(RACES).results  # the newest come first
    assert {side.names[0]: side.place for side in one.sides} == {
        "Max": 0,
        "Charles": 2,
        "Sergio": 1,
        "Pierre": 3,
    }
    assert [side.score for side in other.sides] == [25, 18]
    assert [game.id for game in games_of(read_sample(RACES))] == ["1", "2"]


def test_the_rows_of_a_match_can_be_anywhere() -> None:
    header, *rows = RACES.splitlines()
    apart = "\n".join([header, *rows[::2], *rows[1::2]])
    places = [
        {side.names[0]: side.place for side in game.sides} for game in games_of(read_sample(apart))
    ]
    assert places == [
        {side.names[0]: side.place for side in game.sides} for game in games_of(read_sample(RACES))
    ]


def test_without_places_the_score_decides() -> None:
    text = "match,date,player,score\nm,2024-05-01,Ann,3\nm,2024-05-01,Ben,5\nm,2024-05-01,Cem,3\n"
    [game] = read_sample(text).results
    assert [side.place for side in game.sides] == [1, 0, 1]
    [golf] = read_sample(text, rules=GameRules(lower_wins=True)).results
    assert [side.place for side in golf.sides] == [0, 2, 0]


def test_without_matches_those_of_the_same_time_are_one() -> None:
    text = "date,time,name,rank\n1/5/24,10:00,Ann,1\n1/5/24,10:00,Ben,2\n1/5/24,11:00,Ann,2\n"
    first, problem = read_sample(f"{text}1/5/24,11:00,Ben,1\n").results
    assert [side.place for side in (*first.sides, *problem.sides)] == [0, 1, 1, 0]
    [wrong] = read_sample(text).problems
    assert (wrong.line, "only one side" in wrong.sentence) == (4, True)


@pytest.mark.parametrize(
    ("right", "instead", "line", "sentence"),
    [
        (",Max,Red Bull,1,26", ",,Red Bull,1,26", 2, "The player is empty"),
        ("Bull,1,26", "Bull,first,26", 2, "“first” is not a place"),
        ("Bull,1,26", "Bull,1,many", 2, "“many” is not a number"),
        ("2024-03-09,Charles", "2024-03-10,Charles", 3, "“2024-03-09” on line 2 of the same match"),
        ("2,2024-03-09,Max", ",2024-03-09,Max", 2, "Every row must name its match"),
        ("2024-03-02", "2024-13-02", 7, "“2024-13-02” is not a date"),
    ],
)
def test_problems_name_their_line(right: str, instead: str, line: int, sentence: str) -> None:
    problems = read_sample(RACES.replace(right, instead)).problems
    assert any(one.line == line and sentence in one.sentence for one in problems), problems


def test_columns_that_say_too_little_are_named() -> None:
    with pytest.raises(UnreadableFile, match="Choose the column"):
        read_sample("race,date\n1,2024-05-01\n", layout="participants")


@given(
    st.lists(
        st.tuples(
            st.lists(
                st.tuples(st.integers(0, 3), st.integers(1, 2), st.booleans()),
                min_size=2,
                max_size=4,
            ),
            st.integers(0, 3),
            st.sampled_from(["", "1.5", "inf"]),
        ),
        min_size=1,
        max_size=6,
    )
)
def test_our_own_form_gives_what_its_streaming_reader_gives(
    matches: list[tuple[list[tuple[int, int, bool]], int, str]],
) -> None:
    lines = ["match_id,played_at,side,place,player,score,seconds,quit,profession,weight,first"]
    for at, (sides, first, seconds) in enumerate(matches):
        for index, (place, size, quits) in enumerate(sides):
            home = "1" if index == first and len(sides) == 2 else "0"
            lines += [
                f"m{at},2024-05-0{at + 1},s{index},{place},P{index}{player},{place},"
                f"{seconds.replace('inf', '2')},{int(quits)},mage,2,{home}"
                for player in range(size)
            ]
    content = "\n".join(lines).encode()
    streamed = csvfile.read(io.BytesIO(content))
    people = read(content, Choices(layout="participants"))
    history = history_of(games_of(people))
    for name, value in vars(streamed).items():
        if name == "places":  # ours start at 0 and leave no gaps but those of ties
            continue
        np.testing.assert_array_equal(getattr(history, name), value, err_msg=name)
    for start, stop in zip(history.side_offsets, history.side_offsets[1:], strict=False):
        one, other = history.places[start:stop], streamed.places[start:stop]
        np.testing.assert_array_equal(np.argsort(one), np.argsort(other))
        assert (one[:, None] == one).tolist() == (other[:, None] == other).tolist()


# In the form of the Ergast archive of races: \\N is nothing, and the time is that of the race.
ERGAST = """\
resultId,raceId,driverId,constructorId,grid,position,positionText,positionOrder,points,laps,time
1,18,1,1,1,1,1,1,10,58,1:34:50.616
2,18,2,2,5,\\N,R,3,6,58,\\N
3,18,3,3,7,2,2,2,8,58,+5.478
4,19,1,1,9,1,1,1,10,58,1:31:18.555
5,19,2,2,5,2,2,2,8,58,+6.1
"""


def test_an_archive_of_races_is_read_by_its_order_and_without_its_times() -> None:
    found = read_sample(ERGAST)
    assert found.problems == []
    assert [{side.names[0]: side.place for side in one.sides} for one in found.results] == [
        {"1": 0, "2": 2, "3": 1},
        {"1": 0, "2": 1},
    ]


def test_a_time_of_day_that_a_race_has_in_common_is_read() -> None:
    text = "race,date,start,name,place\na,2024-05-01,19:30,Ann,1\na,2024-05-01,19:30,Bob,2\n"
    [result] = read_sample(text).results
    assert str(result.played_at) == "2024-05-01 19:30:00"


def test_one_list_of_places_is_one_event() -> None:
    found = read_sample("place,user,user id,score\n1,Owls,12,1200\n2,Jays,4,1100\n2,Rooks,9,1100\n")
    [result] = found.results
    assert [(side.names, side.place, side.score) for side in result.sides] == [
        (["Owls"], 0, 1200),
        (["Jays"], 1, 1100),
        (["Rooks"], 1, 1100),
    ]
    assert "All rows are read as the places of one event." in found.remarks


def test_the_standings_of_a_season_are_no_event() -> None:
    for header in ("Pos,Team,P,W,D,L,Pts", "Rank,Name,Played,Wins,Draws,Losses,Points"):
        with pytest.raises(UnreadableFile):
            read_sample(f"{header}\n1,Owls,2,2,0,0,6\n2,Jays,2,0,0,2,0\n")


def test_rows_without_a_place_are_counted_and_left_out() -> None:
    text = "race,date,name,place\na,2024-05-01,Ann,1\na,2024-05-01,Bob,2\na,2024-05-01,Cid,\n"
    found = read_sample(text + "b,2024-05-08,Ann,\nb,2024-05-08,Bob,\n")
    assert [[side.names[0] for side in one.sides] for one in found.results] == [["Ann", "Bob"]]
    assert any("left out: 3." in remark for remark in found.remarks)


def test_a_name_of_a_room_is_used_again_in_the_next_round() -> None:
    text = "round,heat,name,place\n1,A,Ann,1\n1,A,Bob,2\n2,A,Ann,2\n2,A,Bob,1\n"
    assert len(read_sample(text).results) == 2
