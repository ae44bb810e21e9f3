"""Trials of other rules: what they found, and the ways on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from league.admin.core.base import ReadOnly
from league.admin.core.exports import Exports
from league.admin.core.reasons import ReasonField
from league.admin.jobs.jobs import RESULTS, lead_to
from league.admin.seasons.pages import RUN_SEASONS, may_run_seasons
from league.models import Arena, Job, Player, Trial
from league.services.core.clock import database_now
from league.services.core.errors import Refused
from league.services.results.rules import own_matches
from league.services.seasons.changing import Rules
from league.services.trials import asking, outcomes
from league.services.trials.reports import in_words
from league.services.trials.working import under

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse
    from django.urls import URLPattern

    from league.models import TrialMove, User

MOST_FOUND = 20

KINDS = (asking.KIND, outcomes.NEXT_MATCH, outcomes.RERATE)
RESULTS |= dict.fromkeys(KINDS, "admin:league_trial_of_job")


class WayForm(forms.Form):
    """What to do with the rules of a trial, and why."""

    version = forms.IntegerField(widget=forms.HiddenInput)
    reason = ReasonField(
        max_length=1000,
        widget=forms.Textarea(attrs={"rows": 2, "cols": 60}),
        help_text=gettext_lazy("Everyone can read it, with the rules of the season."),
    )


@admin.register(Trial)
class TrialAdmin(Exports, ReadOnly):
    """Whoever may run the seasons of an arena sees the trials of its rules."""

    export_columns = (
        "id",
        "season__arena__slug",
        "season__name",
        "by__username",
        "at",
        "rating_system",
        "rating_parameters",
        "rules",
        "outcome",
    )
    list_display = ("season", "by", "at", "outcome")
    list_filter = ("outcome",)
    list_select_related = ("season__arena", "by")
    ordering = ("-id",)

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view
        return [
            path("<path:object_id>/change/", view(self.trial_view), name="league_trial_change"),
            path("of-job/<int:job_id>/", view(self.of_job_view), name="league_trial_of_job"),
            *(each for each in super().get_urls() if each.name != "league_trial_change"),
        ]

    def check_may_see(self, request: HttpRequest, arena: Arena | None = None) -> None:
        """Refuse whoever may not run seasons, of this arena if one is given."""
        user = cast("User", request.user)
        arenas = [user.arenas_with(permission) for permission in RUN_SEASONS]
        anywhere = all(each is None or each for each in arenas)
        if not (anywhere if arena is None else may_run_seasons(request, arena)):
            raise PermissionDenied

    @method_decorator(require_safe)
    def of_job_view(self, request: HttpRequest, job_id: int) -> HttpResponse:
        """Lead from a job to the trial that it is about."""
        self.check_may_see(request)
        jobs = Job.objects.select_related("arena").filter(kind__in=KINDS)
        job = get_object_or_404(jobs, pk=job_id)
        trial = Trial.objects.filter(pk=job.given.get("trial", 0)).first()
        if job.arena is None:
            raise PermissionDenied
        self.check_may_see(request, job.arena)
        if trial is None:
            self.message_user(request, _("This trial has been discarded."), messages.INFO)
            return redirect("admin:league_arena_change", job.arena.pk)
        return redirect("admin:league_trial_change", trial.pk)

    @method_decorator(require_http_methods(["GET", "HEAD", "POST"]))
    def trial_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Show what a trial found; on POST, take one of the ways on."""
        self.check_may_see(request)
        found = Trial.objects.select_related("season__arena", "by")
        trial = get_object_or_404(found, pk=object_id if object_id.isdecimal() else 0)
        self.check_may_see(request, trial.season.arena)
        form = WayForm(request.POST or None, initial={"version": trial.season.rules_version})
        if form.is_valid() and (answer := self.take(request, trial, form)):
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
            "may_rerate": may_rerate(request, trial),
            **report_context(trial, request.GET.get("q", "")),
        }
        return TemplateResponse(request, "admin/league/trial/trial.html", context)

    def take(self, request: HttpRequest, trial: Trial, form: WayForm) -> HttpResponse | None:
        """Take one of the ways on, or note why not at the form."""
        ways = {
            "next": self.apply,
            "rerate": self.rerate,
            "plan": self.plan,
            "discard": self.discard,
        }
        way = ways.get(request.POST.get("way", ""))
        if way is None:
            form.add_error(None, _("Choose one of the ways on."))
            return None
        try:
            return way(request, trial, form.cleaned_data)
        except Refused as refusal:
            form.add_error(refusal.field if refusal.field in form.fields else None, refusal.message)
            return None

    def apply(self, request: HttpRequest, trial: Trial, given: dict[str, Any]) -> HttpResponse:
        by, now = cast("User", request.user), database_now()
        return lead_to(outcomes.ask(outcomes.NEXT_MATCH, trial, by=by, now=now, **given))

    def rerate(self, request: HttpRequest, trial: Trial, given: dict[str, Any]) -> HttpResponse:
        if not may_rerate(request, trial):
            raise PermissionDenied
        by, now = cast("User", request.user), database_now()
        return lead_to(outcomes.ask(outcomes.RERATE, trial, by=by, now=now, **given))

    def plan(self, request: HttpRequest, trial: Trial, given: dict[str, Any]) -> HttpResponse:
        by, now = cast("User", request.user), database_now()
        arena = outcomes.plan(trial, by=by, reason=given["reason"], now=now)
        text = _("The next season of %(arena)s will have these rules.") % {"arena": arena}
        self.message_user(request, text, messages.SUCCESS)
        return HttpResponseRedirect(reverse("admin:league_trial_change", args=[trial.pk]))

    def discard(self, request: HttpRequest, trial: Trial, given: dict[str, Any]) -> HttpResponse:
        arena = trial.season.arena_id
        by, now = cast("User", request.user), database_now()
        outcomes.discard(trial, by=by, reason=given["reason"], now=now)
        self.message_user(request, _("The trial is discarded."), messages.SUCCESS)
        return redirect("admin:league_arena_change", arena)


