"""The weight of a match, on its page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from league.models import Status
from league.services.rating import versions
from league.services.results.rules import meetings
from league.templatetags.laurel import exact
from ratings.contests.margins import clarity, find_factor
from ratings.history import NEGLIGIBLE_WEIGHT

if TYPE_CHECKING:
    from league.models import Match
    from league.web.results.scoresheets import Sheet

NEARLY = 1e-9
"""A weight divided by its other factors may be off by the last digits."""


def weight_context(match: Match, sheet: Sheet) -> dict[str, Any]:
    """Return the factors by which a rated match counts more or less than one, and their product."""
    if match.status != Status.RATED or not match.is_game:
        return {}
    one_sided = match.one_sided or 1.0
    margin = margin_of(match, sheet)
    repeated = match.weight / match.contest_weight / one_sided
    factors = [match.contest_weight, margin, repeated, one_sided]
    counting = [factor for factor in factors if abs(factor - 1) > NEARLY]
    return {
        "repetition": meetings.repetition_of(match),
        "one_sided_percent": round(100 * one_sided) or exact(100 * one_sided),
        "is_negligible": match.weight <= NEGLIGIBLE_WEIGHT,
        "margin": margin,
        "counts_as": match.weight * margin,
        "in_all": len(counting) > 1 or abs(repeated * one_sided - 1) > NEARLY,
        "factors": counting if len(counting) > 1 else [],
    }


def margin_of(match: Match, sheet: Sheet) -> float:
    """Return as how many matches a match counts by the margin of its score."""
    system = versions.system_of(match.season, match.rated_order)
    how = find_factor(system)
    if how == "none" or not sheet.is_two_sided or not (sheet.has_scores and sheet.has_result):
        return 1.0
    sides = [each.side for each in sheet.sides]
    scores = np.array([[side.score for side in sides]], dtype=np.float64)
    places = np.array([[side.place for side in sides]])
    return float(clarity(scores, places, how)[0])
