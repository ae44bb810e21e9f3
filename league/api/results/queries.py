"""Queries for matches in the API, whose number does not grow with the matches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.models import Count, F, IntegerField, OuterRef, Prefetch, Subquery
from django.db.models.fields.tuple_lookups import (  # type: ignore[import-untyped] # no stubs
    TupleGreaterThan,
    TupleLessThan,
)
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _
from rest_framework.exceptions import NotFound, ValidationError

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
from league.services.core.keyset import Edge, Part, Place, part_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from league.models.match import MatchQuerySet

LISTED_SIDES = 16
"""The most sides of a match in a list, best first. A free-for-all can have 10,000."""
LISTED = (
    *("status", "mode", "region", "first_side", "forecast", "played_at", "kind"),
    *("arena__slug", "season__name"),
)
"""What a list shows of a match, its arena and its season, which keep long rules."""
FIXTURE = ("arrangement__game__fixture__round", "arrangement__game__fixture__competition")
"""The fixture for which a match counts."""
MOST_SKIPPED = 50_000
"""How far down the list pages can be named by their numbers."""


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


def part_of_matches(matches: MatchQuerySet, edge: Edge, count: int) -> Part[Match]:
    """Return a part of a list of matches with their ``best_sides``. Three queries at any depth."""
    sides = Side.objects.select_related("captain", "roster").prefetch_related(parts())
    best = sides.order_by("place", "index")[:LISTED_SIDES]
    listed = (
        counted(matches)
        .only(*LISTED)
        .prefetch_related(Prefetch("sides", best, to_attr="best_sides"))
    )

    def read(edge: Edge, limit: int) -> list[Match]:
        order = ("played_at", "id") if edge.newer else ("-played_at", "-id")
        return list(beyond(listed, edge).order_by(*order)[:limit])

    return part_of(edge, count, read, lambda match: Place(match.played_at, match.pk))


def beyond(matches: MatchQuerySet, edge: Edge) -> MatchQuerySet:
    """Return the matches on the far side of an edge, which an index of place finds."""
    if edge.place is None:
        return matches
    compare = TupleGreaterThan if edge.newer else TupleLessThan
    return matches.filter(compare((F("played_at"), F("pk")), tuple(edge.place)))


def edge_of_page(matches: MatchQuerySet, number: int, size: int) -> Edge:
    """Return the edge at which a numbered page begins. One query, slower with each page.

    Raises:
        NotFound: there is no such page.
        ValidationError: the page is so far down that only links lead to it.
    """
    before = (number - 1) * size
    if before > MOST_SKIPPED:
        message = _("Only the first %(most)d matches have page numbers. Follow “next”.")
        raise ValidationError({"page": [message % {"most": MOST_SKIPPED}]})
    places = matches.order_by("-played_at", "-id").values_list("played_at", "id")
    found = list(places[before - 1 : before + 1])
    if len(found) < 2:
        raise NotFound(_("There is no page %(number)d.") % {"number": number})
    return Edge(Place(*found[0]))


def whole_match(pk: int) -> Match:
    """Load a match with all details. Raises ``NotFound``."""
    people = ("captain", "roster", "confirmation__player")
    sides = Side.objects.select_related(*people).prefetch_related(parts())
    events = RatingEvent.objects.select_related("player").order_by("id")
    points = PointEntry.objects.select_related("player").order_by("id")
    match = (
        counted(Match.objects.filter(pk=pk))
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
