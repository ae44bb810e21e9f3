"""Ratings in hindsight: a projection of a season's results, computed anew once a night.

How strong everybody was on each day on which they played, by all matches up to now
(``ratings.hindsight``). Every result changes everyone's past, so whole seasons are computed, and
only in the background. A fingerprint of a season's results, corrections and rules tells whether it
is due.
"""

from __future__ import annotations

import logging
import math
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from django.db import connection, transaction
from django.db.models import Max, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce

from league.models import Correction, HindsightCurve, Match, Season, SeasonHindsight
from league.outages import outage_behind
from league.services.core.patience import rest_unhurried
from league.services.rating.tail import read_tail
from ratings.hindsight import DAY, whole_history
from ratings.lab.evaluation import rank_error

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ratings.hindsight import WholeHistory
    from ratings.types import Integers

logger = logging.getLogger(__name__)

HOUR = 4
"""The hour in UTC from which seasons are due."""
MOST_MATCHES = 250_000
"""Rated matches of a season that is still computed. So many take some seconds and 410 MB."""
BATCH = 2_000
"""Players whose curves are written at a time."""
TRY_TURN = "SELECT pg_try_advisory_xact_lock(hashtextextended('hindsight of a season', %s))"


def compute_due(now: datetime) -> int:
    """Compute the seasons that changed since last night. Return how many. Safe to run twice."""
    return sum(attempt(season, now) for season in due(now))


def due(now: datetime, season_id: int | None = None) -> dict[int, str]:
    """Return the fingerprints of the seasons that are due by id, or only that of the given one."""
    night = now.astimezone(UTC).replace(hour=HOUR, minute=0, second=0, microsecond=0)
    if night > now:
        night -= timedelta(days=1)
    orders = Match.objects.filter(season=OuterRef("pk")).values("season")
    corrections = Correction.objects.filter(season=OuterRef("pk")).values("season")
    seasons = Season.objects.filter(arena__is_draft=False).annotate(
        last=Subquery(orders.annotate(last=Max("rated_order")).values("last")),
        corrected=Subquery(corrections.annotate(last=Max("pk")).values("last")),
        tried_at=Coalesce("hindsight__tried_at", "opened_at"),
    )
    if season_id is not None:
        seasons = seasons.filter(pk=season_id)
    asked = seasons.filter(tried_at__lt=night).filter(
        Q(last__isnull=False) | Q(hindsight__players__gt=0)
    )
    found = {}
    for pk, version, last, corrected, seen in asked.order_by("pk").values_list(
        "pk", "rules_version", "last", "corrected", "hindsight__seen"
    ):
        now_seen = " ".join(
            "" if each is None else str(each) for each in (version, last, corrected)
        )
        if now_seen != seen:
            found[pk] = now_seen
    return found


def attempt(season_id: int, now: datetime) -> bool:
    """Compute a season. If that fails, the others go on, and it is tried again the next night."""
    try:
        return compute(season_id, now)
    except Exception as error:
        if outage_behind(error):
            raise
        logger.exception("The ratings in hindsight of season %d could not be computed.", season_id)
        note(season_id, seen="", tried_at=now)
        return False


def compute(season_id: int, now: datetime) -> bool:
    """Compute a season that is due, unless another worker does. Return whether this call did.

    The fingerprint is read first, so a result that is rated meanwhile counts the next night.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(TRY_TURN, [season_id])
        if not cursor.fetchone()[0]:
            return False
        seen = due(now, season_id).get(season_id)
        if seen is None:
            return False
        rest_unhurried()
        season = Season.objects.select_related("arena").get(pk=season_id)
        players = store(season, in_hindsight(season))
        note(season_id, seen=seen, tried_at=now, at=now, players=players)
    return True


def note(season_id: int, **values: Any) -> None:
    SeasonHindsight.objects.update_or_create(season_id=season_id, defaults=values)


def in_hindsight(season: Season) -> WholeHistory | None:
    """Return the ratings in hindsight of a season's players, whose names are their ids.

    They have the scale of the season's rating system, and the same mean as its ratings after all
    matches. ``None`` if the two cannot be compared: chances must be logistic, and a side as strong
    as its members are on average. ``None``, too, for too many matches or sides.
    """
    system = season.system()
    if not system.is_logistic or season.arena.sides_max > 2:
        return None
    if season.matches.rated().count() > MOST_MATCHES:
        logger.info("Season %d has too many matches for ratings in hindsight.", season.pk)
        return None
    tail = read_tail(season, after=0)
    history = tail.history()
    played = tail["played"] == 1
    if not played.any() or (np.diff(history.side_offsets) != 2).any():
        return None
    if (history.sizes > 1).any() and not system.averages_sides:
        return None
    scale, first_side = system.scale, getattr(system.parameters, "first_side", 0.0)
    found = whole_history(history, mean=0.0, first_side=first_side / scale)
    then = found.rating[days_of(found, history.player[played], tail["time"][played] // DAY)]
    mean = tail["rating_after"][played].mean() - scale * then.mean()
    return replace(found, rating=mean + scale * found.rating, deviation=scale * found.deviation)


class RankError(NamedTuple):
    """The distance between the ranks by a season's ratings and those in hindsight."""

    players: int
    squares: float
    """The sum of the squared distances, Kreimeier's error."""

    @property
    def typical(self) -> float:
        """The root of the mean square, in ranks."""
        return math.sqrt(self.squares / self.players)


def rank_error_of(season: Season) -> RankError | None:
    """Return the rank error by the latest ratings in hindsight, ``None`` if there are none."""
    latest = dict(season.hindsight_curves.values_list("player", "ratings"))
    ratings = dict(season.ratings.filter(player__in=latest).values_list("player", "rating"))
    if not ratings:
        return None
    truth = np.array([latest[player][-1] for player in ratings])
    return RankError(len(ratings), rank_error(truth, np.array([*ratings.values()])))


def days_of(found: WholeHistory, players: Integers, days: Integers) -> Integers:
    """Return where ``(n,)`` players have these days."""
    wide = np.int64(2**32)
    return np.searchsorted(found.player * wide + found.day, players * wide + days)


def store(season: Season, found: WholeHistory | None) -> int:
    """Replace the curves of a season, and return how many there are now."""
    HindsightCurve.objects.filter(season=season).delete()
    if found is None:
        return 0
    starts = np.flatnonzero(np.diff(found.player, prepend=-1))
    columns: list[list[NDArray[Any]]] = [
        np.split(values, starts[1:]) for values in (found.day, found.rating, found.deviation)
    ]
    curves = (
        HindsightCurve(
            season=season,
            player_id=int(found.players[code]),
            days=days.tolist(),
            ratings=ratings.tolist(),
            deviations=deviations.tolist(),
        )
        for code, days, ratings, deviations in zip(
            found.player[starts].tolist(), *columns, strict=True
        )
    )
    return len(HindsightCurve.objects.bulk_create(curves, batch_size=BATCH))
