"""Figure 3: accuracy by contest size."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ratings.lab.evaluation import evaluate_predictions, predict_by_strengths, ratings_before
from ratings.lab.reproduction.parts import Part, Report, Size, as_published, table
from ratings.lab.reproduction.svg import Panel, Series, chart
from ratings.lab.synthetic import Synthetic, generate, in_groups
from ratings.system import UnsupportedMatch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ratings.types import Floats

SEED = 65
COLOURS = {
    "oracle": "#222222",
    "elo-mmr": "#0072b2",
    "elo-mmx": "#56b4e9",
    "codeforces": "#d55e00",
    "topcoder": "#cc79a7",
    "trueskill": "#009e73",
}
"""The systems of the paper's figure. The others are grey."""
OTHERS = "#a6a6a6"

NOTES = """\
Pair inversion in percent. Every round of all players is cut into groups of that size, drawn by lot
and ranked as in the round, and each group is a contest. Every player thus takes part equally often
whatever the size, but a larger group says more about them.

In the paper's figure, Elo-MMR leads at every size. It takes an opponent's performance as known,
which is nearly true with many opponents. In groups of two it is not, so systems made for duels do
better there.

Why figures differ from the paper's: it cut the rounds of Codeforces. These are synthetic like the
large set of table 2 ({players:,} players, {rounds} rounds), and systems have their default
parameters."""


def group_sizes(size: Size, systems: Sequence[str], report: Report) -> Part:
    """Evaluate each system on the same rounds, cut into groups of 2, 4, 8 … players."""
    world = size.groups
    whole = generate(world, np.random.default_rng(SEED))
    sizes = [2**power for power in range(1, world.entrants.bit_length())]
    found: dict[str, list[float]] = {name: [] for name in ("oracle", *systems)}
    for count in sizes:
        report(f"groups of {count}")
        cut = in_groups(whole, count, np.random.default_rng(SEED + count))
        found["oracle"].append(_pair_inversion(cut, cut.skills))
        for name in systems:
            found[name].append(_system_pair_inversion(name, cut))
    rows = [[name, *(_cell(value) for value in values)] for name, values in found.items()]
    best = [
        max(systems, key=lambda name: np.nan_to_num(found[name][at])) for at in range(len(sizes))
    ]
    text = table(["system", *map(str, sizes)], [*rows, ["best", *best]])
    return Part(
        "Figure 3: group sizes",
        f"{text}\n\n{NOTES.format(**vars(world))}",
        {"group-sizes.svg": _plot(sizes, found)},
    )


def _cell(value: float) -> str:
    return "-" if np.isnan(value) else f"{value:.2f}"


def _pair_inversion(synthetic: Synthetic, strengths: Floats) -> float:
    history = synthetic.history
    predictions = predict_by_strengths(history, strengths)
    return evaluate_predictions(history, predictions, first=len(history) // 10).pair_inversion


def _system_pair_inversion(name: str, cut: Synthetic) -> float:
    system = as_published(name)
    try:
        return _pair_inversion(cut, ratings_before(system, cut.history))
    except UnsupportedMatch:
        return float("nan")


def _plot(sizes: Sequence[int], found: dict[str, list[float]]) -> str:
    at = np.log2(np.array(sizes, dtype=np.float64))
    ticks = {float(power): str(count) for power, count in zip(at, sizes, strict=True)}
    lines = {name: np.array(values) for name, values in found.items()}
    series = [
        Series(name, at, values, COLOURS.get(name, OTHERS), dashed=name == "oracle")
        for name, values in sorted(lines.items(), key=lambda item: item[0] in COLOURS)
        if np.isfinite(values).sum() > 1
    ]
    behind = [
        replace(one, y=lines["oracle"] - one.y)
        for one in series
        if one.name in COLOURS and one.name != "oracle"
    ]
    panels = {"Pair inversion, percent": series, "Behind the oracle, percentage points": behind}
    return chart(
        "Accuracy by size of contests",
        "Share of pairs of players that ratings put in the right order, for the same rounds cut "
        "into groups of 2 up to all players. The oracle knows the true skills.",
        [Panel(title, drawn, ticks=ticks) for title, drawn in panels.items() if drawn],
        x_label="players in a contest",
        y_label="",
    )
