"""Pages of rows of which there is one: the league's settings, and maintenance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, cast

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import connection, transaction
from django.http import HttpResponseRedirect
from django.template.response import TemplateResponse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from league.admin.core.base import ReadOnly
from league.admin.core.comparing import Change, Loaded, Merge, stored_values
from league.admin.core.concurrent import LOADED, TAKEN, UNSAVED, Saved
from league.admin.core.moments import Moment
from league.admin.dishonor.amnesties import LocalDateTime
from league.models import LeagueSettings, Maintenance, StaffAction
from league.models.own_words import own_words
from league.services.core.clock import database_now
from league.services.core.errors import Refused
from league.services.results.reports import images
from league.services.site import maintenance, settings

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet
    from django.http import HttpRequest, HttpResponse

    from league.models import User

TAKE_TURN = "SELECT pg_advisory_xact_lock(hashtextextended('page of one row', hashtext(%s)))"
BESIDE = ""
"""The key of the facts beside the fields, among what a page showed."""


class Fact(NamedTuple):
    """A sentence that a page shows beside its fields, and that saving may change."""

    label: str
    value: str


class OnePage(ReadOnly):
    """The list's address shows a form for the only row.

    Whoever saves it second learns what the first changed, as on the pages of rows.
    """

    page_title: Any = ""
    explanation: Any = ""
    template = "admin/league/site/one.html"

    def form_for(self, data: Any = None, files: Any = None) -> Any:
        """Return the form, bound if it was sent."""
        raise NotImplementedError

    def facts(self) -> list[Fact]:
        """Return what is stored beside the fields."""
        raise NotImplementedError

    def fact_in_words(self, value: str, before: str = "") -> str:
        """Return the value of a fact for people, which had another ``before``."""
        raise NotImplementedError

    def saves(self) -> QuerySet[StaffAction]:
        """Return the actions that changed the row."""
        raise NotImplementedError

    def carry_out(self, form: Any, request: HttpRequest, by: User, now: datetime) -> str:
        """Do what a valid form asks for, and return a message. Raises ``Refused``."""
        raise NotImplementedError

    def may_change(self, request: HttpRequest) -> bool:
        return admin.ModelAdmin.has_change_permission(self, request)

    def get_model_perms(self, request: HttpRequest) -> dict[str, bool]:
        """Say on the first page that the row can be changed, and not only be read."""
        return {**super().get_model_perms(request), "change": self.may_change(request)}

    @method_decorator(require_http_methods(["GET", "HEAD", "POST"]))
    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show the form, or save what was sent."""
        may_change = self.may_change(request)
        if not may_change and (request.method == "POST" or not self.has_view_permission(request)):
            raise PermissionDenied
        if request.method != "POST":
            return self.page(request, self.form_for(), extra_context)
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute(TAKE_TURN, [self.opts.model_name])
            changes = self.merge_changes(request)
            form = self.form_for(request.POST, request.FILES)
            if self.save_unless_read(request, form, changes):
                return HttpResponseRedirect(request.path)
        return self.page(request, form, extra_context, changes)

    def merge_changes(self, request: HttpRequest) -> list[Change]:
        """Put into the request what others saved, and return what they changed."""
        loaded = Loaded.unseal(request.POST.get(LOADED, ""))
        if loaded is None or "off" in request.POST:
            return []
        data = request.POST.copy()
        merge = Merge(data, loaded, set(data.getlist(TAKEN)))
        merge.form(self.form_for(), self.form_for(request.POST), loaded.values)
        request.POST = data  # type: ignore[assignment] # it is a copy of the same kind
        shown = loaded.rows[BESIDE][BESIDE][BESIDE]
        others = [
            Change(label, "", self.fact_in_words(was), self.fact_in_words(now, was))
            for (label, now), was in zip(self.facts(), shown, strict=False)
            if was != now
        ]
        return [*others, *merge.changes]

    def save_unless_read(self, request: HttpRequest, form: Any, changes: list[Change]) -> bool:
        """Save what was sent, unless somebody has to read something first."""
        is_valid = form.is_valid()
        if changes:
            form.add_error(None, UNSAVED)
            for name in request.FILES:  # browsers do not send a file twice by themselves
                form.add_error(name if name in form.fields else None, _("Choose the file again."))
        if changes or not is_valid:
            return False
        try:
            said = self.carry_out(form, request, cast("User", request.user), database_now())
        except Refused as refusal:
            known = refusal.field in form.fields
            form.add_error(refusal.field if known else None, refusal.message)
            return False
        self.message_user(request, said, messages.SUCCESS)
        return True

    def page(
        self,
        request: HttpRequest,
        form: Any,
        extra_context: dict[str, Any] | None,
        changes: list[Change] | None = None,
    ) -> HttpResponse:
        may_change = self.may_change(request)
        facts = [one.value for one in self.facts()]
        shown = Loaded(stored_values(form), {BESIDE: {BESIDE: {BESIDE: facts}}})
        context = {
            **self.admin_site.each_context(request),
            **(extra_context or {}),
            "title": self.page_title,
            "explanation": self.explanation,
            "opts": self.opts,
            "form": form,
            "may_change": may_change,
            "loaded": shown.seal() if may_change else "",
            "meanwhile": changes,
            "last_saved": Saved.last(self.saves()) if changes else None,
            **self.more(),
        }
        return TemplateResponse(request, self.template, context)

    def more(self) -> dict[str, Any]:
        return {}


