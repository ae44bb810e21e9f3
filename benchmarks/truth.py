"""Forecasts of all systems at defaults, on every history of a folder, beside other libraries.

    python -m benchmarks.truth [DIR] [--systems NAME,NAME]

DIR holds histories as ``manage.py lab`` reads them, by default the football of the demo league. A
column ``surface`` or ``map`` is the context. Every match is forecast before it is rated, and the
second half is judged: log loss, Brier score, accuracy and calibration slope, with intervals that
hold 95 % of draws of the days. A draw counts as half a win of each side. The peers see duels only,
each at its own defaults, without first side, scores and contexts, which they do not know:

- `riix`: Elo, Glicko, Glicko-2 and TrueSkill, with its rating periods of a day,
- `openskill` (Plackett-Luce), `trueskill` and `glicko2`, match by match,
- `Elo-MMR-Py`, whose ratings are whole numbers,
- `whole-history-rating`, fitted ``REFITS`` times, to all matches before a stretch of the
  second half.
"""

from __future__ import annotations

import argparse
import importlib
import itertools
import lzma
import math
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import ndtr

from benchmarks.ratings_contests import versions
from benchmarks.ratings_duels import FOOTBALL
from ratings.commands.inputs import read_history
from ratings.lab.details import details
from ratings.lab.evaluation import Predictions, predict_history, predicted_matches
from ratings.lab.trial import split_at
from ratings.registry import SYSTEMS, build
from ratings.replay import check_shapes
from ratings.system import UnsupportedMatch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ratings.history import History
    from ratings.types import Floats

    Duels = Sequence[tuple[int, int, float, float]]
    """Codes of the two players, the first one's result, and the day."""
    Peer = Callable[[History, Duels], Iterator[float]]
    """Yields the expected result of the first player of each duel."""

