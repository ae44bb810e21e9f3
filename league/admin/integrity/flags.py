"""Flags that detectors raised, which staff resolve with a note."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import admin
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext_lazy

from league.admin.frontpage.kinds import Attention
from league.admin.moderation.resolving import ResolvedWithNote
from league.models import Flag, Match
from league.services.integrity import flags

if TYPE_CHECKING:
    from datetime import datetime

    from django.utils.safestring import SafeString

    from league.models import User

SHOWN = 20
"""The most matches that a flag links to."""


@admin.register(Flag)
class FlagAdmin(ResolvedWithNote):
    export_columns = (
        "id",
        "kind",
        "season__arena__slug",
        "season__name",
        "player__name",
        "other__name",
        "evidence",
        "raised_at",
        "resolved_at",
        "resolved_by__username",
        "note",
    )
    explanation = gettext_lazy(
        "Detectors raise flags about results that look arranged, and captains report the conduct "
        "of players. A flag has no effect and may be a false alarm: look at the matches, talk to "
        "the players, then write a note to resolve it. You can penalise a player on their page."
    )
    case_parameter = "flag"
    list_display = ("__str__", "season", "words", "raised_at", "resolved_at")
    list_filter = (
        Attention,
        ("resolved_at", admin.EmptyFieldListFilter),
        "raised_at",
        "kind",
        "season__arena",
    )
    list_select_related = ("season__arena", "player", "other")
    search_fields = ("player__search_name", "other__search_name")
    fields = ("season", "player_link", "other_link", "words", "matches", "raised_at",
              "resolved_at", "resolved_by", "note")  # fmt: skip
    readonly_fields = ("season", "player_link", "other_link", "words", "matches", "raised_at",
                       "resolved_at", "resolved_by")  # fmt: skip

    def resolve(self, pk: int, *, by: User, note: str, now: datetime) -> None:
        flags.resolve(pk, by=by, note=note, now=now)

    @admin.display(description=gettext_lazy("evidence"))
    def words(self, flag: Flag) -> str:
        return flags.describe_evidence(flag)

    @admin.display(description=gettext_lazy("player"))
    def player_link(self, flag: Flag) -> SafeString:
        return format_html('<a href="{}">{}</a>', flag.player.get_absolute_url(), flag.player)

    @admin.display(description=gettext_lazy("opponent"))
    def other_link(self, flag: Flag) -> SafeString | str:
        if flag.other is None:
            return "-"
        return format_html('<a href="{}">{}</a>', flag.other.get_absolute_url(), flag.other)

    @admin.display(description=gettext_lazy("latest matches"))
    def matches(self, flag: Flag) -> SafeString:
        found = Match.objects.rated().filter(season=flag.season, participants__player=flag.player)
        if flag.other is not None:
            found = found.filter(pk__in=flag.other.participations.values("match"))
        return format_html_join(
            ", ",
            '<a href="{}">{}</a>',
            (
                (reverse("match", args=[match.pk]), match.pk)
                for match in found.order_by("-rated_order")[:SHOWN]
            ),
        )
