"""The ledger of ladder points, to read and export."""

from __future__ import annotations

from django.contrib import admin
from django.utils.translation import gettext_lazy

from league.admin.core.base import NameSearch, ReadOnly, Shares
from league.admin.core.exports import Exports
from league.admin.core.reach import LatestOnly
from league.models import PointEntry


@admin.register(PointEntry)
class PointEntryAdmin(Exports, NameSearch, Shares, ReadOnly):
    export_columns = (
        "id",
        "season__arena__slug",
        "season__name",
        "match",
        "player__name",
        "at",
        "odds",
        "score_ratio",
        "victory",
        "deserted",
        "points",
    )
    list_display = ("id", "player", "season", "match_number", "odds", "score_ratio", "points", "at")
    list_filter = ("at", "season__arena", ("season", LatestOnly))
    list_select_related = ("player",)
    shared = ("season__arena",)
    ordering = ("-id",)
    search_fields = ("player__search_name",)
    search_help_text = gettext_lazy("Part of a player's name.")
    fields = (
        "player",
        "season",
        "match",
        "at",
        ("odds", "score_ratio"),
        ("victory", "deserted"),
        "points",
    )

    @admin.display(description=gettext_lazy("match"), ordering="match")
    def match_number(self, entry: PointEntry) -> int:
        return entry.match_id
