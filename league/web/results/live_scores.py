"""The live score on the page of a match or a date: entered by those who are there, seen by all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib.auth.views import redirect_to_login
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from league.models import Arrangement, Match, User
from league.models.result_rules import STEPS
from league.services.core.clock import database_now
from league.services.core.errors import Forbidden, Refused
from league.services.dates import live_scores
from league.web.core.acting import account_of, player_of
from league.web.core.fragments import asks_for_part
from league.web.core.parameters import whole_number
from league.web.results.forms import score_field
from league.web.results.history import side_names

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from django.http import HttpRequest

    from league.models import LiveScore
    from league.web.results.lineups import Lineup

TEMPLATE = "results/_live_score.html"
ACTS = ("save", "first", "second", "back")


@dataclass(frozen=True)
class Live:
    """The live score of a match, as a reader sees it."""

    address: str
    names: Sequence[str]
    scores: Sequence[LiveScore]
    """The last ones, the newest first."""
    may_enter: bool
    form: ScoreForm
    match: Match | None = None
    """The match of a date that has been reported meanwhile."""

    @property
    def last(self) -> LiveScore | None:
        return self.scores[0] if self.scores else None

    @property
    def number(self) -> int:
        return self.last.number if self.last else 0


class ScoreForm(forms.Form):
    """The score of two sides."""

    def __init__(
        self,
        one: Arrangement | Match,
        names: Sequence[str],
        data: Any = None,
        initial: dict[str, str] | None = None,
    ) -> None:
        super().__init__(data, initial=initial, auto_id="live_%s")
        for field, name in zip(("first", "second"), names, strict=True):
            self.fields[field] = score_field(one.arena, name)
            self.fields[field].required = True


def names_of(one: Arrangement | Match) -> list[str]:
    if isinstance(one, Arrangement):
        return [one.proposer_name, one.opponent_name]
    return side_names(one)


def live_of(request: HttpRequest, one: Arrangement | Match, now: datetime) -> Live | None:
    """Return the live score of a match that is being played, ``None`` for any other."""
    if not live_scores.takes_scores(one, now):
        return None
    user = request.user
    scores, names = live_scores.latest(one), names_of(one)
    last = scores[0] if scores else None
    may_enter = isinstance(user, User) and live_scores.may_enter(one, user, player_of(request))
    initial = {"first": last.first if last else 0, "second": last.second if last else 0}
    form = ScoreForm(one, names, initial={name: f"{at:.15g}" for name, at in initial.items()})
    return Live(f"{one.get_absolute_url()}score/", names, scores, may_enter, form)


def known_scores(one: Arrangement | Match, lineup: Lineup) -> dict[str, str]:
    """Return the last live score as the initial scores of a report."""
    known = live_scores.last_by_captain(one)
    return {
        f"score-{index}": f"{known[side.captain.pk]:.15g}"
        for index, side in enumerate(lineup.sides)
        if side.captain.pk in known
    }


def score_page(request: HttpRequest, one: Arrangement | Match) -> HttpResponse:
    """Show the live score alone, or enter one and return to the page of its match.

    Readers who have seen the last score get nothing.
    """
    now = database_now()
    if request.method == "POST":
        if not request.user.is_authenticated:
            return redirect_to_login(one.get_absolute_url())
        return enter_from(request, one, now)
    if not asks_for_part(request):
        return redirect(one)
    shown = live_of(request, one, now)
    if shown is None:
        match = one.match if isinstance(one, Arrangement) else one
        return render(request, "results/_live_over.html", {"match": match})
    if whole_number(request.GET.get("seen"), default=-1) == shown.number:
        return HttpResponse(status=204)
    return render(request, TEMPLATE, {"live": shown})


def enter_from(request: HttpRequest, one: Arrangement | Match, now: datetime) -> HttpResponse:
    """Enter the score of a form, and show the score, or why it was refused."""
    refusal = None
    try:
        enter(request, one, now)
    except Forbidden:
        raise
    except Refused as refused:
        refusal = refused
    if not asks_for_part(request):
        if refusal is not None:
            raise refusal
        return redirect(f"{one.get_absolute_url()}#live-score")
    context = {"live": live_of(request, one, now), "score_refusal": refusal}
    return render(request, TEMPLATE, context)


def enter(request: HttpRequest, one: Arrangement | Match, now: datetime) -> None:
    """Do what the form asks for: a point for a side, both scores, or back to the score before."""
    sent = request.POST
    act, seen = sent.get("act", "save"), whole_number(sent.get("seen"), default=0)
    who: dict[str, Any] = {
        "seen": seen,
        "by": account_of(request),
        "player": player_of(request),
        "now": now,
    }
    if act not in ACTS:
        raise Refused("act", _("Choose a score."))
    if act == "back":
        live_scores.go_back(one, **who)
        return
    if act == "save":
        form = ScoreForm(one, names_of(one), sent)
        if not form.is_valid():
            raise Refused("score", _("Enter both scores."), field="score")
        first, second = form.cleaned_data["first"], form.cleaned_data["second"]
    else:
        last = live_scores.scores_of(one).filter(number=seen).first()
        first, second = (last.first, last.second) if last else (0.0, 0.0)
        point = point_of(one)
        first, second = (first + point, second) if act == "first" else (first, second + point)
    live_scores.enter(one, first, second, **who)


def point_of(one: Arrangement | Match) -> float:
    """Return what one press of a button counts: a point, but in chess, say, a half."""
    rules = one.arena.result_settings()
    is_small = rules.highest_score - rules.lowest_score <= 1
    return 1 / STEPS[rules.score_steps] if is_small else 1.0


@require_http_methods(["GET", "HEAD", "POST"])
def match_score(request: HttpRequest, pk: int) -> HttpResponse:
    """Show or enter the live score of a match."""
    one = get_object_or_404(Match.objects.select_related("arena"), pk=pk)
    return score_page(request, one)
