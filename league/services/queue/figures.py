"""What a queue looks like from outside: how long, how many, never who."""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

import numpy as np
from django.db import connection
from django.db.models import Avg
from django.db.models.functions import Extract

from league.models import ArenaQueue, Ticket
from league.services.queue.snapshots import newcomer
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
"""About how many bands lie below a newcomer's rating, where ratings have no deviation."""
RECENT = timedelta(hours=6)
ENOUGH = 50
"""Of how many tickets that found a match, at most, the wait is estimated."""

COUNT_WAITING = """
    SELECT floor((coalesce(r.rating, %(fresh)s) - %(first)s) / %(width)s)::bigint AS band, count(*)
    FROM league_ticket AS t
    JOIN league_ticketmember AS m ON m.ticket_id = t.id
    LEFT JOIN league_rating AS r ON r.season_id = %(season)s AND r.player_id = m.player_id
    WHERE t.arena_id = %(arena)s AND t.state = 'waiting'
    GROUP BY band ORDER BY band
"""


@dataclass(frozen=True)
class Band:
    """How many players with ratings from ``low`` to below ``high`` wait."""

    low: float
    high: float
    players: int


def bands(season: Season) -> list[Band]:
    """The waiting players of an arena by their rating in its season, the lowest number first; bands
    without anybody are left out."""
    width, first = band_width(season), 1 if season.lowest_first else 0
    with connection.cursor() as cursor:
        cursor.execute(
            COUNT_WAITING,
            {
                "fresh": newcomer(season)[0],
                "first": first,
                "width": width,
                "season": season.pk,
                "arena": season.arena_id,
            },
        )
        return [
            Band(first + number * width, first + (number + 1) * width, players)
            for number, players in cursor.fetchall()
        ]


def band_width(season: Season) -> float:
    """A round number of rating points in proportion to what a season's ratings are like."""
    if season.lowest_first:
        return RANKS_A_BAND
    rating, deviation = newcomer(season)
    about = deviation / 2 or abs(rating) / BANDS_BELOW or 1.0
    power = 10.0 ** math.floor(math.log10(about))
    return float(
        min((power, 2 * power, 5 * power, 10 * power), key=lambda width: abs(width - about))
    )


@dataclass(frozen=True)
class Wait:
    """How long those waited who found a match lately."""

    median: timedelta
    most: timedelta
    """Nine in ten waited no longer."""


def estimated_wait(arena: Arena, now: datetime) -> Wait | None:
    """What to expect, ``None`` if nobody found a match lately."""
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
    """How far the search for a ticket's match has widened, in rating points.

    ``reach``: how far others may be from the ticket; ``spread``: how far apart all may be if the
    others have waited as long as is usual; one of them, as the matcher thinks. ``first``: whether
    the ticket comes before all others.
    """

    reach: int | None = None
    spread: int | None = None
    first: bool = False


def search(queue: ArenaQueue, ticket: Ticket, members: int, now: datetime) -> Search:
    """How far the search for a waiting ticket with so many members has come."""
    rules, waited = queue.matching(), ticket.waited(now)
    if queue.matcher != ArenaQueue.Matcher.LAUREL:
        return Search(reach=round(float(padding(np.array([waited]), rules.queue)[0])))
    others = 2 * rules.team_size - members
    paid = waited * members + usual_age(queue.arena, now) * others
    return Search(spread=spread(rules, paid), first=waited > rules.laurel.bound)


def usual_age(arena: Arena, now: datetime) -> float:
    """How many seconds those who wait have waited, on average."""
    waiting = Ticket.objects.waiting().filter(arena=arena, queued_at__lte=now)
    mean: float | None = waiting.aggregate(mean=Avg(Extract("queued_at", "epoch")))["mean"]
    return now.timestamp() - float(mean) if mean is not None else 0.0


def spread(rules: Rules, waited: float) -> int:
    """Rating points between the highest and the lowest of a match for which its players have
    waited so many seconds together."""
    cost = -rules.laurel.spread_distance
    paid = rules.matcher.age_seconds * waited - rules.laurel.asking
    widest = rules.queue.rating_max
    return round(min(max(paid / cost, 0.0), widest) if cost > 0 else widest)


def filter_reach(chosen: RankFilter, waited: float, queue: ArenaQueue) -> float:
    """How many percentiles a player's filter reaches after a wait; infinite for everybody."""
    filters = RankFilters.of([0.0], [chosen])
    assert filters is not None  # noqa: S101 - there is one
    rules = queue.matching().rank_filter
    return float(reach(filters, np.array([waited]), rules)[0])
