"""Who stands where: ranks, pages of the leaderboard, and ratings as seen at a moment."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np
from django.db import connection
from django.db.models import Case, Count, F, Q, When, Window
from django.db.models.functions import RowNumber

from league.models import Player, Rating
from league.services.clock import microseconds
from league.services.pages import Page
from league.services.rating import states_of

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from league.models import Season
    from ratings.system import Shows

PER_PAGE = 50

SETTLED_AFTER = 10
"""Rated matches after which a rating is no longer shown as provisional."""

# Bucket k holds the ratings that come after k of the thresholds. Both are signed so that the best
# is the smallest: where a high rating is good they are negated.
COUNT_BETWEEN = """
    SELECT width_bucket(%(sign)s * rating, %(thresholds)s::float8[]) AS bucket, count(*)
    FROM league_rating
    WHERE season_id = %(season)s AND games > 0 AND rating > %(above)s AND rating < %(below)s
    GROUP BY bucket
"""


@dataclass(frozen=True)
class Row:
    """A player's standing. Equal ratings share a rank, and the next rank leaves them out."""

    rank: int
    player: Player
    rating: float
    deviation: float | None
    """With what inactivity has added since the last match."""
    volatility: float | None
    games: int
    last_played_at: datetime | None
    provisional: bool
    """Whether the rating is an estimate from fewer than ``SETTLED_AFTER`` rated matches."""


def leaderboard(
    season: Season, *, now: datetime, search: str = "", page: int = 1, per_page: int = PER_PAGE
) -> Page[Row]:
    """A page of the rated players of ``season``, best first, in three queries.

    ``search`` keeps players whose name contains it; ranks stay those of the whole leaderboard.
    A page beyond the last gives the last.
    """
    found = Rating.objects.standings(season)
    if search.strip():
        found = found.filter(player__in=Player.objects.search(search))
    found = found.select_related("player")
    return Page.cut(
        page, found.count(), per_page, lambda part: rows_of(season, list(found[part]), now)
    )


def standing(season: Season, player: Player, *, now: datetime) -> Row | None:
    """The row of one player; none for a player without a rated match. Two queries."""
    ratings = Rating.objects.standings(season).filter(player=player).select_related("player")
    rows = rows_of(season, list(ratings), now)
    return rows[0] if rows else None


def rank_of(season: Season, player: Player) -> int | None:
    """The rank of a player, from 1; none for a player without a rated match."""
    rating = Rating.objects.standings(season).filter(player=player).first()
    return ranks_of(season, {rating.rating})[rating.rating] if rating else None


def page_of(season: Season, player: Player, per_page: int = PER_PAGE) -> int | None:
    """The page of the leaderboard that a player is on, from 1."""
    standings = Rating.objects.standings(season)
    mine = standings.filter(player=player).first()
    if mine is None:
        return None
    better = Q(rating__lt=mine.rating) if season.lowest_first else Q(rating__gt=mine.rating)
    level = Q(rating=mine.rating, id__lt=mine.pk)
    ahead = standings.filter(better | level).count()
    return ahead // per_page + 1


def leaders(seasons: Collection[Season], *, now: datetime, count: int = 3) -> dict[int, list[Row]]:
    """The first ``count`` of each season, by season id, in one query for all."""
    by_season = {season.pk: season for season in seasons}
    upside_down = [season.pk for season in seasons if season.lowest_first]
    height = Case(When(season__in=upside_down, then=-F("rating")), default=F("rating"))
    best = (
        Rating.objects.filter(season__in=by_season, games__gt=0)
        .annotate(
            number=Window(RowNumber(), partition_by=F("season"), order_by=[height.desc(), F("id")])
        )
        .filter(number__lte=count)
        .select_related("player")
        .order_by("season", "number")
    )
    listed: dict[int, list[Rating]] = defaultdict(list)
    for rating in best:
        listed[rating.season_id].append(rating)
    return {
        season: _rows(by_season[season], ratings, _ranks_from_the_top(ratings), now)
        for season, ratings in listed.items()
    }


def rated_players(seasons: Collection[Season]) -> dict[int, int]:
    """How many players have a rated match, by season id."""
    counted = Rating.objects.filter(season__in=seasons, games__gt=0).values_list("season")
    return dict(counted.annotate(Count("id")))


def rows_of(season: Season, ratings: Sequence[Rating], now: datetime) -> list[Row]:
    """Rows for ``ratings`` of ``season``, in their order, as seen at ``now``."""
    return _rows(season, ratings, ranks_of(season, {rating.rating for rating in ratings}), now)


def ranks_of(season: Season, ratings: Collection[float]) -> dict[float, int]:
    """The rank of each of these ratings: one more than the players who are ahead of it."""
    if not ratings:
        return {}
    best_first = sorted(ratings, reverse=not season.lowest_first)
    sign = 1.0 if season.lowest_first else -1.0
    with connection.cursor() as cursor:
        cursor.execute(
            COUNT_BETWEEN,
            {
                "season": season.pk,
                "sign": sign,
                "thresholds": [sign * rating for rating in best_first],
                "above": -math.inf if season.lowest_first else best_first[-1],
                "below": best_first[-1] if season.lowest_first else math.inf,
            },
        )
        between = dict(cursor.fetchall())
    ahead = accumulate(between.get(bucket, 0) for bucket in range(len(best_first)))
    return {rating: count + 1 for rating, count in zip(best_first, ahead, strict=True)}


def is_provisional(games: int, shows: Shows) -> bool:
    """Whether a rating after ``games`` matches is still to settle; a rank is not estimated."""
    return games < SETTLED_AFTER and not shows.lowest_first


def _ranks_from_the_top(ratings: Sequence[Rating]) -> dict[float, int]:
    ranks: dict[float, int] = {}
    for place, rating in enumerate(ratings, start=1):
        ranks.setdefault(rating.rating, place)
    return ranks


def _rows(
    season: Season, ratings: Sequence[Rating], ranks: dict[float, int], now: datetime
) -> list[Row]:
    deviations = _deviations_at(season, ratings, now)
    shows = season.system().shows
    return [
        Row(
            rank=ranks[rating.rating],
            player=rating.player,
            rating=rating.rating,
            deviation=deviation,
            volatility=rating.volatility,
            games=rating.games,
            last_played_at=rating.last_played_at,
            provisional=is_provisional(rating.games, shows),
        )
        for rating, deviation in zip(ratings, deviations, strict=True)
    ]


def _deviations_at(season: Season, ratings: Sequence[Rating], now: datetime) -> list[float | None]:
    """What time has made of the deviations; of a season that is over, until its end."""
    if not ratings:
        return []
    _ids, states = states_of(
        (
            rating.pk,
            rating.rating,
            rating.deviation,
            rating.volatility,
            rating.games,
            rating.last_played_at,
            rating.memory,
        )
        for rating in ratings
    )
    until = min(now, season.ends_at) if season.ends_at else now
    times = np.full(len(ratings), microseconds(until), dtype=np.int64)
    seen = season.system().at(states, times).deviation
    return [None if math.isnan(value) else value for value in seen.tolist()]
