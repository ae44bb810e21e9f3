"""Pages of rows of which there is one: the league's settings, and maintenance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponseRedirect
from django.template.response import TemplateResponse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from league.admin.core.base import ReadOnly
from league.admin.core.moments import Moment
from league.admin.dishonor.amnesties import LocalDateTime
from league.models import LeagueSettings, Maintenance
from league.services.core.clock import database_now
from league.services.core.errors import Refused
from league.services.results import images
from league.services.site import maintenance, settings

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import HttpRequest, HttpResponse

    from league.models import User


class OnePage(ReadOnly):
    """The list's address shows a form for the only row."""

    page_title: Any = ""
    explanation: Any = ""
    template = "admin/league/site/one.html"

    def form_for(self, request: HttpRequest) -> Any:
        """Return the form, bound if it was sent."""
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
        form = self.form_for(request)
        if form.is_valid():
            try:
                said = self.carry_out(form, request, cast("User", request.user), database_now())
            except Refused as refusal:
                known = refusal.field in form.fields
                form.add_error(refusal.field if known else None, refusal.message)
            else:
                self.message_user(request, said, messages.SUCCESS)
                return HttpResponseRedirect(request.path)
        context = {
            **self.admin_site.each_context(request),
            **(extra_context or {}),
            "title": self.page_title,
            "explanation": self.explanation,
            "opts": self.opts,
            "form": form,
            "may_change": may_change,
            **self.more(),
        }
        return TemplateResponse(request, self.template, context)

    def more(self) -> dict[str, Any]:
        return {}


class SettingsForm(forms.ModelForm[LeagueSettings]):
    """The league's settings, with a file for the logo."""

    upload = forms.FileField(
        label=gettext_lazy("New logo"),
        required=False,
        help_text=gettext_lazy("A PNG, JPEG or WebP image. It is shown 32 pixels high, on white."),
    )
    no_logo = forms.BooleanField(label=gettext_lazy("No logo"), required=False)

    class Meta:
        model = LeagueSettings
        fields = ("name", "time_zone", "accent", "dark_accent")

    def clean_name(self) -> str:
        return " ".join(self.cleaned_data["name"].split())


@admin.register(LeagueSettings)
class LeagueSettingsAdmin(OnePage):
    page_title = gettext_lazy("Name, logo and colours of the league")
    explanation = gettext_lazy(
        "Players see these on every page. A colour is refused if text in it would be hard to read."
    )

    def form_for(self, request: HttpRequest) -> SettingsForm:
        row = settings.settings_of_league()
        if request.method == "POST":
            return SettingsForm(request.POST, request.FILES, instance=row)
        return SettingsForm(instance=row)

    def carry_out(self, form: Any, request: HttpRequest, by: User, now: datetime) -> str:
        del request
        given, row = form.cleaned_data, form.instance
        logo = None
        if given["upload"]:
            try:
                logo = images.clean(given["upload"]).webp
            except Refused as refusal:
                raise Refused(refusal.code, refusal.message, field="upload") from refusal
        elif given["no_logo"]:
            row.logo = None
        settings.save(row, by=by, now=now, logo=logo)
        return _("Saved. Every page shows it within a second.")

    def more(self) -> dict[str, Any]:
        return {"logo": settings.settings_of_league().logo, "is_upload": True}


class MaintenanceForm(forms.Form):
    """What players read during maintenance, and when it should be over."""

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

    def form_for(self, request: HttpRequest) -> forms.Form:
        if request.method == "POST":
            return (
                forms.Form(request.POST) if "off" in request.POST else MaintenanceForm(request.POST)
            )
        row = maintenance.state()
        return MaintenanceForm(initial={"message": row.message, "until": row.until})

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
