"""Dates and their steps, to read."""

from __future__ import annotations

from django.contrib import admin
from django.utils.translation import gettext_lazy

from league.admin.core.base import NameSearch, NoChange, ReadOnly
from league.admin.core.exports import Exports
from league.models import Arrangement, ArrangementStep


class StepInline(NoChange, admin.TabularInline[ArrangementStep, Arrangement]):
    model = ArrangementStep
    fields = ("kind", "by", "at", "play_at")
    extra = 0


@admin.register(Arrangement)
class ArrangementAdmin(Exports, NameSearch, ReadOnly):
    inlines = (StepInline,)
    export_columns = (
        "id",
        "arena__slug",
        "proposer__name",
        "opponent__name",
        "play_at",
        "revision",
        "state",
        "created_at",
        "answered_at",
        "accepted_at",
        "changed_at",
        "match_id",
    )
    list_display = ("proposer", "opponent", "arena", "play_at", "state", "match")
    list_filter = ("state", "play_at", "arena")
    list_select_related = ("arena", "proposer", "opponent", "match__arena")
    ordering = ("-id",)
    search_fields = ("proposer__search_name", "opponent__search_name")
    search_help_text = gettext_lazy("Part of a player's name.")
    fields = (
        "arena",
        ("proposer", "opponent"),
        ("proposer_roster", "opponent_roster"),
        ("play_at", "revision"),
        ("state", "asked"),
        ("created_at", "answered_at", "accepted_at", "changed_at"),
        ("request", "request_until"),
        ("claimed_by", "claimed_at"),
        "match",
    )

    def view_on_site(self, arrangement: Arrangement) -> str:
        return arrangement.get_absolute_url()
