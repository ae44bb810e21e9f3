"""Games of PGN files."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.files.documents import Found
from ratings.files.formats.pgn import without_comments
from ratings.files.problems import UnreadableFile
from ratings.files.reading import read

GAME = """[Event "Cup \\"A\\" \\\\ B"]
[Site "?"]
[Date "2026.01.02"]
[Round "1"]
[White "Alice"]
[Black "Bob"]
[Result "1-0"]

1. e4 {the best move; [White "Eve"] 0-1} e5 ; 1/2-1/2
2. Qh5 (2. Nf3 Nc6) Ke7 3. Qxe5# 1-0
"""


def read_sample(text: str) -> Found:
    return read(text.encode())


def test_tags_and_results_are_read() -> None:
    [game] = read_sample(GAME).results
    assert [side.names for side in game.sides] == [["Alice"], ["Bob"]]
    assert [side.place for side in game.sides] == [0, 1]
    assert (game.first, game.round, game.event) == (0, "1", 'Cup "A" \\ B')
    assert (str(game.played_at), game.has_hour) == ("2026-01-02 00:00:00", False)
    twice = read_sample(f"\ufeff%escaped\n\n{GAME}\n{GAME}")
    assert [game.line for game in twice.results] == [3, 14]


def test_times_in_utc_go_first() -> None:
    timed = GAME.replace('[Round "1"]', '[UTCDate "2026.01.01"]\n[UTCTime "23:30:00"]')
    assert str(read_sample(timed).results[0].played_at) == "2026-01-01 23:30:00+00:00"


def test_a_list_of_results_without_moves_is_read() -> None:
    assert read_sample(GAME.split("\n\n", maxsplit=1)[0]).results[0].sides[1].place == 1


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('[Result "1-0"]', '[Result "0-1"]', "has the result 0-1 in its tags, but 1-0"),
        ('[Result "1-0"]\n', "", "has no tag Result"),
        ("3. Qxe5# 1-0", "3. Qxe5#", "Is the end of the file missing?"),
        ("3. Qxe5# 1-0", "1-0\n4. d4 1-0", "has text after its result"),
        ("3. Qxe5# 1-0", "0-1 4. d4 1-0", "has text after its result"),
        ("; 1/2-1/2", "{ never closed", "has a comment that is never closed"),
        ('[Black "Bob"]', '[Black "Bob]', "has a line that is no tag"),
        ('[Black "Bob"]', '[White "Bob"]', "has the tag White twice"),
    ],
)
def test_broken_games_are_named(old: str, new: str, problem: str) -> None:
    [wrong] = read_sample(GAME.replace(old, new)).problems
    assert (wrong.line, problem in wrong.sentence) == (1, True)


def test_games_that_are_not_over_are_left_out() -> None:
    running = GAME.replace('"1-0"', '"*"').replace("# 1-0", "# *")
    both = read_sample(f"{running}\n{GAME}")
    assert [game.line for game in both.results] == [12]
    assert both.problems == []
    assert both.remarks[-1] == "Games that are not over, which are left out: 1."


@given(st.text(alphabet='[]{};%"\\ \n*1-0/2Whitea', max_size=60))
def test_nothing_else_happens_to_hostile_files(text: str) -> None:
    try:
        games = read_sample(f'[White "A"]\n{text}')
    except UnreadableFile:
        return
    assert len(games.results) + len(games.problems) + len(games.remarks) >= 2


def test_comments_span_lines() -> None:
    assert without_comments("e4 {a", in_comment=False) == (["e4"], True)
    assert without_comments("b} e5 {c} d4 ; x {", in_comment=True) == (["e5", "d4"], False)


def test_a_line_can_have_any_number_of_comments() -> None:
    line = "e4 {a} " * 200_000 + "1-0 {open"
    assert without_comments(line, in_comment=False) == (["e4"] * 200_000 + ["1-0"], True)


@pytest.mark.parametrize(
    ("date", "day", "partial"),
    [
        ("1997.??.??", "1997-01-01", True),
        ("2023.05.??", "2023-05-01", True),
        ("2023.05.07", "2023-05-07", False),
        ("????.05.07", None, False),
        ("????.??.??", None, False),
    ],
)
def test_a_date_with_question_marks_is_the_first_day_that_fits(
    date: str, day: str | None, partial: bool
) -> None:
    read_file = read_sample(
        GAME.replace("2026.01.02", date).replace("[Round", '[Time "??:??"]\n[Round')
    )
    [game] = read_file.results
    assert (game.played_at and str(game.played_at.date()), game.has_hour) == (day, False)
    remarks = [text for text in read_file.remarks if "first day that fits: 1" in text]
    assert bool(remarks) == partial


@pytest.mark.parametrize("date", ["2023.??.07", "2023.13.??", "20??.01.01"])
def test_other_dates_with_question_marks_are_none(date: str) -> None:
    read_file = read_sample(GAME.replace("2026.01.02", date))
    assert (read_file.results, len(read_file.problems)) == ([], 1)


def test_a_day_in_utc_alone_is_read() -> None:
    [game] = read_sample(GAME.replace("[Date", "[UTCDate")).results
    assert (str(game.played_at), game.has_hour) == ("2026-01-02 00:00:00", False)


def test_games_of_computers_are_left_out() -> None:
    bot = GAME.replace("[Black ", '[BlackTitle "BOT"]\n[Black ')
    computer = GAME.replace('"Bob"', '"lichess AI level 5"')
    read_file = read_sample(f"{bot}\n{computer}\n{GAME}")
    assert len(read_file.results) == 1
    assert any("computers, which are left out: 2" in text for text in read_file.remarks)
