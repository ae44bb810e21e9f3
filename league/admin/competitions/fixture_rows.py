"""The list of fixtures: their scores, who decided them, and a filter for those not played."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.admin.core.lists import Rows
from league.models import Fixture, Round
from league.services.competitions.outcomes import games_of_fixtures, has_result, outcomes
from league.services.competitions.pages import FixtureLine
from league.services.competitions.running.bracket_names import names_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.db.models import QuerySet
    from django.http import HttpRequest

    from league.models import Competition


class FixtureRows(Rows):
    """The fixtures of a page, whose outcomes are read together."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        found: list[Any] = list(self.result_list)
        names = round_names(found)
        for fixture, line in zip(found, lines_of(found), strict=True):
            fixture.line, fixture.round_name = line, names[fixture.round_id]
        self.result_list = found


def lines_of(fixtures: Sequence[Fixture]) -> list[FixtureLine]:
    ended = outcomes(fixtures, games_of_fixtures(fixtures))
    return [FixtureLine(fixture, ended[fixture.pk]) for fixture in fixtures]


def round_names(fixtures: Sequence[Fixture]) -> dict[int, str]:
    """Return the names of the rounds of some fixtures, by id."""
    rounds: dict[Competition, list[Round]] = defaultdict(list)
    competitions = {one.competition for one in fixtures}
    for each in Round.objects.filter(competition__in=competitions).select_related("competition"):
        rounds[each.competition].append(each)
    return {pk: name for one, its in rounds.items() for pk, name in names_of(one, its).items()}


def line_of(fixture: Any) -> FixtureLine:
    """Return a fixture with its outcome, which a list has read already."""
    line: FixtureLine = fixture.line if hasattr(fixture, "line") else lines_of([fixture])[0]
    return line


def score_in_words(fixture: Fixture) -> str:
    """Return the score, or why there is none."""
    line = line_of(fixture)
    if line.is_bye:
        return _("bye")
    if line.outcome.is_decided:
        return line.score or str(Fixture.Result(line.outcome.result).label)
    if line.waits:
        return _("waits for its confirmation")
    return _("%(score)s so far") % {"score": line.score} if line.score else _("not played")


def decided_by_in_words(fixture: Fixture) -> str:
    """Return what or who decided a fixture, nothing before that."""
    outcome = line_of(fixture).outcome
    if not outcome.is_decided:
        return ""
    if outcome.by == Fixture.DecidedBy.GAMES:
        return _("played")
    by = str(Fixture.DecidedBy(outcome.by).label)
    if outcome.by == Fixture.DecidedBy.STAFF and fixture.action and fixture.action.actor:
        return _("%(by)s: %(name)s") % {"by": by, "name": fixture.action.actor}
    return by


class Played(admin.SimpleListFilter):
    """Fixtures of two known sides with or without a result."""

    title = gettext_lazy("result")
    parameter_name = "played"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:  # noqa: ARG002 - Django's signature
        return [("no", _("not played")), ("yes", _("played or decided"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:  # noqa: ARG002 - as above
        if self.value() == "yes":
            return queryset.filter(has_result())
        if self.value() == "no":
            known = queryset.filter(home__isnull=False, away__isnull=False)
            return known.exclude(has_result())
        return queryset
