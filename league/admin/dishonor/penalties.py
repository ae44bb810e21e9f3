"""Penalties for the reasons that arenas declare: staff impose them on a player's page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.shortcuts import get_object_or_404
from django.urls import path
from django.utils.decorators import method_decorator
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from league.admin.core.reach import limit_to_arenas
from league.admin.dishonor.bans import Act, Bans
from league.models import Arena, PenaltyReason, Player
from league.models.dishonor import name_of_reason
from league.services.core.isolation import gettext as _
from league.services.core.isolation import ngettext
from league.services.results.staff import conduct

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import HttpRequest, HttpResponse
    from django.urls import URLPattern

    from league.models import User

LARGEST_ID = 2**63 - 1


class PenaltyReasonForm(forms.ModelForm[PenaltyReason]):
    """A reason in the form in which it is stored, so that the page finds repeated ones."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for known in self.fields.values():  # cells of a table have no labels
            known.widget.attrs["aria-label"] = known.label

    def clean_name(self) -> str:
        return name_of_reason(self.cleaned_data["name"])


class PenaltyReasonInline(admin.TabularInline[PenaltyReason, Arena]):
    """The further reasons for penalties, on their arena's page."""

    model = PenaltyReason
    form = PenaltyReasonForm
    fields = ("name", "stacks")
    extra = 0
    verbose_name_plural = gettext_lazy(
        "Further reasons for penalties, imposed only by staff and game servers"
    )


class ReasonField(forms.ModelChoiceField[PenaltyReason]):
    """A choice among the reasons of all arenas."""

    def label_from_instance(self, reason: Any) -> str:
        return ngettext(
            "%(arena)s: %(reason)s (%(stacks)d stack)",
            "%(arena)s: %(reason)s (%(stacks)d stacks)",
            reason.stacks,
        ) % {"arena": reason.arena, "reason": reason, "stacks": reason.stacks}


class PenaltyForm(Act):
    """The reason for a penalty, the match it is about, and what happened."""

    reason = ReasonField(
        PenaltyReason.objects.select_related("arena").order_by("arena__sort_name", "pk"),
        label=gettext_lazy("Penalty for"),
        help_text=gettext_lazy("Arenas declare these reasons, with their stacks, on their pages."),
    )
    match = forms.IntegerField(
        label=gettext_lazy("Match"),
        required=False,
        min_value=1,
        max_value=LARGEST_ID,
        help_text=gettext_lazy("The number of the match in which it happened, if it was in one."),
    )
    note = forms.CharField(
        label=gettext_lazy("What happened"),
        help_text=gettext_lazy("The player will read it, and it stays in the record."),
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3, "class": "vLargeTextField"}),
    )

    def carry_out(self, player: Player, by: User, now: datetime) -> str:
        """Penalise the player and return a message about it. Raises ``Refused``."""
        given = self.cleaned_data
        award = conduct.impose_as_staff(
            player,
            given["reason"],
            by=by,
            note=given["note"],
            now=now,
            match_id=given["match"],
        )
        return ngettext(
            "%(player)s was given %(stacks)d stack of dishonor.",
            "%(player)s was given %(stacks)d stacks of dishonor.",
            award.stacks,
        ) % {"player": player, "stacks": award.stacks}


class Penalties(Bans):
    """Player pages with a “Penalise…” button as well."""

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.penalise_view)
        return [
            path("<int:player_id>/penalise/", view, name="league_player_penalise"),
            *super().get_urls(),
        ]

    def render_change_form(
        self, request: HttpRequest, context: Any, *args: Any, **options: Any
    ) -> HttpResponse:
        context["may_penalise"] = arenas_of(request) != frozenset()
        return super().render_change_form(request, context, *args, **options)

    @method_decorator(require_http_methods(["GET", "HEAD", "POST"]))
    def penalise_view(self, request: HttpRequest, player_id: int) -> HttpResponse:
        """Ask for a reason and what happened, and penalise the player."""
        player = get_object_or_404(Player, pk=player_id)
        arenas = arenas_of(request)
        if arenas == frozenset() or not self.has_view_permission(request, player):
            raise PermissionDenied
        form = PenaltyForm(request.POST or None)
        reasons = cast("forms.ModelChoiceField[PenaltyReason]", form.fields["reason"])
        reasons.queryset = limit_to_arenas(cast("Any", reasons.queryset), arenas)
        texts = {"title": _("Penalise %(player)s"), "button": _("Penalise the player")}
        return self.form_page(request, player, form, texts)


def arenas_of(request: HttpRequest) -> frozenset[int] | None:
    """Return the arenas for whose reasons the reader may penalise, ``None`` for all."""
    return cast("User", request.user).arenas_with(conduct.PERMISSION)
