"""Perfect matchings of least cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import scipy  # loads its parts at their first use: a third of what the site takes to start

if TYPE_CHECKING:
    import numpy.typing as npt

    Floats: TypeAlias = npt.NDArray[np.float64]
    Integers: TypeAlias = npt.NDArray[np.intp]

GAP = 0.02
"""The share by which a solution may exceed the least sum."""
ROUNDS_OF_CUTS = 8
FEW = 8
"""Partners of each that are tried first, of each kind of pair."""


def least_cost_matching(
    costs: Floats, kinds: Integers, groups: Integers
) -> list[tuple[int, int]] | None:
    """Return pairs (i, j), i < j, in which everybody is once, of the least sum of costs.

    It is solved as an integer program over the cheapest partners of each, and over more of them
    while there is no such matching. So the sum is the least among the partners that were tried,
    which are all up to ``FEW + 1`` people, and for more at most :data:`GAP` above it.

    Args:
        costs: symmetric and at least 0; infinity where two cannot be a pair.
        kinds: symmetric numbers. The cheapest partners of each kind are tried, so that one kind
            does not hide another that is needed to complete the matching.
        groups: a number for each. Pairs of one group are cheap, so that nearly all are found there;
            this makes the search short.

    Returns:
        ``None`` if there is no such matching.
    """
    count = len(costs)
    if count % 2:
        return None
    if not count:
        return []
    for few in sorted({min(count, FEW), min(count, 4 * FEW), count}):
        chosen = _solve(costs, *_cheapest(costs, kinds, few), groups)
        if chosen is not None:
            return chosen
    return None


def _cheapest(costs: Floats, kinds: Integers, few: int) -> tuple[Integers, Integers]:
    """Return the possible pairs among the ``few`` cheapest of their kind for either side."""
    kept = np.zeros(costs.shape, dtype=np.bool_)
    for kind in np.unique(kinds):
        of_kind = np.where(kinds == kind, costs, np.inf)
        near = np.argsort(of_kind, axis=1, kind="stable")[:, :few]
        np.put_along_axis(kept, near, values=True, axis=1)
    ones, others = np.nonzero(np.triu((kept | kept.T) & np.isfinite(costs), k=1))
    return ones, others


def _solve(
    costs: Floats, ones: Integers, others: Integers, groups: Integers
) -> list[tuple[int, int]] | None:
    """Return the matching of least cost among the given pairs, or ``None``.

    Fractions of pairs are an easier problem, whose solution goes wrong only around odd sets: three
    people as three half pairs. At least one pair leaves an odd set (Edmonds' inequalities). This is
    required of odd groups, and of other sets as they show, so that the integer program has little
    left to search.
    """
    count, pairs = len(costs), len(ones)
    if len(np.union1d(ones, others)) < count:
        return None
    each = np.arange(pairs)
    degree = scipy.sparse.coo_array(
        (np.ones(2 * pairs), (np.concatenate([ones, others]), np.concatenate([each, each]))),
        shape=(count, pairs),
    )
    rules = [scipy.optimize.LinearConstraint(degree.tocsc(), 1, 1)]
    cuts = _of_groups(groups, ones, others)
    for left in reversed(range(ROUNDS_OF_CUTS)):
        rules += [scipy.optimize.LinearConstraint(cut[None, :], 1, np.inf) for cut in cuts]
        found = _fractions(costs[ones, others], rules)
        cuts = _odd_sets(found.x, ones, others, count) if found.success and left else []
        if not cuts:
            break
    found = _fractions(costs[ones, others], rules, whole=True)
    if not found.success:
        return None
    return [(int(ones[at]), int(others[at])) for at in np.nonzero(found.x > 0.5)[0]]


def _fractions(
    costs: Floats, rules: list[scipy.optimize.LinearConstraint], *, whole: bool = False
) -> scipy.optimize.OptimizeResult:
    found: scipy.optimize.OptimizeResult = scipy.optimize.milp(
        costs,
        constraints=rules,
        bounds=scipy.optimize.Bounds(0, 1),
        integrality=np.full(len(costs), int(whole)),
        options={"mip_rel_gap": GAP},
    )
    return found


def _of_groups(groups: Integers, ones: Integers, others: Integers) -> list[Floats]:
    """Return the pairs that leave each odd group, and each odd number of first groups."""
    sets = [inside for last in np.unique(groups) for inside in (groups == last, groups <= last)]
    return [
        (inside[ones] != inside[others]).astype(np.float64) for inside in sets if inside.sum() % 2
    ]


def _odd_sets(part: Floats, ones: Integers, others: Integers, count: int) -> list[Floats]:
    """Return for each odd set that no part of a pair leaves the pairs that would."""
    used = part > 1e-6
    graph = scipy.sparse.coo_array(
        (np.ones(used.sum()), (ones[used], others[used])), shape=(count, count)
    )
    _, label = scipy.sparse.csgraph.connected_components(graph, directed=False)
    sizes = np.bincount(label)
    return [
        ((label[ones] == number) != (label[others] == number)).astype(np.float64)
        for number in np.nonzero(sizes % 2)[0]
    ]
