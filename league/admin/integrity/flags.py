"""Flags that detectors raised, which staff resolve with a note."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from django import forms
from django.contrib import admin, messages
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.admin.core.base import Explained, NameSearch, ReadOnly
from league.models import Flag, Match
from league.services.core.clock import database_now
from league.services.core.errors import Refused
from league.services.integrity import flags

if TYPE_CHECKING:
    from django.db.models import Model
    from django.http import HttpRequest
    from django.utils.safestring import SafeString

    from league.models import User

SHOWN = 20
"""The most matches that a flag links to."""


class FlagForm(forms.ModelForm[Flag]):
    """The note with which staff resolve a flag."""

    class Meta:
        model = Flag
        fields = ("note",)

    def clean_note(self) -> str:
        note: str = self.cleaned_data["note"].strip()
        if not note:
            raise forms.ValidationError(_("Write what you found."))
        return note


@admin.register(Flag)
class FlagAdmin(Explained, NameSearch, ReadOnly):
    explanation = gettext_lazy(
        "Detectors raise flags about results that look arranged, and captains report the conduct "
        "of players. A flag has no effect and may be a false alarm: look at the matches, talk to "
        "the players, then write a note to resolve it. You can penalise a player on their page."
    )
    form = FlagForm
    list_display = ("__str__", "season", "words", "raised_at", "resolved_at")
    list_filter = (("resolved_at", admin.EmptyFieldListFilter), "kind", "season__arena")
    list_select_related = ("season__arena", "player", "other")
    search_fields = ("player__search_name", "other__search_name")
    search_help_text = gettext_lazy("Part of a player's name.")
    fields = ("season", "player_link", "other_link", "words", "matches", "raised_at",
              "resolved_at", "resolved_by", "note")  # fmt: skip
    readonly_fields = ("season", "player_link", "other_link", "words", "matches", "raised_at",
                       "resolved_at", "resolved_by")  # fmt: skip

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Allow staff to resolve open flags."""
        is_open = obj is None or cast("Flag", obj).resolved_at is None
        return is_open and admin.ModelAdmin.has_change_permission(self, request, obj)

    def save_model(self, request: HttpRequest, obj: Flag, *_form: object, **_more: object) -> None:
        account = cast("User", request.user)
        try:
            flags.resolve(obj.pk, by=account, note=obj.note, now=database_now())
        except Refused as refusal:
            self.message_user(request, refusal.message, messages.ERROR)

    @admin.display(description=gettext_lazy("evidence"))
    def words(self, flag: Flag) -> str:
        return flags.in_words(flag)

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
