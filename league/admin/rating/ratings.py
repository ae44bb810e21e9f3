"""Ratings and rating events, to read and export."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import admin
from django.db.models import Prefetch
from django.utils.html import format_html_join
from django.utils.translation import gettext, gettext_lazy

from league.admin.core.base import NameSearch, ReadOnly, Shares
from league.admin.core.exports import Exports
from league.admin.core.floats import in_short
from league.admin.core.months import RatedMonthFilter
from league.admin.core.reach import LatestOnly
from league.models import Rating, RatingEvent, Season
from ratings.contests.first_side import all_terms
from ratings.registry import KNOWN_SYSTEMS

if TYPE_CHECKING:
    from django.utils.safestring import SafeString

IN_ARENAS = Prefetch("season", Season.objects.select_related("arena"))


@admin.register(Rating)
class RatingAdmin(Exports, NameSearch, Shares, ReadOnly):
    export_columns = (
        "season__arena__slug",
        "season__name",
        "player__name",
        "rating",
        "deviation",
        "volatility",
        "games",
        "last_played_at",
    )
    list_display = ("player", "season", "rating", "deviation", "volatility", "games")
    list_filter = ("season__arena", ("season", LatestOnly))
    list_select_related = ("player",)
    shared = (IN_ARENAS,)
    ordering = ("-id",)
    search_fields = ("player__search_name",)
    search_help_text = gettext_lazy("Part of a player's name.")


@admin.register(RatingEvent)
class RatingEventAdmin(Exports, NameSearch, Shares, ReadOnly):
    export_columns = (
        "id",
        "season__arena__slug",
        "season__name",
        "match",
        "player__name",
        "rated_at",
        "games",
        "rating_before",
        "rating_after",
        "deviation_before",
        "deviation_after",
        "volatility_before",
        "volatility_after",
    )
    list_display = ("id", "player", "season", "match_number", "before", "after", "rated_at")
    list_filter = (RatedMonthFilter, "season__arena", ("season", LatestOnly))
    list_select_related = ("player",)
    shared = (IN_ARENAS,)
    ordering = ("-id",)
    search_fields = ("player__search_name",)
    search_help_text = gettext_lazy("Part of a player's name.")
    fields = (
        "player",
        "season",
        "match",
        "rated_at",
        "games",
        ("rating_before", "rating_after"),
        ("deviation_before", "deviation_after"),
        ("volatility_before", "volatility_after"),
        "reasons",
    )
    readonly_fields = ("reasons",)

    @admin.display(description=gettext_lazy("match"), ordering="match")
    def match_number(self, event: RatingEvent) -> int:
        return event.match_id

    @admin.display(description=gettext_lazy("before"), ordering="rating_before")
    def before(self, event: RatingEvent) -> str:
        return in_short(event.rating_before) or ""

    @admin.display(description=gettext_lazy("after"), ordering="rating_after")
    def after(self, event: RatingEvent) -> str:
        return in_short(event.rating_after) or ""

    @admin.display(description=gettext_lazy("why"))
    def reasons(self, event: RatingEvent) -> SafeString:
        """Return the terms of the change, labelled by the season's rating system."""
        system = KNOWN_SYSTEMS.get(event.season.rating_system)
        labels = {term.name: term.label for term in all_terms(system)} if system else {}
        return format_html_join(
            "",
            "<div>{}: <b>{}</b></div>",
            (
                (
                    gettext(labels.get(term, term)),
                    in_short(value) if isinstance(value, float) else value,
                )
                for term, value in event.why.items()
            ),
        )
