"""Leaderboards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.response import Response

from league.api.arenas.views import ArenaEndpoint
from league.api.core.pagination import Counted, check_exists, page_number, page_of, stretch_of
from league.api.standings.serializers import LeaderboardForm, StandingSerializer
from league.services.core.clock import database_now
from league.services.standings import filters
from league.services.standings.leaderboards import leaderboard

if TYPE_CHECKING:
    from datetime import datetime

    from rest_framework.request import Request

    from league.models import Season


class Leaderboard(ArenaEndpoint):
    serializer_class = StandingSerializer
    pagination_class = Counted

    @extend_schema(
        operation_id="leaderboard",
        parameters=[LeaderboardForm],
        responses=StandingSerializer(many=True),
    )
    def get(self, request: Request, slug: str) -> Response:
        """List who stands where: the running season, or else the last.

        By division or deviation without a search, the list has no numbered pages and no `count`:
        follow `next`. A page may then have few results, or none, and a `next` all the same: each
        looks at 2,000 players at most. A search that more than 5,000 names begin like says so in
        `caution`.
        """
        now = database_now()
        arena = self.arena(slug)
        season = arena.current_season(now) or arena.seasons.filter(starts_at__lte=now).first()
        if season is None:
            raise NotFound(_("%(arena)s has had no season yet.") % {"arena": arena})
        asked = self.query(LeaderboardForm)
        choice = filters.chosen(season, division=asked["division"], sure=asked["sure"])
        number = page_number(request)
        if choice and not asked["search"].strip():
            return self.picked(request, season, choice, asked, now)
        page = leaderboard(
            season,
            now=now,
            search=asked["search"],
            choice=choice,
            page=number,
            per_page=self.page_size(),
            moves=True,
        )
        check_exists(number, page.pages)
        rows = StandingSerializer(page.rows, many=True).data
        return page_of(
            request,
            rows,
            count=page.total,
            previous=page.previous,
            following=page.next,
            caution=page.caution or None,
        )

    def picked(
        self, request: Request, season: Season, choice: filters.Choice, asked: Any, now: datetime
    ) -> Response:
        """A stretch of a choice, from the edge that is asked for."""
        edges = {name: edge_in(name, asked[name]) for name in ("after", "before")}
        found = filters.pick(season, choice, now=now, count=self.page_size(), moves=True, **edges)
        return stretch_of(
            request,
            StandingSerializer(found.rows, many=True).data,
            before=filters.text_of(found.better) if found.better else None,
            after=filters.text_of(found.further) if found.further else None,
        )


def edge_in(name: str, text: str) -> filters.Edge | None:
    """Where a stretch begins. Raises ``ValidationError`` for what no address of a list has."""
    edge = filters.edge_of(text)
    if text and edge is None:
        raise ValidationError({name: [_("Take this from “next” or “previous” of a list.")]})
    return edge
