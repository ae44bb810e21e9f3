"""Leaderboards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.response import Response

from league.api.arenas.views import ArenaEndpoint
from league.api.core.cursors import Cursors, cursor_of, no_page, page_number
from league.api.standings.serializers import (
    DistributionSerializer,
    InactiveSerializer,
    LeaderboardForm,
    SeasonForm,
    StandingSerializer,
)
from league.caching import cached_briefly
from league.services.arenas.pages import load_arena
from league.services.core.clock import database_now
from league.services.standings import filters, leaderboards
from league.services.standings.distributions import rating_distribution
from league.services.standings.drift import drift_of
from ratings.systems.fermi.population import discrimination

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from rest_framework.request import Request
    from rest_framework.views import APIView

    from league.models import Arena, Season
    from league.services.standings.leaderboard_rows import LeaderboardRow


class LeaderboardCursors(Cursors):
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


def season_shown(arena: Arena, now: datetime) -> Season:
    """Return the running season, else the last one. Raises ``NotFound``."""
    season = arena.current_season(now) or arena.seasons.filter(starts_at__lte=now).first()
    if season is None:
        raise NotFound(_("%(arena)s has had no season yet.") % {"arena": arena})
    return season


class Leaderboard(ArenaEndpoint):
    serializer_class = StandingSerializer
    pagination_class = LeaderboardCursors
    query_form = LeaderboardForm

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
        season = season_shown(self.arena(slug), now)
        asked = self.query()
        chosen = filters.parse_filter(
            season,
            season.system().shows,
            division=asked["division"],
            deviation=asked["sure"],
            games=asked["games"],
        )
        is_filtered = bool(chosen) and not asked["search"].strip()
        read = self.filtered_rows if is_filtered else self.ranked_rows
        rows = read(season, chosen, asked["search"], now)
        return self.get_paginated_response(self.serialize(rows, many=True, shows=season.shows))

    def ranked_rows(
        self, season: Season, chosen: filters.Filter, search: str, now: datetime
    ) -> Sequence[LeaderboardRow]:
        """Return the rows at a cursor of a list whose ranks say where they are."""
        board = cast("LeaderboardCursors", self.paginator)
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

    def filtered_rows(
        self, season: Season, chosen: filters.Filter, _search: str, now: datetime
    ) -> Sequence[LeaderboardRow]:
        """Return the rows at a cursor of a filtered list."""
        board = cast("LeaderboardCursors", self.paginator)
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


NOBODY: dict[str, Any] = {"count": 0, "mean": None, "width": None, "within": [], "bars": []}
"""The distribution of no ratings."""


class SeasonalEndpoint(ArenaEndpoint):
    """A view of a season of an arena: the one asked for, else the running one, else the last."""

    query_form: Any = SeasonForm

    def season(self, slug: str) -> tuple[Season, datetime]:
        """Return the season, and the time now. Raises ``NotFound``."""
        self.arena(slug)
        page, asked = load_arena(slug), self.query().get("season")
        if asked is None:
            season = page.default_season()
            missing = _("%(arena)s has had no season yet.") % {"arena": page.arena}
        else:
            season = next((one for one in page.seasons if one.pk == asked), None)
            missing = _("There is no season %(id)d.") % {"id": asked}
        if season is None:
            raise NotFound(missing)
        return season, page.now


class Neighbours(Cursors):
    """Parts of a list that has no numbered pages."""

    def get_schema_operation_parameters(self, view: APIView) -> list[dict[str, Any]]:
        parameters = super().get_schema_operation_parameters(view)
        return [one for one in parameters if one["name"] != "page"]


class Inactive(SeasonalEndpoint):
    serializer_class = InactiveSerializer
    pagination_class = Neighbours

    @extend_schema(operation_id="inactive", responses=InactiveSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """List players who are not ranked because they have not played lately, best first."""
        season, now = self.season(slug)
        paginator = cast("Neighbours", self.paginator)
        paginator.request, paginator.view = request, self
        held = cursor_of(request, self)
        cursors = {held[0]: tuple(held[1])} if held else {}
        page = leaderboards.inactive(season, now=now, count=self.page_size(), **cursors)
        paginator.link(
            ["before", page.previous] if page.previous else None,
            ["after", page.next] if page.next else None,
        )
        return self.get_paginated_response(self.serialize(page.rows, many=True, shows=season.shows))


class Distribution(SeasonalEndpoint):
    serializer_class = DistributionSerializer

    @extend_schema(operation_id="distribution")
    def get(self, _request: Request, slug: str) -> Response:
        """Show how the ratings of the ranked players are distributed."""
        season, _now = self.season(slug)
        if season.lowest_first:
            raise NotFound(_("On a ladder every player has a rank of their own."))
        found, temperature = rating_distribution(season), season.system().temperature
        tells = None
        if found and found.width and temperature:
            tells = discrimination(found.width, temperature)
        shown = {
            **(vars(found) if found else NOBODY),
            "season": season,
            "discrimination": tells,
            "drift": drift_of(season),
        }
        return Response(self.serialize(shown, shows=season.shows))


leaderboard = cached_briefly(Leaderboard.as_view())
