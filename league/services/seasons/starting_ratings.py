"""The ratings that players start a season with, carried over from the season before.

One statement carries over any number of ratings. The starting rating stays beside the current one
(``Rating.opening``), so that ratings equal the replay of the season's results to the last bit.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import numpy as np
from django.contrib.postgres.fields import ArrayField
from django.db import connection
from django.db.models import (
    Case,
    Count,
    Exists,
    F,
    FloatField,
    Func,
    IntegerField,
    Max,
    Min,
    OuterRef,
    Q,
    Value,
    When,
)
from django.db.models.functions import Cast, Coalesce, Greatest, Least

from league.models import Anchor, Player, Rating, Season
from league.services.core.id_lists import any_of
from league.services.core.isolation import gettext as _
from league.services.rating.rate import states_of
from league.services.seasons import day_one
from league.services.seasons.recentring import Recentring, recentre
from league.services.standings.outlook import Placement
from league.services.standings.ranking import ranking_rules

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.db.models import QuerySet

    from ratings.types import States

BARS = 12
FIRST_ROWS = 10

FILL = """
    INSERT INTO PARTITION (id, season_id, player_id, rating, deviation, volatility, games,
        last_played_at, memory, opening, played_before)
    SELECT nextval('league_rating_id_seq'), %s,
        player_id, rating, deviation, volatility, 0, last_played_at, memory,
        ARRAY[rating, deviation, volatility] || memory, last_played_at
    FROM (CARRIED) AS carried (player_id, rating, deviation, volatility, memory, last_played_at)
"""
# Ranks are the numbers from 1, also if players above were not carried over.
NUMBER_RANKS = """
    UPDATE PARTITION AS r SET rating = n.rank, opening = ARRAY[n.rank::float8] || r.opening[2:]
    FROM (SELECT id, row_number() OVER (ORDER BY rating, id) AS rank FROM PARTITION) AS n
    WHERE n.id = r.id AND r.rating <> n.rank
"""
IS_THERE = "SELECT to_regclass(%s) IS NOT NULL"
MAKE_PARTITION = "SELECT league_make_rating_partition(%s)"
LINK_PARTITION = "SELECT league_link_rating_partition(%s)"


class Bucket(Func):
    """The range of values, between sorted edges, that a number lies in; 0 is below the first."""

    function = "width_bucket"
    template = "%(function)s(%(expressions)s::double precision[])"
    output_field = IntegerField()


@dataclass(frozen=True)
class StartingRating:
    """A player's rating before and at the start."""

    player: Player
    was: float
    rating: float
    deviation: float | None


@dataclass(frozen=True)
class Bar:
    """Player counts in one range of ratings."""

    low: float
    high: float
    before: int
    after: int


@dataclass(frozen=True)
class Preview:
    """The effect of a season's start on ratings. Nothing is written."""

    previous: Season | None
    """The season whose ratings are carried over, if any."""
    players: int
    """Players whose rating is carried over."""
    moved: int
    """Those among them whose rating changes."""
    anew: int
    """Players of the season before who start as newcomers."""
    bars: list[Bar]
    """The rating distribution before and after, from the lowest up."""
    first: list[StartingRating]
    """The best players of the season before."""
    why_fresh: str
    """The reason for carrying over no ratings, empty if some are."""
    ranked: int = 0
    """Players who are ranked at once. They are the first on the leaderboard."""
    needed: Placement | None = None
    """The matches that players with a rating carried over need to be ranked, ``None`` without
    any."""
    drawn: int = 0
    """Players who would draw a random starting rating."""
    width: float = 0.0
    """The standard deviation of what they would draw."""
    recentring: Recentring | None = None
    """The shift of ratings by the anchors, ``None`` if the rules have none."""

    @property
    def tallest(self) -> int:
        return max((max(bar.before, bar.after) for bar in self.bars), default=0)


def previous_of(season: Season) -> Season | None:
    """Return the season of the same arena that was opened before ``season``."""
    earlier = Season.objects.opened().filter(arena=season.arena_id, starts_at__lt=season.starts_at)
    return earlier.exclude(pk=season.pk).order_by("-starts_at").first()


