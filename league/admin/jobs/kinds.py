"""The kinds of jobs, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from league.models import Job

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import HttpRequest

KINDS = {
    "ban_players": _("Bans of players"),
    "void_all": _("Voids of all matches of a player"),
    "undo_all": _("Undone voids of all matches"),
    "rerate": _("Ratings of a season again"),
    "trial": _("Trials of rules"),
    "queue-trial": _("Trials of a queue’s settings"),
    "rules": _("Tried rules applied to a season"),
    "saved-rules": _("Saved rules applied to a season"),
    "import-read": _("Spreadsheets read"),
    "import-check": _("Checks of files"),
    "import": _("Imports"),
    "import-sent": _("Imports of files sent by programs"),
    "import-undo": _("Undone imports"),
    "import-undo-preview": _("Previews of undone imports"),
    "evening-undo": _("Undone evenings"),
    "evening-undo-preview": _("Previews of undone evenings"),
    "tell_announcement": _("Notices of announcements"),
}


class OfKind(admin.SimpleListFilter):
    """Jobs of one kind."""

    title = _("kind")
    parameter_name = "kind"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:  # noqa: ARG002 - Django's signature
        return list(KINDS.items())

    def queryset(self, request: HttpRequest, queryset: QuerySet[Job]) -> QuerySet[Job]:  # noqa: ARG002 - as above
        return queryset.filter(kind=self.value()) if self.value() in KINDS else queryset
