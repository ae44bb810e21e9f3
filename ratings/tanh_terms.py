"""Sums of hyperbolic tangents, each row of terms on its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ratings.types import Booleans, Floats


@dataclass(frozen=True)
class Terms:
    """``pull tanh((x - mean) k / 2)``: rows ``(n, s)`` to be summed over ``s``.

    A term of pull 0 and k 0 adds nothing, wherever its mean is.
    """

    columns: Floats
    """``(4, n, s)`` mean, k, pull and ``pull k``."""

    @classmethod
    def of(cls, mean: Floats, k: Floats, pull: Floats) -> Terms:
        columns = np.empty((4, *mean.shape))
        columns[0], columns[1], columns[2] = mean, k, pull
        return cls.completed(columns)

    @classmethod
    def completed(cls, columns: Floats) -> Terms:
        """From columns whose last is still to be worked out."""
        np.multiply(columns[1], columns[2], out=columns[3])
        return cls(columns)

    @property
    def length(self) -> Floats:
        """``(n,)`` the shortest distance over which a row's sum bends."""
        return np.asarray(1.0 / np.maximum.reduce(self.columns[1], axis=-1))

    def rows(self, rows: Booleans) -> Terms:
        """These rows only."""
        return Terms(self.columns[:, rows])

    def sums(self, x: Floats) -> Floats:
        """``(3, n)`` the sums at ``x`` ``(n,)`` and their first two derivatives.

        By one exponential: ``tanh(y / 2) = 1 - 2 / (1 + exp(y))``.
        """
        mean, k, pull, pull_k = self.columns
        tanh = x[:, None] - mean
        tanh *= k
        with np.errstate(over="ignore"):
            np.exp(tanh, out=tanh)
        tanh += 1.0
        np.divide(-2.0, tanh, out=tanh)
        tanh += 1.0
        parts = np.empty((3, *tanh.shape))
        value, slope, curvature = parts
        np.multiply(pull, tanh, out=value)
        np.multiply(tanh, tanh, out=slope)
        np.subtract(1.0, slope, out=slope)
        slope *= pull_k
        np.multiply(slope, tanh, out=curvature)
        curvature *= k
        sums: Floats = np.add.reduce(parts, axis=-1)
        sums[1] *= 0.5
        sums[2] *= -0.5
        return sums
