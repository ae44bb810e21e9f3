"""Reports by players: moderators resolve them with a note, or open cases about them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import admin
from django.urls import reverse
from django.utils.html import format_html
from django.utils.text import Truncator
from django.utils.translation import gettext_lazy, pgettext_lazy

from league.admin.frontpage.kinds import Attention
from league.admin.moderation.resolving import ResolvedWithNote
from league.models import PlayerReport
from league.services.moderation import reports

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet
    from django.http import HttpRequest
    from django.utils.safestring import SafeString

    from league.models import Player, User


@admin.register(PlayerReport)
class PlayerReportAdmin(ResolvedWithNote):
    export_columns = (
        "id",
        "reporter__name",
        "reported__name",
        "match_id",
        "reason",
        "text",
        "times",
        "at",
        "latest_at",
        "case_id",
        "resolved_at",
        "resolved_by__username",
        "note",
    )
    saves_are_recorded = True
    explanation = gettext_lazy(
        "Players report others here. A report has no effect by itself, and the reported player "
        "never sees it. Write a note to resolve it, or open a case to look into several together. "
        "Reports about yourself are not listed."
    )
    case_parameter = "report"
    list_display = ("__str__", "reporter", "excerpt", "times", "latest_at", "case", "resolved_at")
    list_filter = (
        Attention,
        ("resolved_at", admin.EmptyFieldListFilter),
        ("case", admin.EmptyFieldListFilter),
        "reason",
    )
    list_select_related = ("reported", "reporter", "case")
    date_hierarchy = "latest_at"
    ordering = ("-latest_at", "-id")
    search_fields = ("reported__search_name", "reporter__search_name")
    fields = ("reported_link", "reporter_link", "reason", "text", "match_link", "times", "at",
              "latest_at", "case", "resolved_at", "resolved_by", "note")  # fmt: skip
    readonly_fields = ("reported_link", "reporter_link", "reason", "text", "match_link", "times",
                       "at", "latest_at", "case", "resolved_at", "resolved_by")  # fmt: skip

    def get_queryset(self, request: HttpRequest) -> QuerySet[PlayerReport]:
        """Leave out reports about the reader."""
        own = getattr(request.user, "player", None)
        found = super().get_queryset(request)
        return found.exclude(reported=own) if own else found

    def resolve(self, pk: int, *, by: User, note: str, now: datetime) -> None:
        reports.resolve(pk, by=by, note=note, now=now)

    @admin.display(description=gettext_lazy("what happened"))
    def excerpt(self, report: PlayerReport) -> str:
        return Truncator(report.text).chars(120)

    @admin.display(description=gettext_lazy("reported player"))
    def reported_link(self, report: PlayerReport) -> SafeString:
        return link(report.reported)

    @admin.display(description=pgettext_lazy("player", "reported by"))
    def reporter_link(self, report: PlayerReport) -> SafeString:
        return link(report.reporter)

    @admin.display(description=gettext_lazy("match"))
    def match_link(self, report: PlayerReport) -> SafeString | str:
        if report.match_id is None:
            return "–"
        address = reverse("match", args=[report.match_id])
        return format_html('<a href="{}">{}</a>', address, report.match_id)


def link(player: Player) -> SafeString:
    """Return a link to a player's file."""
    address = reverse("admin:league_player_file", args=[player.pk])
    return format_html('<a href="{}">{}</a>', address, player)
