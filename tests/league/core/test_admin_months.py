"""Matches by month in the admin, without reading all of them."""

from datetime import UTC, datetime

from django.utils.timezone import override

from league.admin.core.months import month_start, periods


def test_the_last_months_and_the_years_before_are_offered() -> None:
    first, last = datetime(2023, 5, 1, tzinfo=UTC), datetime(2026, 2, 9, tzinfo=UTC)
    found = [value for value, _ in periods(first, last)]
    assert found[:3] == ["2026-02", "2026-01", "2025-12"]
    assert found[11:] == ["2025-03", "2025", "2024", "2023"]
    assert [value for value, _ in periods(last, last)] == ["2026-02"]
    with override(UTC):
        assert month_start(2025, 13) == datetime(2026, 1, 1, tzinfo=UTC)
