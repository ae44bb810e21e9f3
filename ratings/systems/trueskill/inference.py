"""TrueSkill's factor graph, from the performances of the sides to what the places say of them.

Sources: R. Herbrich, T. Minka and T. Graepel, "TrueSkill: A Bayesian skill rating system", 2006;
T. Minka, R. Cleven and Y. Zaykov, "TrueSkill 2", 2018, for the schedule's freedom.

The places of a contest make a chain of *levels*, best first. A side that has its place for itself
is its own level. Sides that share a place lie each within a half width of a level of their own, so
nobody stands nearer to it than the others. Neighbouring levels are *linked*: their difference lies
above a gap (or, for two sides that drew, within it). Everything but these truncations is Gaussian
and solved exactly, by one pass down the chain and one up; the truncations are matched by moments
(expectation propagation), all of them between two passes, until nothing moves.

Passing exactly between parallel truncations reaches the same fixed point as the sequential schedule
of the sources, in some 6 to 30 rounds for any length of the chain. Each contest stops when it has
converged itself, so nobody's result depends on who else is in the arrays.

Shapes: ``m`` contests of ``s`` sides, best first; ``s - 1`` links.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from ratings.systems.trueskill.gaussians import above, between

if TYPE_CHECKING:
    from ratings.types import Booleans, Floats, Integers

Number = TypeVar("Number", float, "Floats")

TOLERANCE = 1e-12
"""How still every truncated difference must stand, relative to its size and deviation."""
LONG = 5000
"""In a chain longer than this rounding alone moves differences further, as far as it is longer."""
MOST_ROUNDS = 200
"""What stands still only up to rounding stops here."""
FEW = 10
"""So few contests pass along the chain faster one by one, as plain floats."""


@dataclass(frozen=True)
class Natural:
    """Normal distributions by precision and precision times mean; 0 and 0 say nothing."""

    precision: Floats
    information: Floats

    @classmethod
    def of(cls, mean: Floats, variance: Floats) -> Natural:
        precision = 1.0 / variance
        return cls(precision, precision * mean)

    def rows(self, index: Integers | Booleans) -> Natural:
        return Natural(self.precision[index], self.information[index])

    def __add__(self, other: Natural) -> Natural:
        return Natural(self.precision + other.precision, self.information + other.information)

    def __sub__(self, other: Natural) -> Natural:
        return Natural(self.precision - other.precision, self.information - other.information)

    @property
    def mean(self) -> Floats:
        return self.information / self.precision

    @property
    def negative(self) -> Natural:
        return Natural(self.precision, -self.information)

    @property
    def backwards(self) -> Natural:
        """The same, last column first."""
        return self.columns(slice(None, None, -1))

    def columns(self, index: slice) -> Natural:
        return Natural(self.precision[:, index], self.information[:, index])

    def plus(self, difference: Natural) -> Natural:
        """The sum of the two variables; a difference that says nothing gives nothing."""
        scale = 1.0 / (difference.precision + self.precision)
        return Natural(
            difference.precision * self.precision * scale,
            (difference.precision * self.information + difference.information * self.precision)
            * scale,
        )

    def minus(self, difference: Natural) -> Natural:
        return self.plus(difference.negative)


@dataclass(frozen=True)
class Order:
    """The places of ``m`` contests as chains of levels."""

    level: Integers
    """``(m, s)`` from 0, the level of each side, best first."""
    shared: Booleans
    """``(m, s)`` whether others are on the side's level."""
    half_width: Floats
    """``(m, s)`` how far from its level a side may be that shares it."""
    linked: Booleans
    """``(m, s - 1)`` whether there is a level below the ``k``-th."""
    drawn: Booleans
    """``(m, s - 1)`` whether the ``k``-th and the next side drew as neighbours."""
    gap: Floats
    """``(m, s - 1)`` least lead over the next level, or the largest if drawn."""

    def rows(self, index: Integers | Booleans) -> Order:
        return Order(
            self.level[index],
            self.shared[index],
            self.half_width[index],
            self.linked[index],
            self.drawn[index],
            self.gap[index],
        )


