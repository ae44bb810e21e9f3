"""The ledger of staff decisions and their reasons."""

from __future__ import annotations

from django.contrib import admin
from django.utils.translation import gettext_lazy

from league.admin.core.base import ReadOnly
from league.admin.core.exports import Exports
from league.models import StaffAction


@admin.register(StaffAction)
class StaffActionAdmin(Exports, ReadOnly):
    export_columns = ("id", "at", "actor__username", "kind", "match", "reason", "details")
    list_display = ("at", "actor", "kind", "match", "reason")
    list_filter = ("kind",)
    list_select_related = ("actor", "match__arena")
    ordering = ("-id",)
    search_fields = ("actor__username", "reason")
    search_help_text = gettext_lazy("Part of a reason or of an account's name.")
