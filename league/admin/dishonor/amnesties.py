"""Amnesties: staff say what went wrong, see what would become void, and then grant it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.widgets import AutocompleteSelect
from django.core.exceptions import PermissionDenied
from django.http import HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from league.admin.core.base import Explained, NameSearch, ReadOnly
from league.admin.core.exports import Exports
from league.models import Amnesty, Arena, DishonorAward, Offence, Player
from league.services.core.clock import database_now
from league.services.core.errors import Refused
from league.services.dishonor.amnesties import Effect, Incident, grant, preview

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import HttpRequest, HttpResponse

    from league.models import User


class LocalMoment(forms.DateTimeInput):
    """A day and time in the reader's zone, as browsers ask for it."""

    input_type = "datetime-local"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%dT%H:%M")


class IncidentForm(forms.Form):
    """What went wrong."""

    since = forms.DateTimeField(label=gettext_lazy("From"), widget=LocalMoment)
    until = forms.DateTimeField(
        label=gettext_lazy("To"),
        widget=LocalMoment,
        help_text=gettext_lazy(
            "Both included. Penalties given in this time count, and those for a match of this time "
            "whose result was settled later."
        ),
    )
    arena = forms.ModelChoiceField(
        Arena.objects.all(),
        label=gettext_lazy("Arena"),
        required=False,
        empty_label=gettext_lazy("Every arena"),
    )
    player = forms.ModelChoiceField(
        Player.objects.all(),
        label=gettext_lazy("Player"),
        required=False,
        widget=AutocompleteSelect(DishonorAward._meta.get_field("player"), admin.site),  # noqa: SLF001 - Django's documented name
        help_text=gettext_lazy("Empty for everybody who was penalised."),
    )
    offences = forms.TypedMultipleChoiceField(
        label=gettext_lazy("Penalties for"),
        choices=Offence.choices,
        coerce=Offence,
        initial=list(Incident.offences),
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy("A ban is lifted only where it is ticked."),
    )
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        help_text=gettext_lazy("The players read it, and it stays in the record."),
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3, "class": "vLargeTextField"}),
    )
    seen = forms.IntegerField(required=False, widget=forms.HiddenInput)
    """How many penalties the reader was told of when she pressed the button."""

    def incident(self) -> Incident:
        given = self.cleaned_data
        return Incident(
            given["since"],
            # A browser gives whole minutes, and the last one is meant as a whole.
            given["until"].replace(second=59, microsecond=999_999),
            given["arena"],
            given["player"],
            tuple(given["offences"]),
        )


@admin.register(Amnesty)
class AmnestyAdmin(Explained, Exports, NameSearch, ReadOnly):
    explanation = gettext_lazy(
        "Penalties that staff made void, by an amnesty or by the decision about a match. To void "
        "those of an incident, add an amnesty: you see what it would do before it is granted."
    )
    export_columns = ("id", "action__at", "action__actor__username", "award__player__name", "award")
    list_display = ("when", "who", "player", "award", "why")
    list_filter = ("action__kind", "award__arena")
    list_select_related = ("action__actor", "award__player", "award__arena")
    ordering = ("-id",)
    search_fields = ("award__player__folded_name",)
    search_help_text = gettext_lazy("Part of a player's name.")
    fields = ("when", "who", "why", "award")
    readonly_fields = ("when", "who", "why")

    @admin.display(description=gettext_lazy("when"), ordering="action__at")
    def when(self, amnesty: Amnesty) -> datetime:
        return amnesty.action.at

    @admin.display(description=gettext_lazy("by"))
    def who(self, amnesty: Amnesty) -> str:
        return str(amnesty.action.actor)

    @admin.display(description=gettext_lazy("player"))
    def player(self, amnesty: Amnesty) -> str:
        return str(amnesty.award.player)

    @admin.display(description=gettext_lazy("reason"))
    def why(self, amnesty: Amnesty) -> str:
        return amnesty.action.reason

    def has_add_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perms(["league.add_amnesty", "league.decide_match"])

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Ask what went wrong, show what would become void, and grant what was shown."""
        del form_url
        if not self.has_add_permission(request):
            raise PermissionDenied
        form = IncidentForm(request.POST or None)
        effect = None
        if form.is_valid():
            try:
                effect = self.answer(request, form)
            except Refused as refusal:
                form.add_error(refusal.field or None, refusal.message)
            else:
                if effect is None:
                    return HttpResponseRedirect(reverse("admin:league_amnesty_changelist"))
        context = {
            **self.admin_site.each_context(request),
            **(extra_context or {}),
            "title": _("Grant an amnesty"),
            "opts": self.opts,
            "form": form,
            "media": self.media + form.media,
            "effect": effect,
            "shown_seen": effect.penalties if effect else "",
        }
        return TemplateResponse(request, "admin/league/amnesty/grant.html", context)

    def answer(self, request: HttpRequest, form: IncidentForm) -> Effect | None:
        """What the amnesty would do; none once it is granted as it was shown."""
        now = database_now()
        effect = preview(form.incident(), now)
        seen = form.cleaned_data["seen"]
        if "_grant" not in request.POST or not effect.penalties:
            return effect
        if seen != effect.penalties:
            form.add_error(None, _("More has happened since you looked: look once more."))
            return effect
        account = cast("User", request.user)
        made = grant(form.incident(), by=account, reason=form.cleaned_data["reason"], now=now)
        self.message_user(
            request,
            ngettext("%(count)d penalty is void.", "%(count)d penalties are void.", made)
            % {"count": made},
            messages.SUCCESS,
        )
        return None
