"""Public figures of a queue: waiting times and player counts, never names."""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

import numpy as np
from django.db.models import Avg, Count, OuterRef, Subquery
from django.db.models.functions import Coalesce, Extract, Floor

from league.models import ArenaQueue, Rating, Ticket, TicketMember
from league.services.core.shown_ratings import with_shown
from league.services.queue.snapshots import newcomer_rating
from matchmaking.published.gather import padding
from matchmaking.rank_filter import RankFilters
from matchmaking.rank_ranges import reach

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Arena, Season
    from matchmaking.rank_filter import RankFilter
    from matchmaking.rules.arena import Rules

RANKS_A_BAND = 10
BANDS_BELOW = 8
"""Roughly how many bands lie below a newcomer's rating, for ratings without deviation."""
RECENT = timedelta(hours=6)
ENOUGH = 50
"""The wait is estimated from at most this many tickets that found a match."""


@dataclass(frozen=True)
class Band:
    """The number of waiting players with ratings from ``low`` to below ``high``."""

    low: float
    high: float
    players: int


def bands(season: Season) -> list[Band]:
    """Count an arena's waiting players by their rating in the season, from the lowest band up.

    Empty bands are left out.
    """
    width, first = band_width(season), 1 if season.lowest_first else 0
    held = with_shown(Rating.objects.filter(season=season, player=OuterRef("player")))
    rating = Coalesce(Subquery(held.values("shown")), newcomer_rating(season)[0])
    counted = (
        TicketMember.objects.filter(ticket__in=Ticket.objects.waiting().in_arena(season.arena))
        .values_list(Floor((rating - first) / width))
        .annotate(Count("pk"))
    )
    return [
        Band(first + number * width, first + (number + 1) * width, players)
        for number, players in sorted(counted.order_by())
    ]


def band_width(season: Season) -> float:
    """Return a round number of rating points that suits the scale of the season's ratings."""
    if season.lowest_first:
        return RANKS_A_BAND
    rating, deviation = newcomer_rating(season)
    about = deviation / 2 or abs(rating) / BANDS_BELOW or 1.0
    power = 10.0 ** math.floor(math.log10(about))
    return float(
        min((power, 2 * power, 5 * power, 10 * power), key=lambda width: abs(width - about))
    )


@dataclass(frozen=True)
class Wait:
    """Waiting times of recent tickets."""

    median: timedelta
    most: timedelta
    """The 90th percentile of waits."""


def estimated_wait(arena: Arena, now: datetime) -> Wait | None:
    """Return the usual wait in an arena, ``None`` if nobody found a match recently."""
    played = Ticket.objects.filter(
        arena=arena, state=Ticket.State.PLAYED, closed_at__gt=now - RECENT, closed_at__lte=now
    ).order_by("-closed_at")
    waits = sorted(
        max((closed - queued).total_seconds(), 1.0)
        for closed, queued in played.values_list("closed_at", "queued_at")[:ENOUGH]
        if closed is not None
    )
    if not waits:
        return None
    most = waits[math.ceil(0.9 * len(waits)) - 1]
    return Wait(
        timedelta(seconds=round(statistics.median(waits))), timedelta(seconds=math.ceil(most))
    )


@dataclass(frozen=True)
class Search:
    """The width of the search for a ticket's match, in rating points.

    Depending on the matcher, either ``reach`` or ``spread`` is set. ``reach`` is how far other
    players may be from the ticket. ``spread`` is how far apart all players may be if the others
    have waited the usual time. ``first`` says whether the ticket comes before all others.
    """

    reach: float | None = None
    spread: float | None = None
    first: bool = False


def search(
    queue: ArenaQueue, season: Season, ticket: Ticket, members: int, now: datetime
) -> Search:
    """Return how far the search for a waiting ticket of ``members`` players has widened."""
    rules, waited = queue.matching_in(season), ticket.waiting_time(now)
    if queue.matcher != ArenaQueue.Matcher.LAUREL:
        return Search(reach=window(rules, waited))
    others = 2 * rules.team_size - members
    paid = waited * members + usual_age(queue.arena, now) * others
    return Search(spread=spread(rules, paid), first=waited > rules.laurel.bound)


def window(rules: Rules, waited: float) -> float:
    """Return how far from a ticket's rating others may be, by the published matchers."""
    return float(padding(np.array([waited]), rules.queue)[0]) * rules.scale


def usual_age(arena: Arena, now: datetime) -> float:
    """Return the mean age of the arena's waiting tickets, in seconds."""
    waiting = Ticket.objects.waiting().in_arena(arena).filter(queued_at__lte=now)
    mean: float | None = waiting.aggregate(mean=Avg(Extract("queued_at", "epoch")))["mean"]
    return now.timestamp() - float(mean) if mean is not None else 0.0


def spread(rules: Rules, waited: float) -> float:
    """Return the allowed gap between the highest and lowest rating of a match.

    ``waited`` is the sum of its players' waits, in seconds.
    """
    cost = -rules.laurel.spread_distance
    paid = rules.matcher.age_seconds * waited - rules.laurel.asking
    widest = rules.queue.rating_max
    return (min(max(paid / cost, 0.0), widest) if cost > 0 else widest) * rules.scale


def filter_reach(chosen: RankFilter, waited: float, rules: Rules) -> float:
    """Return how many percentiles a player's filter spans after a wait; infinite for anyone."""
    filters = RankFilters.of([0.0], [chosen])
    assert filters is not None  # noqa: S101 - there is one
    return float(reach(filters, np.array([waited]), rules.rank_filter)[0])
