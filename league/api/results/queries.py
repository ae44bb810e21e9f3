"""Queries for matches in the API, whose number does not grow with the matches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Count, IntegerField, OuterRef, Prefetch, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _
from rest_framework.exceptions import NotFound

from league.models import (
    CounterReport,
    Match,
    Objection,
    Participant,
    PointEntry,
    RatingEvent,
    Side,
)

if TYPE_CHECKING:
    from league.models.match import MatchQuerySet

LISTED_SIDES = 16
"""The most sides of a match in a list, best first. A free-for-all can have 10,000."""


def counted(matches: MatchQuerySet) -> MatchQuerySet:
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


def listed_matches() -> MatchQuerySet:
    """Load matches with their ``best_sides``, latest first, with three queries."""
    sides = Side.objects.select_related("captain", "roster").prefetch_related(parts())
    return counted(Match.objects.order_by("-played_at", "-id")).prefetch_related(
        Prefetch("sides", sides.order_by("place", "index")[:LISTED_SIDES], to_attr="best_sides")
    )


def whole_match(pk: int) -> Match:
    """Load a match with all details. Raises ``NotFound``."""
    people = ("captain", "roster", "confirmation__player")
    sides = Side.objects.select_related(*people).prefetch_related(parts())
    events = RatingEvent.objects.select_related("player").order_by("id")
    points = PointEntry.objects.select_related("player").order_by("id")
    match = (
        counted(Match.objects.filter(pk=pk))
        .select_related("reported_by", "disputed_by", "confirmed_by")
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
