"""Queues: how an arena makes its matches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.utils.translation import gettext_lazy
from simple_history.admin import SimpleHistoryAdmin

from league.admin.core.base import PlainChoices
from league.admin.queue.forms import GROUPS, PREDICTION, RULES, STEPS, QueueForm
from league.models import ArenaQueue

if TYPE_CHECKING:
    from django.http import HttpRequest

TITLES = {
    "queue": gettext_lazy("Queue: requirements and opponent range"),
    "matcher": gettext_lazy("Scores: what makes a good match"),
    "laurel": gettext_lazy("Guarantees of the Laurel matcher"),
    "rank_filter": gettext_lazy("Players’ rank filters"),
    "region": gettext_lazy("Players’ regions"),
    "choices": gettext_lazy("Interpretations of the published matchmaker"),
}

BASICS = ["arena", "is_open", "ready_window", "bars_timeouts", "rank_source", "ticks_kept"]


@admin.register(ArenaQueue)
class ArenaQueueAdmin(PlainChoices, SimpleHistoryAdmin):
    form = QueueForm
    list_display = ("arena", "is_open", "matcher", "ready_window", "bars_timeouts")
    list_filter = ("is_open", "matcher")
    search_fields = ("arena__name",)

    def get_fieldsets(self, request: HttpRequest, obj: ArenaQueue | None = None) -> Any:
        may_write = (
            self.has_change_permission(request, obj) if obj else self.has_add_permission(request)
        )
        if not may_write:
            return [(None, {"fields": [*BASICS, "matcher"]})]
        names: dict[str, list[str]] = {group: [] for group in GROUPS}
        for rule in RULES:
            names[rule.group].append(rule.field_name)
        names["rank_filter"].append(STEPS)
        return [
            (None, {"fields": [*BASICS, "preset", "matcher"]}),
            *((TITLES[group], {"fields": names[group]}) for group in GROUPS),
            (
                gettext_lazy("Prediction: each side’s chance to win"),
                {"fields": ["predicts", *(rule.field_name for rule in PREDICTION)]},
            ),
        ]

    def revert_disabled(self, request: HttpRequest, obj: ArenaQueue | None = None) -> bool:  # noqa: ARG002 - the parent's signature
        """Show old rules only to read. Going back to them is a change like any other."""
        return True
