"""The drift of a season's ratings from its anchors, to move them back.

Source: A. Ebtekar and P. Liu, "Elo-MMR", 2021, section 7, which leaves the inflation of ratings
open; B. Kreimeier, "Rising from the Ranks", Gamasutra 2000, under "Closed System", for the anchors.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from django.db.models import Exists, OuterRef, Q, Subquery

from league.models import Match, Participant, RatingEvent, Side
from league.services.standings.drift import MOST_MATCHES
from ratings.display import ELO_POINTS
from ratings.lab.evaluation import LEAST_CHANCE
from ratings.seasons.transitions import lead_missing

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from league.models import Season


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
    met = np.array(
        [
            (forecast[index], place, others)
            for forecast, index, place, others in against_anchors(season)
        ]
    ).reshape(-1, 3)
    if not len(met):
        return Recentring()
    chances = np.clip(met[:, 0], LEAST_CHANCE, 1.0 - LEAST_CHANCE)
    results = 0.5 + 0.5 * np.sign(met[:, 2] - met[:, 1])
    return Recentring(len(met), system.scale * ELO_POINTS * lead_missing(chances, results))


def against_anchors(season: Season) -> QuerySet[Side, Any]:
    """Return sides without anchors that met anchors only, of the latest matches.

    Each has the match's forecast, its own index and place, and the place of the anchors.
    """
    judged = RatingEvent.objects.filter(season=season, player__in=season.anchors, ignored=False)
    players = Participant.objects.filter(match=OuterRef("match"))
    anchors_in_it = players.filter(side=OuterRef("pk"), player__in=season.anchors)
    others_against = players.exclude(Q(side=OuterRef("pk")) | Q(player__in=season.anchors))
    opponents = Side.objects.filter(match=OuterRef("match")).exclude(pk=OuterRef("pk"))
    return (
        Side.objects.filter(
            ~Exists(anchors_in_it),
            ~Exists(others_against),
            match__in=judged.values("match"),
            match__kind=Match.Kind.GAME,
            match__forecast__len=2,
        )
        .order_by("-match__rated_order", "index")
        .values_list("match__forecast", "index", "place", Subquery(opponents.values("place")[:1]))
    )[:MOST_MATCHES]
