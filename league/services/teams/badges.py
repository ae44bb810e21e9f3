"""A team's badges: the same moments as those of players, from its matches against other teams.

There is none for a number of matches. As those of players, they are computed whenever they are
read, so a corrected result takes its badge back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from league.models import Team, TeamRating
from league.services.results.records.badges import (
    KINDS,
    PODIUM,
    Badge,
    ended_at,
    first_moments,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from league.models import Season
    from league.services.results.records.badges import Result
    from league.services.teams.pages import SeasonRecord

OF_TEAMS = tuple(kind for kind in KINDS if kind != "century")


def badges_of(
    team: Team, results: Sequence[Result], records: Sequence[SeasonRecord]
) -> list[Badge]:
    """Return a team's badges in the order of pages, from its results and records of all seasons.

    One query for a win at long odds, one for the name of a rival, and one for archived seasons
    that rated the team.
    """
    seasons = {one.season.pk: one.season for one in records}
    between = [one for one in results if one.opponents]
    found = first_moments(between, seasons, name_of)
    podium = best_podium(team, records)
    badges = [one for one in found if one.kind in OF_TEAMS]
    return [*badges, podium] if podium else badges


def name_of(opponents: frozenset[int]) -> str:
    return str(Team.objects.only("name").get(pk__in=opponents))


def best_podium(team: Team, records: Sequence[SeasonRecord]) -> Badge | None:
    """Return the badge of a team's best place in an archived season, the first of several."""
    rated = {one.season.pk: one.season for one in records if one.season.archived_at and one.rating}
    places = ranks_in(team, rated.values())
    on_podium = [(rank, ended_at(rated[pk]), pk) for pk, rank in places.items() if rank <= PODIUM]
    if not on_podium:
        return None
    rank, at, season = min(on_podium)
    return Badge("podium", at, season, value=rank)


def ranks_in(team: Team, seasons: Collection[Season]) -> dict[int, int]:
    """Return a team's rank by season, where it has one. One query, none without seasons."""
    if not seasons:
        return {}
    needed = {one.pk: one.season_rules().ranked.placement_matches for one in seasons}
    rows = TeamRating.objects.filter(season__in=needed).values_list(
        "season", "team", "rating", "games"
    )
    ranked = [row for row in rows if row[3] >= needed[row[0]]]
    own = {season: rating for season, one, rating, _games in ranked if one == team.pk}
    return {
        season: 1 + sum(row[2] > rating for row in ranked if row[0] == season)
        for season, rating in own.items()
    }
