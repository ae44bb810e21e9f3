"""Ratings and events as files: exact, and written completely or not at all."""

import csv
import io
from pathlib import Path

import pytest

from ratings.io.csvwriter import atomic_write, write_events, write_ratings
from ratings.registry import build
from ratings.replay import replay
from tests.support.rating_histories import random_duels

HISTORY = random_duels(200, players=15)


def test_ratings_read_back_to_the_last_bit_best_first() -> None:
    system = build("glicko-2")
    states = replay(system, HISTORY).states
    text = io.StringIO()
    write_ratings(text, system, HISTORY, states)
    rows = list(csv.DictReader(io.StringIO(text.getvalue())))
    assert [float(row["rating"]) for row in rows] == sorted(states.rating.tolist(), reverse=True)
    for row in rows:
        code = HISTORY.players.index(row["player"])
        assert float(row["rating"]).hex() == states.rating[code].item().hex()
        assert float(row["deviation"]).hex() == states.deviation[code].item().hex()
        assert float(row["volatility"]).hex() == states.volatility[code].item().hex()
        assert int(row["games"]) == states.games[code]


def test_numbers_that_a_system_does_not_keep_are_empty() -> None:
    system = build("elo")
    text = io.StringIO()
    write_ratings(text, system, HISTORY, system.newcomers(15))
    first = next(csv.DictReader(io.StringIO(text.getvalue())))
    assert first == {
        "player": "player 0",
        "rating": "1500.0",
        "deviation": "",
        "volatility": "",
        "games": "0",
        "last_played": "",
    }


def test_events_have_each_participants_change_in_the_order_of_the_history() -> None:
    system = build("glicko-2")
    replayed = replay(system, HISTORY)
    text = io.StringIO()
    write_events(text, system, HISTORY, replayed)
    rows = list(csv.DictReader(io.StringIO(text.getvalue())))
    assert len(rows) == 400
    assert [row["match_id"] for row in rows[:3]] == ["0", "0", "1"]
    assert [row["player"] for row in rows] == [HISTORY.players[code] for code in HISTORY.player]
    for at, row in enumerate(rows):
        assert float(row["rating_before"]) == replayed.before.rating[at]
        assert float(row["deviation_after"]) == replayed.after.deviation[at]
        assert float(row["expected"]) == replayed.terms["expected"][at]
    assert rows[0]["played_at"].startswith("1970-01-01T")


def test_a_file_is_written_completely_or_not_at_all(tmp_path: Path) -> None:
    target = tmp_path / "ratings.csv"
    target.write_text("as it was")
    with pytest.raises(OSError, match="disk full"):
        _write_half(target)
    assert target.read_text() == "as it was"
    assert list(tmp_path.iterdir()) == [target]

    with atomic_write(target) as file:
        file.write("all of it")
    assert target.read_text() == "all of it"
    assert list(tmp_path.iterdir()) == [target]


def _write_half(target: Path) -> None:
    with atomic_write(target) as file:
        file.write("half")
        raise OSError("disk full")


def test_a_link_still_points_to_the_written_file(tmp_path: Path) -> None:
    target, link = tmp_path / "target.csv", tmp_path / "link.csv"
    target.write_text("old")
    link.symlink_to(target)
    with atomic_write(link) as file:
        file.write("new")
    assert link.is_symlink()
    assert target.read_text() == "new"