class SettingsForm(forms.ModelForm[LeagueSettings]):
    """The league's settings, with files for the logo and the picture."""

    upload = forms.FileField(
        label=gettext_lazy("New logo"),
        required=False,
        help_text=gettext_lazy("A PNG, JPEG or WebP image. It is shown 32 pixels high, on white."),
    )
    no_logo = forms.BooleanField(label=gettext_lazy("No logo"), required=False)
    new_picture = forms.FileField(
        label=gettext_lazy("New picture"),
        required=False,
        help_text=gettext_lazy(
            "A wide PNG, JPEG or WebP image for the top of the front page, best 1600 × 600 pixels: "
            "what is above and below that shape is cut off. It is shown to visitors, and where the "
            "league is shared."
        ),
    )
    no_picture = forms.BooleanField(label=gettext_lazy("No picture"), required=False)

    class Meta:
        model = LeagueSettings
        fields = ("name", "about", "time_zone", "language", "accent", "dark_accent")

    def clean_name(self) -> str:
        return " ".join(self.cleaned_data["name"].split())


def clean(given: dict[str, Any], name: str) -> bytes | None:
    """Return an uploaded image without what it says beside its pixels, ``None`` without one.

    Raises:
        Refused: it is no image, or too large.
    """
    if not given[name]:
        return None
    try:
        return images.clean(given[name]).webp
    except Refused as refusal:
        raise Refused(refusal.code, refusal.message, field=name) from refusal


@admin.register(LeagueSettings)
class LeagueSettingsAdmin(OnePage):
    page_title = gettext_lazy("Name, logo and colours of the league")
    explanation = gettext_lazy(
        "Players see these on every page. A colour is refused if text in it would be hard to read."
    )

    def form_for(self, data: Any = None, files: Any = None) -> SettingsForm:
        return SettingsForm(data, files, instance=settings.settings_of_league())

    def facts(self) -> list[Fact]:
        row = settings.settings_of_league()
        return [Fact(_("Logo"), row.logo_id or ""), Fact(_("Picture"), row.picture_id or "")]

    def fact_in_words(self, value: str, before: str = "") -> str:
        if not value:
            return _("none")
        return _("another image") if before else _("an image")

    def saves(self) -> QuerySet[StaffAction]:
        changed = StaffAction.Kind.CHANGED
        return StaffAction.objects.filter(
            kind=changed, details__contains=own_words("settings").details
        )

    def carry_out(self, form: Any, request: HttpRequest, by: User, now: datetime) -> str:
        del request
        given, row = form.cleaned_data, form.instance
        logo, picture = clean(given, "upload"), clean(given, "new_picture")
        if given["no_logo"]:
            row.logo = None
        if given["no_picture"]:
            row.picture = None
        try:
            settings.save(row, by=by, now=now, logo=logo, picture=picture)
        except Refused as refusal:
            if refusal.field != "picture":
                raise
            raise Refused(refusal.code, refusal.message, field="new_picture") from refusal
        return _("Saved. Every page shows it within a second.")

    def more(self) -> dict[str, Any]:
        row = settings.settings_of_league()
        return {"logo": row.logo, "picture": row.picture, "is_upload": True}


class MaintenanceForm(forms.Form):
    """The text that players read during maintenance, and its expected end."""

    message = forms.CharField(
        label=gettext_lazy("Message"),
        max_length=maintenance.LONGEST_MESSAGE,
        help_text=gettext_lazy("On every page, and in each refusal."),
        widget=forms.Textarea(attrs={"rows": 3, "class": "vLargeTextField"}),
    )
    until = Moment(
        label=gettext_lazy("Expected end"),
        required=False,
        widget=LocalDateTime,
        help_text=gettext_lazy("Players read it. Maintenance ends when you turn it off."),
    )


@admin.register(Maintenance)
class MaintenanceAdmin(OnePage):
    page_title = gettext_lazy("Maintenance")
    explanation = gettext_lazy(
        "While it is on, nobody can join a queue, report a new match, challenge anybody or start a "
        "match, and queues form no matches. Live matches end as usual: results of live matches, "
        "confirmations, disputes and decisions go on, and everything can be read."
    )

    def form_for(self, data: Any = None, files: Any = None) -> forms.Form:
        del files
        if data is not None and "off" in data:
            return forms.Form(data)
        row = maintenance.state()
        return MaintenanceForm(data, initial={"message": row.message, "until": row.until})

    def facts(self) -> list[Fact]:
        return [Fact(_("Maintenance"), "on" if maintenance.state().since else "")]

    def fact_in_words(self, value: str, before: str = "") -> str:
        del before
        return _("on") if value else _("off")

    def saves(self) -> QuerySet[StaffAction]:
        return StaffAction.objects.filter(kind=StaffAction.Kind.MAINTENANCE)

    def carry_out(self, form: Any, request: HttpRequest, by: User, now: datetime) -> str:
        if "off" in request.POST:
            maintenance.turn_off(by=by, now=now)
            return _("Maintenance is off. New matches can begin.")
        given = form.cleaned_data
        maintenance.turn_on(given["message"], until=given["until"], by=by, now=now)
        return _("Maintenance is on. New matches are refused.")

    def more(self) -> dict[str, Any]:
        row = maintenance.state()
        return {
            "is_switch": True,
            "since": row.since,
            "button": _("Save the message") if row.since else _("Turn maintenance on"),
        }
