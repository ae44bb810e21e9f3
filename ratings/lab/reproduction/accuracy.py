"""Tables 2 and 3: each system's accuracy on the synthetic sets, and its time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ratings.lab.evaluation import (
    Evaluation,
    evaluate_predictions,
    predict_by_strengths,
    rank_error,
    ratings_before,
)
from ratings.lab.reproduction.parts import Clock, Part, Report, Size, as_published, table
from ratings.lab.synthetic import Synthetic, generate
from ratings.system import UnsupportedMatch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ratings.types import Floats

SEED = 20210419
PAPER = {
    "small": {
        "codeforces": (83.4, 15.2, 62.7),
        "topcoder": (83.4, 15.2, 60.6),
        "trueskill": (83.3, 15.3, 56.0),
        "elo-mmx": (83.6, 15.0, 62.0),
        "elo-mmr": (83.7, 15.0, 61.7),
    },
    "large": {
        "codeforces": (84.0, 11.1, 10442.0),
        "topcoder": (84.1, 11.0, 3024.0),
        "trueskill": (83.3, 11.6, 320.3),
        "elo-mmx": (84.0, 11.1, 42.6),
        "elo-mmr": (84.0, 11.1, 37.1),
    },
}
"""Pair inversion and rank deviation in percent, and seconds, as printed in the paper."""

NOTES = """\
The oracle ranks by the true skills, so nobody can predict better. The sets are made as described
in the paper, with 1,000 players for the small set and 10,000 for the large one. A player's skill
drifts before each round that they play, as in the paper's own generator.

The rank error is that of Kreimeier's ladder: the sum over all players of (true rank - rank)^2, with
skills in and ratings before their last round. In random order, n players have about n^3 / 6.

Why figures differ from the paper's:
- The paper searched each system's parameters on the first tenth of each set. These are the
  published ones, not chosen for these sets. The paper's sets are another random draw.
- As in the paper's program, the first tenth of the rounds is not evaluated, nor are players with
  fewer than five earlier rounds.
- TrueSkill: the paper's program shares messages between all places of a contest and halves the
  variance of its truncations. Without these slips the model does better.
- The paper's Codeforces and Topcoder visit every pair of players, and its Elo-MMR limits opponents
  and history to 500. Here every opponent and all of the history count.
- Seconds are processor time, with NumPy on one core of the machine used. The paper's are for Rust
  on eight cores of its time.
- Elo, Fermi and the ladder were not made for contests of thousands. They are included as is."""


def accuracy(size: Size, systems: Sequence[str], clock: Clock, report: Report) -> Part:
    """Build both tables on both sets."""
    texts = []
    for name, world in (("small", size.small), ("large", size.large)):
        report(f"making the {name} set")
        synthetic = generate(world, np.random.default_rng(SEED))
        early = size.large_first if name == "large" else 0
        rows = [_row("oracle", _evaluate(synthetic, synthetic.skills, early), "", name)]
        refused = []
        for system in systems:
            report(f"{name} set: {system}")
            try:
                rows.append(_system_row(system, synthetic, early, name, clock))
            except UnsupportedMatch as error:
                refused.append(f"{system}: {error}")
        shape = f"{world.players:,} players, {world.rounds:,} rounds of {world.entrants:,}"
        texts.append("\n".join([f"Synth-{name}: {shape}", table(_header(early), rows), *refused]))
    return Part("Tables 2 and 3: accuracy and time", "\n\n".join([*texts, NOTES]))


def _header(early: int) -> list[str]:
    first = [f"first {early}: pair inv.", "rank dev."] if early else []
    paper = ["paper: pair inv.", "rank dev.", "seconds"]
    return ["system", "pair inv. %", "rank dev. %", "rank error", *first, "seconds", *paper]


@dataclass(frozen=True)
class _Evaluations:
    whole: Evaluation
    early: Evaluation | None
    rank_error: float


def _evaluate(synthetic: Synthetic, strengths: Floats, early: int) -> _Evaluations:
    """Evaluate the rounds after the first tenth, and those of the first ``early`` if any."""
    history = synthetic.history
    skipped = len(history) // 10
    predictions = predict_by_strengths(history, strengths)
    whole = evaluate_predictions(history, predictions, first=skipped)
    _players, last = np.unique(history.player[::-1], return_index=True)
    error = rank_error(synthetic.skills[::-1][last], strengths[::-1][last])
    if not early:
        return _Evaluations(whole, None, error)
    part = history.part(0, min(early, len(history)))
    predictions = predict_by_strengths(part, strengths[: len(part.player)])
    early_rounds = evaluate_predictions(part, predictions, first=len(part) // 10)
    return _Evaluations(whole, early_rounds, error)


def _system_row(name: str, synthetic: Synthetic, early: int, which: str, clock: Clock) -> list[str]:
    system = as_published(name)
    begin = clock()
    strengths = ratings_before(system, synthetic.history)
    took = clock() - begin
    return _row(name, _evaluate(synthetic, strengths, early), f"{took:.2f}", which)


def _row(name: str, measures: _Evaluations, took: str, which: str) -> list[str]:
    early = _percents(measures.early) if measures.early else []
    printed = PAPER[which].get(name)
    paper = [f"{printed[0]:.1f}", f"{printed[1]:.1f}", f"{printed[2]:.1f}"] if printed else [""] * 3
    whole = [*_percents(measures.whole), f"{measures.rank_error:.2e}"]
    return [name, *whole, *early, took, *paper]


def _percents(evaluation: Evaluation) -> list[str]:
    return [f"{evaluation.pair_inversion:.2f}", f"{evaluation.rank_deviation:.2f}"]
