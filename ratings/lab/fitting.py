"""The parameters of a system that would have forecast a history best.

The search minimises the logarithmic loss of the forecasts of all matches but the first tenth, which
only warms up the ratings. Each match is forecast from those before it, so a fit needs no held-out
matches, but is judged on matches that it has not seen (``ratings.lab.trial``).

Positive parameters are searched by factors of two around the default, others by steps. The method
is Nelder and Mead's simplex (1965), as implemented by SciPy, within the declared bounds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ratings.lab.evaluation import evaluate_forecasts, predict_history, predicted_matches
from ratings.registry import build
from ratings.tunables.declarations import declarations
from ratings.tunables.reading import ParameterError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ratings.history import History
    from ratings.system import RatingSystem
    from ratings.tunables.declarations import Declaration
    from ratings.types import Floats

FIRST_SIDE = "first_side"
STEP = 50.0
"""Rating points of one step, for parameters that may be 0 or negative."""
FURTHEST = 8.0
"""Factors of two, or steps, from the default."""
MOST_TRIALS = 40
"""Replays for each fit. Losses then differ in the fourth decimal."""
WARM_UP = 0.1
REFUSED = 1e3
"""The loss of parameters that break a rule between them."""


@dataclass(frozen=True)
class Fit:
    """The best parameters found, and what they were compared with."""

    system: RatingSystem
    names: tuple[str, ...]
    loss: float
    loss_before: float
    trials: int


def fit(
    system: RatingSystem,
    history: History,
    names: Sequence[str] = (),
    progress: Callable[[int], object] | None = None,
) -> Fit:
    """Fit the parameters ``names``, by default those that the system says matter most.

    Raises ``ParameterError`` for names that are unknown or have no numbers.
    """
    chosen = tuple(names) or fitted_names(system, history)
    axes = [_axis(system, name) for name in chosen]
    given = system.parameters.written()
    best = (_loss(system, history), system)
    before, trials = best[0], 1

    def loss_at(point: Floats) -> float:
        nonlocal best, trials
        trials += 1
        values = {axis.name: axis.value(at) for axis, at in zip(axes, point.tolist(), strict=True)}
        try:
            candidate = build(system.name, {**given, **values})
        except ParameterError:
            return REFUSED
        found = _loss(candidate, history)
        best = min(best, (found, candidate), key=lambda pair: pair[0])
        if progress:
            progress(1)
        return found

    if axes and len(history):
        _minimise(loss_at, axes)
    return Fit(best[1], chosen, best[0], before, trials)


def fitted_names(system: RatingSystem, history: History) -> tuple[str, ...]:
    """Return the parameters that are fitted if none are named."""
    has_first = history.first is not None and FIRST_SIDE in type(system).Parameters.model_fields
    return (*system.fitted, FIRST_SIDE) if has_first else system.fitted


def _minimise(loss_at: Callable[[Floats], float], axes: Sequence[_Axis]) -> None:
    from scipy.optimize import minimize  # noqa: PLC0415  takes half a second to import

    corner = np.zeros(len(axes))
    simplex = np.stack([corner, *(corner + row for row in np.eye(len(axes)))])
    minimize(  # type: ignore[no-untyped-call]
        loss_at,
        corner,
        method="Nelder-Mead",
        bounds=[(axis.low, axis.high) for axis in axes],
        options={
            "initial_simplex": simplex,
            "maxfev": MOST_TRIALS,
            "xatol": 0.05,
            "fatol": 1e-5,
        },
    )


def _loss(system: RatingSystem, history: History) -> float:
    predictions = predict_history(system, history)
    chosen = predicted_matches(history, predictions)
    chosen[: int(WARM_UP * len(history))] = False
    found = evaluate_forecasts(history, predictions, chosen).log_loss
    return REFUSED if math.isnan(found) else found


@dataclass(frozen=True)
class _Axis:
    """One parameter, as a coordinate that is 0 at its value before."""

    name: str
    start: float
    by_factors: bool
    whole: bool
    low: float
    high: float

    def value(self, at: float) -> float | int:
        value = self.start * 2.0**at if self.by_factors else self.start + STEP * at
        return round(value) if self.whole else float(f"{value:.4g}")


def _axis(system: RatingSystem, name: str) -> _Axis:
    declared = {one.name: one for one in declarations(type(system).Parameters)}
    if name not in declared or declared[name].kind not in ("number", "integer"):
        build(system.name, {name: None} if name in declared else {name: 0})  # says what is wrong
    one = declared[name]
    start = float(getattr(system.parameters, name))
    by_factors = start > 0 and name != FIRST_SIDE
    low, high = (_coordinate(bound, start, by_factors) for bound in _bounds(one))
    return _Axis(
        name,
        start,
        by_factors,
        one.kind == "integer",
        max(low, -FURTHEST),
        min(high, FURTHEST),
    )


def _bounds(one: Declaration) -> tuple[float, float]:
    low = -math.inf if one.minimum is None else one.minimum
    return low, math.inf if one.maximum is None else one.maximum


def _coordinate(bound: float, start: float, by_factors: bool) -> float:
    if not by_factors:
        return (bound - start) / STEP
    return math.log2(bound / start) if bound > 0 else -math.inf
