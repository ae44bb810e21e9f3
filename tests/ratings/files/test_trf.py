"""Tournament reports of FIDE."""

from pathlib import Path

import pytest

from ratings.files import trf_reading
from ratings.files.documents import Found
from ratings.files.problems import UnreadableFile
from ratings.files.reading import read
from ratings.files.trf import write
from tests.support.trf_files import HEAD, PLAYERS, POINTS, TRF, by_py4swiss


def read_sample(text: str) -> Found:
    return read(text.encode())


def listed(text: str) -> list[tuple[object, ...]]:
    return [
        (each.round, *(side.names[0] for side in each.sides), [s.place for s in each.sides])
        for each in read_sample(text).results
    ]


GAMES = [
    ("1", "Ames, Ann", "Cole, Cem", [0, 1]),
    ("1", "Dorn, Dora", "Berg, Bob", [0, 0]),
    ("2", "Berg, Bob", "Ames, Ann", [1, 0]),
    ("2", "Dorn, Dora", "Ende, Eve", [0, 1]),
    ("3", "Cole, Cem", "Berg, Bob", [1, 0]),
]


def test_games_are_read_with_colours_dates_and_forfeits() -> None:
    read_file = read_sample(TRF)
    assert read_file.problems == []
    assert listed(TRF) == GAMES
    days = [str(each.played_at) for each in read_file.results]
    assert [day[:10] for day in days] == ["2026-01-09"] * 2 + ["2026-01-10"] * 2 + ["2026-01-11"]
    assert {(each.first, each.has_hour) for each in read_file.results} == {(0, False)}
    assert [each.forfeit for each in read_file.results] == [False, False, False, True, True]
    assert [(each.name, each.rating) for each in read_file.ratings] == [
        ("Ames, Ann", 2500),
        ("Berg, Bob", 2100),
        ("Cole, Cem", 1800),
        ("Dorn, Dora", 1500),
    ]
    assert read_file.results[0].event == "Winter open"


def test_points_and_ranks_are_those_in_the_file() -> None:
    tournament = trf_reading.parse(TRF)
    players = list(tournament.players.values())
    points = {one.name: tournament.points_of(one) for one in players}
    assert points == POINTS == {one.name: one.points for one in players}
    ranks = [1 + sum(points[other] > points[one.name] for other in points) for one in players]
    assert ranks == [one.rank for one in players]
    ann = tournament.players[1]
    assert (ann.sex, ann.title, ann.federation, ann.fide_id) == ("w", "GM", "BEL", "200001")
    assert not [text for text in read_sample(TRF).remarks if "points" in text]


def test_points_that_differ_are_named() -> None:
    wrong = TRF.replace(" 2.0    1     3 w 1", " 2.5    1     3 w 1")
    assert any(
        "not those of its results for: Ames, Ann." in text for text in read_sample(wrong).remarks
    )
    corrected = wrong + "299             0.5  000 0001\r\n"
    assert not any("points in the file" in text for text in read_sample(corrected).remarks)


def test_a_peer_reads_the_same(tmp_path: Path) -> None:
    """py4swiss has its own reader of the columns, and its own rules of what fits together."""
    theirs = by_py4swiss(TRF, tmp_path)
    ours = trf_reading.parse(TRF)
    for one, other in zip(ours.players.values(), theirs.player_sections, strict=True):
        assert (one.number, one.name, one.rank) == (other.starting_number, other.name, other.rank)
        assert one.points * 10 == other.points_times_ten
        assert [cell.text for cell in one.cells] == [each.to_string() for each in other.results]


@pytest.mark.parametrize(
    "text",
    [
        TRF.replace("\r\n", "\r"),
        TRF.replace("\r\n", "\n"),
        TRF.replace("\r\n", "\n\n"),
        "### a comment\r\n" + TRF,
        TRF + "013 The team                           1    2\r\n",
        TRF.replace("XXR 5", "142 5\r\n152 W\r\n162  W 1.0    D 0.5    L 0.0\r\n192 FIDE_DUTCH"),
        TRF + "240 H   3    4\r\n250      01.0 001 002 0001 0002\r\n260 001 002    1    2\r\n",
        TRF + "BEL    1                                        2450\r\n",
        TRF.replace(" w 1", " W 1").replace("- U", "- u"),
        TRF.replace("0000 - Z", "        "),
        TRF.replace(" 2.0 ", " 2,0 "),
    ],
)
def test_variants_of_the_format_say_the_same(text: str) -> None:
    assert listed(text) == GAMES
    assert not any("points" in remark for remark in read_sample(text).remarks)


