"""Leaderboards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.response import Response

from league.api.arenas.views import ArenaEndpoint
from league.api.core.pagination import Counted, check_exists, page_number, page_of, uncounted_part
from league.api.standings.serializers import LeaderboardForm, StandingSerializer
from league.caching import cached_briefly
from league.replica_reads import from_replica
from league.services.core.clock import database_now
from league.services.standings import filters, leaderboards

if TYPE_CHECKING:
    from datetime import datetime

    from rest_framework.request import Request

    from league.models import Season


class Leaderboard(ArenaEndpoint):
    serializer_class = StandingSerializer
    pagination_class = Counted
    query_form = LeaderboardForm
    is_sparse = True

    @method_decorator(from_replica)
    @extend_schema(
        operation_id="leaderboard",
        responses=StandingSerializer(many=True),
    )
    def get(self, request: Request, slug: str) -> Response:
        """List the ranked players of the running season, else of the last one.

        Filtered by division, deviation or matches without a search, the list has no numbered pages
        and no `count`: follow `next`. Each page searches 2,000 players at most, so it may have few
        results, or none, and still a `next`. A search that matches more than 5,000 names says so
        in `caution`.
        """
        now = database_now()
        arena = self.arena(slug)
        season = arena.current_season(now) or arena.seasons.filter(starts_at__lte=now).first()
        if season is None:
            raise NotFound(_("%(arena)s has had no season yet.") % {"arena": arena})
        asked = self.query()
        chosen = filters.parse_filter(
            season,
            season.system().shows,
            division=asked["division"],
            deviation=asked["sure"],
            games=asked["games"],
        )
        number = page_number(request)
        if chosen and not asked["search"].strip():
            return self.filtered(request, season, chosen, asked, now)
        page = leaderboards.leaderboard(
            season,
            now=now,
            search=asked["search"],
            chosen=chosen,
            page=number,
            per_page=self.page_size(),
            past_ranks=True,
        )
        check_exists(number, page.pages)
        rows = StandingSerializer(page.rows, many=True, context={"shows": season.shows}).data
        return page_of(
            request,
            rows,
            count=page.total,
            previous=page.previous,
            following=page.next,
            caution=page.caution or None,
        )

    def filtered(
        self, request: Request, season: Season, chosen: filters.Filter, asked: Any, now: datetime
    ) -> Response:
        """Return a filtered page from the cursor asked for."""
        cursors = {name: parse_cursor(name, asked[name]) for name in ("after", "before")}
        found = filters.filtered_page(
            season, chosen, now=now, count=self.page_size(), past_ranks=True, **cursors
        )
        return uncounted_part(
            request,
            StandingSerializer(found.rows, many=True, context={"shows": season.shows}).data,
            before=filters.cursor_text(found.previous) if found.previous else None,
            after=filters.cursor_text(found.next) if found.next else None,
        )


leaderboard = cached_briefly(Leaderboard.as_view())


def parse_cursor(name: str, text: str) -> filters.Cursor | None:
    """Return the cursor in an address. Raises ``ValidationError`` if it is not one."""
    cursor = filters.parse_cursor(text)
    if text and cursor is None:
        raise ValidationError({name: [_("Use the addresses in “next” and “previous”.")]})
    return cursor
