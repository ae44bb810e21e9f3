"""Test steps for ladder points."""

from datetime import datetime, timedelta
from io import StringIO
from typing import Any
from uuid import uuid4

from django.core.management import call_command

from league.models import Arena, Match, Player, PointTally, PointTotal, Season, User
from league.services.core.types import ReportedSide
from league.services.points import points_leaderboard
from league.services.results.reports.answers import confirm
from league.services.results.reports.reporting import report
from tests.support.cast import NOW, RANKED_AT_ONCE, account, arena

HALF_PAST = NOW + timedelta(minutes=30)


def with_points(slug: str = "ladder", **given: Any) -> Arena:
    """Return an arena for up to two against two, with ladder points."""
    rules = {"counts": True, **given.pop("points", {})}
    return arena(slug, season_rules={**RANKED_AT_ONCE, "points": rules}, team_size_max=2, **given)


def plays(arena: Arena, first: ReportedSide, second: ReportedSide, now: datetime = NOW) -> Match:
    """Report and confirm a result."""
    made = report(
        arena,
        [first, second],
        reporter=first.captain,
        played_at=now - timedelta(hours=1),
        now=now,
        client_token=uuid4(),
    )
    return confirm(made.pk, by=second.captain, now=now)


def give(season: Season, gathered: dict[Player, tuple[int, int]]) -> None:
    """Set totals as if these points had been awarded in these numbers of matches."""
    PointTotal.objects.bulk_create(
        PointTotal(
            season=season, player=player, points=points, matches=matches, wins=0, listed=points > 0
        )
        for player, (points, matches) in gathered.items()
    )
    PointTally.objects.bulk_create(
        PointTally(season_id=season.pk, points=points, players=1)
        for points, _matches in gathered.values()
        if points > 0
    )


def totals(arena: Arena) -> dict[str, tuple[int, int, int]]:
    """Return the points, matches and wins of each player in the latest season, by name."""
    season = arena.seasons.latest("starts_at")
    rows = PointTotal.objects.filter(season=season).select_related("player")
    return {row.player.name: (row.points, row.matches, row.wins) for row in rows}


def ranks(page: points_leaderboard.PointsPage) -> list[tuple[int, str, int]]:
    """Return the rank, name and points of each row."""
    return [(row.rank, row.name, row.points) for row in page.rows]


def verified(arena: Arena) -> str:
    """Return the output of the command for the arena's season."""
    told = StringIO()
    call_command("verify_ratings", arena=arena.slug, stdout=told)
    return told.getvalue().strip().rpartition(", ")[2]


def superuser() -> User:
    user = account("Olga", superuser=True).user
    assert user
    return user
