"""Leaderboards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.response import Response

from league.api.arenas.views import ArenaEndpoint
from league.api.core.cursors import Cursors, cursor_of, no_page, page_number
from league.api.standings.serializers import LeaderboardForm, StandingSerializer
from league.caching import cached_briefly
from league.replica_reads import from_replica
from league.services.core.clock import database_now
from league.services.standings import filters, leaderboards

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from rest_framework.request import Request

    from league.models import Season
    from league.services.standings.leaderboard_rows import LeaderboardRow


class Board(Cursors):
    """Parts of a leaderboard, which is counted unless it is filtered."""

    count: int | None = None
    caution: str | None = None

    def begin(self, request: Request, view: Leaderboard) -> Any:
        """Return where the cursor of a request leads, ``None`` for the top."""
        self.request, self.view = request, view
        return cursor_of(request, view)

    def get_paginated_response(self, data: Any) -> Response:
        response = super().get_paginated_response(data)
        response.data |= {"count": self.count, "caution": self.caution}
        return response

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        described = super().get_paginated_response_schema(schema)
        described["properties"] |= {
            "count": {
                "type": ["integer", "null"],
                "description": _("How many players there are; null if they are not counted."),
            },
            "caution": {
                "type": ["string", "null"],
                "description": _("What a search left out; null if it was complete."),
            },
        }
        described["required"] += ["count", "caution"]
        return described


class Leaderboard(ArenaEndpoint):
    serializer_class = StandingSerializer
    pagination_class = Board
    query_form = LeaderboardForm

    @method_decorator(from_replica)
    @extend_schema(
        operation_id="leaderboard",
        responses=StandingSerializer(many=True),
    )
    def get(self, request: Request, slug: str) -> Response:
        """List the ranked players of the running season, else of the last one.

        Filtered by division, deviation or matches without a search, the list has no `count`. Each
        part searches 2,000 players at most, so it may have few results, or none, and still a
        `next`. A search that matches more than 5,000 names says so in `caution`.
        """
        del request
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
        is_filtered = bool(chosen) and not asked["search"].strip()
        read = self.filtered if is_filtered else self.ranked
        rows = read(season, chosen, asked["search"], now)
        return self.get_paginated_response(self.shown(rows, many=True, shows=season.shows))

    def ranked(
        self, season: Season, chosen: filters.Filter, search: str, now: datetime
    ) -> Sequence[LeaderboardRow]:
        """Return the rows at a cursor of a list whose ranks say where they are."""
        board = cast("Board", self.paginator)
        start = board.begin(self.request, self)
        number = start if isinstance(start, int) else page_number(self.request)
        page = leaderboards.leaderboard(
            season,
            now=now,
            search=search,
            chosen=chosen,
            page=number,
            per_page=self.page_size(),
            past_ranks=True,
        )
        if number > page.pages:
            raise no_page(number)
        board.count, board.caution = page.total, page.caution or None
        board.link(page.previous, page.next)
        return page.rows

    def filtered(
        self, season: Season, chosen: filters.Filter, _search: str, now: datetime
    ) -> Sequence[LeaderboardRow]:
        """Return the rows at a cursor of a filtered list."""
        board = cast("Board", self.paginator)
        start = board.begin(self.request, self)
        cursors = {start[0]: tuple(start[1])} if isinstance(start, list) else {}
        found = filters.filtered_page(
            season, chosen, now=now, count=self.page_size(), past_ranks=True, **cursors
        )
        board.link(
            ["before", found.previous] if found.previous else None,
            ["after", found.next] if found.next else None,
        )
        return found.rows


leaderboard = cached_briefly(Leaderboard.as_view())
