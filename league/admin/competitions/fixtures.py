"""Read-only entrants and fixtures, with the steps that staff can take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django.contrib import admin
from django.shortcuts import get_object_or_404
from django.urls import path, reverse
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from league.admin.competitions.fixture_rows import (
    FixtureRows,
    Played,
    decided_by_in_words,
    score_in_words,
)
from league.admin.competitions.forms import (
    CountedMatchForm,
    DateForm,
    MatchForm,
    ReasonForm,
    VerdictForm,
)
from league.admin.competitions.steps import WithSteps, check_permission, step
from league.admin.core.base import Explained
from league.admin.core.exports import Exports
from league.admin.core.reach import LatestOnly
from league.admin.core.results import result_of
from league.admin.frontpage.kinds import Attention
from league.models import Competition, Fixture
from league.models.moments import describe_moment
from league.services.competitions import decisions, linking, unlinking
from league.services.core.clock import database_now
from league.services.core.isolation import gettext as _

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import HttpRequest, HttpResponse
    from django.urls import URLPattern

    from league.models import Match, Side, User

RUNNING = Competition.State.RUNNING


@admin.register(Fixture)
class FixtureAdmin(Explained, Exports, WithSteps):
    explanation = gettext_lazy(
        "Captains agree on dates and report results themselves. Open a fixture to decide it, or "
        "to set its date. The filter “needs attention” shows what waits for you."
    )
    export_columns = (
        "id",
        "competition__name",
        "number",
        "round__stage",
        "round__number",
        "home__name",
        "away__name",
        "result",
        "decided_by",
        "attention",
    )
    list_display = (
        "number",
        "home",
        "score",
        "away",
        "decider",
        "competition",
        "round_name",
        "attention",
    )
    list_display_links = ("number", "home", "away")
    list_filter = (
        Attention,
        Played,
        "attention",
        "competition__season__arena",
        ("competition", LatestOnly),
    )
    list_select_related = (
        "competition__season__arena",
        "round__competition",
        "home",
        "away",
        "action__actor",
    )
    search_fields = ("home__name", "away__name")
    ordering = ("competition", "number")
    fields = (
        "competition",
        ("round", "number"),
        ("home", "away"),
        ("score", "decider", "decided_at"),
        "attention",
        "action",
    )

    def get_changelist(self, *_args: Any, **_options: Any) -> type[FixtureRows]:
        return FixtureRows

    @admin.display(description=gettext_lazy("result"))
    def score(self, fixture: Fixture) -> str:
        return score_in_words(fixture)

    @admin.display(description=gettext_lazy("decided by"))
    def decider(self, fixture: Fixture) -> str:
        return decided_by_in_words(fixture)

    @admin.display(description=gettext_lazy("round"), ordering="round")
    def round_name(self, fixture: Any) -> str:
        name: str = fixture.round_name
        return name

    def view_on_site(self, fixture: Fixture) -> str:
        return fixture.get_absolute_url()

    def steps_of(self, row: Fixture) -> list[tuple[str, str]]:
        if row.competition.state != RUNNING or row.home_id is None or row.away_id is None:
            return []
        steps = [
            (reverse("admin:league_fixture_decide", args=[row.pk]), _("Decide")),
            (reverse("admin:league_fixture_date", args=[row.pk]), _("Set the date")),
        ]
        if row.result == Fixture.Result.OPEN:
            steps.append(
                (reverse("admin:league_fixture_match", args=[row.pk]), _("Count a rated match"))
            )
            steps += taking_off(row)
        if row.attention == Fixture.Attention.FOLLOWED:
            steps.append(
                (reverse("admin:league_fixture_keep", args=[row.pk]), _("Leave it as it is"))
            )
        return steps

    def get_urls(self) -> list[URLPattern]:
        views = {
            "decide": self.decide_view,
            "date": self.date_view,
            "match": self.match_view,
            "take_off": self.take_off_view,
            "keep": self.keep_view,
        }
        mine = [
            path(
                f"<int:pk>/{name}/",
                self.admin_site.admin_view(view),
                name=f"league_fixture_{name}",
            )
            for name, view in views.items()
        ]
        return [*mine, *super().get_urls()]

    @method_decorator(require_http_methods(["GET", "HEAD", "POST"]))
    def decide_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Decide a fixture, whatever its games say."""
        one, now = fixture_or_404(request, pk), database_now()
        sent = request.POST if request.method == "POST" else None
        return step(
            request,
            self,
            VerdictForm(sent, choices=verdicts(one)),
            title=_("Decide: %(fixture)s") % {"fixture": one},
            explanation=_(
                "The decision counts for the competition and does not change ratings. To change a "
                "rating, correct the match."
            ),
            button=_("Decide"),
            done=_("The fixture is decided."),
            back=reverse("admin:league_fixture_change", args=[pk]),
            take=lambda by, given: decisions.decide(
                pk,
                given["result"],
                by=by,
                reason=given["reason"],
                now=now,
                forfeit=given["forfeit"],
            ),
        )

    @method_decorator(require_http_methods(["GET", "HEAD", "POST"]))
    def date_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Set the date of a fixture, even after its round."""
        one, now = fixture_or_404(request, pk), database_now()
        sent = request.POST if request.method == "POST" else None
        with timezone.override(one.competition.season.arena.zone):
            return step(
                request,
                self,
                DateForm(sent),
                title=_("Set the date: %(fixture)s") % {"fixture": one},
                explanation=_("Both sides are notified. A claimed no-show is dropped."),
                button=_("Set the date"),
                done=_("The date is set."),
                back=reverse("admin:league_fixture_change", args=[pk]),
                take=lambda by, given: decisions.set_date(
                    pk, given["play_at"], by=by, reason=given["reason"], now=now
                ),
            )

    @method_decorator(require_http_methods(["GET", "HEAD", "POST"]))
    def match_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Count a match that is rated already for a fixture."""
        one, now = fixture_or_404(request, pk), database_now()
        sent = request.POST if request.method == "POST" else None
        with timezone.override(one.competition.season.arena.zone):
            return step(
                request,
                self,
                MatchForm(
                    sent, choices=list_choices(linking.candidates(one, cast("User", request.user)))
                ),
                title=_("Count a rated match: %(fixture)s") % {"fixture": one},
                explanation=_(
                    "The match counts for the competition at once. Ratings do not change, and both "
                    "sides are notified. The fixture needs an open date, and the match must have "
                    "been played since its round opened."
                ),
                also=taking_off(one),
                button=_("Count the match"),
                done=_("The match counts for the fixture."),
                back=reverse("admin:league_fixture_change", args=[pk]),
                take=lambda by, given: linking.link(
                    pk, int(given["match"]), by=by, reason=given["reason"], now=now
                ),
            )

    @method_decorator(require_http_methods(["GET", "HEAD", "POST"]))
    def take_off_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Take a match off a fixture, so that it no longer counts for it."""
        one, now = fixture_or_404(request, pk), database_now()
        sent = request.POST if request.method == "POST" else None
        with timezone.override(one.competition.season.arena.zone):
            return step(
                request,
                self,
                CountedMatchForm(sent, choices=list_choices(unlinking.counting_matches(one))),
                title=_("Take a match off this fixture: %(fixture)s") % {"fixture": one},
                explanation=what_taking_off_does(one),
                button=_("Take it off"),
                done=_("The match no longer counts for the fixture."),
                back=reverse("admin:league_fixture_change", args=[pk]),
                take=lambda by, given: unlinking.unlink(
                    pk, int(given["match"]), by=by, reason=given["reason"], now=now
                ),
            )

    @method_decorator(require_http_methods(["GET", "HEAD", "POST"]))
    def keep_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Leave a fixture as it is although an earlier result has changed."""
        one, now = fixture_or_404(request, pk), database_now()
        return step(
            request,
            self,
            ReasonForm(request.POST if request.method == "POST" else None),
            title=_("Leave as it is: %(fixture)s") % {"fixture": one},
            explanation=_(
                "An earlier result changed after this fixture had been played. The fixture will "
                "count as it was played."
            ),
            button=_("Leave it as it is"),
            done=_("The fixture stays as it is."),
            back=reverse("admin:league_fixture_change", args=[pk]),
            take=lambda by, given: decisions.keep(pk, by=by, reason=given["reason"], now=now),
        )


