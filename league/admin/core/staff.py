"""The ledger of staff decisions and their reasons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import admin
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.admin.core.base import ReadOnly
from league.admin.core.exports import Exports
from league.models import StaffAction

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import HttpRequest

MOST_NAMES = 5
"""How many names of one action a row shows."""


@admin.register(StaffAction)
class StaffActionAdmin(Exports, ReadOnly):
    export_columns = ("id", "at", "actor__username", "kind", "match", "reason", "details")
    list_display = ("at", "actor", "kind", "concerned", "match", "own_match", "reason")
    fields = ("at", "actor", "kind", "concerned", "match", "own_match", "reason", "details")
    readonly_fields = ("concerned", "own_match")
    list_filter = ("kind",)
    list_select_related = ("actor", "match__arena")
    ordering = ("-id",)
    search_fields = ("actor__username", "reason", "details")
    search_help_text = gettext_lazy(
        "Part of a reason, of an account's name or of the name of a player concerned."
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[StaffAction]:
        return super().get_queryset(request).prefetch_related("match__sides__captain")

    @admin.display(description=gettext_lazy("own match"), boolean=True)
    def own_match(self, action: StaffAction) -> bool | None:
        return action.own_match if action.match else None

    @admin.display(description=gettext_lazy("players concerned"))
    def concerned(self, action: StaffAction) -> str:
        names = action.concerned()
        listed = ", ".join(names[:MOST_NAMES])
        if len(names) <= MOST_NAMES:
            return listed
        return _("%(names)s and %(more)d more") % {
            "names": listed,
            "more": len(names) - MOST_NAMES,
        }
