"""Filters by month and year.

Django's date hierarchy reads every row for its links. These follow from the first and the last
time, which an index knows.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db.models import Max, Min
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy

from league.models import Match, StaffAction

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.db.models import QuerySet
    from django.http import HttpRequest

    Ends = tuple[datetime | None, datetime | None]

MONTHS = 12
"""The number of recent months with a link each. Earlier years have one link each."""


class MonthFilter(admin.SimpleListFilter):
    """The month in which a match was played."""

    title = gettext_lazy("month")
    parameter_name = "month"
    time = "played_at"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:  # noqa: ARG002 - Django's signature
        first, last = self.ends()
        if first is None or last is None:
            return []
        return list(periods(timezone.localtime(first), timezone.localtime(last)))

    def ends(self) -> Ends:
        """Return a time in the first month, and one in the last."""
        ends = Match.objects.order_by().aggregate(first=Min("played_at"), last=Max("played_at"))
        return ends["first"], ends["last"]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:  # noqa: ARG002 - Django's signature
        chosen = self.value()
        if chosen not in dict(self.lookup_choices):
            return queryset
        year, _dash, month = chosen.partition("-")
        begins = month_start(int(year), int(month or 1))
        ends = month_start(int(year), int(month) + 1) if month else month_start(int(year) + 1, 1)
        return queryset.filter(**{f"{self.time}__gte": begins, f"{self.time}__lt": ends})


class RatedMonthFilter(MonthFilter):
    """The month in which a match was rated, which can be any after it was played."""

    time = "rated_at"

    def ends(self) -> Ends:
        first, last = super().ends()
        return first, max(last, timezone.now()) if last else None


class ActionMonthFilter(MonthFilter):
    """The month of an action of staff. Actions are numbered in the order of their times."""

    time = "at"

    def ends(self) -> Ends:
        times = StaffAction.objects.values_list("at", flat=True)
        both = times.order_by("pk")[:1].union(times.order_by("-pk")[:1])
        return min(both, default=None), max(both, default=None)


def periods(first: datetime, last: datetime) -> Iterator[tuple[str, str]]:
    """Yield the last months, newest first, then the years before, each with its words."""
    year, month = last.year, last.month
    for _ in range(MONTHS):
        begins = month_start(year, month)
        if (year, month) < (first.year, first.month):
            return
        yield f"{year}-{month:02}", date_format(begins, "YEAR_MONTH_FORMAT")
        year, month = (year, month - 1) if month > 1 else (year - 1, 12)
    for each in range(year, first.year - 1, -1):
        yield str(each), str(each)


def month_start(year: int, month: int) -> datetime:
    """Return when a month begins for the reader. The 13th is the next January."""
    carry, month = divmod(month - 1, 12)
    return datetime(year + carry, month + 1, 1, tzinfo=timezone.get_current_timezone())
