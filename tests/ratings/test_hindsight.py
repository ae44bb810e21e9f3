"""Ratings in hindsight, against the whole posterior by brute force and against other libraries."""

import csv
import errno
import importlib
import io
import math
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from ratings.cli import main
from ratings.hindsight import SCALE, WholeHistory, whole_history
from ratings.history import History, HistoryError, Match
from ratings.io.csvfile import read_file
from ratings.registry import build
from ratings.replay import replay
from tests.support.effort import examples
from tests.support.rating_histories import DAY, contest, duel, histories, random_duels

NOON = DAY // 2


class Posterior:
    """The posterior of a small history, by plain loops over its matches."""

    def __init__(self, matches: list[Match], drift: float, first_side: float, prior: float) -> None:
        self.matches = [match for match in matches if match.played]
        self.drift, self.first_side, self.prior = drift, first_side, prior
        played = {
            (one.player, match.played_at_us // DAY)
            for match in self.matches
            for side in match.sides
            for one in side.participants
        }
        self.keys = sorted(played)
        self.at = {key: number for number, key in enumerate(self.keys)}

    def __call__(self, natural: np.ndarray) -> float:
        """Return minus the logarithm of the posterior."""
        total = 0.0
        for match in self.matches:
            day = match.played_at_us // DAY
            one, other = (
                sum(natural[self.at[who.player, day]] for who in side.participants)
                / len(side.participants)
                for side in match.sides
            )
            head_start = 0.0 if match.first is None else (1 - 2 * match.first) * self.first_side
            lead = one - other + head_start / SCALE
            places = [side.place for side in match.sides]
            win = 0.5 if places[0] == places[1] else float(places[0] < places[1])
            total += match.weight * (win * math.log1p(math.exp(-lead)) if win else 0.0)
            total += match.weight * ((1 - win) * math.log1p(math.exp(lead)) if win < 1 else 0.0)
        for (player, day), number in self.at.items():
            rating = natural[number]
            earlier = [key for key in self.keys if key[0] == player and key[1] < day]
            if not earlier:
                total += self.prior * math.log1p(math.exp(rating))
                total += self.prior * math.log1p(math.exp(-rating))
                continue
            years = (day - earlier[-1][1]) / 365.25
            step = rating - natural[self.at[earlier[-1]]]
            total += step**2 / (2 * (self.drift / SCALE) ** 2 * years)
        return total

    def slope(self, natural: np.ndarray) -> np.ndarray:
        """Return differences in each coordinate."""
        moves = 1e-4 * np.eye(len(natural))
        return np.array([(self(natural + one) - self(natural - one)) / 2e-4 for one in moves])

    def curvature(self, natural: np.ndarray, rows: list[int]) -> np.ndarray:
        """Return second differences in some of the coordinates."""
        size, h = len(rows), 1e-3
        found = np.empty((size, size))
        for i, one in enumerate(rows):
            for j, two in enumerate(rows):
                values = []
                for a, b in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
                    moved = natural.copy()
                    moved[one] += a * h
                    moved[two] += b * h
                    values.append(self(moved))
                found[i, j] = (values[0] - values[1] - values[2] + values[3]) / (4 * h * h)
        return found


def two_sided(sizes: object) -> bool:
    return len(sizes) == 2  # type: ignore[arg-type]


def rows_of(found: WholeHistory) -> dict[tuple[str, int], tuple[float, float]]:
    names = [found.players[code] for code in found.player.tolist()]
    numbers = zip(found.rating.tolist(), found.deviation.tolist(), strict=True)
    return dict(zip(zip(names, found.day.tolist(), strict=True), numbers, strict=True))


@settings(max_examples=examples(25), deadline=None)
@given(
    played=histories(most=7, rates=two_sided).filter(bool),
    flags=st.lists(st.booleans(), min_size=7, max_size=7),
    drift=st.sampled_from([20.0, 150.0, 900.0]),
    first_side=st.sampled_from([0.0, 70.0]),
    prior=st.sampled_from([0.3, 1.0]),
)
def test_ratings_are_the_maximum_of_the_whole_posterior(
    played: list[Match], flags: list[bool], drift: float, first_side: float, prior: float
) -> None:
    played = [replace(one, played=two) for one, two in zip(played, flags, strict=False)]
    posterior = Posterior(played, drift, first_side, prior)
    found = whole_history(
        History.build(played), drift=drift, mean=0.0, first_side=first_side, prior_games=prior
    )
    rows = rows_of(found)
    assert sorted(rows) == posterior.keys
    if not rows:
        return
    natural = np.array([rows[key][0] for key in posterior.keys]) / SCALE
    best = minimize(posterior, np.zeros(len(natural)), method="BFGS", options={"gtol": 1e-7})  # type: ignore[no-untyped-call]
    assert posterior(natural) <= best.fun + 1e-9
    assert posterior.slope(natural) == pytest.approx(np.zeros(len(natural)), abs=1e-5)

    for player in {player for player, _day in posterior.keys}:
        own = [number for number, key in enumerate(posterior.keys) if key[0] == player]
        spread = np.sqrt(np.diag(np.linalg.inv(posterior.curvature(natural, own))))
        mine = [rows[posterior.keys[number]][1] / SCALE for number in own]
        assert mine == pytest.approx(spread, rel=2e-3)


def test_ratings_agree_with_the_published_library() -> None:
    whr = importlib.import_module("whr")
    history = random_duels(150, players=8)
    history = replace(history, places=np.tile([0, 1], len(history)))
    yearly = 200.0
    base = whr.WHR({"w2": yearly**2 / 365.25, "initial_prior_wins": 1.0, "hessian_damping": 0.0})
    days = (history.times // DAY).tolist()
    for (one, other), day in zip(history.player.reshape(-1, 2).tolist(), days, strict=True):
        base.create_game(history.players[one], history.players[other], "B", day, 0)
    base.iterate(400)
    found = whole_history(history, drift=yearly, mean=0.0)
    for name in history.players:
        mine, theirs = found.of(name), base.player_by_name(name).days
        assert mine.day.tolist() == [day.day for day in theirs]
        assert mine.rating == pytest.approx([day.elo for day in theirs], abs=1e-3)
        variances = [day.uncertainty for day in theirs]
        assert (mine.deviation / SCALE) ** 2 == pytest.approx(variances, rel=1e-5)
    assert len(found.day) > 200


def test_true_strengths_are_found_better_than_by_a_rating_of_the_moment() -> None:
    """Strengths that wander, of which hindsight knows both sides of each day."""
    rng = np.random.default_rng(8)
    players, days, yearly = 40, 300, 300.0
    walk = np.cumsum(rng.normal(0, yearly / math.sqrt(365.25), (days, players)), axis=0)
    true = walk + rng.normal(0, 150, players)
    day = np.repeat(np.arange(days), 10)
    one = rng.integers(0, players, len(day))
    other = (one + rng.integers(1, players, len(day))) % players
    lead = (true[day, one] - true[day, other]) / SCALE
    won = rng.random(len(day)) < 1 / (1 + np.exp(-lead))
    history = History.duels(
        [str(number) for number in range(players)],
        day * DAY + NOON,
        np.where(won, one, other),
        np.where(won, other, one),
    )
    found = whole_history(history, drift=yearly, mean=0.0)
    wanted = true[found.day, found.player]
    error = np.std(found.rating - wanted)
    moment = replay(build("elo", {"max_gain": 20}), history).after.rating
    at_once = np.std(moment - true[np.repeat(day, 2), history.player])
    assert error < 0.8 * at_once
    within = np.abs(found.rating - found.rating.mean() - (wanted - wanted.mean()))
    assert 0.5 < np.mean(within < found.deviation) < 0.8


@pytest.mark.parametrize("drift", [1.0, 100_000.0])
@pytest.mark.parametrize("prior", [0.001, 1000.0])
def test_extreme_numbers_give_finite_ratings(drift: float, prior: float) -> None:
    found = whole_history(random_duels(300, players=5), drift=drift, prior_games=prior)
    assert np.isfinite(found.rating).all()
    assert (found.deviation > 0).all()


def test_what_makes_no_sense_is_refused() -> None:
    history = History.build([duel("Alice", "Bob")])
    for name, value in (
        ("drift", 0.0),
        ("drift", math.nan),
        ("drift", -3.0),
        ("mean", math.inf),
        ("first_side", 1e6),
        ("prior_games", 0.0),
    ):
        with pytest.raises(ValueError, match=f"{name} must be from .* to .*; it is {value}"):
            whole_history(history, **{name: value})
    three = History.build([contest(["Alice"], ["Bob"], ["Charlie"])])
    with pytest.raises(HistoryError, match="match 1: ratings in hindsight need two sides"):
        whole_history(three)
    with pytest.raises(LookupError, match="Zoe is not a player"):
        whole_history(history).of("Zoe")
    assert len(whole_history(History.build([])).rating) == 0


def test_a_frame_has_a_row_for_each_day() -> None:
    found = whole_history(History.build([duel("Alice", "Bob", at=NOON)]))
    rows = found.to_frame("polars").rows()
    assert [row[:2] for row in rows] == [("Alice", "1970-01-01"), ("Bob", "1970-01-01")]
    assert [row[2] for row in rows] == found.rating.tolist()


class FullDisk(io.StringIO):
    def write(self, _text: str) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")


def test_the_command_writes_each_day(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file, target = tmp_path / "history.csv", tmp_path / "days.csv"
    lines = ["match_id,played_at,side,place,player,first"]
    for number, (winner, loser) in enumerate([("Ann", "Bob"), ("Bob", "Ann")], start=1):
        lines.append(f"{number},2024-05-0{number},1,0,{winner},yes")
        lines.append(f"{number},2024-05-0{number},2,1,{loser},no")
    file.write_text("\n".join(lines))
    assert main(["hindsight", str(file), "--drift", "90", "--advantage", "50"]) == 0
    printed = capsys.readouterr().out
    rows = list(csv.DictReader(printed.splitlines()))
    assert [(row["player"], row["day"]) for row in rows] == [
        (player, day) for player in ("Ann", "Bob") for day in ("2024-05-01", "2024-05-02")
    ]
    wanted = whole_history(read_file(file), drift=90, first_side=50)
    assert [float(row["rating"]) for row in rows] == wanted.rating.tolist()
    assert (
        main(
            ["hindsight", str(file), "--drift", "90", "--advantage", "50", "--output", str(target)]
        )
        == 0
    )
    assert target.read_text() == printed
    assert main(["hindsight", str(file), "--drift", "-1"]) == 1
    assert "drift must be from 1 to 100,000; it is -1.0." in capsys.readouterr().err
    assert main(["hindsight", str(file), "--output", str(tmp_path / "none" / "x.csv")]) == 1
    assert "there is no folder" in capsys.readouterr().err
    monkeypatch.setattr(sys, "stdout", FullDisk())
    assert main(["hindsight", str(file)]) == 1
    assert "Cannot write the output: No space left on device." in capsys.readouterr().err