def why_fresh(season: Season, previous: Season | None) -> str:
    """Return why everyone starts as a newcomer; empty if ratings are carried over."""
    if previous is None:
        return _("There is no season before this one.")
    if season.season_rules().start.placement == "fresh":
        return _("The arena's rules say so.")
    if previous.rating_system != season.rating_system:
        return _(
            "“%(previous)s” used another rating system, whose numbers mean something else."
        ) % {"previous": previous.name}
    return ""


def fill(season: Season) -> None:
    """Write a season's starting ratings. The caller holds the season in a transaction.

    A new partition is filled before it is attached, which skips index and key checks for each row.
    """
    previous = previous_of(season)
    draws = day_one.draws(season)
    if not draws and (previous is None or why_fresh(season, previous)):
        return
    partition = f"league_rating_{season.pk}"
    with connection.cursor() as cursor:
        cursor.execute(IS_THERE, [partition])
        is_new = not cursor.fetchone()[0]
        if is_new:
            cursor.execute(MAKE_PARTITION, [season.pk])
        # Insert into the partition itself: nobody has played, so no standing has to be updated.
        if draws:
            day_one.write(season, partition, cursor)
        elif previous is not None:
            carried = carry_over(season, previous).values_list(
                "keeper", "becomes", "kept_deviation", "volatility", "kept_memory", "last_played_at"
            )
            query, parameters = carried.query.sql_with_params()
            statement = FILL.replace("PARTITION", partition).replace("CARRIED", query)
            cursor.execute(statement, [season.pk, *parameters])
        if season.system().ranks_population:
            cursor.execute(NUMBER_RANKS.replace("PARTITION", partition))
        if is_new:
            cursor.execute(LINK_PARTITION, [season.pk])


def starting_states(season: Season, players: Sequence[int]) -> States:
    """Return the ``(n,)`` states in which ``players`` started the season, in their order.

    Players with a carried-over rating start from it, the others as newcomers in this order.
    """
    system = season.system()
    taken = Rating.objects.filter(season=season, opening__isnull=False)
    held = {
        player: (opening, played)
        for player, opening, played in taken.filter(player__in=any_of(players)).values_list(
            "player", "opening", "played_before"
        )
    }
    new = [row for row, player in enumerate(players) if player not in held]
    if not held:
        return system.newcomers(len(players))
    old = [row for row, player in enumerate(players) if player in held]
    _ids, opened = states_of(
        (row, *(opening or [])[:3], 0, played, (opening or [])[3:])
        for row in old
        for opening, played in [held[players[row]]]
    )
    newcomers = system.newcomers(len(new), taken.count())
    return newcomers.joined_by(opened).take(np.argsort(np.array([*new, *old])))


def carry_over(season: Season, previous: Season) -> QuerySet[Any]:
    """Return the ratings of the season before, with the player and values that each passes on.

    A player merged after that season was archived passes their rating on to the one who stays,
    unless that one has a rating. Anchors start with the rating that staff have set.
    """
    start = season.season_rules().start
    held = Rating.objects.filter(season=previous, last_played_at__isnull=False)
    if start.full_reset_at:
        held = held.filter(last_played_at__gte=start.full_reset_at)
    stays = OuterRef("player__merged_into")
    closer = held.filter(Q(player=stays) | Q(player__merged_into=stays, pk__lt=OuterRef("pk")))
    shift = recentre(previous).shift if start.recentre else 0.0
    becomes = F("rating") + shift
    scaled = start.placement == "linear-scale"
    if scaled:
        becomes = start.center + start.ratio * (becomes - start.center)
    means_other_things = (
        (scaled and start.ratio != 1.0)
        or shift != 0.0
        or start.reset_deviation
        or any(
            season.rating_parameters.get(name) != previous.rating_parameters.get(name)
            for name in season.system().kept_in_states
        )
    )
    deviation: Any = F("deviation")
    memory: Any = F("memory")
    fresh = Cast(Value(newcomer_deviation(season)), FloatField())
    nothing = Value([], ArrayField(FloatField()))
    if start.partial_reset_at:
        forgotten = Q(last_played_at__lt=start.partial_reset_at)
        deviation = Case(When(forgotten, then=fresh), default=deviation)
        memory = Case(When(forgotten, then=nothing), default=memory)
    return (
        held.filter(Q(player__merged_into=None) | ~Exists(closer))
        .annotate(
            keeper=Coalesce("player__merged_into", "player"),
            becomes=becomes,
            kept_deviation=fresh if start.reset_deviation else deviation,
            kept_memory=nothing if means_other_things else memory,
        )
        .exclude(keeper__in=anchored_players(season))
    )


