"""TrueSkill's factor graph, which infers performances from the places of the sides.

Sources: R. Herbrich, T. Minka and T. Graepel, "TrueSkill: A Bayesian skill rating system", 2006;
T. Minka, R. Cleven and Y. Zaykov, "TrueSkill 2", 2018, for the freedom of schedule.

The places of a contest form a chain of *levels*, best first. A side with its own place is its own
level. Sides that share a place are each within a half width of a common level, so none of them is
privileged. Neighbouring levels are *linked*: their difference is above a gap (or within it for two
sides that drew). Everything except these truncations is Gaussian and solved exactly, in one pass
down the chain and one up. The truncations are matched by moments (expectation propagation), all of
them between two passes, until nothing moves.

Passing exactly between parallel truncations reaches the same fixed point as the sources' sequential
schedule, in about 6 to 30 rounds for any length of the chain. Each contest stops once it has
converged, so nobody's result depends on the other contests in the arrays.

Shapes: ``m`` contests of ``s`` sides, best first, with ``s - 1`` links.
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
"""Convergence limit of every truncated difference, relative to its size and deviation."""
LONG = 5000
"""In longer chains, rounding alone moves differences further, in proportion to the length."""
MOST_ROUNDS = 200
"""Limit for contests that converge only up to rounding."""
FEW = 10
"""Fewer contests than this are faster one by one, as plain floats."""


@dataclass(frozen=True)
class Natural:
    """Normal distributions by precision and precision times mean. 0 and 0 is uninformative."""

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
        """Return it with the columns in reverse order."""
        return self.columns(slice(None, None, -1))

    def columns(self, index: slice) -> Natural:
        return Natural(self.precision[:, index], self.information[:, index])

    def plus(self, difference: Natural) -> Natural:
        """Return the sum of the two variables. An uninformative difference gives one as well."""
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
    """``(m, s)`` whether other sides are on the same level."""
    half_width: Floats
    """``(m, s)`` largest distance of a side from a shared level."""
    linked: Booleans
    """``(m, s - 1)`` whether there is a level below the ``k``-th."""
    drawn: Booleans
    """``(m, s - 1)`` whether the ``k``-th and the next side drew as neighbours."""
    gap: Floats
    """``(m, s - 1)`` minimum lead over the next level, or the maximum if drawn."""

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
    """Messages of the truncations about the differences, as matched normal distributions."""

    links: Natural
    """``(m, s - 1)``, for each level minus the next."""
    members: Natural
    """``(m, s)``, for each side minus the level that it shares."""

    @classmethod
    def initial(cls, order: Order) -> _Truncations:
        """Start uninformative for a win, and with the variance of "anywhere within" for a draw."""
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
    """Return ``(m, s)`` what the places alone say about each side's performance.

    ``sides`` are the prior performances, with precision above 0.
    """
    truncations = _converge(sides, order)
    graph = _Graph.of(sides, order, truncations)
    alone = _side_values(graph.above + graph.below, order)
    if graph.members is None:
        return alone
    together = graph.others(order, graph.members).plus(truncations.members)
    return Natural(
        np.where(order.shared, together.precision, alone.precision),
        np.where(order.shared, together.information, alone.information),
    )


def _converge(sides: Natural, order: Order) -> _Truncations:
    """Match all truncations round by round, each contest until it converges."""
    current, final = _Truncations.initial(order), _Truncations.initial(order)
    rows: Integers = np.arange(len(order.level))
    last = np.full((1, order.level.shape[-1] + order.gap.shape[-1]), np.inf)
    tolerance = TOLERANCE * max(1.0, order.level.shape[-1] / LONG)
    for _ in range(MOST_ROUNDS):
        current, means, deviations = _match_moments(sides, order, current)
        # Member columns follow the links as long as any contest has shared levels.
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


def _match_moments(
    sides: Natural, order: Order, truncations: _Truncations
) -> tuple[_Truncations, Floats, Floats]:
    """Run one round: update every truncation, with each difference's mean and deviation."""
    graph = _Graph.of(sides, order, truncations)
    better = graph.levels.columns(slice(None, -1)) + graph.above.columns(slice(None, -1))
    worse = graph.levels.columns(slice(1, None)) + graph.below.columns(slice(1, None))
    links, means, deviations = _truncate(
        better, worse, order.gap, wins=order.linked & ~order.drawn, draws=order.drawn
    )
    if graph.members is None:
        return _Truncations(links, truncations.members), means, deviations
    members, at, spread = _truncate(
        sides,
        graph.others(order, graph.members),
        order.half_width,
        wins=np.zeros_like(order.shared),
        draws=order.shared,
    )
    return (
        _Truncations(links, members),
        np.concatenate([means, at], axis=-1),
        np.concatenate([deviations, spread], axis=-1),
    )


