"""Amnesties: staff describe an incident, preview its penalties and make them void."""

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
from league.admin.core.moments import Moment
from league.admin.core.reasons import ReasonField
from league.models import ANOTHER_REASON, Amnesty, Arena, DishonorAward, Offence, Player
from league.models.moments import describe_moment
from league.services.core.clock import database_now
from league.services.core.errors import Refused
from league.services.dishonor.amnesties import Effect, Incident, grant, preview

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from league.models import User


class LocalDateTime(forms.DateTimeInput):
    """A date and time in the reader's zone, with the browser's own picker."""

    input_type = "datetime-local"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%dT%H:%M")


class IncidentForm(forms.Form):
    """An incident and the reason for an amnesty."""

    since = Moment(label=gettext_lazy("From"), widget=LocalDateTime)
    until = Moment(
        label=gettext_lazy("To"),
        widget=LocalDateTime,
        help_text=gettext_lazy(
            "Both inclusive. This covers penalties given during this time, and those for matches "
            "played during it and settled later."
        ),
    )
    arena = forms.ModelChoiceField(
        Arena.objects.published(),
        label=gettext_lazy("Arena"),
        required=False,
        empty_label=gettext_lazy("All arenas"),
    )
    player = forms.ModelChoiceField(
        Player.objects.all(),
        label=gettext_lazy("Player"),
        required=False,
        widget=AutocompleteSelect(DishonorAward._meta.get_field("player"), admin.site),  # noqa: SLF001 - Django's documented name
        help_text=gettext_lazy("Leave empty for all players."),
    )
    offences = forms.TypedMultipleChoiceField(
        label=gettext_lazy("Penalties for"),
        choices=[*Offence.choices, (ANOTHER_REASON, gettext_lazy("another reason"))],
        initial=list(Incident.offences),
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy("Bans are only lifted if you select them."),
    )
    reason = ReasonField(
        help_text=gettext_lazy("The players will read it, and it stays in the record."),
    )
    seen = forms.IntegerField(required=False, widget=forms.HiddenInput)
    """The number of penalties that the preview showed."""

    def keep_to(self, arenas: frozenset[int] | None) -> None:
        """Offer only these arenas, one of which has to be chosen, or all for ``None``."""
        if arenas is not None:
            field = cast("forms.ModelChoiceField[Arena]", self.fields["arena"])
            field.queryset = Arena.objects.filter(pk__in=arenas)
            field.required = True

    def incident(self) -> Incident:
        given = self.cleaned_data
        return Incident(
            given["since"],
            # Browsers send whole minutes; the last one is included.
            given["until"].replace(second=59, microsecond=999_999),
            given["arena"],
            given["player"],
            tuple(given["offences"]),
        )


@admin.register(Amnesty)
class AmnestyAdmin(Explained, Exports, NameSearch, ReadOnly):
    explanation = gettext_lazy(
        "Penalties that staff made void, by an amnesty or by a decision about a match. To void the "
        "penalties of an incident, add an amnesty. You see a preview before you grant it."
    )
    export_columns = ("id", "action__at", "action__actor__username", "award__player__name", "award")
    list_display = ("when", "actor", "player", "award", "reason")
    list_filter = ("action__kind", "award__arena")
    list_select_related = ("action__actor", "award__player", "award__arena")
    ordering = ("-id",)
    search_fields = ("award__player__search_name",)
    search_help_text = gettext_lazy("Part of a player's name.")
    fields = ("when", "actor", "reason", "award")
    readonly_fields = ("when", "actor", "reason")

    @admin.display(description=gettext_lazy("when"), ordering="action__at")
    def when(self, amnesty: Amnesty) -> str:
        return describe_moment(amnesty.action.at)

    @admin.display(description=gettext_lazy("by"))
    def actor(self, amnesty: Amnesty) -> str:
        return str(amnesty.action.actor)

    @admin.display(description=gettext_lazy("player"))
    def player(self, amnesty: Amnesty) -> str:
        return str(amnesty.award.player)

    @admin.display(description=gettext_lazy("reason"))
    def reason(self, amnesty: Amnesty) -> str:
        return amnesty.action.reason

    def has_add_permission(self, request: HttpRequest) -> bool:
        user = cast("User", request.user)
        needed = ("league.add_amnesty", "league.decide_match")
        return all(user.arenas_with(permission) != frozenset() for permission in needed)

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Ask for an incident, show a preview and grant the amnesty as previewed."""
        del form_url
        if not self.has_add_permission(request):
            raise PermissionDenied
        form = IncidentForm(request.POST or None)
        form.keep_to(cast("User", request.user).arenas_with("league.add_amnesty"))
        effect = None
        if form.is_valid():
            try:
                effect = self.preview_or_grant(request, form)
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
            "previewed": effect.penalties if effect else "",
        }
        return TemplateResponse(request, "admin/league/amnesty/grant.html", context)

    def preview_or_grant(self, request: HttpRequest, form: IncidentForm) -> Effect | None:
        """Return what the amnesty would do, or grant it as previewed and return ``None``."""
        now = database_now()
        effect = preview(form.incident(), now)
        previewed = form.cleaned_data["seen"]
        if "_grant" not in request.POST or not effect.penalties:
            return effect
        if previewed != effect.penalties:
            form.add_error(None, _("More has happened since this preview. Check the new one."))
            return effect
        account = cast("User", request.user)
        count = grant(form.incident(), by=account, reason=form.cleaned_data["reason"], now=now)
        self.message_user(
            request,
            ngettext("%(count)d penalty is void.", "%(count)d penalties are void.", count)
            % {"count": count},
            messages.SUCCESS,
        )
        return None
