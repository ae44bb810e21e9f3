"""The systems on real contests, measured as in tables 2 and 3."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ratings.lab.evaluation import evaluate_predictions, predict_by_strengths, ratings_before
from ratings.lab.reproduction.parts import Clock, Part, Report, as_published, table
from ratings.system import UnsupportedMatch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ratings.history import History

NOTES = """\
As in the paper's program, the first tenth of the contests is not evaluated, nor are players with
fewer than five earlier ones. Parameters are as published."""


def real_contests(
    name: str, history: History, systems: Sequence[str], clock: Clock, report: Report
) -> Part:
    """Rate the contests with each system, and evaluate how well it ordered them beforehand."""
    rows, refused = [], []
    for system in systems:
        report(f"{name}: {system}")
        began = clock()
        try:
            strengths = ratings_before(as_published(system), history)
        except UnsupportedMatch as error:
            refused.append(f"{system}: {error}")
            continue
        took = clock() - began
        predictions = predict_by_strengths(history, strengths)
        found = evaluate_predictions(history, predictions, first=len(history) // 10)
        measures = (found.pair_inversion, found.rank_deviation)
        cells = ["-" if np.isnan(one) else f"{one:.2f}" for one in measures]
        rows.append([system, *cells, f"{took:.2f}"])
    shape = f"{len(history):,} contests, {len(history.players):,} players"
    header = ["system", "pair inv. %", "rank dev. %", "seconds"]
    text = "\n".join([shape, table(header, rows), *refused])
    return Part(f"Real contests: {name}", f"{text}\n\n{NOTES}")
