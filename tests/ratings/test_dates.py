"""``Ratings`` with matches of any year that has a date."""

import io
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from ratings import History, Match, Participant, Ratings, Side, build
from ratings.io.csvfile import read
from ratings.registry import SYSTEMS
from ratings.replay import replay
from ratings.types import WITHOUT_TIME

FIRST, LAST = datetime(1500, 1, 1), datetime(9999, 12, 31, 23, 59, 59)  # noqa: DTZ001 - UTC is the default
EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001
PLAYERS = ["Ann", "Bob", "Cem"]


def random_dates(seed: int, count: int = 60) -> list[datetime]:
    """Return dates from 1500 to 9999 with those around 1970, oldest first."""
    chance = np.random.default_rng(seed)
    days = (LAST - FIRST).days
    anywhere = [FIRST + timedelta(days=int(day)) for day in chance.integers(0, days, count)]
    near = [EPOCH + timedelta(microseconds=step) for step in (-1, 0, 1)]
    lately = [EPOCH + timedelta(days=int(day)) for day in chance.integers(-900, 900, count)]
    return sorted([FIRST, *near, *lately, *anywhere, LAST])


def test_a_match_after_one_of_1960() -> None:
    ratings = Ratings("elo")
    ratings.rate(["a", "b"], at="1960-01-01")
    ratings.rate(["a", "b"], at="1980-01-01")
    assert ratings["a"].rating == pytest.approx(1530.53, abs=0.005)
    assert ratings["b"].rating == pytest.approx(1469.47, abs=0.005)
    assert ratings["a"].last_played == datetime(1980, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize("system", sorted(SYSTEMS))
def test_matches_of_any_date_are_rated_as_a_replay_of_their_file(
    system: str, tmp_path: Path
) -> None:
    """Saving and loading on the way changes nothing, and predictions know every date."""
    dates, chance = random_dates(seed=len(system)), np.random.default_rng(1)
    games = [chance.permutation(PLAYERS)[:2].tolist() for _date in dates]
    lines = ["match_id,played_at,side,place,player"]
    ratings = Ratings(system)
    for number, (game, date) in enumerate(zip(games, dates, strict=True)):
        lines += [
            f"{number},{date.isoformat()},{side},{side},{name}" for side, name in enumerate(game)
        ]
        ratings.predict(game, at=date)
        ratings.rate(game, at=date)
        if date.year < 1970 or number == len(dates) // 2:
            ratings.save(tmp_path / "ratings.json")
            ratings = Ratings.load(tmp_path / "ratings.json")
        assert ratings.leaderboard(at=LAST)[0].rating.last_played is not None
    with pytest.raises(ValueError, match="oldest"):
        ratings.rate(["Ann", "Bob"], at=dates[-2])
    with pytest.raises(ValueError, match="needs a time"):
        ratings.rate(["Ann", "Bob"])
    history = read(io.BytesIO("\n".join(lines).encode()))
    whole = replay(build(system), history).states
    for row, name in enumerate(history.players):
        mine = ratings.to_saved().states.take(np.array([ratings.to_saved().players.index(name)]))
        theirs = whole.take(np.array([row]))
        for field in ("rating", "deviation", "volatility", "games", "last_played"):
            assert getattr(mine, field).tobytes() == getattr(theirs, field).tobytes(), field


@pytest.mark.parametrize("system", sorted(SYSTEMS))
def test_matches_without_times_are_rated_as_if_all_were_at_one_time(
    system: str, tmp_path: Path
) -> None:
    untimed, timed = Ratings(system), Ratings(system)
    for number in range(20):
        untimed.rate(PLAYERS[:2] if number % 3 else PLAYERS[1:])
        timed.rate(PLAYERS[:2] if number % 3 else PLAYERS[1:], at="1970-01-01")
        untimed.save(tmp_path / "ratings.json")
        untimed = Ratings.load(tmp_path / "ratings.json")
    assert [(row.player, row.rating.rating) for row in untimed.leaderboard()] == [
        (row.player, row.rating.rating) for row in timed.leaderboard()
    ]
    assert untimed.latest is None
    assert timed.latest == 0
    assert {row.rating.last_played for row in untimed.leaderboard()} == {None}
    with pytest.raises(ValueError, match="had no times"):
        untimed.rate(["Ann", "Bob"], at="1970-01-01")


def test_files_of_the_first_version_are_read(tmp_path: Path) -> None:
    file = tmp_path / "ratings.json"
    for at, latest in ((None, 0), ("1970-01-02", 86_400_000_000)):
        ratings = Ratings("glicko-2")
        ratings.rate(["Ann", "Bob"], at=at)
        ratings.save(file)
        document = json.loads(file.read_text())
        file.write_text(json.dumps({**document, "version": 1, "latest": latest}))
        loaded = Ratings.load(file)
        loaded.rate(["Ann", "Bob"], at=at)
        ratings.rate(["Ann", "Bob"], at=at)
        assert loaded["Ann"] == ratings["Ann"]


def test_matches_with_and_without_times_do_not_mix() -> None:
    sides = [Side(0, [Participant("Ann")]), Side(1, [Participant("Bob")])]
    mixed = [Match("a", WITHOUT_TIME, sides), Match("b", 5, sides)]
    with pytest.raises(ValueError, match="match b has a time"):
        Ratings("elo").rate_many(History.build(mixed))


@pytest.mark.parametrize("time", ["9999-12-31T23:30:00-01:00", "0001-01-01T00:30:00+01:00"])
def test_a_time_outside_the_calendar_in_utc_is_refused(time: str) -> None:
    with pytest.raises(ValueError, match="not a time"):
        Ratings("elo").rate(["Ann", "Bob"], at=time)
