"""Results that count for fixtures, and what the table makes of them."""

from datetime import datetime, timedelta
from uuid import uuid4

from league.models import Arena, Arrangement, Competition, Fixture, Match, Player, StaffAction
from league.services.competitions import unlinking
from league.services.competitions.standings.competition_tables import read_tables
from league.services.core.clock import database_now
from league.services.transfer.evenings import evenings
from league.services.transfer.evenings.evening_rows import EveningRow
from tests.support.competition_steps import START, date_of
from tests.support.result_steps import user_of

PLAYED = START + timedelta(days=5)
LATER = START + timedelta(days=9)
CORRECTED = START + timedelta(days=6)
"""When organisers take matches off fixtures."""


def wins(one: Competition, name: str) -> int:
    """Return how many fixtures of its table an entrant has won."""
    lines = [line for table in read_tables(one) for line in table.lines]
    return next(line.row.won for line in lines if line.entrant.name == name)


def take_off(
    fixture: Fixture, match: Match | None, by: Player, *, reason: str = "A casual game."
) -> None:
    number = match.pk if match else 0
    unlinking.unlink(fixture.pk, number, by=user_of(by), reason=reason, now=CORRECTED)


def evening(
    arena: Arena,
    by: Player,
    *rows: tuple[str, str, str],
    played_at: datetime = PLAYED,
    for_fixtures: bool = True,
) -> StaffAction:
    return evenings.save(
        arena,
        [EveningRow(*row) for row in rows],
        by=user_of(by),
        reason="Club evening",
        played_at=played_at,
        token=uuid4(),
        now=LATER,
        for_fixtures=for_fixtures,
    )


def due(one: Competition) -> Fixture:
    """Make the date of a competition's only fixture due now, and return the fixture."""
    fixture = one.fixtures.get()
    now = database_now()
    Arrangement.objects.filter(pk=date_of(fixture).pk).update(
        play_at=now - timedelta(hours=2), play_until=now + timedelta(days=9)
    )
    return fixture
