"""Swiss crosstables of chess programs, whose cells name the opponent by number."""

import random
from fractions import Fraction

import pytest

from ratings.files.documents import Found
from ratings.files.reading import read
from ratings.history import NEITHER

# In the form of Chess-Results: shared ranks are empty, and numbers are those of the rows.
CHESS_RESULTS = """\
From the Tournament-Database of Chess-Results;;;;;;;;;
Final Ranking crosstable after 3 Rounds;;;;;;;;;
Rk.;;Name;Rtg;FED;1.Rd;2.Rd;3.Rd;Pts.;TB1
1;GM;Archer  Ann;2400;NOR;3w1;2b½;4w1;2,5;4
;;Blum, Bea;2100;GER;4b+;1w½;3b1;2,5;3
3;;Cruz Cleo;1900;ESP;1b0;-1;2w0;1;5
4;;Dahl Dora;0;SWE;2w-;-0;1b0;0;5
You find all details on this page;;;;;;;;;
"""
STYLES = {
    "chess-results": lambda number, colour, points: f"{number}{colour}{points}",
    "swiss-manager": lambda number, colour, points: f" {number} {colour} {points}",
    "german": lambda number, colour, points: f"{number}{'ws'[colour == 'b']}{points}",
    "vega": lambda number, colour, points: f"{'-=+'['0½1'.index(points)]}{colour.upper()}{number}",
    "american": lambda number, colour, points: f"{'LDW'['0½1'.index(points)]} {number:>3}",
}


def read_sample(text: str) -> Found:
    return read(text.encode())


def in_short(found: Found) -> list[tuple[str, str, str, int, int, int, bool]]:
    short = []
    for game in found.results:
        one, other = game.sides
        names, places = (one.names[0], other.names[0]), (one.place, other.place)
        short.append((game.round, *names, *places, game.first, game.forfeit))
    return short


def test_a_crosstable_of_chess_results_has_games_colours_forfeits_and_ratings() -> None:
    found = read_sample(CHESS_RESULTS)
    assert found.problems == []
    assert in_short(found) == [
        ("1", "Archer Ann", "Cruz Cleo", 0, 1, 0, False),
        ("1", "Dahl Dora", "Blum, Bea", 1, 0, 0, True),
        ("2", "Blum, Bea", "Archer Ann", 0, 0, 0, False),
        ("3", "Archer Ann", "Dahl Dora", 0, 1, 0, False),
        ("3", "Cruz Cleo", "Blum, Bea", 1, 0, 0, False),
    ]
    assert [(one.name, one.rating) for one in found.ratings] == [
        ("Archer Ann", 2400),
        ("Blum, Bea", 2100),
        ("Cruz Cleo", 1900),
    ]
    assert not any("points in the file" in remark for remark in found.remarks)


def test_points_that_differ_are_named() -> None:
    found = read_sample(CHESS_RESULTS.replace("2w0;1;5", "2w0;2;5"))
    assert any("not those of its results for: Cruz Cleo." in remark for remark in found.remarks)


def test_games_against_players_who_are_not_in_the_table_are_counted() -> None:
    found = read_sample(CHESS_RESULTS.replace("3w1;2b½", "71w1;2b½").replace("1b0;-1", "72b0;-1"))
    assert len(found.results) == 4
    assert any("not in the table are left out: 2." in remark for remark in found.remarks)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("1b0;-1", "1b½;-1", "results or colours of Archer Ann and Cruz Cleo"),
        ("1b0;-1", "1w0;-1", "results or colours of Archer Ann and Cruz Cleo"),
        ("1b0;-1", "4b0;-1", "Archer Ann: the opponent, number 3, was not paired with them"),
        ("1b0;-1", "3b0;-1", "Archer Ann: the opponent, number 3, was not paired with them"),
    ],
)
def test_cells_that_do_not_fit_are_named(old: str, new: str, problem: str) -> None:
    [first, *_more] = read_sample(CHESS_RESULTS.replace(old, new)).problems
    assert problem in first.sentence


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("by", ["rows", "numbers"])
def test_every_game_is_read_in_every_style(style: str, by: str) -> None:
    rng = random.Random(f"{style} {by}")  # noqa: S311 - a seed
    for players in (4, 7, 24):
        games: dict[int, list[str]] = {number: [] for number in range(1, players + 1)}
        points = dict.fromkeys(games, Fraction(0))
        played = []
        for round_ in range(1, 6):
            order = rng.sample(sorted(games), players)
            for white, black in zip(order[::2], order[1::2], strict=False):
                own = rng.choice("0½1")
                other = "1½0"["0½1".index(own)]
                games[white].append(STYLES[style](black, "w", own))
                games[black].append(STYLES[style](white, "b", other))
                places = (int(own == "0"), int(own == "1"))
                played.append((str(round_), f"P{white}", f"P{black}", *places))
                for one, mark in ((white, own), (black, other)):
                    points[one] += Fraction("0½1".index(mark), 2)
            if players % 2:
                games[order[-1]].append("-1" if style != "american" else "B---")
                points[order[-1]] += 1
        numbers = sorted(games) if by == "rows" else rng.sample(sorted(games), players)
        header = ["Rank", "Name", *(f"Rd {at}" for at in range(1, 6)), "Total"]
        if by == "numbers":
            header[0] = "No."
        rows = [[str(at), f"P{at}", *games[at], str(float(points[at]))] for at in numbers]
        found = read_sample("\n".join(";".join(row) for row in [header, *rows]))
        assert found.problems == []
        expected = played if style != "american" else [in_order(game, numbers) for game in played]
        assert sorted(game[:5] for game in in_short(found)) == sorted(expected)
        assert {game[5] for game in in_short(found)} == {NEITHER if style == "american" else 0}
        assert not any("points in the file" in remark for remark in found.remarks)


def in_order(
    game: tuple[str, str, str, int, int], numbers: list[int]
) -> tuple[str, str, str, int, int]:
    """Return a game without colours, in which the player of the upper row comes first."""
    round_, one, other, *places = game
    if numbers.index(int(one[1:])) > numbers.index(int(other[1:])):
        return round_, other, one, places[1], places[0]
    return game


def test_a_round_robin_is_no_swiss() -> None:
    text = "No,Name,1,2,3,Pts\n1,Ann,*,1½,11,3.5\n2,Bob,0½,*,1½,2\n3,Cid,00,0½,*,0.5\n"
    found = read_sample(text)
    assert not any("Swiss" in remark for remark in found.remarks)
