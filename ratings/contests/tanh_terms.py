"""Row-wise sums of hyperbolic tangents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ratings.contests.rootfinding import SMALL
from ratings.numerics import reduce_rows

if TYPE_CHECKING:
    from ratings.types import Booleans, Floats


@dataclass(frozen=True)
class TanhTerms:
    """``pull tanh((x - mean) k / 2)``: rows ``(n, s)`` to be summed over ``s``, minus ``total``.

    A term with pull 0 and k 0 adds nothing, whatever its mean.
    """

    columns: Floats
    """``(4, n, s)`` mean, k, ``-pull`` and ``pull k / 2``."""
    total: Floats | float = 0.0

    @classmethod
    def of(cls, mean: Floats, k: Floats, pull: Floats, total: Floats | float = 0.0) -> TanhTerms:
        columns = np.empty((4, *mean.shape))
        columns[0], columns[1], columns[2] = mean, k, pull
        return cls.from_columns(columns, total)

    @classmethod
    def from_columns(cls, columns: Floats, total: Floats | float = 0.0) -> TanhTerms:
        """Return terms from columns of mean, k and pull, with room for a fourth."""
        np.multiply(columns[1], columns[2], out=columns[3])
        columns[3] *= 0.5
        np.negative(columns[2], out=columns[2])
        return cls(columns, total)

    def near(self) -> Floats:
        """Return the ``(n,)`` step sizes below which a ``Search`` ends."""
        return np.asarray(SMALL / reduce_rows(np.maximum, self.columns[1]))

    def rows(self, rows: Booleans) -> TanhTerms:
        """Keep only these rows."""
        total = self.total[rows] if isinstance(self.total, np.ndarray) else self.total
        return TanhTerms(self.columns[:, rows], total)

    def sums(self, x: Floats) -> tuple[Floats, Floats, Floats]:
        """Return the sums at ``x`` ``(n,)`` and their first two derivatives.

        This takes one exponential: ``tanh(y / 2) = 1 - 2 / (1 + exp(y))``. It may overflow to the
        right limit, so NumPy's warnings must be off.
        """
        mean, k, minus_pull, half_pull_k = self.columns
        parts = np.empty((3, *k.shape))
        value, slope, curvature = parts
        minus_tanh = np.subtract(x[:, None], mean)
        minus_tanh *= k
        np.exp(minus_tanh, out=minus_tanh)
        minus_tanh += 1.0
        np.divide(2.0, minus_tanh, out=minus_tanh)
        minus_tanh -= 1.0
        np.multiply(minus_tanh, minus_pull, out=value)
        np.multiply(minus_tanh, minus_tanh, out=slope)
        np.subtract(1.0, slope, out=slope)
        slope *= half_pull_k
        np.multiply(slope, minus_tanh, out=curvature)
        curvature *= k
        summed = reduce_rows(np.add, parts)
        summed[0] -= self.total
        return summed[0], summed[1], summed[2]
