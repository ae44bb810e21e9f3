"""Benchmarks of the match systems against other libraries: Glicko-2 and TrueSkill.

    python -m benchmarks.ratings_duels [ROUNDS]

Glicko-2 rates duels and football matches, TrueSkill team matches. Each peer and our code rate the
same matches in turn, in one process, and the medians of ROUNDS turns are compared. The peers are
PyPI's `glicko2`, `riix` and `trueskill`. Like ours, they are Python on one core, so seconds are
processor time, which other work on the machine does not affect. Times exclude the creation of input
objects. Differences are the largest between any player's ratings. `glicko2` 2.1.0 differs because
it uses the rating where the volatility's equation has the deviation.

Football is the demo league's history. Its log loss is over the last half of the matches, counting a
draw as half a win. Our parameters were chosen by the log loss of the first half alone, the peers'
by that of the last half itself.
"""

from __future__ import annotations

import csv
import importlib
import importlib.metadata
import itertools
import lzma
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.ratings_contests import HEADING, Comparison, duels, team_matches, turns, versions
from ratings import compiled
from ratings.history import History
from ratings.lab.evaluation import Evaluation, Predictions, evaluate, evaluate_predictions
from ratings.registry import build
from ratings.replay import final_states

if TYPE_CHECKING:
    from ratings.types import Floats, States

PEERS = ("glicko2", "riix", "trueskill")
FOOTBALL = Path(__file__).resolve().parents[1] / "league/demo/international_results.csv.xz"
PLAIN: dict[str, object] = {
    "rating_default": 1500,
    "rating_min": -100_000,
    "rating_max": 100_000,
    "rating_max_change": 100_000,
    "deviation_min": 1,
    "deviation_period": "3650d",
    "deviation_max_periods": 100_000,
    "volatility_min": 0.0001,
    "volatility_max": 1,
}
"""Glickman's procedure without a league's limits, like the peers."""
FOR_FOOTBALL: dict[str, object] = {
    "deviation_default": 250,
    "deviation_min": 1,
    "deviation_period": "30d",
    "deviation_max_periods": 600,
    "volatility_default": 0.005,
    "volatility_min": 0.0001,
}
"""Steadier than a league's players, as nations change over years. The best on the first half."""
RIIX_DAYS = (1, 30, 120, 365)


def find_peers() -> dict[str, Any]:
    """Return the installed peers' modules, and print a sentence for each missing one."""
    versions()
    found = {}
    for name in PEERS:
        try:
            found[name] = importlib.import_module(name)
            print(f"{name} {importlib.metadata.version(name)}")
        except ImportError:
            print(f"{name} is not installed, so its rows are omitted: pip install {name}")
    return found


def football() -> History:
    """Load every full men's international since 1872, with each nation as a player."""
    with lzma.open(FOOTBALL, "rt", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["home_score"].isdigit()]
    names = list(dict.fromkeys(row[side] for row in rows for side in ("home_team", "away_team")))
    code = {name: number for number, name in enumerate(names)}
    home = np.array([code[row["home_team"]] for row in rows])
    away = np.array([code[row["away_team"]] for row in rows])
    goals = np.array([[int(row["home_score"]), int(row["away_score"])] for row in rows])
    days = [datetime.fromisoformat(row["date"]).replace(tzinfo=UTC) for row in rows]
    lost = goals[:, 0] < goals[:, 1]
    return History.duels(
        names,
        np.array([int(day.timestamp()) for day in days]) * 1_000_000,
        np.where(lost, away, home),
        np.where(lost, home, away),
        draws=goals[:, 0] == goals[:, 1],
    )


def pairs(history: History) -> list[tuple[int, int, float]]:
    """Return each duel's two players and the first one's score."""
    drawn = history.places[1::2] == 0
    first, second = history.player[::2].tolist(), history.player[1::2].tolist()
    return list(zip(first, second, np.where(drawn, 0.5, 1.0).tolist(), strict=True))


def by_glicko2(module: Any, duels: list[tuple[int, int, float]], count: int) -> list[Any]:
    """Return all players after the duels, with one duel per period."""
    players = [module.Player() for _ in range(count)]
    for one, two, score in duels:
        first, second = players[one], players[two]
        state = first.rating, first.rd
        first.update_player([second.rating], [second.rd], [score])
        second.update_player([state[0]], [state[1]], [1.0 - score])
    return players


def expect_results(module: Any, duels: list[tuple[int, int, float]], count: int) -> Floats:
    """Return glicko2's expected result of each duel's first player, by Glickman's formula."""
    players = [module.Player() for _ in range(count)]
    chances = np.empty(len(duels))
    scale = 173.7178
    for number, (one, two, score) in enumerate(duels):
        first, second = players[one], players[two]
        variance = (first.rd**2 + second.rd**2) / scale**2
        trust = 1 / np.sqrt(1 + 3 * variance / np.pi**2)
        chances[number] = 1 / (1 + np.exp(-trust * (first.rating - second.rating) / scale))
        state = first.rating, first.rd
        first.update_player([second.rating], [second.rd], [score])
        second.update_player([state[0]], [state[1]], [1.0 - score])
    return chances


