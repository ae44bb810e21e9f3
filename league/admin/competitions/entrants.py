"""Read-only entrants, with the steps that staff can take."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import admin
from django.shortcuts import get_object_or_404
from django.urls import path, reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from league.admin.competitions.forms import ByeForm, ReasonForm
from league.admin.competitions.steps import WithSteps, check_permission, step
from league.admin.core.base import Explained
from league.admin.core.exports import Exports
from league.admin.core.reach import LatestOnly
from league.models import Competition, Entrant
from league.services.competitions import returning
from league.services.competitions.running import sitting_out, withdrawing
from league.services.core.clock import database_now
from league.services.core.isolation import gettext as _

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse
    from django.urls import URLPattern

RUNNING = Competition.State.RUNNING


@admin.register(Entrant)
class EntrantAdmin(Explained, Exports, WithSteps):
    explanation = gettext_lazy(
        "Players enter competitions themselves, or organisers enter them on the page of the "
        "competition. Open an entrant to withdraw them, to bring them back or to let them sit out "
        "a round."
    )
    export_columns = (
        "id",
        "competition__name",
        "name",
        "player__name",
        "club",
        "state",
        "entered_at",
        "seed",
        "rating",
        "group",
        "withdrawn_at",
        "annulled",
        "place",
    )
    list_display = ("name", "competition", "state", "seed", "group", "place", "entered_at")
    list_filter = ("state", "competition__season__arena", ("competition", LatestOnly))
    list_select_related = ("competition__season__arena",)
    search_fields = ("name",)
    ordering = ("competition", "seed", "id")
    fields = (
        "competition",
        ("player", "roster", "club"),
        ("state", "entered_at"),
        ("seed", "rating", "group"),
        ("withdrawn_at", "annulled"),
        "place",
    )

    def steps_of(self, row: Entrant) -> list[tuple[str, str]]:
        if row.competition.state not in {Competition.State.REGISTRATION, RUNNING}:
            return []
        labels = {"withdraw": _("Withdraw")}
        if row.state == Entrant.State.WITHDRAWN:
            labels = {"return": _("Bring back")}
        elif sitting_out.can_sit_out(row.competition, row):
            labels["bye"] = _("Sit out a round")
        return [
            (reverse(f"admin:league_entrant_{name}", args=[row.pk]), label)
            for name, label in labels.items()
        ]

    def get_urls(self) -> list[URLPattern]:
        views = {
            "withdraw": self.withdraw_view,
            "return": self.return_view,
            "bye": self.bye_view,
        }
        mine = [
            path(
                f"<int:pk>/{name}/", self.admin_site.admin_view(view), name=f"league_entrant_{name}"
            )
            for name, view in views.items()
        ]
        return [*mine, *super().get_urls()]

    @method_decorator(require_http_methods(["GET", "HEAD", "POST"]))
    def withdraw_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Withdraw an entrant, with a reason."""
        one, now = entrant_or_404(request, pk), database_now()
        return step(
            request,
            self,
            ReasonForm(request.POST if request.method == "POST" else None),
            title=_("Withdraw: %(entrant)s") % {"entrant": one},
            explanation=_("They lose their remaining fixtures. Ratings do not change."),
            button=_("Withdraw"),
            done=_("%(entrant)s is withdrawn.") % {"entrant": one},
            back=reverse("admin:league_competition_change", args=[one.competition_id]),
            take=lambda by, given: withdrawing.withdraw_entrant(
                pk, by=by, reason=given["reason"], now=now
            ),
        )

    @method_decorator(require_http_methods(["GET", "HEAD", "POST"]))
    def return_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Bring an entrant back who has withdrawn, with a reason."""
        one, now = entrant_or_404(request, pk), database_now()
        return step(
            request,
            self,
            ReasonForm(request.POST if request.method == "POST" else None),
            title=_("Bring back: %(entrant)s") % {"entrant": one},
            explanation=_(
                "They play again. Fixtures that they lost by the withdrawal are open again, if "
                "their round is and no later game followed from them. Ratings do not change."
            ),
            button=_("Bring back"),
            done=_("%(entrant)s is back.") % {"entrant": one},
            back=reverse("admin:league_entrant_change", args=[pk]),
            take=lambda by, given: returning.bring_back(pk, by=by, reason=given["reason"], now=now),
        )

    @method_decorator(require_http_methods(["GET", "HEAD", "POST"]))
    def bye_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Let an entrant sit out a round of a Swiss, or play it after all."""
        one, now = entrant_or_404(request, pk), database_now()
        return step(
            request,
            self,
            ByeForm(request.POST if request.method == "POST" else None),
            title=_("Sit out a round: %(entrant)s") % {"entrant": one},
            explanation=_("The round must not be drawn yet. Limits in the rules do not hold here."),
            button=_("Save"),
            done=_("The bye is saved."),
            back=reverse("admin:league_entrant_change", args=[pk]),
            take=lambda by, given: sitting_out.decide(
                pk, given["round"], given["choice"], by=by, reason=given["reason"], now=now
            ),
        )


def entrant_or_404(request: HttpRequest, pk: int) -> Entrant:
    """Return an entrant about whom the account may decide."""
    rows = Entrant.objects.select_related("competition__season__arena")
    one = get_object_or_404(rows, pk=pk)
    check_permission(request, one)
    return one
