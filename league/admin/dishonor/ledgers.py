"""The dishonor rules and the ledger of penalties."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib import admin
from django.db.models import Exists, OuterRef
from django.utils.decorators import method_decorator
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe
from simple_history.admin import SimpleHistoryAdmin

from league.admin.core.base import Explained, NameSearch, ReadOnly, link
from league.admin.core.concurrent import TellsOfChanges
from league.admin.core.exports import Exports
from league.admin.core.previews import Previews
from league.admin.core.sections import InSections
from league.admin.dishonor import previews
from league.admin.dishonor.forms import SECTIONS, DisciplineForm, label_values
from league.models import ANOTHER_REASON, Amnesty, Discipline, DishonorAward, Offence

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import HttpRequest
    from django.utils.safestring import SafeString

    from league.models.dishonor import DishonorAwardQuerySet


@admin.register(Discipline)
class DisciplineAdmin(Previews, InSections, Explained, Exports, TellsOfChanges, SimpleHistoryAdmin):
    """At most one row; without it the published rules apply."""

    export_columns = (
        "id",
        "decay",
        "rounding",
        "rules",
    )
    explanation = gettext_lazy(
        "Offences give stacks, which expire with time. Each offence also adds a timeout "
        "that grows with the player's stacks. Without a row here, the published rules apply. "
        "Changes apply at once, also to earlier penalties."
    )
    form = DisciplineForm
    previews = previews.PREVIEWS
    fieldsets: ClassVar[Any] = SECTIONS

    readonly_fields = ("describe_rules",)

    @admin.display(description=gettext_lazy("rules"))
    def describe_rules(self, law: Discipline) -> SafeString:
        """Return the rules, for staff who may only read them."""
        return format_html_join("", "<div>{}: <b>{}</b></div>", label_values(law.dishonor()))

    def has_add_permission(self, request: HttpRequest) -> bool:
        return super().has_add_permission(request) and not Discipline.objects.exists()

    def has_delete_permission(self, request: HttpRequest, obj: Discipline | None = None) -> bool:  # noqa: ARG002 - Django's signature
        return False

    def get_fieldsets(self, request: HttpRequest, obj: Discipline | None = None) -> Any:
        may_write = (
            self.has_change_permission(request, obj) if obj else self.has_add_permission(request)
        )
        return (
            self.fieldsets
            if may_write
            else [(None, {"fields": ["describe_rules", "decay", "rounding"]})]
        )

    @method_decorator(require_safe)
    def history_form_view(self, *given: Any, **more: Any) -> Any:
        return super().history_form_view(*given, **more)

    def revert_disabled(self, request: HttpRequest, obj: Discipline | None = None) -> bool:  # noqa: ARG002 - the parent's signature
        """Old rules can be read. Going back to them is a change like any other."""
        return True


class VoidFilter(admin.SimpleListFilter):
    title = gettext_lazy("amnesty")
    parameter_name = "void"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:  # noqa: ARG002 - Django's signature
        return [("no", _("Counts")), ("yes", _("Made void"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:  # noqa: ARG002 - Django's signature
        if self.value() not in {"no", "yes"}:
            return queryset
        void = Exists(Amnesty.objects.filter(award=OuterRef("pk")))
        return queryset.filter(void if self.value() == "yes" else ~void)


class OffenceFilter(admin.SimpleListFilter):
    title = gettext_lazy("offence")
    parameter_name = "offence"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:  # noqa: ARG002 - Django's signature
        return [*Offence.choices, (ANOTHER_REASON, _("another reason"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:  # noqa: ARG002 - Django's signature
        chosen = self.value()
        if chosen not in {*Offence.values, ANOTHER_REASON}:
            return queryset
        found: DishonorAwardQuerySet = queryset  # type: ignore[assignment] # this model's own
        return found.for_offences([chosen])


@admin.register(DishonorAward)
class DishonorAwardAdmin(Explained, Exports, NameSearch, ReadOnly):
    explanation = gettext_lazy(
        "All penalties. Stacks and timeouts follow from them. Penalties never change, but an "
        "amnesty makes them void. On a player's page you can penalise them for a reason that an "
        "arena declares, and give and lift bans."
    )
    export_columns = (
        "id",
        "at",
        "player__name",
        "arena__slug",
        "offence",
        "stacks",
        "match",
        "proposal",
        "ends_at",
        "amnesties__action",
    )
    list_display = ("at", "player", "arena", "what", "stacks", "about", "void")
    list_display_links = ("at",)
    list_filter = (VoidFilter, OffenceFilter, "arena", "at")
    list_select_related = ("player", "arena", "action__actor")
    ordering = ("-id",)
    search_fields = ("player__search_name",)
    search_help_text = gettext_lazy("Part of a player's name.")
    fields = ("player", "arena", "at", "what", "stacks", "ends_at", "about", "void")
    readonly_fields = ("what", "about", "void")

    def get_queryset(self, request: HttpRequest) -> QuerySet[DishonorAward]:
        return super().get_queryset(request).prefetch_related("amnesties__action__actor")

    @admin.display(description=gettext_lazy("offence"), ordering="offence")
    def what(self, award: DishonorAward) -> str:
        """Return an offence of the league in words, and a reason of an arena by its name."""
        return award.get_offence_display()

    @admin.display(description=gettext_lazy("about"))
    def about(self, award: DishonorAward) -> str:
        """Link the match or ready check, or say who gave a ban or a penalty, and why."""
        if award.action and award.match_id:
            number = link("match", award.match_id, _("Match %(number)d"))
            reason = f"{award.action.actor}: {award.action.reason}"
            return format_html("{} ({})", reason, number)
        if award.action:
            return f"{award.action.actor}: {award.action.reason}"
        if award.match_id:
            return link("match", award.match_id, _("Match %(number)d"))
        if award.proposal_id:
            return link("proposal", award.proposal_id, _("Ready check %(number)d"))
        return "–"

    @admin.display(description=gettext_lazy("amnesty"))
    def void(self, award: DishonorAward) -> str:
        """Say who made it void and why."""
        amnesties = list(award.amnesties.all())
        if not amnesties:
            return _("Counts")
        action = amnesties[0].action
        return _("Void, by %(actor)s (%(action)s): %(reason)s") % {
            "actor": action.actor,
            "action": action.get_kind_display(),
            "reason": action.reason,
        }
