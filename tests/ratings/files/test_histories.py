"""Files of any format as histories, as ``replay`` and ``lab`` read them."""

from pathlib import Path

import pytest

from ratings.files.histories import read_history
from ratings.io.csvproblems import CsvError
from ratings.types import WITHOUT_TIME
from tests.support.results_of_sites import AT, lichess

ROWS = "2/5/2024,Ann,Ben,2-1\n1/5/2024,Ben,Cem,0-0\n"


def test_games_are_in_the_order_of_time(tmp_path: Path) -> None:
    file = tmp_path / "results.csv"
    file.write_text(f"date,home,away,result\n{ROWS}")
    history = read_history(file)
    assert (history.players, history.match_ids) == (["Ben", "Cem", "Ann"], ["3", "2"])
    assert history.first is not None
    assert history.first.tolist() == [0, 0]


def test_a_file_with_the_newest_first_is_reversed(tmp_path: Path) -> None:
    file = tmp_path / "results.csv"
    file.write_text("date,white,black,result\n2024-05-02,A,B,1-0\n2024-05-01,C,D,1-0\n"
                    "2024-05-01,E,F,1-0\n")  # fmt: skip
    assert read_history(file).match_ids == ["4", "3", "2"]


def test_other_formats_are_read_too(tmp_path: Path) -> None:
    file = tmp_path / "games.ndjson"
    file.write_text(str(lichess("white")).replace("'", '"'))
    history = read_history(file)
    assert history.players == ["Alice", "Bob"]
    assert history.times.tolist() == [AT * 1_000_000]


def test_a_column_is_read_as_the_context(tmp_path: Path) -> None:
    file = tmp_path / "results.csv"
    file.write_text("date,a,b,result,surface\n2024-05-01,Ann,Ben,2-1,Clay\n".replace(
        "a,b", "player 1,player 2"))  # fmt: skip
    history = read_history(file, context="surface")
    assert history.professions == ["", "Clay"]
    with pytest.raises(CsvError, match="no column “court”"):
        read_history(file, context="court")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "The file is empty"),
        ("date,home,away,result\n2024-05-01,Ann,Ann,1-0\n", "line 2: Ann is in this match twice"),
        ("date,home,away,result\n2024-05-01,Ann,Ben,w.o.\n", "no games in the file"),
        ("date,home,away,result\n2024-05-01,Ann,Ben,huge\n", "line 2: “huge” is not a result"),
        ("{", "not valid JSON"),
    ],
)
def test_files_that_cannot_be_rated_are_refused(tmp_path: Path, text: str, sentence: str) -> None:
    file = tmp_path / "results.csv"
    file.write_text(text)
    with pytest.raises(CsvError, match=sentence):
        read_history(file)


def test_games_of_pgn_without_dates_keep_their_order(tmp_path: Path) -> None:
    file = tmp_path / "games.pgn"
    game = '[White "{}"]\n[Black "{}"]\n[Result "1-0"]\n\n1-0\n\n'
    file.write_text(game.format("Zoe", "Ann") + game.format("Ann", "Ben"))
    history = read_history(file)
    assert history.players == ["Zoe", "Ann", "Ben"]
    assert history.times.tolist() == [WITHOUT_TIME] * 2
