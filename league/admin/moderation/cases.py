"""Cases: moderators open, work on and close them. Notes are only added."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.admin.core.base import Explained, NameSearch, ReadOnly
from league.admin.core.exports import Exports
from league.admin.moderation.case_forms import (
    AssignForm,
    CloseForm,
    LinkForm,
    NoteForm,
    OpenForm,
    ReopenForm,
    Step,
)
from league.models import Case, CasePlayer
from league.models.lists import list_of
from league.services.core.clock import database_now
from league.services.core.errors import Refused
from league.services.integrity.flags import describe_evidence

if TYPE_CHECKING:
    from django.db.models import Model, QuerySet
    from django.http import HttpRequest, HttpResponse

    from league.models import User


class AssigneeFilter(admin.SimpleListFilter):
    title = gettext_lazy("assigned to")
    parameter_name = "assigned"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:  # noqa: ARG002 - Django's signature
        return [("me", _("me")), ("nobody", _("nobody"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Case]) -> QuerySet[Case]:
        if self.value() == "me":
            return queryset.filter(assignee=cast("User", request.user))
        return queryset.filter(assignee=None) if self.value() == "nobody" else queryset


@admin.register(Case)
class CaseAdmin(Explained, Exports, NameSearch, ReadOnly):
    export_columns = (
        "id",
        "title",
        "state",
        "opened_at",
        "opened_by__username",
        "assignee__username",
        "closed_at",
        "outcome",
    )
    explanation = gettext_lazy(
        "A case collects what moderators know about something: players, matches, flags, reports "
        "and notes. Players never see it. Cases about yourself are not listed."
    )
    list_display = ("title", "names", "state", "assignee", "opened_at", "closed_at")
    list_filter = ("state", AssigneeFilter, "opened_at")
    list_select_related = ("assignee",)
    date_hierarchy = "opened_at"
    ordering = ("-id",)
    search_fields = ("players__search_name", "title")
    search_help_text = gettext_lazy("Part of a title or of a player's name.")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Case]:
        """Leave out cases about the reader."""
        found = super().get_queryset(request).prefetch_related("players")
        own = getattr(request.user, "player", None)
        about = CasePlayer.objects.filter(player=own).values("case")
        return found.exclude(pk__in=about) if own else found

    @admin.display(description=gettext_lazy("players"))
    def names(self, case: Case) -> str:
        return list_of(player.name for player in case.players.all())

    def has_add_permission(self, request: HttpRequest) -> bool:
        return admin.ModelAdmin.has_add_permission(self, request)

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Ask what a case is about, and open it."""
        del form_url
        if not self.has_add_permission(request):
            raise PermissionDenied
        form = OpenForm(request)
        if form.is_valid():
            try:
                case = form.carry_out(cast("User", request.user), database_now())
            except Refused as refusal:
                form.refuse(refusal)
            else:
                self.message_user(request, _("The case is open."), messages.SUCCESS)
                return HttpResponseRedirect(page_of(case))
        context = {
            **self.admin_site.each_context(request),
            **(extra_context or {}),
            "title": _("Open a case"),
            "opts": self.opts,
            "form": form,
            "media": self.media + form.media,
            "back": reverse("admin:league_case_changelist"),
        }
        return TemplateResponse(request, "admin/league/moderation/case_new.html", context)

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show a case with its notes, and take one step of the work on it."""
        del form_url
        case = self.get_object(request, object_id)
        if case is None:
            raise Http404
        if not self.has_view_permission(request, case):
            raise PermissionDenied
        forms = self.steps(request, case)
        sent = [form for form in forms if form.is_bound]
        if request.method == "POST" and sent and sent[0].is_valid():
            try:
                message = sent[0].take(case.pk, by=cast("User", request.user), now=database_now())
            except Refused as refusal:
                sent[0].refuse(refusal)
            else:
                self.message_user(request, message, messages.SUCCESS)
                return HttpResponseRedirect(page_of(case))
        media = self.media
        for form in forms:
            media += form.media
        context = {
            **self.admin_site.each_context(request),
            **(extra_context or {}),
            "title": str(case),
            "opts": self.opts,
            "case": case,
            "notes": case.notes.select_related("author"),
            "players": case.players.order_by("sort_name"),
            "matches": case.matches.select_related("arena").order_by("-pk"),
            "flags": [
                (flag, describe_evidence(flag))
                for flag in case.flags.select_related("player", "other").order_by("-pk")
            ],
            "reports": case.reports.select_related("reported", "reporter"),
            "forms": forms,
            "may_change": bool(forms),
            "media": media,
        }
        return TemplateResponse(request, "admin/league/moderation/case.html", context)

    def steps(self, request: HttpRequest, case: Case) -> list[Step]:
        """Return the forms of what the reader can do, the sent one bound."""
        if not admin.ModelAdmin.has_change_permission(self, request, case):
            if request.method == "POST":
                raise PermissionDenied
            return []
        kinds: list[type[Step]] = [NoteForm, AssignForm, LinkForm]
        kinds.append(CloseForm if case.state == Case.State.OPEN else ReopenForm)
        return [kind(request, case) for kind in kinds]

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Allow the actions of the page, which are services. Nothing is changed by a plain form."""
        return obj is None and admin.ModelAdmin.has_change_permission(self, request, obj)


def page_of(case: Case) -> str:
    return reverse("admin:league_case_change", args=[case.pk])
