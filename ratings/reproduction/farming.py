"""Figure 2: volatility farming, on every system."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ratings.adversary import Attack, Farmed, farm
from ratings.registry import build
from ratings.reproduction.parts import Part, Say, Size, table
from ratings.reproduction.svg import Band, Panel, Series, chart
from ratings.system import UnsupportedMatch

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

UNCAPPED = {"volatility_max": 1.0, "volatility_system_constant": 1.2}
"""Glicko-2 with the largest volatility and τ that its parameters' help warns of."""

NOTES = """\
The attacker, a player three widths above the field's mean, plays {honest} contests honestly, then
throws each of the next {farming} in which their rating is above the one that honesty had given,
then plays {final} honestly. Gain: rating in the end, less that of a control who performs alike and
never throws; mean, least and most over {seeds} fields. The last column is what the adversary's
rating changed by in the last {final} contests.

The attack pays here, on average, in: {pays}.
The paper found that it pays in Topcoder and never in Elo-MMR, not even if the same contests are
thrown that pay in Topcoder.

Why figures differ from the paper's: it attacked with the real contests of one star of Codeforces
and a threshold of 2975 picked for him; these fields are made up ({players} players, contests of
{entrants}), and the threshold is the attacker's own rating after the honest start. The paper's
attacker ended 523 points ahead in Topcoder and rose by almost 1,000 in the last 15 contests."""


def farming(size: Size, systems: Sequence[str], say: Say) -> Part:
    """The attack on each system, in the same fields."""
    attack = size.attack
    cases: dict[str, tuple[str, Mapping[str, object]]] = {name: (name, {}) for name in systems}
    if "glicko-2" in systems:
        cases["glicko-2 without cap"] = ("glicko-2", UNCAPPED)
    results: dict[str, list[Farmed]] = {}
    rows = []
    for label, (name, parameters) in cases.items():
        say(f"attacking {label}")
        entrants, results[label] = _attacked(name, parameters, attack, size.attack_seeds)
        rows.append(_row(label, entrants, results[label], attack))
    if {"topcoder", "elo-mmr"} <= set(systems):
        carried = [
            farm(build("elo-mmr"), attack, np.random.default_rng(seed), result.thrown)
            for seed, result in enumerate(results["topcoder"])
        ]
        results["elo-mmr, Topcoder's attack"] = carried
        rows.append(_row("elo-mmr, Topcoder's attack", attack.entrants, carried, attack))
    header = ["system", "entrants", "thrown", "gain: mean", "least", "most", "in the last"]
    pays = [label for label, farmed in results.items() if np.mean([one.gain for one in farmed]) > 0]
    notes = NOTES.format(
        **vars(attack), seeds=size.attack_seeds, pays=", ".join(pays) or "none of these"
    )
    return Part(
        "Figure 2: volatility farming",
        f"{table(header, rows)}\n\n{notes}",
        {"volatility-farming.svg": _plot(results, attack)} if set(results) & set(PANELS) else {},
    )


def _attacked(
    name: str, parameters: Mapping[str, object], attack: Attack, seeds: int
) -> tuple[int, list[Farmed]]:
    """The attack in contests of many, or in duels where a system knows no others."""
    system = build(name, parameters)
    try:
        system.check((1,) * attack.entrants)
    except UnsupportedMatch:
        attack = Attack(**{**vars(attack), "entrants": 2})
    return attack.entrants, [
        farm(system, attack, np.random.default_rng(seed)) for seed in range(seeds)
    ]


def _row(label: str, entrants: int, farmed: Sequence[Farmed], attack: Attack) -> list[str]:
    gains = [one.gain for one in farmed]
    rises = [one.adversary[-1] - one.adversary[-1 - attack.final] for one in farmed]
    return [
        label,
        str(entrants),
        f"{np.mean([one.thrown.sum() for one in farmed]):.1f}",
        f"{np.mean(gains):+.1f}",
        f"{min(gains):+.1f}",
        f"{max(gains):+.1f}",
        f"{np.mean(rises):+.1f}",
    ]


def _signed(points: float) -> str:
    return f"{points:+.0f}".replace("-", "−")


PANELS = {
    "topcoder": "Topcoder",
    "elo-mmr": "Elo-MMR",
    "glicko-2 without cap": "Glicko-2 without volatility cap",
    "glicko-2": "Glicko-2 with volatility cap",
}


def _plot(results: Mapping[str, list[Farmed]], attack: Attack) -> str:
    contests = np.arange(1, attack.contests + 1, dtype=np.float64)
    band = Band(attack.honest + 0.5, attack.honest + attack.farming + 0.5, "farming")
    panels = []
    for label, title in PANELS.items():
        if label not in results:
            continue
        first = results[label][0]
        series = [
            Series("control", contests, first.control, "#0072b2"),
            Series("adversary", contests, first.adversary, "#d55e00"),
        ]
        panels.append(Panel(f"{title}: {_signed(first.gain)}", series, [band]))
    return chart(
        "Volatility farming: rating of an honest player and of one who loses on purpose",
        "For each system the rating after each contest. Both play alike but for the contests that "
        "the adversary throws while farming. The title tells the adversary's gain in the end.",
        panels,
        x_label="contest",
        y_label="rating",
    )
