"""Who stands where: ranks, pages of the leaderboard, and ratings as seen at a moment."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np
from django.db import connection
from django.db.models import Count, F, Q, Window
from django.db.models.functions import RowNumber

from league.models import Player, Rating
from league.services.clock import microseconds
from league.services.rating import states_of

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from league.models import Season

PER_PAGE = 50

# Bucket k holds the ratings below k of the thresholds (which are negated to count from the best).
COUNT_BETWEEN = """
    SELECT width_bucket(-rating, %(thresholds)s::float8[]) AS bucket, count(*)
    FROM league_rating
    WHERE season_id = %(season)s AND games > 0 AND rating > %(lowest)s
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


@dataclass(frozen=True)
class Page:
    """One page of a leaderboard. Pages count from 1; an empty leaderboard has one empty page."""

    rows: Sequence[Row]
    number: int
    pages: int
    total: int
    """Players on all pages, of those that the search finds."""
    per_page: int

    @property
    def first(self) -> int:
        """Which of ``total`` the page's first row is, from 1."""
        return (self.number - 1) * self.per_page + 1

    @property
    def last(self) -> int:
        return self.first + len(self.rows) - 1

    @property
    def previous(self) -> int | None:
        return self.number - 1 if self.number > 1 else None

    @property
    def next(self) -> int | None:
        return self.number + 1 if self.number < self.pages else None


def leaderboard(
    season: Season, *, now: datetime, search: str = "", page: int = 1, per_page: int = PER_PAGE
) -> Page:
    """A page of the rated players of ``season``, best first, in three queries.

    ``search`` keeps players whose name contains it; ranks stay those of the whole leaderboard.
    A page beyond the last gives the last.
    """
    found = Rating.objects.standings(season)
    if search.strip():
        found = found.filter(player__in=Player.objects.search(search))
    total = found.count()
    pages = max(1, math.ceil(total / per_page))
    number = min(max(1, page), pages)
    ratings = found.select_related("player")[(number - 1) * per_page : number * per_page]
    return Page(rows_of(season, list(ratings), now), number, pages, total, per_page)


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
    level = Q(rating=mine.rating, id__lt=mine.pk)
    ahead = standings.filter(Q(rating__gt=mine.rating) | level).count()
    return ahead // per_page + 1


def leaders(seasons: Collection[Season], *, now: datetime, count: int = 3) -> dict[int, list[Row]]:
    """The first ``count`` of each season, by season id, in one query for all."""
    by_season = {season.pk: season for season in seasons}
    best = (
        Rating.objects.filter(season__in=by_season, games__gt=0)
        .annotate(
            number=Window(
                RowNumber(), partition_by=F("season"), order_by=[F("rating").desc(), F("id")]
            )
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
    """The rank of each of these ratings: one more than the players who are above it."""
    if not ratings:
        return {}
    best_first = sorted(ratings, reverse=True)
    with connection.cursor() as cursor:
        cursor.execute(
            COUNT_BETWEEN,
            {
                "season": season.pk,
                "thresholds": [-rating for rating in best_first],
                "lowest": best_first[-1],
            },
        )
        between = dict(cursor.fetchall())
    above = accumulate(between.get(bucket, 0) for bucket in range(len(best_first)))
    return {rating: count + 1 for rating, count in zip(best_first, above, strict=True)}


def _ranks_from_the_top(ratings: Sequence[Rating]) -> dict[float, int]:
    ranks: dict[float, int] = {}
    for place, rating in enumerate(ratings, start=1):
        ranks.setdefault(rating.rating, place)
    return ranks


def _rows(
    season: Season, ratings: Sequence[Rating], ranks: dict[float, int], now: datetime
) -> list[Row]:
    deviations = _deviations_at(season, ratings, now)
    return [
        Row(
            rank=ranks[rating.rating],
            player=rating.player,
            rating=rating.rating,
            deviation=deviation,
            volatility=rating.volatility,
            games=rating.games,
            last_played_at=rating.last_played_at,
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
