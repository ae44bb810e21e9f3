"""Steps of two captains who agree on a date."""

from datetime import timedelta

from league.models import Arena, Arrangement, Player
from league.services.core.clock import database_now
from league.services.dates.answers import accept
from league.services.dates.proposals import propose
from tests.support.cast import NOW

SATURDAY = NOW + timedelta(days=6, hours=8)
SUNDAY = SATURDAY + timedelta(days=1)


def steps(one: Arrangement) -> list[tuple[str, str | None]]:
    rows = one.steps.select_related("by")
    return [(step.kind, step.by.name if step.by else None) for step in rows]


def agree_on_date(arena: Arena, one: Player, other: Player) -> Arrangement:
    """Let two players agree to play in a day."""
    now = database_now()
    date = propose(arena, other, now + timedelta(days=1), by=one, now=now)
    return accept(date.pk, by=other, seen=date.revision, now=now)


def state(one: Arrangement) -> str:
    return Arrangement.objects.get(pk=one.pk).state