def newcomer_deviation(season: Season) -> float | None:
    deviation = float(season.system().newcomers(1).deviation[0])
    return None if math.isnan(deviation) else deviation


def preview(season: Season) -> Preview:
    """Return what :func:`fill` would do to ``season``, which may be planned or unsaved."""
    previous = previous_of(season)
    reason = why_fresh(season, previous)
    total = previous.ratings.exclude(player__in=anchored_players(season)).count() if previous else 0
    if previous is None or reason:
        found = Preview(previous, 0, 0, total, [], [], reason)
        if not day_one.draws(season):
            return found
        width = season.season_rules().start.day_one
        return replace(found, drawn=day_one.taking_part().count(), width=width)
    carried = carry_over(season, previous)
    sums = carried.aggregate(
        players=Count("pk"),
        moved=Count("pk", filter=~Q(becomes=F("rating"))),
        low=Min(Least("becomes", "rating")),
        high=Max(Greatest("becomes", "rating")),
        active=Count("pk", filter=active_in(season)),
    )
    if not sums["players"]:
        return Preview(previous, 0, 0, total, [], [], _("Nobody has a rating to carry over."))
    ranking = ranking_rules(season)
    at_once = ranking.returning_matches == 0 and not ranking.opponents
    return Preview(
        previous,
        sums["players"],
        sums["moved"],
        total - sums["players"],
        bars(carried, sums["low"], sums["high"]),
        first(season, carried),
        "",
        ranked=sums["active"] if at_once else 0,
        needed=Placement(ranking.returning_matches, ranking.window, ranking.opponents),
        recentring=recentre(previous) if season.season_rules().start.recentre else None,
    )


def active_in(season: Season) -> Q:
    """Return the condition of players who have played late enough to be ranked at the start."""
    window = ranking_rules(season).window
    if window is None:
        return Q(last_played_at__isnull=False)
    return Q(last_played_at__gte=season.starts_at - timedelta(seconds=window))


def anchored_players(season: Season) -> list[int]:
    """Return the ids of the players whose rating staff have fixed from the season's start."""
    if season.lowest_first:
        return []
    return list(Anchor.objects.filter(arena=season.arena_id).values_list("player", flat=True))


def bars(carried: QuerySet[Any], low: float, high: float) -> list[Bar]:
    """Count ratings before and after in ``BARS`` ranges of equal width."""
    if not high > low:
        low, high = low - 0.5, high + 0.5
    edges = np.linspace(low, high, BARS + 1).tolist()
    before, after = [0] * BARS, [0] * BARS
    ranges = (Bucket("rating", Value(edges)), Bucket("becomes", Value(edges)))
    counted = carried.values_list(*ranges).annotate(Count("pk")).order_by()
    for was, becomes, count in counted:
        before[min(max(was, 1), BARS) - 1] += count
        after[min(max(becomes, 1), BARS) - 1] += count
    return [Bar(*bar) for bar in zip(edges, edges[1:], before, after, strict=False)]


def first(season: Season, carried: QuerySet[Any]) -> list[StartingRating]:
    best_first = carried.order_by("rating" if season.lowest_first else "-rating", "pk")
    rows = best_first.values_list("keeper", "rating", "becomes", "kept_deviation")[:FIRST_ROWS]
    players = Player.ever.in_bulk([row[0] for row in rows])
    return [StartingRating(players[player], *numbers) for player, *numbers in rows]