@dataclass(frozen=True)
class _Truncations:
    """What the truncations say of the differences, as matched normal distributions."""

    links: Natural
    """``(m, s - 1)`` of each level minus the next."""
    members: Natural
    """``(m, s)`` of each side minus the level that it shares."""

    @classmethod
    def at_first(cls, order: Order) -> _Truncations:
        """Nothing for a win; for a draw the variance of "anywhere within"."""
        return cls(
            Natural(_flat(order.drawn, order.gap), np.zeros_like(order.gap)),
            Natural(_flat(order.shared, order.half_width), np.zeros_like(order.half_width)),
        )

    def rows(self, index: Integers | Booleans) -> _Truncations:
        return _Truncations(self.links.rows(index), self.members.rows(index))

    def put(self, index: Integers, other: _Truncations) -> None:
        for mine, theirs in ((self.links, other.links), (self.members, other.members)):
            mine.precision[index] = theirs.precision
            mine.information[index] = theirs.information


def _flat(where: Booleans, half_width: Floats) -> Floats:
    return np.where(where, 3.0 / np.where(where, half_width, 1.0) ** 2, 0.0)


def messages(sides: Natural, order: Order) -> Natural:
    """``(m, s)`` what the places alone say of the performance of each side.

    ``sides`` are the performances before, of precision above 0.
    """
    truncations = _converged(sides, order)
    graph = _Graph.of(sides, order, truncations)
    alone = _of_sides(graph.above + graph.below, order)
    if graph.members is None:
        return alone
    together = graph.company(order, graph.members).plus(truncations.members)
    return Natural(
        np.where(order.shared, together.precision, alone.precision),
        np.where(order.shared, together.information, alone.information),
    )


def _converged(sides: Natural, order: Order) -> _Truncations:
    """Match all truncations round by round, each contest until its own stand still."""
    current, final = _Truncations.at_first(order), _Truncations.at_first(order)
    rows: Integers = np.arange(len(order.level))
    last = np.full((1, order.level.shape[-1] + order.gap.shape[-1]), np.inf)
    tolerance = TOLERANCE * max(1.0, order.level.shape[-1] / LONG)
    for _ in range(MOST_ROUNDS):
        current, means, deviations = _matched(sides, order, current)
        # Members are there, behind the links, only while any contest has some that share.
        moved = np.abs(means - last[:, : means.shape[-1]])
        moving = np.any(moved > tolerance * (np.abs(means) + deviations), axis=-1)
        if not moving.all():
            final.put(rows[~moving], current.rows(~moving))
            if not moving.any():
                return final
            rows, sides, order = rows[moving], sides.rows(moving), order.rows(moving)
            current, means = current.rows(moving), means[moving]
        last = means
    final.put(rows, current)
    return final


def _matched(
    sides: Natural, order: Order, truncations: _Truncations
) -> tuple[_Truncations, Floats, Floats]:
    """One round: every truncation anew, with the mean and deviation that each difference got."""
    graph = _Graph.of(sides, order, truncations)
    better = graph.levels.columns(slice(None, -1)) + graph.above.columns(slice(None, -1))
    worse = graph.levels.columns(slice(1, None)) + graph.below.columns(slice(1, None))
    links, means, deviations = _truncated(
        better, worse, order.gap, wins=order.linked & ~order.drawn, draws=order.drawn
    )
    if graph.members is None:
        return _Truncations(links, truncations.members), means, deviations
    members, at, spread = _truncated(
        sides,
        graph.company(order, graph.members),
        order.half_width,
        wins=np.zeros_like(order.shared),
        draws=order.shared,
    )
    return (
        _Truncations(links, members),
        np.concatenate([means, at], axis=-1),
        np.concatenate([deviations, spread], axis=-1),
    )


def _truncated(
    one: Natural, other: Natural, limit: Floats, *, wins: Booleans, draws: Booleans
) -> tuple[Natural, Floats, Floats]:
    """What is known of ``one - other`` beyond the two themselves, and its mean and deviation.

    It lies above ``limit`` for ``wins``, within it for ``draws``; elsewhere nothing is known.
    """
    mean = one.mean - other.mean
    variance = 1.0 / one.precision + 1.0 / other.precision
    deviation = np.sqrt(variance)
    shift, ratio = np.zeros_like(mean), np.ones_like(mean)
    if wins.any():
        shift[wins], ratio[wins] = above(((limit - mean) / deviation)[wins])
    if draws.any():
        away, within = (mean / deviation)[draws], (limit / deviation)[draws]
        centre, ratio[draws] = between(-away, within)
        shift[draws] = centre
    precision = (1.0 / ratio - 1.0) / variance
    return (
        Natural(precision, mean * precision + shift / (deviation * ratio)),
        mean + deviation * shift,
        deviation,
    )


