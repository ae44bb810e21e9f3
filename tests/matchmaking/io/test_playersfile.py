"""Real players for a simulation, from a file."""

import pytest

from matchmaking.io.playersfile import PlayersError, read
from matchmaking.ticket import Player


def test_players_are_read_with_optional_columns() -> None:
    text = (
        "player,rating,deviation,volatility,games,profession\n"
        '"Alice, captain",1612.5,61.25,0.06,140,Mesmer\n'
        "Bob,-3,,0.06,,\n"
    )
    assert read(text) == [
        Player("Alice, captain", 1612.5, deviation=61.25, games=140.0, profession="Mesmer"),
        Player("Bob", -3.0),
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "line 1: missing column player and column rating"),
        ("player\nAlice\n", "line 1: missing column rating"),
        ("player,rating\n", "the file has no players"),
        (
            "player,rating\nAlice,high\n",
            "line 2: rating must be a number from -1000000000 to 1000000000",
        ),
        ("player,rating\nAlice\n", "line 2: rating must be"),
        ("player,rating\nAlice,nan\n", "it is “nan”"),
        ("player,rating\nAlice,1\n ,2\n", "line 3: player is empty"),
        (
            "player,rating,games\nAlice,1,-1\n",
            "line 2: games must be a number from 0 to 1000000000",
        ),
        ("player,rating\n" + "Alice,x\n" * 30, "and 10 more"),
    ],
)
def test_a_mistake_is_reported_with_its_line(text: str, problem: str) -> None:
    with pytest.raises(PlayersError) as refused:
        read(text)
    assert problem in str(refused.value)
