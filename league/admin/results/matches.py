"""Matches, with links to the pages on which staff decide or correct them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db.models import Exists, OuterRef, Prefetch, Q
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.admin.core.base import NameSearch, ReadOnly, Shares
from league.admin.core.exports import Exports
from league.admin.core.months import MonthFilter
from league.admin.core.results import SIDES_IN_A_LIST, result_of
from league.admin.core.values import json_in_words
from league.admin.frontpage.kinds import Attention
from league.models import Match, Objection, Participant, Side, Status
from league.services.core.numbers import write_score
from league.services.corrections import undoing
from league.services.results.rules import own_matches
from league.services.results.staff import threads

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from django.db.models import QuerySet
    from django.http import HttpRequest, HttpResponse

    from league.models import CounterReport, MatchMessage

SIDES_ON_A_PAGE = 50
PLACES_SHOWN = 16
MATCHES_AT_ONCE = 1_000
"""Matches of an export whose sides are read together."""
UNDECIDED = (Status.REPORTED, Status.DISPUTED)


class WaitingFilter(admin.SimpleListFilter):
    """Disputed matches, and rated ones with an open objection."""

    title = gettext_lazy("decision")
    parameter_name = "decision"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:  # noqa: ARG002 - Django's signature
        return [("waiting", _("waiting"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Match]) -> QuerySet[Match]:  # noqa: ARG002 - Django's signature
        if self.value() != "waiting":
            return queryset
        objected = Objection.objects.open().values("match")
        return queryset.filter(Q(status=Status.DISPUTED) | Q(pk__in=objected))


def sides_of(matches: Sequence[int]) -> dict[int, tuple[list[Any], list[Any], list[list[str]]]]:
    """Return the places, the scores and the names of the players of the sides of each match."""
    found: dict[int, tuple[list[Any], list[Any], list[list[str]]]] = {
        match: ([], [], []) for match in matches
    }
    names: dict[int, list[str]] = {}
    players = Participant.objects.filter(match__in=matches).order_by("match", "side", "position")
    for side, name in players.values_list("side", "player__name"):
        names.setdefault(side, []).append(name)
    sides = Side.objects.filter(match__in=matches).order_by("match", "index")
    for key, match, place, score in sides.values_list("pk", "match", "place", "score"):
        places, scores, people = found[match]
        places.append(None if place is None else place + 1)
        scores.append(score)
        people.append(names.get(key, []))
    return found


@admin.register(Match)
class MatchAdmin(Exports, NameSearch, Shares, ReadOnly):
    export_columns = (
        "id",
        "arena__slug",
        "season__name",
        "status",
        "played_at",
        "weight",
        "external_id",
        "reported_at",
        "reported_by__name",
        "disputed_at",
        "disputed_by__name",
        "dispute_reason",
        "settled_at",
        "settlement",
        "confirmed_by__name",
    )
    more_columns = ("places", "scores", "players")
    """A list each, with one part for each side."""
    list_display = (
        "__str__",
        "captains",
        "result",
        "status",
        "played_at",
        "settlement",
        "decision",
    )
    list_filter = (
        Attention,
        WaitingFilter,
        "status",
        MonthFilter,
        ("played_at", admin.DateFieldListFilter),
        "arena",
        "settlement",
    )
    shared = ("arena",)
    ordering = ("-id",)
    search_fields = ("participants__player__search_name",)
    search_help_text = gettext_lazy("Part of a player's name.")
    change_form_template = "admin/league/match/change_form.html"
    fieldsets = [
        (
            None,
            {
                "fields": [
                    "arena",
                    "season",
                    "status",
                    "played_at",
                    "weight",
                    "describe_information",
                ]
            },
        ),
        (
            gettext_lazy("Report"),
            {
                "fields": [
                    "started_by",
                    "reported_by",
                    "reported_at",
                    "confirm_deadline",
                    "disputed_by",
                    "disputed_at",
                    "dispute_reason",
                ]
            },
        ),
        (
            gettext_lazy("Settlement"),
            {"fields": ["settlement", "confirmed_by", "settled_at", "rated_order", "external_id"]},
        ),
    ]

    readonly_fields = ("describe_information",)

    def export_header(self) -> list[str]:
        return [*super().export_header(), *self.more_columns]

    def export_rows(self, rows: Any) -> Iterator[Sequence[Any]]:
        """Yield a row for each match, with its sides. Each thousand matches take two statements."""
        found = iter(super().export_rows(rows))
        while chunk := list(islice(found, MATCHES_AT_ONCE)):
            sides = sides_of([row[0] for row in chunk])
            for row in chunk:
                yield (*row, *sides[row[0]])

    @admin.display(description=gettext_lazy("further information"))
    def describe_information(self, match: Match) -> str:
        return json_in_words(match.information)

    def view_on_site(self, match: Match) -> str:
        return match.get_absolute_url()

    def get_queryset(self, request: HttpRequest) -> QuerySet[Match]:
        shown = Side.objects.filter(Q(index__lte=SIDES_IN_A_LIST) | Q(place=0))
        listed = shown.select_related("captain").order_by("index")
        matches: QuerySet[Match] = (
            super()
            .get_queryset(request)
            .prefetch_related(Prefetch("sides", queryset=listed, to_attr="listed_sides"))
            .annotate(objected=Exists(Objection.objects.open().filter(match=OuterRef("pk"))))
        )
        return matches

    @admin.display(description=gettext_lazy("sides"))
    def captains(self, match: Any) -> str:
        names = [side.captain.name for side in match.listed_sides]
        more = ["…"] if len(names) > SIDES_IN_A_LIST else []
        return " – ".join(names[:SIDES_IN_A_LIST] + more)

    @admin.display(description=gettext_lazy("result"))
    def result(self, match: Any) -> str:
        return result_of(match.listed_sides)

    @admin.display(description=gettext_lazy("decision"))
    def decision(self, match: Any) -> str:
        if match.status != Status.DISPUTED and not match.objected:
            return ""
        route = "match_correct" if match.objected else "match_decide"
        return format_html(
            '<a href="{}">{}</a>', reverse(route, kwargs={"pk": match.pk}), _("Decide")
        )

    def render_change_form(
        self, request: HttpRequest, context: Any, *args: Any, **options: Any
    ) -> HttpResponse:
        match = context["original"]
        sides = match.sides.count()
        context["sides"] = first_sides(match)
        context["more_sides"] = max(0, sides - SIDES_ON_A_PAGE)
        user, is_rated = request.user, match.status == Status.RATED
        context["may_decide"] = match.status in UNDECIDED and own_matches.may_decide(match, user)
        context["may_correct"] = is_rated and own_matches.may_change_rated(match, user)
        context["undoable"] = undoing.undoable_by(match, user)
        context["counter_reports"] = counter_reports(match)
        context["thread"] = thread(match) if threads.is_staff(request.user, match) else []
        return super().render_change_form(request, context, *args, **options)


@dataclass(frozen=True)
class Countered:
    """A counter-report with its best places in words."""

    report: CounterReport
    placed: list[str]
    more: int
    """The number of sides that are not shown."""


def counter_reports(match: Match) -> list[Countered]:
    """Return the counter-reports of a match."""
    found = list(match.counter_reports.select_related("reporter", "answered_by"))
    if not found:
        return []
    sides = match.sides.select_related("roster", "captain").order_by("index")
    names = [side.roster.name if side.roster else side.captain.name for side in sides]
    return [describe_counter(report, names) for report in found]


def describe_counter(report: CounterReport, names: list[str]) -> Countered:
    rows = sorted(zip(names, report.placings, strict=False), key=lambda row: row[1][0])
    placed = [
        _("%(place)s. %(name)s")
        % {
            "place": place + 1,
            "name": name if score is None else f"{name} ({write_score(score)})",
        }
        for name, (place, score) in rows
    ]
    return Countered(report, placed[:PLACES_SHOWN], max(0, len(placed) - PLACES_SHOWN))


def thread(match: Match) -> list[MatchMessage]:
    """Return the messages about a match with their authors and images."""
    return list(match.messages.select_related("player", "author", "image__removal"))


def first_sides(match: Match) -> Iterable[Side]:
    """Return the sides to show, with their participants."""
    parts = Participant.objects.select_related("player").order_by("position")
    return (
        match.sides.select_related("captain", "roster", "confirmation")
        .prefetch_related(Prefetch("participants", queryset=parts))
        .order_by("index")[:SIDES_ON_A_PAGE]
    )