CONTEXTS = ("surface", "map")
REFITS = 8
ITERATIONS = 20
DAY = 86_400_000_000
SCALE = 400 / math.log(10)
"""Points of Elo for each logistic unit."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.truth")
    parser.add_argument("folder", nargs="?", type=Path, metavar="DIR")
    parser.add_argument("--systems", default=",".join(SYSTEMS), metavar="NAME,NAME")
    options = parser.parse_args()
    versions("riix", "openskill", "trueskill", "glicko2", "Elo-MMR-Py", "whole-history-rating")
    with tempfile.TemporaryDirectory() as made:
        folder = options.folder or Path(made)
        if not options.folder:
            (folder / "football.csv").write_bytes(lzma.decompress(FOOTBALL.read_bytes()))
        files = sorted(folder.glob("*.csv*"))
        if not files:
            sys.exit(f"There is no CSV file in {folder}.")
        for file in files:
            compare(file, options.systems.split(","))


def compare(file: Path, systems: Sequence[str]) -> None:
    """Print the table of one history."""
    history = read_history(file, context=context_of(file))
    print(f"\n{file.name}: {len(history):,} matches of {len(history.players):,} players")
    print(f"{'system':24} {'log loss':>24} {'Brier':>7} {'accuracy':>9} {'slope':>18}", flush=True)
    for name in systems:
        system = build(name)
        try:
            check_shapes(system, history)
        except UnsupportedMatch as error:
            print(f"{name:24} {error}")
            continue
        show(name, history, predict_history(system, history))
    if (history.sizes == 1).all() and len(history.places) == 2 * len(history):
        for name, peer in PEERS.items():
            try:
                found = np.fromiter(peer(history, duels_of(history)), float, len(history))
            except ImportError as error:
                print(f"{name:24} left out: {error}")
                continue
            show(name, history, predictions_of(history, found))


def context_of(file: Path) -> str:
    """Return the column that is the context, empty without one."""
    with file.open("rb") as opened:
        first = opened.readline().decode("utf-8", "replace")
    return next((name for name in first.strip().split(",") if name in CONTEXTS), "")


def show(name: str, history: History, predictions: Predictions) -> None:
    """Print how well a history was forecast in its second half."""
    chosen = predicted_matches(history, predictions)
    chosen[: split_at(history, 0.5)] = False
    found = details(history, predictions, chosen)
    loss, slope = found.log_loss, found.slope
    print(
        f"{name:24} {loss.value:8.4f} ({loss.low:.4f}–{loss.high:.4f}) {found.brier.value:7.4f} "
        f"{found.accuracy.value:8.1%} {slope.value:7.2f} ({slope.low:.2f}–{slope.high:.2f})",
        flush=True,
    )


def duels_of(history: History) -> Duels:
    """Return the duels of a history as plain numbers."""
    places = history.places.reshape(-1, 2)
    results = np.heaviside(places[:, 1] - places[:, 0], 0.5).tolist()
    players = history.player.reshape(-1, 2).tolist()
    days = (history.times // DAY).tolist()
    return [
        (own, other, result, day)
        for (own, other), result, day in zip(players, results, days, strict=True)
    ]


def predictions_of(history: History, expected: Floats) -> Predictions:
    """Return the predictions of what the first of two players is expected to score."""
    least = 1e-12
    chance = np.clip(np.stack([expected, 1.0 - expected], axis=-1), least, 1.0 - least).ravel()
    experience = np.zeros(len(history.places), dtype=np.int64)
    return Predictions(chance, experience, chance, np.zeros(len(history)))


def riix(model: str, name: str) -> Peer:
    """Return a rater of `riix`."""

    def forecast(history: History, duels: Duels) -> Iterator[float]:
        rater = getattr(importlib.import_module(f"riix.models.{model}"), name)
        dataset = importlib.import_module("riix.utils").MatchupDataset.init_from_arrays(
            time_steps=np.array([duel[3] - duels[0][3] for duel in duels], dtype=np.int32),
            matchups=np.array([duel[:2] for duel in duels], dtype=np.int64),
            outcomes=np.array([duel[2] for duel in duels]),
            competitors=history.players,
        )
        found = rater(competitors=history.players).fit_dataset(dataset, return_pre_match_probs=True)
        yield from found.tolist()

    return forecast


def openskill(_history: History, duels: Duels) -> Iterator[float]:
    model = importlib.import_module("openskill.models").PlackettLuce()
    known: dict[int, Any] = defaultdict(model.rating)
    for own, other, result, _day in duels:
        teams = [[known[own]], [known[other]]]
        yield model.predict_win(teams)[0]
        after = model.rate(teams, ranks=[1 - result, result])
        known[own], known[other] = after[0][0], after[1][0]


def trueskill(_history: History, duels: Duels) -> Iterator[float]:
    env = importlib.import_module("trueskill").TrueSkill()
    known: dict[int, Any] = defaultdict(env.create_rating)
    for own, other, result, _day in duels:
        one, two = known[own], known[other]
        spread = math.sqrt(2 * env.beta**2 + one.sigma**2 + two.sigma**2)
        yield float(ndtr((one.mu - two.mu) / spread))
        winner, loser = (own, other) if result >= 0.5 else (other, own)
        known[winner], known[loser] = importlib.import_module("trueskill").rate_1vs1(
            known[winner], known[loser], drawn=result == 0.5, env=env
        )


def glicko2(_history: History, duels: Duels) -> Iterator[float]:
    known: dict[int, Any] = defaultdict(importlib.import_module("glicko2").Player)
    for own, other, result, _day in duels:
        one, two = known[own], known[other]
        before = [(player.rating, player.rd) for player in (one, two)]
        lead = (before[0][0] - before[1][0]) / SCALE
        uncertain = (before[0][1] ** 2 + before[1][1] ** 2) / SCALE**2
        yield 1 / (1 + math.exp(-lead / math.sqrt(1 + 3 * uncertain / math.pi**2)))
        one.update_player([before[1][0]], [before[1][1]], [result])
        two.update_player([before[0][0]], [before[0][1]], [1 - result])


def elo_mmr(history: History, duels: Duels) -> Iterator[float]:
    module = importlib.import_module("elo_mmr_py")
    names = history.players
    played_contests = []
    for number, (own, other, result, day) in enumerate(duels):
        better, worse = (own, other) if result >= 0.5 else (other, own)
        # The first and the last of the places that a player shares.
        ends = ((0, 1), (0, 1)) if result == 0.5 else ((0, 0), (1, 1))
        standings = [(names[one], *at) for one, at in zip((better, worse), ends, strict=True)]
        seconds = (day - duels[0][3]) * 86_400
        played_contests.append(module.Contest(standings, name=str(number), time_seconds=seconds))
    rated = module.rate(played_contests, "mmr")
    # Contests in which everybody ties leave no event there.
    events = {name: iter(player.events) for name, player in rated.items()}
    upcoming = {name: next(ahead, None) for name, ahead in events.items()}
    known: dict[str, tuple[float, float]] = defaultdict(lambda: (1500.0, 350.0))
    for number, (own, other, _result, _day) in enumerate(duels):
        states = [known[names[own]], known[names[other]]]
        for name in (names[own], names[other]):
            event = upcoming.get(name)
            if event and event.contest_index == number:
                known[name] = (event.rating_mu, event.rating_sig)
                upcoming[name] = next(events[name], None)
        spread = math.sqrt(2 * 200**2 + states[0][1] ** 2 + states[1][1] ** 2)
        yield float(ndtr((states[0][0] - states[1][0]) / spread))


def whole_history(history: History, duels: Duels) -> Iterator[float]:
    """Forecast the first half by nothing, and the rest in stretches from all matches before."""
    module = importlib.import_module("whr")
    names, half = history.players, len(duels) // 2
    yield from [0.5] * half
    ends = np.linspace(half, len(duels), REFITS + 1).astype(int).tolist()
    for start, end in itertools.pairwise(ends):
        base = module.WHR()
        for own, other, result, day in duels[:start]:
            winner = {1.0: "B", 0.5: "D", 0.0: "W"}[result]
            base.create_game(names[own], names[other], winner, day - duels[0][3], 0)
        base.iterate(ITERATIONS)
        latest = {name: base.ratings_for_player(name)[-1][1] for name in base.players}
        for own, other, _result, _day in duels[start:end]:
            lead = latest.get(names[own], 0.0) - latest.get(names[other], 0.0)
            yield 1 / (1 + math.exp(-lead / SCALE))


PEERS: dict[str, Peer] = {
    "riix Elo": riix("elo", "Elo"),
    "riix Glicko": riix("glicko", "Glicko"),
    "riix Glicko-2": riix("glicko2", "Glicko2"),
    "riix TrueSkill": riix("trueskill", "TrueSkill"),
    "openskill Plackett-Luce": openskill,
    "trueskill": trueskill,
    "glicko2": glicko2,
    "Elo-MMR-Py": elo_mmr,
    "whole-history-rating": whole_history,
}

if __name__ == "__main__":
    main()
