"""Matches as lists show them."""

from __future__ import annotations

from itertools import zip_longest
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Count, F, IntegerField, OuterRef, Prefetch, Q, Subquery
from django.db.models.functions import Coalesce, JSONObject

from league.models import Match, Participant, RatingEvent, Season, Side, Status
from league.models.fixture import round_through
from league.models.live_score import last_score_of
from league.services.core.keyset import Place, part_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from django.db.models import QuerySet

    from league.models import Arena, Player
    from league.models.match import MatchQuerySet
    from league.services.core.keyset import Edge, Part

SIDES_ON_A_LINE = 4
MOST_OPEN = 50
BEST_FIRST = (F("place").asc(nulls_last=True), F("index"))


def in_lines(matches: MatchQuerySet, viewer: Player | None = None) -> MatchQuerySet:
    """Load what a list of matches shows, with five queries for any number of matches.

    Each match has its ``arena``, ``season``, ``side_count`` and ``best_sides`` (at most
    ``SIDES_ON_A_LINE``) with their participants. With a ``viewer`` it also has their ``own_sides``
    and ``own_events``.
    """
    best = (
        Side.objects.order_by(*BEST_FIRST).select_related("roster__team").prefetch_related(parts())
    )
    listed = with_counts(matches).prefetch_related(
        Prefetch("sides", best[:SIDES_ON_A_LINE], to_attr="best_sides")
    )
    if viewer is None:
        return listed
    own_sides = Side.objects.filter(participants__player=viewer)
    own_events = RatingEvent.objects.filter(player=viewer)
    return listed.prefetch_related(
        Prefetch("sides", own_sides, to_attr="own_sides"),
        Prefetch("events", own_events, to_attr="own_events"),
    )


def with_counts(matches: MatchQuerySet) -> MatchQuerySet:
    """Load matches with their arena, season, ``side_count`` and ``winner_count``.

    ``round`` names the round of the fixture for which each counts, if any. ``live_score`` is the
    last one that somebody entered, while it is played.
    """
    sides = Side.objects.filter(match=OuterRef("pk")).order_by().values("match")

    def number_of(which: QuerySet[Side, Any]) -> Coalesce:
        counts = which.annotate(count=Count("*")).values("count")
        return Coalesce(Subquery(counts, output_field=IntegerField()), 0)

    return matches.select_related("arena", "season").annotate(
        side_count=number_of(sides),
        winner_count=number_of(sides.filter(place=0)),
        round=round_through("arrangement__game__fixture"),
        live_score=last_score_of("match", Q(status=Status.LIVE)),
    )


def parts() -> Prefetch[str]:
    """Load participants with their players, in order."""
    return Prefetch(
        "participants", Participant.objects.select_related("player__profile").order_by("position")
    )


def lines_of(ids: Iterable[int], viewer: Player | None = None) -> dict[int, Match]:
    """Return matches by id, as a viewer sees them. An id may be there twice."""
    wanted = set(ids)
    if not wanted:
        return {}
    lines = in_lines(Match.objects.filter(pk__in=wanted), viewer).in_bulk()
    for match in lines.values():
        match.season.arena = match.arena
    return lines


def lines_in(season: Season, viewer: Player | None, ids: Sequence[int]) -> list[Match]:
    """Return matches of a season in the order of their ids, as a viewer sees them."""
    if not ids:
        return []
    matches = in_lines(Match.objects.filter(pk__in=ids), viewer)
    lines = matches.select_related(None).in_bulk()
    for match in lines.values():
        match.season, match.arena = season, season.arena
    return [lines[pk] for pk in ids if pk in lines]


def open_matches(player: Player, arena: Arena | None = None) -> list[Match]:
    """Return a player's live, reported and disputed matches, latest first."""
    ids = open_ids(player, arena)
    lines = lines_of(ids, player)
    return [lines[pk] for pk in ids]


def open_ids(player: Player, arena: Arena | None = None) -> list[int]:
    """Return the ids of a player's live, reported and disputed matches, latest first."""
    theirs = Match.objects.open().filter(participants__player=player)
    if arena:
        theirs = theirs.filter(arena=arena)
    return list(theirs.order_by("-played_at", "-id").values_list("pk", flat=True)[:MOST_OPEN])


def recent_matches(season: Season, *, mode: str = "", limit: int = 15) -> list[Match]:
    """Return rated matches of a season as lists show them, latest first.

    With a ``mode``, those in this game mode only.
    """
    matches = Match.objects.rated().games().filter(arena=season.arena_id, season=season)
    if mode:
        matches = matches.filter(mode=mode)
    latest = matches.order_by("-played_at", "-id").values_list("pk", flat=True)[:limit]
    return lines_in(season, None, list(latest))


def rated_part(arena: Arena | None, edge: Edge, count: int) -> Part[Place]:
    """Return the places of a part of all rated matches, or of those of an arena, latest first."""
    matches = Match.objects.rated().games().filter(arena__is_draft=False)
    if arena:
        matches = matches.filter(arena=arena)

    def read(edge: Edge, limit: int) -> list[Place]:
        rows = matches.order_by(*(("played_at", "id") if edge.newer else ("-played_at", "-id")))
        if edge.place:
            at, pk = edge.place
            side, level = ("gte", "lte") if edge.newer else ("lte", "gte")
            rows = rows.filter(**{f"played_at__{side}": at})
            rows = rows.exclude(**{"played_at": at, f"id__{level}": pk})
        return [Place(*row) for row in rows.values_list("played_at", "pk")[:limit]]

    return part_of(edge, count, read, lambda place: place)


def latest_rated(seasons: Iterable[Season], limit: int = 10) -> list[Match]:
    """Return the matches of :func:`latest_ids`, by the time played, latest first."""
    matches = Match.objects.filter(pk__in=latest_ids(seasons, limit))
    return list(in_lines(matches.order_by("-played_at", "-rated_order")))


def latest_ids(seasons: Iterable[Season], limit: int = 10) -> list[int]:
    """Return the ids of the latest rated matches of several seasons.

    The seasons take turns, so that a busy one does not push out the others.
    """
    rated = Match.objects.rated().games().filter(season=OuterRef("pk")).order_by("-rated_order")
    latest = ArraySubquery(rated.values(place=JSONObject(order="rated_order", match="pk"))[:limit])
    chosen = Season.objects.filter(pk__in=[season.pk for season in seasons])
    lists = chosen.order_by().values_list(latest, flat=True)
    turns = [
        sorted((place for place in turn if place), key=itemgetter("order"), reverse=True)
        for turn in zip_longest(*lists)
    ]
    return [place["match"] for turn in turns for place in turn][:limit]
