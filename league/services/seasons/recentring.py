"""The drift of a season's ratings from its anchors, to move them back.

Source: A. Ebtekar and P. Liu, "Elo-MMR", 2021, section 7, which leaves the inflation of ratings
open; B. Kreimeier, "Rising from the Ranks", Gamasutra 2000, under "Closed System", for the anchors.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from django.db import connection

from league.services.standings.drift import MOST_MATCHES
from ratings.display import ELO_POINTS
from ratings.lab.evaluation import LEAST_CHANCE
from ratings.seasons.transitions import lead_missing

if TYPE_CHECKING:
    from league.models import Season

# The chance and the place of sides without anchors, and the place of the anchors whom they met.
MET = """
    SELECT m.forecast[s.index + 1], s.place, other.place
    FROM league_match AS m
    JOIN league_side AS s ON s.match_id = m.id
    JOIN league_side AS other ON other.match_id = m.id AND other.id <> s.id
    WHERE m.id IN (
            SELECT e.match_id FROM league_ratingevent AS e
            WHERE e.season_id = %(season)s AND e.player_id = ANY(%(anchors)s)
                AND e.superseded_by_id IS NULL AND NOT e.ignored
        )
        AND m.kind = 'game' AND cardinality(m.forecast) = 2
        AND NOT EXISTS (
            SELECT FROM league_participant AS p
            WHERE p.match_id = m.id AND (p.side_id = s.id) = (p.player_id = ANY(%(anchors)s))
        )
    ORDER BY m.rated_order DESC, s.index LIMIT %(most)s
"""


@dataclass(frozen=True)
class Recentring:
    """The amount that a season's ratings lack, judging by the results against its anchors."""

    matches: int = 0
    shift: float = 0.0
    """In rating points."""


def recentre(season: Season) -> Recentring:
    """Return how far to move the ratings of a season so that its anchors had expected results."""
    system = season.system()
    alone = season.arena.team_size_max == 1
    if not season.anchors or not system.is_logistic or not (alone or system.averages_sides):
        return Recentring()
    with connection.cursor() as cursor:
        cursor.execute(MET, {"season": season.pk, "anchors": season.anchors, "most": MOST_MATCHES})
        met = np.array(cursor.fetchall()).reshape(-1, 3)
    if not len(met):
        return Recentring()
    chances = np.clip(met[:, 0], LEAST_CHANCE, 1.0 - LEAST_CHANCE)
    results = 0.5 + 0.5 * np.sign(met[:, 2] - met[:, 1])
    return Recentring(len(met), system.scale * ELO_POINTS * lead_missing(chances, results))