def test_lines_with_other_widths_are_read() -> None:
    """Programs that count bytes write names with accents too short."""
    shifted = TRF.replace("Ames, Ann ", "Ámés, Ánn").replace("Ámés, Ánn  ", "Ámés, Ánn")
    merged = "\r\n".join(" ".join(line.split()) for line in [*HEAD, *PLAYERS])
    for text in (shifted, merged):
        assert [game[0::3] for game in listed(text)] == [game[0::3] for game in GAMES]
        assert read_sample(text).ratings[0].rating == 2500


def test_byes_of_the_first_version_are_byes() -> None:
    old = TRF.replace("0000 - U", "0000 - +").replace("0000 - H", "0000 - =")
    assert listed(old) == GAMES
    assert trf_reading.parse(old).players[3].cells[1].code == "F"


def test_a_game_to_come_is_left_out() -> None:
    later = TRF.replace("2 w -", "2 w  ").replace("3 b +", "3 b  ")
    assert listed(later) == GAMES[:-1]
    assert read_sample(later).problems == []


def test_points_for_a_win_can_be_others() -> None:
    football = "162  W 3.0    D 1.0    L 0.0    P 3.0\r\n" + TRF
    tournament = trf_reading.parse(football)
    points = [tournament.points_of(one) for one in tournament.players.values()]
    assert points == [6, 4, 3, 5, 2]


def test_dates_that_are_written_in_other_orders_are_read() -> None:
    tournament = trf_reading.parse(
        TRF.replace("2026/01/09", "09/01/2026")
        .replace("2026/01/11", "11.01.2026")
        .replace("26/01/09  26/01/10  26/01/11", "09/01/26  10/01/26")
    )
    assert [str(tournament.day_of(at)) for at in (0, 1, 2)] == [
        "2026-01-09",
        "2026-01-10",
        "2026-01-10",
    ]
    for first in ("09. 01. 2026", "Jan 9, 2026", "9 January 2026", "2026. 01. 09"):
        assert str(trf_reading.parse(TRF.replace("2026/01/09", first)).starts) == "2026-01-09"
    undated = trf_reading.parse("".join(f"{line}\n" for line in PLAYERS))
    assert undated.day_of(0) is None


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("3 w 1", "3 w 0", "results or colours of Ames, Ann and Cole, Cem do not fit"),
        ("3 w 1", "3 b 1", "do not fit together"),
        ("3 w 1", "9 w 1", "the opponent, number 9, was not paired"),
        ("3 w 1", "1 w 1", "the opponent, number 1, was not paired"),
    ],
)
def test_rounds_that_do_not_fit_are_named(old: str, new: str, problem: str) -> None:
    problems = read_sample(TRF.replace(old, new)).problems
    assert any(problem in one.sentence for one in problems)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("3 w 1", "3 x 1", "Line 13 is not in the columns"),
        ("    2 m  ", "    1 m  ", "Line 14 has the starting number 1 again"),
        ("Berg, Bob", "Ames, Ann", "lines 13 and 14 are both called Ames, Ann"),
        ("Ende, Eve", "         ", "line 17 has no name"),
    ],
)
def test_files_that_cannot_be_read_are_refused(old: str, new: str, problem: str) -> None:
    with pytest.raises(UnreadableFile, match=problem):
        read_sample(TRF.replace(old, new))


def test_what_is_written_is_read_again_and_by_a_peer(tmp_path: Path) -> None:
    tournament = trf_reading.parse(TRF)
    written = write(tournament, [("022", "Ghent"), ("092", "Swiss")])
    again = trf_reading.parse(written)
    assert write(again, [("022", "Ghent"), ("092", "Swiss")]) == written
    for one in (*tournament.players.values(), *again.players.values()):
        one.line = 0
    assert again == tournament
    theirs = by_py4swiss(written, tmp_path)
    assert [one.name for one in theirs.player_sections] == [*POINTS]
