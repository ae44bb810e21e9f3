"""Matches by month in the admin, without reading all of them."""

from __future__ import annotations

from datetime import UTC, datetime

from django.urls import reverse
from django.utils.timezone import override

from league.admin.core.months import month_start, periods
from league.models import Arena, Match, Player
from tests.support.admin_steps import browser_of
from tests.support.cast import beats
from tests.support.result_steps import user_of


def test_the_last_months_and_the_years_before_are_offered() -> None:
    first, last = datetime(2023, 5, 1, tzinfo=UTC), datetime(2026, 2, 9, tzinfo=UTC)
    found = [value for value, _ in periods(first, last)]
    assert found[:3] == ["2026-02", "2026-01", "2025-12"]
    assert found[11:] == ["2025-03", "2025", "2024", "2023"]
    assert [value for value, _ in periods(last, last)] == ["2026-02"]
    with override(UTC):
        assert month_start(2025, 13) == datetime(2026, 1, 1, tzinfo=UTC)


def test_staff_list_the_matches_of_a_month(
    duel: Arena, alice: Player, charlie: Player, olga: Player
) -> None:
    for day in (datetime(2025, 12, 31, tzinfo=UTC), datetime(2026, 1, 31, tzinfo=UTC)):
        match = beats(alice, charlie, duel)
        Match.objects.filter(pk=match.pk).update(played_at=day)
    staff, page = browser_of(user_of(olga)), reverse("admin:league_match_changelist")

    def listed(month: str) -> int:
        return int(staff.get(page, {"month": month}).context["cl"].result_count)

    assert [listed(month) for month in ("2026-01", "2025-12", "1999-01", "x")] == [1, 1, 2, 2]
