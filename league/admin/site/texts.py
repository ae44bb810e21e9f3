"""Announcements, and the rules of arenas in their organisers' words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.widgets import AdminTextareaWidget
from django.http import HttpResponseRedirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.admin.core.base import Explained, PlainChoices
from league.admin.core.concurrent import TellsOfChanges
from league.admin.core.exports import Exports
from league.admin.core.moments import Moment
from league.admin.core.suggestions import Suggests
from league.admin.dishonor.amnesties import LocalDateTime
from league.admin.jobs.jobs import page_of
from league.models import Announcement, ArenaText
from league.services.announcements import announcing
from league.services.core.clock import database_now
from league.services.site import settings
from league.waking import begin_job

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import HttpRequest, HttpResponse

    from league.models import User


class AnnouncementForm(forms.ModelForm[Announcement]):
    """An announcement, and whether to tell the players of its arena as well."""

    tell = forms.BooleanField(
        label=gettext_lazy("Also as a notice"),
        required=False,
        help_text=gettext_lazy(
            "To everybody who plays in the arena, and by mail to those who want mails."
        ),
    )

    class Meta:
        model = Announcement
        fields = ("text", "arena", "starts_at", "ends_at")
        field_classes = {
            "starts_at": Moment,
            "ends_at": Moment,
        }
        widgets = {
            "text": AdminTextareaWidget(attrs={"rows": 4}),
            "starts_at": LocalDateTime(),
            "ends_at": LocalDateTime(),
        }
        help_texts = {
            "text": gettext_lazy(
                "Write **bold**, and links as [name](https://…). Lines that begin with “- ” are a "
                "list."
            ),
        }

    def clean(self) -> dict[str, Any]:
        super().clean()
        if self.cleaned_data.get("tell") and not self.cleaned_data.get("arena"):
            self.add_error("tell", _("Choose an arena to tell its players."))
        return self.cleaned_data


@admin.register(Announcement)
class AnnouncementAdmin(
    Explained, Exports, Suggests, TellsOfChanges, PlainChoices, admin.ModelAdmin[Announcement]
):
    export_columns = (
        "id",
        "text",
        "arena__slug",
        "starts_at",
        "ends_at",
        "by__username",
    )
    saves_are_recorded = True
    explanation = gettext_lazy(
        "Shown at the top of the pages while they run; readers can close them. To end one, set its "
        "end. They stay here as a record."
    )
    form = AnnouncementForm
    list_display = ("text", "arena", "starts_at", "ends_at", "by")
    list_filter = ("arena", "starts_at")
    list_select_related = ("arena", "by")
    date_hierarchy = "starts_at"
    search_fields = ("text",)
    autocomplete_fields = ("arena",)
    fields = ("text", "arena", "starts_at", "ends_at", "tell")
    show_full_result_count = False

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **options: Any) -> Any:
        if db_field.name in {"starts_at", "ends_at"}:
            options |= {"form_class": Moment, "widget": LocalDateTime()}
        return super().formfield_for_dbfield(db_field, request, **options)

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        return {"starts_at": database_now(), **super().get_changeform_initial_data(request)}

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002 - Django's signature
        return False

    def save_model(self, request: HttpRequest, obj: Announcement, form: Any, change: bool) -> None:
        del form, change
        announcing.announce(obj, by=cast("User", request.user), now=database_now())

    def response_add(self, request: HttpRequest, obj: Any, post_url_continue: Any = None) -> Any:
        return self.tell_players(request, obj) or super().response_add(
            request, obj, post_url_continue
        )

    def response_change(self, request: HttpRequest, obj: Any) -> Any:
        return self.tell_players(request, obj) or super().response_change(request, obj)

    def tell_players(self, request: HttpRequest, obj: Announcement) -> HttpResponse | None:
        """Tell the players if staff asked for it, and lead to how far that is."""
        if "tell" not in request.POST:
            return None
        by = cast("User", request.user)
        job = announcing.ask_to_tell(obj, by=by, now=self.now())
        self.message_user(request, _("Saved. The players are being told."), messages.SUCCESS)
        return HttpResponseRedirect(page_of(begin_job(job)))

    def now(self) -> datetime:
        return database_now()


@admin.register(ArenaText)
class ArenaTextAdmin(
    Explained, Exports, Suggests, TellsOfChanges, PlainChoices, admin.ModelAdmin[ArenaText]
):
    export_columns = (
        "id",
        "arena__slug",
        "rules",
    )
    saves_are_recorded = True
    explanation = gettext_lazy(
        "Rules in your own words: what is allowed, how to behave, whom to ask. The arena’s page "
        "leads to them, and “How it works” shows them beside the rules that the site keeps itself."
    )
    list_display = ("arena",)
    list_select_related = ("arena",)
    search_fields = ("arena__name",)
    autocomplete_fields = ("arena",)
    fields = ("arena", "rules")
    show_full_result_count = False

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return ("arena",) if obj else super().get_readonly_fields(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002 - Django's signature
        return False

    def save_model(self, request: HttpRequest, obj: ArenaText, form: Any, change: bool) -> None:
        del form, change
        settings.save_rules(obj, by=cast("User", request.user), now=database_now())
