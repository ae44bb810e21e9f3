"""Results, sides and orders of finish as people write them in tables."""

import pytest

from ratings.files.choices import Choices
from ratings.files.documents import Found
from ratings.files.problems import NotPlayed, UnreadablePart
from ratings.files.reading import read
from ratings.files.rows import GameRules
from ratings.files.scores import DRAW, FIRST, SECOND, Written
from ratings.files.scores import read as read_score


def read_sample(text: str, rules: GameRules | None = None) -> Found:
    return read(text.encode(), Choices(rules=rules or GameRules()))


def names(text: str, rules: GameRules | None = None) -> list[list[list[str]]]:
    return [[side.names for side in one.sides] for one in read_sample(text, rules).results]


@pytest.mark.parametrize(
    ("text", "winner", "score", "forfeit"),
    [
        ("3-1", FIRST, (3, 1), False),
        ("3–1", FIRST, (3, 1), False),
        ("7-6(4) 6-3", FIRST, (2, 0), False),
        ("7-6 (10-8) 4-6 [10-7]", FIRST, (2, 1), False),
        ("0.5", DRAW, (0.5, 0.5), False),
        ("½-½", DRAW, (0.5, 0.5), False),
        ("W", FIRST, None, False),
        ("loss", SECOND, None, False),
        ("Remis", DRAW, None, False),
        ("H", FIRST, None, False),
        ("W/O", FIRST, None, True),
        ("FF", FIRST, None, True),
        ("DQ 2", SECOND, None, True),
        ("0-1 DQ", SECOND, None, True),
        ("-:+", SECOND, None, True),
        ("2-1 aet", FIRST, (2, 1), False),
        ("3-2 OT", FIRST, (3, 2), False),
    ],
)
def test_results_are_read_however_they_are_written(
    text: str, winner: str, score: tuple[float, float] | None, forfeit: bool
) -> None:
    read_one = read_score(text)
    assert (read_one.winner, read_one.score, read_one.forfeit) == (winner, score, forfeit)


def test_a_retirement_needs_its_winner() -> None:
    with pytest.raises(UnreadablePart, match="who won"):
        read_score("6-4 2-0 RET")
    assert read_score("6-4 2-0 RET", winner=SECOND) == Written(SECOND)
    assert read_score("ret.", winner=FIRST) == Written(FIRST)


@pytest.mark.parametrize(
    "text", ["n.p.", "NP", "postponed", "PPD", "cancelled", "abd", "tbd", "vs", "P-P", ""]
)
def test_matches_that_were_not_played_are_counted_and_left_out(text: str) -> None:
    table = f"date,home,away,score\n2024-01-01,A,B,1-0\n2024-01-02,A,B,{text}\n"
    read_file = read_sample(table)
    assert (len(read_file.results), read_file.problems) == (1, [])
    assert any("not played" in remark and "1." in remark for remark in read_file.remarks)
    if text:
        with pytest.raises(NotPlayed):
            read_score(text)


def test_a_row_without_a_side_is_an_error_even_without_a_result() -> None:
    read_file = read_sample("date,home,away,score\n2024-01-01,A,B,1-0\n2024-01-02,A,,\n")
    assert "Name both sides." in [problem.sentence for problem in read_file.problems]


TEAMS = GameRules(teams=True)
DOUBLES = [[["Ann", "Bob"], ["Cid", "Dan"]]]


@pytest.mark.parametrize(
    "header",
    [
        "A1,A2,B1,B2",
        "team1player1,team1player2,team2player1,team2player2",
        "Team A Player 1,Team A Player 2,Team B Player 1,Team B Player 2",
        "winner1_name,winner2_name,loser1_name,loser2_name",
        "home 1,home 2,away 1,away 2",
        "t1p1,t1p2,t2p1,t2p2",
    ],
)
def test_each_player_of_a_side_can_have_a_column(header: str) -> None:
    assert names(f"date,{header},score\n2024-01-01,Ann,Bob,Cid,Dan,2-1\n", TEAMS) == DOUBLES
    alone = names(f"date,{header},score\n2024-01-01,Ann,Bob,Cid,,2-1\n", TEAMS)
    assert alone == [[["Ann", "Bob"], ["Cid"]]]


@pytest.mark.parametrize("sign", [" / ", "/", " + ", " & ", " and ", ", "])
def test_signs_separate_the_players_of_a_side(sign: str) -> None:
    text = f'date,side 1,side 2,score\n2024-01-01,"Ann{sign}Bob","Cid{sign}Dan",2-1\n'
    assert names(text, TEAMS) == DOUBLES
    assert names(text) == [[[f"Ann{sign}Bob"], [f"Cid{sign}Dan"]]]  # of a game of two players


def test_a_name_with_a_sign_among_others_is_whole() -> None:
    text = (
        "date,home,away,score\n2024-01-01,Brighton & Hove,Fulham,2-1\n2024-01-02,Hull,Leeds,1-1\n"
    )
    assert names(text, TEAMS)[0] == [["Brighton & Hove"], ["Fulham"]]
    known = GameRules(teams=True, names_of_teams=frozenset({"brighton & hove"}))
    only = "date,home,away,score\n2024-01-01,Brighton & Hove,Ann & Bob,2-1\n"
    assert names(only, known) == [[["Brighton & Hove"], ["Ann", "Bob"]]]


@pytest.mark.parametrize(
    ("order", "entry"),
    [
        ("Ann > Bob >", "Entry 2"),
        ("Ann >> Bob", "Entry 1"),
        ("> Ann", "Entry 1"),
        ("Ann = = Bob", "Entry 2"),
        ("Ann > Bob > > Cid", "Entry 3"),
        ("Ann>Bob>", "Entry 3"),
        ("Ann>>Bob", "Entry 2"),
        ("Ann >Bob > Cid", "Entry 1"),
    ],
)
def test_an_order_with_a_stray_sign_names_the_entry(order: str, entry: str) -> None:
    [problem] = read_sample(f"date,order\n2024-01-01,{order}\n").problems
    assert problem.sentence.startswith(f"{entry} of the order of finish")


def test_orders_are_read_with_and_without_spaces() -> None:
    for order in ("Ann > Bob = Cid > Dan", "Ann>Bob=Cid>Dan"):
        [result] = read_sample(f"date,order\n2024-01-01,{order}\n").results
        assert [(side.names, side.place) for side in result.sides] == [
            (["Ann"], 0),
            (["Bob"], 1),
            (["Cid"], 1),
            (["Dan"], 3),
        ]


def test_a_name_can_have_signs_of_an_order() -> None:
    assert names("date,home,away,score\n2024-01-01,Ann >,=Bob=,2-1\n") == [[["Ann >"], ["=Bob="]]]
    assert names("date,order\n2024-01-01,Ann =) > =Bob=\n") == [[["Ann =)"], ["=Bob="]]]


def test_the_winner_can_be_called_as_a_word() -> None:
    text = "date,home,away,winner\n2024-01-01,X,D,D\n2024-01-02,A,B,A\n2024-01-03,E,F,A\n"
    results = read_sample(text).results
    assert [[side.place for side in one.sides] for one in results] == [[1, 0], [0, 1], [1, 0]]
