"""Current entries of ladder points, as columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from league.services.core.columns import read_columns

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from numpy.typing import NDArray

    from league.models import Season

# Current entries of a season after a place in the order of rating, and of matches that may be void
# by now.
STORED = """
    SELECT e.id, e.match_id AS match, e.player_id AS player, e.odds, e.score_ratio,
        e.victory::int AS victory, e.deserted::int AS deserted, e.points
    FROM league_pointentry AS e JOIN league_match AS m ON m.id = e.match_id
    WHERE e.season_id = %s AND e.superseded_by_id IS NULL
        AND (m.rated_order > %s OR m.id = ANY(%s))
"""
KINDS = {
    "id": "i8", "match": "i8", "player": "i8", "odds": "f8", "score_ratio": "f8",
    "victory": "i8", "deserted": "i8", "points": "i8",
}  # fmt: skip
TERMS = ("odds", "score_ratio", "victory", "deserted", "points")
"""The columns of an entry that follow from its match."""


def entries(
    season: Season, after: int, matches: Collection[int] = ()
) -> Mapping[str, NDArray[Any]]:
    """Read the entries ``(n,)`` of matches rated after a place in the order, and of ``matches``."""
    return read_columns(STORED, [season.pk, after, list(matches)], KINDS)