def may_rerate(request: HttpRequest, trial: Trial) -> bool:
    """Return whether the reader may change rated results."""
    return request.user.has_perm(own_matches.CORRECT, trial.season.arena)


def report_context(trial: Trial, text: str) -> dict[str, Any]:
    """Return what a trial found, for its page."""
    report = trial.report
    if report is None:
        return {}
    ids = report["movers"]
    known = {move.player_id: move for move in trial.moves.filter(player__in=ids)}
    movers = with_players([known[player] for player in ids if player in known])
    most = max((count for *_group, count in report["rank_moves"]), default=0)
    return {
        "report": report,
        "rank_moves": [
            (in_words(kind, low, high), count)
            for kind, low, high, count in report["rank_moves"]
            if count
        ],
        "most_rank_moves": most,
        "most_rating_moves": max((count for *_range, count in report["rating_moves"]), default=0),
        "movers": movers,
        "old_shows": trial.season.shows,
        "new_shows": under(trial.season, Rules.of(trial)).shows,
        "since": outcomes.since(trial),
        "obstacle": outcomes.obstacle(trial),
        "rerate_obstacle": outcomes.obstacle_to_rerating(trial),
        **found_players(trial, text.strip()),
    }


def found_players(trial: Trial, text: str) -> dict[str, Any]:
    """Return the players of the season whose name contains a text, with what changes for them."""
    if not text:
        return {"q": "", "found": None}
    rated = Player.objects.search(text).filter(ratings__season=trial.season)
    players = list(rated.order_by("sort_name")[:MOST_FOUND])
    moves = {move.player_id: move for move in trial.moves.filter(player__in=players)}
    for player in players:
        if player.pk in moves:
            moves[player.pk].player = player
    return {
        "q": text,
        "found": [(player, moves.get(player.pk)) for player in players],
        "found_moves": [moves[player.pk] for player in players if player.pk in moves],
    }


def with_players(moves: list[TrialMove]) -> list[TrialMove]:
    """Give moves their players, as they have no foreign key to join by."""
    players = Player.ever.in_bulk([move.player_id for move in moves])
    for move in moves:
        if move.player_id in players:
            move.player = players[move.player_id]
    return [move for move in moves if move.player_id in players]
