"""Preparations and acts of scenarios about seasons: their end, points, decay and standings."""

from datetime import timedelta
from typing import Any

from league.models import Arena, FinalStanding, PointTally, Season, Standing
from league.services.seasons import ending, opening, planning
from league.services.standings import updating
from tests.chaos.acts import Facts, in_a, now, player, with_report
from tests.chaos.arenas import new_arena, person, rated, reported
from tests.support.cast import RANKED_AT_ONCE


def season_over(**calendar: Any) -> Facts:
    """A season that is over, with a rated match and a report that nobody has answered."""
    rules = {**RANKED_AT_ONCE, "calendar": {"archive_after": 0, **calendar}}
    facts = with_report(new_arena("cup", season_rules=rules), is_rated=True)
    arena = Arena.objects.get(pk=facts["arena"])
    updating.update_pending(now())
    late = reported(arena, player(facts, "one"), player(facts, "other"))
    season = Season.objects.get(arena=arena)
    ending.end(season.pk, now=now())
    return facts | {"season": season.pk, "match": late.pk}


def archived() -> Facts:
    facts = season_over(late="refuse")
    ending.freeze(facts["season"], now=now())
    return facts


def final_standings(facts: Facts) -> int:
    """Count the archives: each lists both players."""
    return (FinalStanding.objects.filter(season=facts["season"]).count() + 1) // 2


def season_planned() -> Facts:
    arena = new_arena("planned", opens=False)
    season = planning.plan_season(arena, starts_at=now() + timedelta(hours=1))
    Season.objects.filter(pk=season.pk).update(starts_at=now() - timedelta(minutes=1))
    return {"season": season.pk}


def with_points() -> Facts:
    rules = {**RANKED_AT_ONCE, "points": {"counts": True}}
    facts = with_report(new_arena("points", season_rules=rules), is_rated=True)
    arena = Arena.objects.get(pk=facts["arena"])
    for _more in range(3):
        rated(arena, player(facts, "one"), player(facts, "other"))
    return facts | {"season": Season.objects.get(arena=arena).pk}


def is_compact(facts: Facts) -> int:
    points = list(
        PointTally.objects.filter(season_id=facts["season"]).values_list("points", flat=True)
    )
    return int(len(points) == len(set(points)))


def decaying() -> Facts:
    """A season in which nobody has played since its last period of decay ended."""
    parameters = {"max_gain": 8.0, "decay": 0.2, "decay_period": "10d"}
    arena = new_arena("fermi", opens=False, rating_system="fermi", rating_parameters=parameters)
    season = opening.open_season(arena, starts_at=now() - timedelta(days=21))
    facts = in_a(arena)
    long_ago = now() - timedelta(days=20)
    rated(arena, player(facts, "one"), player(facts, "other"), long_ago)
    third, fourth = person(), person()
    rated(arena, third, fourth, now() - timedelta(days=9))
    return facts | {"season": season.pk}


def decay_steps(facts: Facts) -> int:
    return Season.objects.get(pk=facts["season"]).matches.unplayed().count()


def not_in_standings() -> Facts:
    """A rated match, the only thing that the standings lack."""
    updating.update_pending(now())
    return with_report(is_rated=True)


def placed(facts: Facts) -> int:
    return Standing.objects.filter(player_id=facts["one"]).count()


def with_season(facts: Facts) -> Facts:
    return facts | {"season": Season.objects.get(arena=facts["arena"]).pk}