def late_evaluation(history: History, chances: Floats) -> Evaluation:
    """Evaluate chances of first players over the last half of a history of duels."""
    both = np.stack([chances, 1.0 - chances], axis=-1).ravel()
    predictions = Predictions(both, np.zeros(len(both), dtype=np.int64), both)
    return evaluate_predictions(history, predictions, first=len(history) // 2, experienced=0)


def duels_row(module: Any, count: int) -> Comparison:
    history = duels(1_000_000, 50_000)
    played = pairs(history)
    system = build("glicko-2", PLAIN)
    compiled.start(system)
    theirs, ours, players, after = turns(
        count,
        lambda: by_glicko2(module, played, len(history.players)),
        lambda: final_states(system, history),
        time.process_time,
    )
    apart = largest(players, after)
    work = "glicko-2, 1,000,000 duels of 50,000 players"
    return Comparison(work, "glicko2", 40, theirs, ours, apart)


def largest(players: list[Any], after: States) -> float:
    rated = np.array([player.rating for player in players])
    return float(np.abs(rated - after.rating).max())


def football_rows(peers: dict[str, Any], count: int) -> list[Comparison]:
    """Compare times with both peers, and the log loss of all settings."""
    history = football()
    played = pairs(history)
    system = build("glicko-2", FOR_FOOTBALL)
    compiled.start(system)
    print(f"\nfootball, {len(history):,} matches: log loss, Brier and accuracy on the last half")
    print_scores("ours", evaluate(system, history, first=len(history) // 2, experienced=0))
    rows = []
    if "glicko2" in peers:
        module = peers["glicko2"]
        chances = expect_results(module, played, len(history.players))
        print_scores("glicko2", late_evaluation(history, chances))
        theirs, ours, *_ = turns(
            count,
            lambda: by_glicko2(module, played, len(history.players)),
            lambda: final_states(system, history),
            time.process_time,
        )
        rows.append(Comparison("glicko-2, football", "glicko2", 10, theirs, ours, None))
    if "riix" in peers:
        rows.append(beside_riix(peers["riix"], history, count))
    return rows


def beside_riix(module: Any, history: History, count: int) -> Comparison:
    """Compare with riix, which rates the matches of a period in turn and grows deviations between.

    Its data sets are built from arrays, as the loader of 0.0.6 joins tables in any order that
    polars gives, which mixes later matches among earlier ones.
    """
    sets = importlib.import_module("riix.utils").MatchupDataset
    model = importlib.import_module("riix.models.glicko2").Glicko2
    days = (history.times - history.times[0]) // 86_400_000_000
    scores = np.where(history.places[1::2] == 0, 0.5, 1.0)

    def by_period(period: int) -> Any:
        steps = (days // period).astype(np.int32)
        players = history.player.reshape(-1, 2)
        return sets.init_from_arrays(steps, players, scores, history.players)

    for period in RIIX_DAYS:
        chances = model(history.players).fit_dataset(by_period(period), return_pre_match_probs=True)
        name = f"{module.__name__}, periods of {period} days"
        print_scores(name, late_evaluation(history, chances))
    system = build("glicko-2", FOR_FOOTBALL)
    dataset = by_period(1)
    theirs, ours, *_ = turns(
        count,
        lambda: model(history.players).fit_dataset(dataset),
        lambda: final_states(system, history),
        time.process_time,
    )
    return Comparison("glicko-2, football", "riix, periods of a day", 3, theirs, ours, None)


def print_scores(name: str, evaluation: Evaluation) -> None:
    scores = f"{evaluation.log_loss:.5f} {evaluation.brier:.5f} {evaluation.accuracy:6.2f} %"
    print(f"  {name:24} {scores}", flush=True)


def trueskill_row(module: Any, players: int, least: float, count: int) -> Comparison:
    history = team_matches(20_000, players)
    rows = history.player.reshape(-1, 2, 5).tolist()
    system = build("trueskill", {"draw_probability": 0.1})
    compiled.start(system, (5, 5))
    chosen = system.parameters
    environment = module.TrueSkill(
        mu=getattr(chosen, "initial_rating", None),
        sigma=getattr(chosen, "initial_deviation", None),
        beta=getattr(chosen, "beta", None),
        tau=getattr(chosen, "drift", None),
        draw_probability=0.1,
    )

    def theirs() -> list[Any]:
        ratings = [environment.create_rating() for _ in history.players]
        for sides in rows:
            after = environment.rate([[ratings[player] for player in side] for side in sides])
            for player, rating in zip(
                itertools.chain(*sides), itertools.chain(*after), strict=True
            ):
                ratings[player] = rating
        return ratings

    took, ours, ratings, after = turns(
        count, theirs, lambda: final_states(system, history), time.process_time
    )
    apart = max(abs(one.mu - two) for one, two in zip(ratings, after.rating, strict=True))
    work = f"trueskill, 20,000 matches 5v5 of {players:,}"
    return Comparison(work, "trueskill", least, took, ours, float(apart))


def main(count: int) -> None:
    """Run and print all benchmarks."""
    peers = find_peers()
    rows = []
    if "glicko2" in peers:
        rows.append(duels_row(peers["glicko2"], count))
    rows += football_rows(peers, count)
    if "trueskill" in peers:
        module = peers["trueskill"]
        rows += [
            trueskill_row(module, players, least, count)
            for players, least in ((5_000, 60), (50_000, 120))
        ]
    print()
    print(HEADING)
    for row in rows:
        print(row)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