@dataclass(frozen=True)
class _Graph:
    """The Gaussian part of the graph, solved with the truncations as they are."""

    levels: Natural
    """``(m, s)`` what the sides on each level say of it; unused levels are at 0."""
    above: Natural
    """``(m, s)`` what the better levels say of each level."""
    below: Natural
    """``(m, s)`` what the worse levels say of it."""
    members: Natural | None
    """``(m, s)`` what each side says of its level; ``None`` where each has its own."""

    @classmethod
    def of(cls, sides: Natural, order: Order, truncations: _Truncations) -> _Graph:
        members = None
        levels = sides
        if order.shared.any():
            loose = sides.minus(truncations.members)
            members = Natural(
                np.where(order.shared, loose.precision, sides.precision),
                np.where(order.shared, loose.information, sides.information),
            )
            levels = _summed(members, order.level)
        return cls(levels, *_along(levels, truncations.links), members)

    def company(self, order: Order, members: Natural) -> Natural:
        """``(m, s)`` what all but the side itself say of its level; of its own level nothing."""
        others = _of_sides(self.levels + self.above + self.below, order) - members
        return Natural(
            np.where(order.shared, others.precision, 1.0),
            np.where(order.shared, others.information, 0.0),
        )


def _of_sides(levels: Natural, order: Order) -> Natural:
    """Of each side its level's."""
    return Natural(
        np.take_along_axis(levels.precision, order.level, axis=-1),
        np.take_along_axis(levels.information, order.level, axis=-1),
    )


def _summed(members: Natural, level: Integers) -> Natural:
    """What the members of each level say together; levels without any are put at 0."""
    count = level.size
    at = (level + level.shape[-1] * np.arange(len(level))[:, None]).ravel()
    # bincount adds in order, for each level on its own.
    precision, information = (
        np.bincount(at, weights=part.ravel(), minlength=count).astype(np.float64)
        for part in (members.precision, members.information)
    )
    precision[precision == 0] = 1.0
    return Natural(precision.reshape(level.shape), information.reshape(level.shape))


def _along(levels: Natural, links: Natural) -> tuple[Natural, Natural]:
    """What each level hears from all above it, and from all below it."""
    down = _passed(levels, links.negative)
    up = _passed(levels.backwards, links.backwards)
    return down, up.backwards


def _passed(levels: Natural, differences: Natural) -> Natural:
    """What each level hears from those before it; a level is the one before plus the difference."""
    parts = (
        levels.precision,
        levels.information,
        differences.precision,
        differences.information,
    )
    if len(levels.precision) < FEW:
        heard = [_chain(0.0, *row) for row in zip(*(part.tolist() for part in parts), strict=True)]
        return Natural(
            np.array([precision for precision, _ in heard]),
            np.array([information for _, information in heard]),
        )
    columns = (list(np.ascontiguousarray(part.T)) for part in parts)
    heard_by_column = _chain(np.zeros(len(levels.precision)), *columns)
    return Natural(*(np.stack(part, axis=-1) for part in heard_by_column))


def _chain(
    nothing: Number,
    level_precision: list[Number],
    level_information: list[Number],
    precision: list[Number],
    information: list[Number],
) -> tuple[list[Number], list[Number]]:
    """``Natural.plus`` along one chain of floats, or along many at once of columns ``(m,)``."""
    heard_precision, heard_information = [nothing], [nothing]
    told_precision = told_information = nothing
    for own_precision, own_information, p, h in zip(
        level_precision, level_information, precision, information, strict=False
    ):
        q = own_precision + told_precision
        scale = 1.0 / (p + q)
        told_precision = p * q * scale
        told_information = (p * (own_information + told_information) + h * q) * scale
        heard_precision.append(told_precision)
        heard_information.append(told_information)
    return heard_precision, heard_information
