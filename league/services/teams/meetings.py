"""The matches of two teams against each other, and whom a team has met most."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from django.db.models import Count, F, Max, Q

from league.models import Match, Roster, Side, Team
from league.services.results.forecasts.stakes import expected_sides, stakes
from league.services.results.records.encounters import Encounter
from league.services.results.records.profiles import Record
from league.services.teams.pages import seasons_of

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet

    from league.models import Season
    from league.services.results.forecasts.stakes import Stakes

MOST_MET = 8
THEIRS = "match__sides__roster__team"
SHOWN = ("name", "tag", "picture", "colour", "second_colour")
"""The fields of a team in a list."""


class Met(NamedTuple):
    """A team's record against another team."""

    team: Team
    record: Record


class Odds(NamedTuple):
    """The rosters that two teams would play with, the first team's first, and their odds."""

    rosters: tuple[Roster, Roster]
    stakes: Stakes


def sides_of(team: Team) -> QuerySet[Side]:
    """Return a team's sides in rated games of published arenas."""
    games = Match.objects.rated().games().filter(arena__is_draft=False)
    return Side.objects.filter(roster__team=team, match__in=games)


def encounters_of(one: Team, other: Team) -> list[Encounter]:
    """Return the rated matches of two teams against each other, oldest first. One query.

    Of two rosters of one team in a match, each has met the other team.
    """
    met = sides_of(one).filter(match__sides__roster__team=other)
    rows = met.annotate(other_place=F("match__sides__place")).order_by("match__played_at", "match")
    columns = "match", "match__season", "match__played_at", "roster__team", "place", "other_place"
    return [Encounter(*row) for row in rows.values_list(*columns)]


def most_met(team: Team) -> list[Met]:
    """Return the teams that a team has met most, with its record. One query."""
    met = (
        sides_of(team)
        .filter(match__sides__roster__team__isnull=False)
        .annotate(other=F(f"{THEIRS}__pk"), other_place=F("match__sides__place"))
        .exclude(other=team.pk)
    )
    counted = (
        met.order_by()
        .values("other", *(f"{THEIRS}__{name}" for name in SHOWN))
        .annotate(
            games=Count("pk"),
            latest=Max("match__played_at"),
            wins=Count("pk", filter=Q(place__lt=F("other_place"))),
            draws=Count("pk", filter=Q(place=F("other_place"))),
        )
        .order_by("-games", "-latest", "other")
    )
    return [
        Met(
            Team(pk=row["other"], **{name: row[f"{THEIRS}__{name}"] for name in SHOWN}),
            Record(row["wins"], row["draws"], row["games"] - row["wins"] - row["draws"]),
        )
        for row in counted[:MOST_MET]
    ]


def shared_seasons(one: Team, other: Team) -> list[Season]:
    """Return the latest season of each arena where both teams have a roster. Two queries."""
    arenas = Roster.objects.filter(team=one, arena__rosters__team=other)
    return seasons_of((), list(arenas.order_by().values_list("arena", flat=True).distinct()))


def odds_now(season: Season, one: Team, other: Team, now: datetime) -> Odds | None:
    """Return the odds of a match between two teams in a season, if they could play it now.

    ``None`` if one has no roster there, or several.
    """
    arena = season.arena
    if not arena.is_open or arena.sides_min != 2 or not season.is_running(now):
        return None
    found = list(
        Roster.objects.filter(
            arena=arena, team__in=(one, other), team__disbanded_at=None
        ).select_related("captain")
    )
    ours = [roster for roster in found if roster.team_id == one.pk]
    theirs = [roster for roster in found if roster.team_id == other.pk]
    if len(ours) != 1 or len(theirs) != 1:
        return None
    rosters = ours[0], theirs[0]
    sides = expected_sides(arena, season, [(roster.captain, roster) for roster in rosters])
    if sides is None:
        return None
    [expected] = stakes(season, [[[player.pk for player in side] for side in sides]], now)
    return Odds(rosters, expected) if expected else None
