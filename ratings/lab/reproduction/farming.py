"""Figure 2: volatility farming on every system."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ratings.lab.adversary import Attack, FarmingResult, farm
from ratings.lab.reproduction.parts import Part, Report, Size, as_published, table
from ratings.lab.reproduction.svg import Band, Panel, Series, chart
from ratings.system import UnsupportedMatch

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ratings.system import RatingSystem
    from ratings.types import Booleans

UNCAPPED = {"volatility_max": 1.0, "volatility_system_constant": 1.2}
"""Glicko-2 with the highest volatility and τ that its parameters' help warns about."""

REPEATED = "elo-mmr, Topcoder's attack"
NOTES = """\
The attacker, a player three widths above the field's mean, plays {honest} contests honestly. Then
they throw each of the next {farming} in which their rating is above the one from honest play, and
finally play {final} honestly. The gain is the final rating minus that of a control with the same
performances who never throws: mean, least and most over {seeds} fields of {players} players. The
last column is the adversary's gain in the last {final} contests.

The paper found that the attack pays in Topcoder and never in Elo-MMR, not even if the contests
thrown are those that pay in Topcoder. Its attacker ended 523 points ahead in Topcoder and rose by
almost 1,000 in the last 15 contests.

Why figures differ from the paper's: it attacked the real contests of a Codeforces star with a
threshold of 2975 picked for him. These fields are synthetic, and the threshold is the attacker's
own rating after the honest start."""


def farming(size: Size, systems: Sequence[str], report: Report) -> Part:
    """Attack each system in the same fields."""
    texts, results = [], []
    for attack in size.attacks:
        farmed = _all_attacked(attack, size.attack_seeds, systems, report)
        rows = [_row(label, one, attack) for label, one in farmed.items()]
        pays = [label for label, one in farmed.items() if one.mean_gain > 0]
        texts.append(
            f"Contests of {attack.entrants}\n{table(HEADER, rows)}\n"
            f"The attack pays, on average, in: {', '.join(pays) or 'none of these'}."
        )
        results.append(farmed)
    notes = NOTES.format(**vars(size.attacks[0]), seeds=size.attack_seeds)
    return Part(
        "Figure 2: volatility farming",
        "\n\n".join([*texts, notes]),
        _plots(results, size.attacks),
    )


@dataclass(frozen=True)
class _Attacked:
    """The results of attacking a system, field by field."""

    entrants: int
    lowest_first: bool
    fields: list[FarmingResult]

    @property
    def mean_gain(self) -> float:
        return float(np.mean([one.gain for one in self.fields]))


def _all_attacked(
    attack: Attack, seeds: int, systems: Sequence[str], report: Report
) -> dict[str, _Attacked]:
    cases: dict[str, tuple[str, Mapping[str, object]]] = {name: (name, {}) for name in systems}
    if "glicko-2" in systems:
        cases["glicko-2 without cap"] = ("glicko-2", UNCAPPED)
    found = {}
    for label, (name, parameters) in cases.items():
        report(f"attacking {label} in contests of {attack.entrants}")
        found[label] = _attack(as_published(name, parameters), attack, seeds)
    if {"topcoder", "elo-mmr"} <= set(systems):
        thrown = [one.thrown for one in found["topcoder"].fields]
        found[REPEATED] = _attack(as_published("elo-mmr"), attack, seeds, thrown)
    return found


def _attack(
    system: RatingSystem,
    attack: Attack,
    seeds: int,
    thrown: Sequence[Booleans | None] | None = None,
) -> _Attacked:
    """Attack in large contests, or in duels if the system does not rate them."""
    try:
        system.check_sizes((1,) * attack.entrants)
    except UnsupportedMatch:
        attack = replace(attack, entrants=2)
    fields = [
        farm(system, attack, np.random.default_rng(seed), which)
        for seed, which in enumerate(thrown or [None] * seeds)
    ]
    return _Attacked(attack.entrants, system.shows.lowest_first, fields)


HEADER = ["system", "entrants", "thrown", "gain: mean", "least", "most", "in the last"]


def _row(label: str, attacked: _Attacked, attack: Attack) -> list[str]:
    gains = [one.gain for one in attacked.fields]
    sign = -1 if attacked.lowest_first else 1
    rises = [one.adversary[-1] - one.adversary[-1 - attack.final] for one in attacked.fields]
    thrown = [one.thrown.sum() for one in attacked.fields]
    return [
        label,
        str(attacked.entrants),
        f"{np.mean(thrown):.1f}",
        f"{np.mean(gains):+.1f}",
        f"{min(gains):+.1f}",
        f"{max(gains):+.1f}",
        f"{sign * np.mean(rises):+.1f}",
    ]


def _sign(points: float) -> str:
    return f"{points:+.0f}".replace("-", "−")


PANELS = {
    "topcoder": ("Topcoder", 0),
    "elo-mmr": ("Elo-MMR", 0),
    "glicko-2 without cap": ("Glicko-2 without volatility cap", 1),
    "glicko-2": ("Glicko-2 with volatility cap", 1),
}
"""The plots: the paper's systems in large contests, Glicko-2 in small ones."""


def _plots(results: Sequence[Mapping[str, _Attacked]], attacks: Sequence[Attack]) -> dict[str, str]:
    panels = []
    for label, (title, which) in PANELS.items():
        if label in results[which]:
            attacked = results[which][label]
            heading = f"{title}, contests of {attacked.entrants}"
            panels.append(_panel(heading, attacked.fields[0], attacks[which]))
    if not panels:
        return {}
    drawn = chart(
        "Volatility farming: rating of an honest player and of one who loses on purpose",
        "For each system, the rating after each contest. Both play alike except in the contests "
        "that the adversary throws while farming. The title shows the adversary's final gain.",
        panels,
        x_label="contest",
        y_label="rating",
    )
    return {"volatility-farming.svg": drawn}


def _panel(heading: str, farmed: FarmingResult, attack: Attack) -> Panel:
    contests = np.arange(1, attack.contests + 1, dtype=np.float64)
    band = Band(attack.honest + 0.5, attack.honest + attack.farming + 0.5, "farming")
    lines = [
        Series("control", contests, farmed.control, "#0072b2"),
        Series("adversary", contests, farmed.adversary, "#d55e00"),
    ]
    return Panel(f"{heading}: {_sign(farmed.gain)}", lines, [band])