def _truncate(
    one: Natural, other: Natural, limit: Floats, *, wins: Booleans, draws: Booleans
) -> tuple[Natural, Floats, Floats]:
    """Return what is known about ``one - other`` beyond the two, and its mean and deviation.

    It is above ``limit`` for ``wins``, within it for ``draws``, and unrestricted elsewhere.
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
    """The Gaussian part of the graph, solved for the current truncations."""

    levels: Natural
    """``(m, s)`` messages from the sides on each level. Unused levels are at 0."""
    above: Natural
    """``(m, s)`` messages from the better levels."""
    below: Natural
    """``(m, s)`` messages from the worse levels."""
    members: Natural | None
    """``(m, s)`` message of each side to its level, ``None`` if no level is shared."""

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
            levels = _sum_by_level(members, order.level)
        return cls(levels, *_messages_along(levels, truncations.links), members)

    def others(self, order: Order, members: Natural) -> Natural:
        """Return ``(m, s)`` messages to each side's level from all others, none if unshared."""
        others = _side_values(self.levels + self.above + self.below, order) - members
        return Natural(
            np.where(order.shared, others.precision, 1.0),
            np.where(order.shared, others.information, 0.0),
        )


def _side_values(levels: Natural, order: Order) -> Natural:
    """Return each side's value from its level."""
    return Natural(
        np.take_along_axis(levels.precision, order.level, axis=-1),
        np.take_along_axis(levels.information, order.level, axis=-1),
    )


def _sum_by_level(members: Natural, level: Integers) -> Natural:
    """Sum the messages of the members of each level. Levels without members are put at 0."""
    count = level.size
    at = (level + level.shape[-1] * np.arange(len(level))[:, None]).ravel()
    # bincount adds in order, separately for each level.
    precision, information = (
        np.bincount(at, weights=part.ravel(), minlength=count).astype(np.float64)
        for part in (members.precision, members.information)
    )
    precision[precision == 0] = 1.0
    return Natural(precision.reshape(level.shape), information.reshape(level.shape))


def _messages_along(levels: Natural, links: Natural) -> tuple[Natural, Natural]:
    """Return the messages to each level from all levels above, and from all below."""
    down = _pass_messages(levels, links.negative)
    up = _pass_messages(levels.backwards, links.backwards)
    return down, up.backwards


def _pass_messages(levels: Natural, differences: Natural) -> Natural:
    """Return the messages to each level from those before it, each one plus its difference."""
    parts = (
        levels.precision,
        levels.information,
        differences.precision,
        differences.information,
    )
    if len(levels.precision) < FEW:
        rows = [_chain(0.0, *row) for row in zip(*(part.tolist() for part in parts), strict=True)]
        return Natural(
            np.array([precision for precision, _ in rows]),
            np.array([information for _, information in rows]),
        )
    columns = (list(np.ascontiguousarray(part.T)) for part in parts)
    by_column = _chain(np.zeros(len(levels.precision)), *columns)
    return Natural(*(np.stack(part, axis=-1) for part in by_column))


def _chain(
    nothing: Number,
    level_precision: list[Number],
    level_information: list[Number],
    precision: list[Number],
    information: list[Number],
) -> tuple[list[Number], list[Number]]:
    """Apply ``Natural.plus`` along a chain of floats, or along many by columns ``(m,)``."""
    precisions, informations = [nothing], [nothing]
    last_precision = last_information = nothing
    for own_precision, own_information, p, h in zip(
        level_precision, level_information, precision, information, strict=False
    ):
        q = own_precision + last_precision
        scale = 1.0 / (p + q)
        last_precision = p * q * scale
        last_information = (p * (own_information + last_information) + h * q) * scale
        precisions.append(last_precision)
        informations.append(last_information)
    return precisions, informations
