"""The order of results whose times do not say it."""

import pytest

from ratings.files.ordering import rank_of
from ratings.files.reading import read


def firsts(text: str) -> list[str]:
    return [one.sides[0].names[0] for one in read(text.encode()).results]


def test_the_newest_results_can_come_first() -> None:
    text = "date,home,away,score\n2024-03-02,D,A,1-0\n2024-03-02,C,A,1-0\n2024-03-01,B,A,1-0\n"
    assert firsts(text) == ["B", "C", "D"]
    assert any("newest results come first" in one for one in read(text.encode()).remarks)
    of_one_day = text.replace("2024-03-02", "2024-03-01")
    assert firsts(of_one_day) == ["D", "C", "B"]


def test_results_without_a_date_are_in_the_order_of_rounds() -> None:
    text = "round,white,black,result\n2,C,A,1-0\n1,A,B,1-0\n10,D,A,1-0\n2,E,A,1-0\n"
    assert firsts(text) == ["A", "C", "E", "D"]
    assert {one.played_at for one in read(text.encode()).results} == {None}
    assert firsts(text.replace("10,", "replay,")) == ["C", "A", "D", "E"]  # as in the file


@pytest.mark.parametrize(
    "rounds",
    [
        ["R128", "R64", "R32", "R16", "QF", "SF", "F"],
        ["1st Round", "2nd Round", "Quarterfinals", "Semi-finals", "The Final"],
        ["Round of 16", "Quarter-final", "Final"],
        ["Matchday 2", "Matchday 10"],
        ["1. Runde", "2. Runde"],
    ],
)
def test_rounds_of_a_knockout_rise_towards_the_final(rounds: list[str]) -> None:
    ranks = [rank_of(name) for name in rounds]
    assert ranks == sorted(ranks, key=lambda rank: rank or 0)
    assert len(set(ranks)) == len(rounds)
    assert None not in ranks
