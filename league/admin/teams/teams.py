"""Teams for staff: names, pictures, captains and the end of a team."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from django import forms
from django.contrib import admin
from django.utils.translation import gettext_lazy

from league.admin.core.base import NameSearch, NoChange, PlainChoices
from league.admin.core.concurrent import TellsOfChanges
from league.admin.core.exports import Exports
from league.models import Arena, FormerTeamName, Team, TeamMember, TeamRole
from league.services.core.clock import database_now
from league.services.teams import founding, moderating
from league.services.transfer.files import team_imports

if TYPE_CHECKING:
    from django.http import HttpRequest


class MemberInline(NoChange, admin.TabularInline[TeamMember, Team]):
    """The members of a team, with their roles and times."""

    model = TeamMember
    fields = ("player", "role", "joined_at", "left_at")
    extra = 0
    can_delete = False

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).select_related("player", "team")


class FormerTeamNameInline(NoChange, admin.TabularInline[FormerTeamName, Team]):
    model = FormerTeamName
    fields = ("name", "given_up_at")
    extra = 0
    can_delete = False


class TeamForm(forms.ModelForm[Team]):
    """The changes that staff can make to a team."""

    captain = forms.ModelChoiceField(
        TeamMember.objects.none(),
        label=gettext_lazy("New captain"),
        required=False,
        help_text=gettext_lazy("This member takes over at once, without being asked."),
    )
    no_picture = forms.BooleanField(label=gettext_lazy("Remove the picture"), required=False)
    disband = forms.BooleanField(
        label=gettext_lazy("Disband the team"),
        required=False,
        help_text=gettext_lazy("All members leave. This cannot be undone."),
    )

    class Meta:
        model = Team
        fields = ("name", "tag", "may_resemble", "colour", "second_colour")

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        others = self.instance.members.current().exclude(role=TeamRole.CAPTAIN)
        self.fields["captain"].queryset = others.select_related("player", "team")  # type: ignore[attr-defined] # a model's choices

    def clean(self) -> dict[str, Any]:
        """Refuse to disband a team that has something to finish."""
        given = super().clean() or self.cleaned_data
        if given.get("disband"):
            for reason in founding.reasons_against_disbanding(self.instance):
                self.add_error("disband", reason)
        return given


@admin.register(Team)
class TeamAdmin(Exports, NameSearch, PlainChoices, TellsOfChanges, admin.ModelAdmin[Team]):
    export_columns = (
        "id",
        "name",
        "tag",
        "created_at",
        "disbanded_at",
    )
    change_list_template: ClassVar[Any] = "admin/league/team/change_list.html"  # type: ignore[misc] # two bases differ
    form = TeamForm
    fields = (
        "name",
        "tag",
        "may_resemble",
        "colour",
        "second_colour",
        "no_picture",
        "captain",
        "disband",
        "created_at",
        "disbanded_at",
    )
    readonly_fields = ("created_at", "disbanded_at")
    list_display = ("name", "tag", "created_at", "disbanded_at")
    search_fields = ("search_name", "folded_tag", "members__player__search_name")
    search_help_text = gettext_lazy("Part of a team's or a player's name, or a tag.")
    inlines = [MemberInline, FormerTeamNameInline]
    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:  # noqa: ARG002 - Django's signature
        return False

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> Any:
        """Lead to the imports of arenas, which bring teams from a list."""
        may = request.user.has_perms([*team_imports.NEEDS, "league.add_fileimport"])
        arenas = Arena.objects.open() if may else ()
        return super().changelist_view(request, {**(extra_context or {}), "arenas": arenas})

    def has_change_permission(self, request: HttpRequest, obj: Team | None = None) -> bool:
        """Allow no changes to a disbanded team."""
        ended = obj is not None and obj.disbanded_at is not None
        return not ended and super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Team | None = None) -> bool:  # noqa: ARG002 - Django's signature
        """Allow no deletion: archives and ledgers keep referring to teams."""
        return False

    def save_model(self, request: HttpRequest, obj: Team, form: Any, change: bool) -> None:  # noqa: ARG002 - Django's signature
        given, now = form.cleaned_data, database_now()
        moderating.save_name(obj, form.initial["name"], now)
        if given["no_picture"]:
            moderating.remove_picture(obj)
        if given["captain"]:
            moderating.make_captain(obj, given["captain"], now)
        if given["disband"]:
            moderating.disband(obj, now)

    def view_on_site(self, team: Team) -> str:
        return team.get_absolute_url()
