"""Steps of two captains who agree on a date."""

from datetime import timedelta

from league.models import Arrangement
from tests.support.cast import NOW

SATURDAY = NOW + timedelta(days=6, hours=8)
SUNDAY = SATURDAY + timedelta(days=1)


def steps(one: Arrangement) -> list[tuple[str, str | None]]:
    rows = one.steps.select_related("by")
    return [(step.kind, step.by.name if step.by else None) for step in rows]


def state(one: Arrangement) -> str:
    return Arrangement.objects.get(pk=one.pk).state