def fixture_or_404(request: HttpRequest, pk: int) -> Fixture:
    """Return a fixture that the account may decide."""
    one = get_object_or_404(Fixture.objects.with_sides(), pk=pk)
    check_permission(request, one)
    return one


def taking_off(row: Fixture) -> list[tuple[str, str]]:
    """Return the step that takes a match off a fixture, if one counts for it."""
    if not unlinking.counting_matches(row):
        return []
    return [
        (
            reverse("admin:league_fixture_take_off", args=[row.pk]),
            _("Take a match off this fixture"),
        )
    ]


def what_taking_off_does(one: Fixture) -> str:
    """Return what staff read before they take a match off a fixture."""
    if one.best_of > 1:
        return _(
            "The match no longer counts for the series. If another game of it has a date already, "
            "that one is played instead. If the match decided the fixture, both sides lose their "
            "places in later rounds. The match and its ratings stay, and both sides are notified."
        )
    if one.round.is_in_bracket:
        return _(
            "The match no longer counts for the competition, and the fixture waits for a result "
            "again. Both sides lose their places in later rounds. The match and its ratings stay, "
            "and both sides are notified."
        )
    return _(
        "The match no longer counts for the competition, and the fixture waits for a result "
        "again. The table changes at once. The match and its ratings stay, and both sides are "
        "notified."
    )


def list_choices(matches: Sequence[tuple[Match, list[Side]]]) -> list[tuple[str, str]]:
    """Return matches with their sides as choices."""
    found = []
    for match, sides in matches:
        names = [side.roster.name if side.roster else side.captain.name for side in sides]
        words = {
            "when": describe_moment(match.played_at),
            "one": names[0],
            "other": names[1],
            "result": result_of(sides),
            "number": match.pk,
        }
        text = _("%(when)s: %(one)s – %(other)s, %(result)s (match %(number)d)") % words
        found.append((str(match.pk), text))
    return found


def verdicts(one: Fixture) -> list[tuple[str, str]]:
    """Return what staff can decide about a fixture, in words."""
    words = {
        Fixture.Result.HOME: _("%(side)s wins") % {"side": one.home},
        Fixture.Result.AWAY: _("%(side)s wins") % {"side": one.away},
        Fixture.Result.DRAW: _("Draw"),
        Fixture.Result.NEITHER: _("Both lose"),
        Fixture.Result.NONE: _("It does not count"),
        Fixture.Result.OPEN: _("Let its games decide"),
    }
    bracket = one.round.is_in_bracket
    return [
        (str(result), words[result])
        for result in decisions.VERDICTS
        if not (bracket and result == Fixture.Result.DRAW)
    ]
