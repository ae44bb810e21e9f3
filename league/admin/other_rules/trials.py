"""Trials of other rules: what they found, and the ways on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import path
from django.utils.decorators import method_decorator
from django.views.decorators.http import require_http_methods

from league.admin.core.base import ReadOnly
from league.admin.core.exports import Exports
from league.admin.jobs.jobs import RESULTS, ROWS, lead_to
from league.admin.other_rules.forms import DecideForm
from league.admin.other_rules.report import report_of
from league.admin.seasons.pages import may_run_seasons
from league.models import Arena, Trial
from league.services.core.clock import database_now
from league.services.core.errors import Refused
from league.services.core.isolation import gettext as _
from league.services.other_rules import asking, outcomes
from league.services.other_rules.candidates import candidates_of
from league.services.results.rules import own_matches
from league.services.seasons.opening import RUN_SEASONS

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse
    from django.urls import URLPattern

    from league.models import User

KINDS = (asking.KIND, outcomes.KIND)
RESULTS |= dict.fromkeys(KINDS, "admin:league_trial_change")
ROWS |= dict.fromkeys(KINDS, "trial")


@admin.register(Trial)
class TrialAdmin(Exports, ReadOnly):
    """Whoever may run the seasons of an arena sees the trials of its rules."""

    export_columns = (
        "id",
        "season__arena__slug",
        "season__name",
        "by__username",
        "at",
        "candidates",
        "outcome",
        "chosen",
    )
    list_display = ("season", "by", "at", "outcome")
    list_filter = ("outcome",)
    list_select_related = ("season__arena", "by")
    ordering = ("-id",)

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view
        return [
            path("<path:object_id>/change/", view(self.trial_view), name="league_trial_change"),
            *(each for each in super().get_urls() if each.name != "league_trial_change"),
        ]

    def check_may_see(self, request: HttpRequest, arena: Arena | None = None) -> None:
        """Refuse whoever may not run seasons, of this arena if one is given."""
        user = cast("User", request.user)
        arenas = [user.arenas_with(permission) for permission in RUN_SEASONS]
        anywhere = all(each is None or each for each in arenas)
        if not (anywhere if arena is None else may_run_seasons(request, arena)):
            raise PermissionDenied

    @method_decorator(require_http_methods(["GET", "HEAD", "POST"]))
    def trial_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Show what a trial found; on POST, take one of the ways on."""
        self.check_may_see(request)
        found = Trial.objects.select_related("season__arena", "by")
        trial = get_object_or_404(found, pk=object_id if object_id.isdecimal() else 0)
        self.check_may_see(request, trial.season.arena)
        known = candidates_of(trial)
        form = DecideForm(
            request.POST or None,
            choices=[(key, known[key].label) for key in outcomes.rated_candidates(trial)],
            initial={"seen": outcomes.digest_rules(trial.season)},
        )
        if form.is_valid() and (answer := self.decide(request, trial, form)):
            return answer
        context = {
            **self.admin_site.each_context(request),
            "title": _("Trial of other rules"),
            "subtitle": str(trial.season),
            "opts": self.opts,
            "trial": trial,
            "season": trial.season,
            "arena": trial.season.arena,
            "form": form,
            "chosen": known[trial.chosen].label if trial.chosen in known else "",
            "since": outcomes.read_since(trial),
            "may_rerate": may_rerate(request, trial),
            **report_of(trial, request.GET.get("q", "")),
        }
        return TemplateResponse(request, "admin/league/other_rules/trial.html", context)

    def decide(self, request: HttpRequest, trial: Trial, form: DecideForm) -> HttpResponse | None:
        """Take one of the ways on, or note why not at the form."""
        given, way = form.cleaned_data, request.POST.get("way", "")
        decision: dict[str, Any] = {
            "by": cast("User", request.user),
            "reason": given["reason"],
            "now": database_now(),
        }
        of_candidate = {**decision, "key": given["candidate"], "digest": given["seen"]}
        try:
            if way in outcomes.WAYS:
                if way == "rerate" and not may_rerate(request, trial):
                    raise PermissionDenied
                return lead_to(outcomes.ask(trial, way=way, **of_candidate))
            if way == "plan":
                arena = outcomes.plan(trial, **of_candidate)
                text = _("The next season of %(arena)s will have these rules.") % {"arena": arena}
                self.message_user(request, text, messages.SUCCESS)
                return redirect("admin:league_trial_change", trial.pk)
            if way == "discard":
                outcomes.discard(trial, **decision)
                self.message_user(request, _("The trial is discarded."), messages.SUCCESS)
                return redirect("admin:league_arena_change", trial.season.arena_id)
            form.add_error(None, _("Choose one of the ways on."))
        except Refused as refusal:
            form.add_error(refusal.field if refusal.field in form.fields else None, refusal.message)
        return None


def may_rerate(request: HttpRequest, trial: Trial) -> bool:
    """Return whether the reader may change rated results."""
    return request.user.has_perm(own_matches.CORRECT, trial.season.arena)
