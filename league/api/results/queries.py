"""Queries for matches in the API, whose number does not grow with the matches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.models import Count, IntegerField, OuterRef, Prefetch, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _
from rest_framework.exceptions import NotFound

from league.models import (
    Arena,
    CounterReport,
    Match,
    Objection,
    Participant,
    PointEntry,
    RatingEvent,
    Side,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from league.models.match import MatchQuerySet

LISTED_SIDES = 16
"""The most sides of a match in a list, best first. A free-for-all can have 10,000."""
LISTED = (
    "status",
    "mode",
    "region",
    "first_side",
    "forecast",
    "played_at",
    "kind",
    "arena__slug",
    "season__name",
)
"""The columns that a list shows. Arenas and seasons also have long rules, which it does not
read."""
FIXTURE = ("arrangement__game__fixture__round", "arrangement__game__fixture__competition")
"""The fixture for which a match counts."""


def with_counts(matches: MatchQuerySet) -> MatchQuerySet:
    """Load matches with their arena, season and ``side_count``."""
    sides = (
        Side.objects.filter(match=OuterRef("pk")).order_by().values("match").annotate(n=Count("*"))
    )
    return matches.select_related("arena", "season").annotate(
        side_count=Coalesce(Subquery(sides.values("n"), output_field=IntegerField()), 0)
    )


def parts() -> Prefetch[str]:
    return Prefetch(
        "participants", Participant.objects.select_related("player").order_by("position")
    )


def chosen_matches(asked: Mapping[str, Any]) -> MatchQuerySet:
    """Return the matches that filters ask for, by arena, mode, player and status."""
    matches = Match.objects.all()
    if "arena" in asked:
        # Not a join: the rows must come from the index in their order.
        arena = Arena.objects.published().filter(slug=asked["arena"]).order_by().values("pk")[:1]
        matches = matches.filter(arena=arena)
    if "player" in asked:
        matches = matches.filter(participants__player=asked["player"])
    if "mode" in asked:
        matches = matches.filter(mode=asked["mode"])
    if "status" in asked:
        matches = matches.filter(status=asked["status"])
    return matches


def listed_matches(matches: MatchQuerySet) -> MatchQuerySet:
    """Load matches as lists show them, latest first, with their ``best_sides``."""
    sides = Side.objects.select_related("captain", "roster").prefetch_related(parts())
    best = sides.order_by("place", "index")[:LISTED_SIDES]
    return (
        with_counts(matches)
        .only(*LISTED)
        .prefetch_related(Prefetch("sides", best, to_attr="best_sides"))
        .order_by("-played_at", "-id")
    )


def whole_match(pk: int) -> Match:
    """Load a match with all details. Raises ``NotFound``."""
    people = ("captain", "roster", "confirmation__player")
    sides = Side.objects.select_related(*people).prefetch_related(parts())
    events = RatingEvent.objects.select_related("player").order_by("id")
    points = PointEntry.objects.select_related("player").order_by("id")
    match = (
        with_counts(Match.objects.filter(pk=pk))
        .select_related("reported_by", "disputed_by", "confirmed_by", *FIXTURE)
        .prefetch_related(
            Prefetch("sides", sides.order_by("index")),
            Prefetch("events", events),
            Prefetch("point_entries", points),
            Prefetch("counter_reports", CounterReport.objects.select_related("reporter")),
            Prefetch("objections", Objection.objects.select_related("player")),
            "staff_actions",
        )
        .first()
    )
    if match is None:
        raise NotFound(_("There is no match %(id)d.") % {"id": pk})
    return match
