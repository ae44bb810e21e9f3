"""The parameters of a system that would have forecast a history best.

The search minimises the logarithmic loss of the forecasts of all matches but the first tenth, which
only warms up the ratings. Each match is forecast from those before it, so a fit needs no held-out
matches, but is judged on matches that it has not seen (``ratings.lab.trial``).

Positive parameters are searched by factors of two around the default, others by steps, within the
declared bounds.

Candidates of systems that rate duels side by side (``ratings.lab.side_by_side``) are tried in
generations: points spread evenly in a box around the best so far, which shrinks each time. The
points are those of M. Roberts, "The Unreasonable Effectiveness of Quasirandom Sequences", 2018, so
a fit is the same each time. All other candidates are tried one by one, by Nelder and Mead's simplex
(1965), as implemented by SciPy.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ratings.lab.evaluation import evaluate_forecasts, predict_history, predicted_matches
from ratings.lab.side_by_side import Duels, losses
from ratings.registry import build
from ratings.tunables.declarations import declarations
from ratings.tunables.reading import ParameterError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

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
"""Replays for each fit, one by one. Losses then differ in the fourth decimal."""
WIDTHS = (FURTHEST, 4.0, 2.0, 1.0, 0.5, 0.25)
"""The reach of each generation from the best so far, in factors of two or steps."""
A_GENERATION = 24
"""Candidates of each generation."""
MOST_DRAWS = 40
"""Points drawn for each candidate of a generation, if some break a rule between parameters."""
# Of the first matches, between newcomers, forecasts say little about the parameters.
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

    ``progress`` is called with the parts done, of ``MOST_TRIALS`` at most. Raises
    ``ParameterError`` for names that are unknown or have no numbers.
    """
    chosen = tuple(names) or fitted_names(system, history)
    search = Search(system, history, chosen, progress)
    before = search.loss
    if chosen and len(history) and not search.by_generations():
        search.one_by_one()
    return Fit(search.best, chosen, search.loss, before, search.trials)


class Search:
    """The best system so far, and how to find a better one."""

    def __init__(
        self,
        system: RatingSystem,
        history: History,
        names: Sequence[str],
        progress: Callable[[int], object] | None = None,
    ) -> None:
        self._axes = [_axis(system, name) for name in names]
        self._start, self._history, self._progress = system, history, progress
        self.best, self.loss, self.trials = system, _loss(system, history), 1

    def by_generations(self) -> bool:
        """Try candidates side by side. Return whether this history and system allow it."""
        warm_up = int(WARM_UP * len(self._history))
        duels = Duels.of(self._start, self._history, warm_up)
        if duels is None:
            return False
        points = evenly_spread(len(self._axes))
        centre, least = np.zeros(len(self._axes)), self.loss
        for width in WIDTHS:
            drawn, candidates = self._generation(points, centre, width)
            if not candidates:
                continue
            found = losses(duels, candidates)
            if found is None:
                return False
            self.trials += len(candidates)
            best = int(np.where(np.isnan(found), REFUSED, found).argmin())
            if found[best] < least:
                centre, least = drawn[best], float(found[best])
            if self._progress:
                self._progress(MOST_TRIALS // len(WIDTHS))
        final = self._candidate(centre)
        if final is not None:
            self._compare(final, _loss(final, self._history))
        return True

    def _generation(
        self, points: Iterator[Floats], centre: Floats, width: float
    ) -> tuple[list[Floats], list[RatingSystem]]:
        """Return points of the box around a centre, and the systems there."""
        low = np.array([axis.low for axis in self._axes])
        high = np.array([axis.high for axis in self._axes])
        drawn, candidates = [], []
        for offset in itertools.islice(points, MOST_DRAWS * A_GENERATION):
            point = np.clip(centre + width * offset, low, high)
            candidate = self._candidate(point)
            if candidate is not None:
                drawn.append(point)
                candidates.append(candidate)
            if len(candidates) == A_GENERATION:
                break
        return drawn, candidates

    def one_by_one(self) -> None:
        """Try candidates of any kind."""

        def loss_at(point: Floats) -> float:
            self.trials += 1
            candidate = self._candidate(point)
            if candidate is None:
                return REFUSED
            found = _loss(candidate, self._history)
            self._compare(candidate, found)
            if self._progress:
                self._progress(1)
            return found

        _minimise(loss_at, self._axes)

    def _candidate(self, point: Floats) -> RatingSystem | None:
        """Return the system at a point, ``None`` if its parameters break a rule between them."""
        values = {
            axis.name: axis.value(at) for axis, at in zip(self._axes, point.tolist(), strict=True)
        }
        try:
            return build(self._start.name, {**self._start.parameters.to_json(), **values})
        except ParameterError:
            return None

    def _compare(self, candidate: RatingSystem, loss: float) -> None:
        if loss < self.loss:
            self.best, self.loss = candidate, loss


def evenly_spread(dimensions: int) -> Iterator[Floats]:
    """Yield points ``(dimensions,)`` that fill the cube from -1 to 1 evenly.

    Roberts' sequence: multiples of the powers of ``1 / g``, where ``g`` is the root of
    ``g^(dimensions + 1) = g + 1``, without their whole parts.
    """
    root = 2.0
    for _ in range(60):
        root = (1.0 + root) ** (1.0 / (dimensions + 1))
    steps = root ** -np.arange(1.0, dimensions + 1)
    for number in itertools.count(1):
        yield 2.0 * ((0.5 + number * steps) % 1.0) - 1.0


def fitted_names(system: RatingSystem, history: History) -> tuple[str, ...]:
    """Return the parameters that are fitted if none are named."""
    has_first = history.first is not None and FIRST_SIDE in type(system).Parameters.model_fields
    return (*system.fitted, FIRST_SIDE) if has_first else system.fitted


def _minimise(loss_at: Callable[[Floats], float], axes: Sequence[_Axis]) -> None:
    from scipy.optimize import minimize  # noqa: PLC0415  takes half a second to import

    corner = np.zeros(len(axes))
    simplex = np.stack([corner, *(corner + row for row in np.eye(len(axes)))])
    minimize(  # type: ignore[no-untyped-call] # SciPy
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
