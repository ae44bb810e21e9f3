"""Queues: where staff say how an arena's matches are made."""

# mypy: disable-error-code="type-arg,no-untyped-call,no-any-return"
# (Django's admin classes take no type parameters when they run; simple_history has no types.)

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.utils.translation import gettext_lazy
from simple_history.admin import SimpleHistoryAdmin

from league.admin.base import OnlyChooses
from league.admin.queue_form import GROUPS, RULES, QueueForm
from league.models import ArenaQueue

if TYPE_CHECKING:
    from django.http import HttpRequest

TITLES = {
    "queue": gettext_lazy("Filter: who may queue, and whom a roster may meet"),
    "matcher": gettext_lazy("Scores: what makes a good match"),
    "choices": gettext_lazy("Readings of the published matchmaker"),
}


@admin.register(ArenaQueue)
class ArenaQueueAdmin(OnlyChooses, SimpleHistoryAdmin):
    form = QueueForm
    list_display = ("arena", "is_open", "matcher", "ready_window", "bars_timeouts")
    list_filter = ("is_open", "matcher")
    search_fields = ("arena__name",)

    def get_fieldsets(self, request: HttpRequest, obj: ArenaQueue | None = None) -> Any:
        basics = (
            None,
            {"fields": ["arena", "is_open", "ready_window", "bars_timeouts", "matcher"]},
        )
        may_write = (
            self.has_change_permission(request, obj) if obj else self.has_add_permission(request)
        )
        if not may_write:
            return [basics]
        return [
            basics,
            *(
                (
                    TITLES[group],
                    {"fields": [rule.field_name for rule in RULES if rule.group == group]},
                )
                for group in GROUPS
            ),
        ]

    def revert_disabled(self, request: HttpRequest, obj: ArenaQueue | None = None) -> bool:  # noqa: ARG002 - the parent's signature
        """Old rules are for reading; to go back to them is a change like any other."""
        return True
