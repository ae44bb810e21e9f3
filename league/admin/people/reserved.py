"""Words that names may not contain."""

from __future__ import annotations

from django.contrib import admin
from django.utils.translation import gettext_lazy

from league.admin.core.base import Explained
from league.admin.core.concurrent import TellsOfChanges
from league.admin.core.exports import Exports
from league.models import ReservedWord


@admin.register(ReservedWord)
class ReservedWordAdmin(Explained, Exports, TellsOfChanges, admin.ModelAdmin[ReservedWord]):
    export_columns = (
        "id",
        "name",
        "kind",
    )
    explanation = gettext_lazy(
        "Names of players, accounts and rosters may not contain these words, nor words that look "
        "like them. Existing names stay. To allow one name, set “May resemble other names” for "
        "its player or roster."
    )
    fields = ("name", "kind")
    list_display = ("name", "kind")
    list_filter = ("kind",)
    search_fields = ("name",)
