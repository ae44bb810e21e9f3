"""The log of what staff did: who, what, whom it concerned, why, and the values before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db.models import Q
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext_lazy

from league.admin.core.base import Explained, ReadOnly, Shares
from league.admin.core.exports import Exports
from league.admin.core.months import ActionMonthFilter
from league.admin.core.reach import limit_to_arenas, reach
from league.admin.core.values import json_in_words
from league.models import Arena, StaffAction, User
from league.models.lists import list_of
from league.models.own_words import SAID
from league.models.reach import in_arenas
from league.services.core.isolation import gettext as _
from league.services.moderation.files import without_own_cases

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import HttpRequest
    from django.utils.safestring import SafeString

UNTOLD = {SAID, "arena_id"}
"""Details that are for programs."""
MOST_NAMES = 5
"""The most names of one action that a row shows."""
MOST_ACTORS = 200
"""The most accounts of staff that the filter names."""
LARGEST_ID = 2**63 - 1
TABLE = (
    '<table><thead><tr><th scope="col">{}</th><th scope="col">{}</th><th scope="col">{}</th></tr>'
    "</thead><tbody>{}</tbody></table>"
)


class ActorFilter(admin.SimpleListFilter):
    """Filters by actor, without reading the log for the names."""

    title = gettext_lazy("account")
    parameter_name = "actor"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:  # noqa: ARG002 - Django's signature
        staff = User.objects.filter(is_staff=True).order_by("username")[:MOST_ACTORS]
        return [(str(one.pk), one.username) for one in staff]

    def queryset(
        self,
        request: HttpRequest,  # noqa: ARG002 - Django's signature
        queryset: QuerySet[StaffAction],
    ) -> QuerySet[StaffAction]:
        chosen = self.value()
        return queryset.filter(actor=int(chosen)) if chosen and chosen.isdecimal() else queryset


class ArenaFilter(admin.SimpleListFilter):
    """The arena of the match or of the change. It offers the arenas that the user may see."""

    title = gettext_lazy("arena")
    parameter_name = "arena"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        arenas = reach(request, model_admin.model, "view", "change")
        offered = limit_to_arenas(Arena.objects.order_by("sort_name"), arenas)
        return [(str(pk), name) for pk, name in offered.values_list("pk", "name")]

    def queryset(
        self,
        request: HttpRequest,  # noqa: ARG002 - Django's signature
        queryset: QuerySet[StaffAction],
    ) -> QuerySet[StaffAction]:
        chosen = self.value()
        if not (chosen and chosen.isascii() and chosen.isdecimal() and int(chosen) <= LARGEST_ID):
            return queryset
        return queryset.filter(in_arenas(StaffAction, [int(chosen)]))


@admin.register(StaffAction)
class StaffActionAdmin(Explained, Exports, Shares, ReadOnly):
    explanation = gettext_lazy(
        "Everything that staff did. Rows are only ever added: nobody changes or deletes them."
    )
    export_columns = (
        "id",
        "at",
        "actor__username",
        "kind",
        "match",
        "reason",
        "before",
        "after",
        "details",
    )
    list_display = ("at", "actor", "kind", "list_people", "about", "own_match", "why")
    fields = (
        ("at", "actor", "kind"),
        "list_people",
        "about",
        "match",
        "own_match",
        "why",
        "changes",
        "describe_details",
    )
    readonly_fields = ("list_people", "about", "own_match", "why", "changes", "describe_details")
    list_filter = (ActionMonthFilter, "kind", ArenaFilter, ActorFilter)
    list_select_related = ("actor", "match")
    shared = ("match__arena", "match__sides__captain")
    ordering = ("-id",)
    search_fields = ("actor__username", "reason", "details")
    search_help_text = gettext_lazy(
        "Part of a reason, of the name of an account, a player or a row, or the number of a match."
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[StaffAction]:
        """Leave out cases about the reader."""
        rows = super().get_queryset(request)
        return without_own_cases(rows, getattr(request.user, "player", None))

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        found, repeats = super().get_search_results(request, queryset, search_term)
        number = search_term.strip()
        if not (number.isdecimal() and 0 < int(number) <= LARGEST_ID):
            return found, repeats
        about = Q(match=int(number)) | Q(details__match=int(number))
        return found | queryset.filter(about), repeats

    @admin.display(description=gettext_lazy("own match"), boolean=True)
    def own_match(self, action: StaffAction) -> bool | None:
        return action.own_match if action.match else None

    @admin.display(description=gettext_lazy("reason"), ordering="reason")
    def why(self, action: StaffAction) -> str:
        return action.why

    @admin.display(description=gettext_lazy("details"))
    def describe_details(self, action: StaffAction) -> str:
        return json_in_words(
            {name: value for name, value in action.details.items() if name not in UNTOLD}
        )

    @admin.display(description=gettext_lazy("about"))
    def about(self, action: StaffAction) -> str:
        """Name the row that was added, changed or deleted, or the match."""
        return action.details.get("object") or (str(action.match) if action.match else "–")

    @admin.display(description=gettext_lazy("before and after"))
    def changes(self, action: StaffAction) -> SafeString | str:
        """Return what changed as a table, each value with its label."""
        before, after = action.before or {}, action.after or {}
        labels = dict.fromkeys([*before, *after])
        if not labels:
            return "–"
        rows = format_html_join(
            "",
            '<tr translate="no"><th scope="row">{}</th><td>{}</td><td>{}</td></tr>',
            (
                (label, json_in_words(before.get(label)), json_in_words(after.get(label)))
                for label in labels
            ),
        )
        return format_html(TABLE, _("What"), _("Before"), _("After"), rows)

    @admin.display(description=gettext_lazy("people concerned"))
    def list_people(self, action: StaffAction) -> str:
        names = action.player_names()
        listed = list_of(names[:MOST_NAMES])
        if len(names) <= MOST_NAMES:
            return listed
        return _("%(names)s and %(more)d more") % {
            "names": listed,
            "more": len(names) - MOST_NAMES,
        }
