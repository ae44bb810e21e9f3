"""Steps for tests of seasons."""

from datetime import datetime, timedelta
from typing import Any

from league.models import Arena, Match, Player, Rating, Season
from league.services.results.reports.answers import confirm
from tests.support.cast import NOW, beats

NEXT = NOW + timedelta(days=10)
"""When the tests' second seasons start."""
FROZEN = NEXT + timedelta(days=3)
"""When a season that ends at ``NEXT`` is archived by default."""


def ended(duel: Arena) -> Season:
    """End the arena's first season at ``NEXT``."""
    season = duel.seasons.get()
    season.ends_at = NEXT
    season.rules = duel.rules().to_json()
    season.save()
    return season


def set_season_rules(arena: Arena, **groups: Any) -> None:
    """Change the arena's rules for its next season."""
    arena.season_rules = {**arena.season_rules, **groups}
    arena.full_clean(validate_constraints=False)  # saving does
    arena.save()


def win(arena: Arena, winner: Player, loser: Player, now: datetime = NOW) -> Match:
    return confirm(beats(winner, loser, arena, now=now).pk, by=loser, now=now)


def ratings(season: Season) -> dict[str, float]:
    rows = Rating.objects.filter(season=season).order_by("id")
    return dict(rows.values_list("player__name", "rating"))
