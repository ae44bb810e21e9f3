"""Read what the pages of teams show, with a constant number of statements."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db import connection
from django.db.models import Count, Prefetch, Q

from league.models import Match, Player, Season, Side, Team, TeamMember, TeamRating, TeamRole
from league.services.results import profiles

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet

ON_A_PAGE = 50
MATCHES_SHOWN = 20
FORMER_SHOWN = 100
ORDER = {role: place for place, role in enumerate(TeamRole)}

# A win is an unshared first place and a draw a shared one, as for players. Of two rosters of one
# team in a match, each has its result.
RECORDS = """
    SELECT m.season_id, count(*),
        count(*) FILTER (WHERE s.place = 0 AND NOT tied.with_others),
        count(*) FILTER (WHERE s.place = 0 AND tied.with_others)
    FROM league_roster AS r
    JOIN league_side AS s ON s.roster_id = r.id
    JOIN league_match AS m ON m.id = s.match_id AND m.status = 'rated' AND m.kind = 'game'
    CROSS JOIN LATERAL (
        SELECT s.place = 0 AND EXISTS (
            SELECT FROM league_side AS o WHERE o.match_id = m.id AND o.place = 0 AND o.id <> s.id
        ) AS with_others
    ) AS tied
    WHERE r.team_id = %s
    GROUP BY m.season_id
"""


@dataclass(frozen=True)
class SeasonRecord:
    """A team's results in a season, and its rating if the season rates teams."""

    season: Season
    matches: int
    wins: int
    draws: int
    rating: TeamRating | None

    @property
    def losses(self) -> int:
        return self.matches - self.wins - self.draws


@dataclass(frozen=True)
class BoardRow:
    """A line of a season's team ratings. Teams with too few matches have no rank."""

    rank: int | None
    team: Team
    rating: TeamRating


def listed(search: str, after: str = "") -> list[Team]:
    """Return teams by name with their number of members, one more than a page shows."""
    teams = Team.objects.existing().order_by("folded_name")
    if search:
        teams = teams.search(search)
    if after:
        teams = teams.filter(folded_name__gt=after)
    return list(with_size(teams)[: ON_A_PAGE + 1])


def with_size(teams: QuerySet[Team]) -> QuerySet[Team]:
    present = Count("members", filter=Q(members__left_at=None))
    return teams.annotate(size=present)


def teams_of(player: Player) -> list[TeamMember]:
    """Return a player's memberships of teams, with their roles."""
    mine = TeamMember.objects.current().filter(player=player).select_related("team")
    return list(mine.order_by("team__folded_name"))


def members_of(team: Team) -> list[TeamMember]:
    """Return the present members of a team: the captain first, then by role and name."""
    present = team.members.current().select_related("player")
    return sorted(present, key=lambda one: (ORDER[TeamRole(one.role)], one.player.folded_name))


def history_of(team: Team) -> list[TeamMember]:
    """Return a team's former memberships, the latest first."""
    past = team.members.filter(left_at__isnull=False).select_related("player")
    return list(past.order_by("-left_at", "-id")[:FORMER_SHOWN])


def records_of(team: Team) -> list[SeasonRecord]:
    """Return a team's results by season, the latest first."""
    with connection.cursor() as cursor:
        cursor.execute(RECORDS, [team.pk])
        counts = {row[0]: row[1:] for row in cursor.fetchall()}
    ratings = {row.season_id: row for row in TeamRating.objects.filter(team=team)}
    seasons = Season.objects.filter(pk__in=counts, arena__is_draft=False).select_related("arena")
    return [
        SeasonRecord(season, matches, wins, draws, ratings.get(season.pk))
        for season in seasons.order_by("-starts_at", "-id")
        for matches, wins, draws in [counts[season.pk]]
    ]


def matches_of(team: Team) -> list[Match]:
    """Return a team's latest matches, loaded for a list."""
    played = Side.objects.filter(roster__team=team).values_list("match", "match__played_at")
    games = played.filter(match__in=Match.objects.games()).order_by("-match__played_at", "-match")
    latest = [match for match, _at in games.distinct()[:MATCHES_SHOWN]]
    found = Match.objects.filter(pk__in=latest).order_by("-played_at", "-id")
    return list(profiles.in_lines(found, alike=True).prefetch_related("arena", "season"))


def rosters_of(team: Team) -> QuerySet[Any]:
    """Return a team's rosters with their arenas and members."""
    members = Prefetch("members", Player.objects.order_by("name"))
    rosters = team.rosters.filter(arena__is_draft=False).select_related("arena", "captain")
    return rosters.order_by("arena__name", "name").prefetch_related(members)


def board(season: Season) -> list[BoardRow]:
    """Return a season's teams, best first. Equal ratings share a rank."""
    needed = season.season_rules().ranked.placement_matches
    rows = TeamRating.objects.filter(season=season).select_related("team")
    ordered = sorted(rows, key=lambda row: (row.games < needed, -row.rating, row.team.folded_name))
    found: list[BoardRow] = []
    for place, row in enumerate(ordered, start=1):
        before = found[-1] if found else None
        rank = before.rank if before and before.rating.rating == row.rating else place
        found.append(BoardRow(rank if row.games >= needed else None, row.team, row))
    return found


def open_links(team: Team, now: datetime) -> QuerySet[Any]:
    """Return a team's invitations that can still be accepted."""
    return team.invitations.open(now).select_related("player").order_by("-id")
