"""Rosters, their members and invitations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin
from django.utils.translation import gettext_lazy

from league.admin.core.base import NameSearch, NoChange, PlainChoices
from league.admin.core.concurrent import TellsOfChanges
from league.admin.core.exports import Exports
from league.admin.core.suggestions import Suggests
from league.models import Roster, RosterInvitation, RosterMember
from league.models.lists import list_of
from league.services.core.clock import database_now
from league.services.core.isolation import gettext as _
from league.services.people import captains

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import HttpRequest


class MemberFormSet(forms.BaseInlineFormSet[RosterMember, Roster, Any]):
    """Require enough members for a side, counting the captain even if not listed."""

    def add_fields(self, form: Any, index: int | None) -> None:
        super().add_fields(form, index)
        if "DELETE" in form.fields:  # table cells have no labels
            form.fields["DELETE"].widget.attrs["aria-label"] = _("Delete")

    def clean(self) -> None:
        super().clean()
        roster = self.instance
        if roster.arena_id is None or roster.captain_id is None:
            return
        members = {
            form.cleaned_data["player"].pk
            for form in self.forms
            if form.cleaned_data.get("player") and not form.cleaned_data.get("DELETE")
        }
        if outsiders := roster.outsiders(members | {roster.captain_id}):
            raise forms.ValidationError(
                _("This roster plays for a team. Not in %(team)s: %(players)s.")
                % {"team": roster.team, "players": list_of(outsiders)}
            )
        count = len(members | {roster.captain_id})
        if count < roster.arena.team_size_min:
            raise forms.ValidationError(
                _(
                    "A side in %(arena)s needs at least %(least)d players. "
                    "This roster has %(count)d."
                )
                % {
                    "arena": roster.arena,
                    "least": roster.arena.team_size_min,
                    "count": count,
                }
            )


class MemberInline(Suggests, PlainChoices, admin.TabularInline[RosterMember, Roster]):
    model = RosterMember
    formset = MemberFormSet
    autocomplete_fields = ("player",)
    extra = 2
    verbose_name_plural = gettext_lazy("Members (the captain always counts)")

    def get_queryset(self, request: HttpRequest) -> QuerySet[RosterMember]:
        return super().get_queryset(request).select_related("player", "roster")


class InvitationInline(NoChange, admin.TabularInline[RosterInvitation, Roster]):
    """The invited players and their answers."""

    model = RosterInvitation
    fields = ("player", "invited_at", "answered_at", "accepted")
    extra = 0
    can_delete = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[RosterInvitation]:
        return super().get_queryset(request).select_related("player", "roster")


@admin.register(Roster)
class RosterAdmin(
    Exports, Suggests, PlainChoices, TellsOfChanges, NameSearch, admin.ModelAdmin[Roster]
):
    export_columns = (
        "id",
        "arena__slug",
        "name",
        "captain__name",
        "team__name",
    )
    fields = ("arena", "name", "may_resemble", "captain")
    list_display = ("name", "arena", "captain")
    list_filter = ("arena",)
    list_select_related = ("arena", "captain")
    search_fields = ("search_name", "captain__search_name", "memberships__player__search_name")
    search_help_text = gettext_lazy("Part of a roster's or a player's name.")
    autocomplete_fields = ("arena", "captain")
    inlines = [MemberInline, InvitationInline]
    show_full_result_count = False

    def save_model(self, request: HttpRequest, obj: Roster, form: Any, change: bool) -> None:
        if change:
            was = Roster.objects.get(pk=obj.pk)
            captains.announce([(was, obj.captain)], database_now())
        super().save_model(request, obj, form, change)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        super().save_related(request, form, formsets, change)
        roster = form.instance
        RosterMember.objects.get_or_create(roster=roster, player=roster.captain)
