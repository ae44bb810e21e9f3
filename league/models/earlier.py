"""Defaults of earlier releases, for what was written down without the values that were defaults."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

EARLIER_DEFAULTS: Mapping[str, dict[str, Any]] = {
    "codeforces": {"weight": 1.0},
    "fermi": {"max_gain": 1.0},
    "glicko": {"deviation_growth": 35.0},
    "glicko-2": {"deviation_period": "3d", "deviation_max_periods": 20},
    "topcoder": {"weight_noob": 0.6, "weight_limit": 0.18},
    "trueskill": {"drift": 35.0},
}
"""By rating system, the parameters whose defaults were others, until the defaults became those that
forecast well in most leagues."""

WITHOUT_PROFESSIONS = {"profession_ratings": False}
"""Of seasons of Glicko-2 that began before ratings by profession could be left out."""
