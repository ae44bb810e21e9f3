"""Read what the pages of teams show, with a constant number of statements."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db.models import Count, F, Prefetch, Q

from league.models import Match, Player, Season, Side, Team, TeamMember, TeamRating, TeamRole
from league.services.results.records.lines import lines_of
from league.services.standings.leaderboards import ratings_of
from league.services.teams.inviting import MOST_MEMBERS
from league.services.teams.results import results_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from datetime import datetime

    from django.db.models import QuerySet

    from league.models import Roster
    from league.services.results.records.badges import Result
    from league.services.standings.leaderboard_rows import LeaderboardRow

ON_A_PAGE = 50
MATCHES_SHOWN = 20
FORMER_SHOWN = 100
ORDER = {role: place for place, role in enumerate(TeamRole)}


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
class Rated:
    """A player and their row in a season, ``None`` without a rated match there."""

    player: Player
    row: LeaderboardRow | None


@dataclass(frozen=True)
class RatedRoster:
    """A roster with the ratings of its team and its members in its arena's latest season."""

    roster: Roster
    season: Season | None
    """``None`` before the first season."""
    rating: TeamRating | None
    members: Sequence[Rated]
    """The captain first, then the best."""


@dataclass(frozen=True)
class RatedMember:
    """A member of a team, and their ratings in the arenas where the team has rosters."""

    member: TeamMember
    ratings: Sequence[tuple[Season, LeaderboardRow]]


@dataclass(frozen=True)
class TeamPage:
    members: Sequence[RatedMember]
    history: Sequence[TeamMember]
    """Former memberships, the latest first."""
    results: Sequence[Result]
    records: Sequence[SeasonRecord]
    rosters: Sequence[RatedRoster]

    def membership_of(self, player: Player | None) -> TeamMember | None:
        """Return a player's present place in the team."""
        present = (one.member for one in self.members)
        return next((one for one in present if player and one.player_id == player.pk), None)


@dataclass(frozen=True)
class BoardRow:
    """A line of a season's team ratings. Teams with too few matches have no rank."""

    rank: int | None
    team: Team
    rating: TeamRating


def list_teams(search: str, after: str = "") -> list[Team]:
    """Return teams by name with their number of members, one more than a page shows."""
    teams = Team.objects.existing().order_by("sort_name")
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
    return list(mine.order_by("team__sort_name"))


def members_of(team: Team) -> list[TeamMember]:
    """Return the present members of a team: the captain first, then by role and name."""
    return sorted(team.members.current().select_related("player"), key=by_role)


def page_of(team: Team, now: datetime) -> TeamPage:
    """Return what a team's page shows of its people and results."""
    rosters = list(rosters_of(team))
    present, history = memberships_of(team)
    results = results_of(team)
    counts = counts_in(results)
    seasons = seasons_of(counts, [roster.arena_id for roster in rosters])
    team_ratings = ratings_by_season(team)
    latest: dict[int, Season] = {}
    for season in seasons:
        latest.setdefault(season.arena_id, season)
    shown = {arena: latest[arena] for roster in rosters if (arena := roster.arena_id) in latest}
    people = {one.player_id for one in present}
    people |= {player.pk for roster in rosters for player in roster.members.all()}
    rows = ratings_of(people, list(shown.values()), now=now) if shown else {}
    return TeamPage(
        members=[
            RatedMember(
                one,
                [
                    (season, row)
                    for season in shown.values()
                    if (row := rows.get((season.pk, one.player_id)))
                ],
            )
            for one in present
        ],
        history=history,
        results=results,
        records=records_in(seasons, counts, team_ratings),
        rosters=[
            with_ratings(roster, shown.get(roster.arena_id), team_ratings, rows)
            for roster in rosters
        ],
    )


def records_of(team: Team) -> list[SeasonRecord]:
    """Return a team's results by season, the latest first."""
    return records_from(team, results_of(team))


def records_from(team: Team, results: Iterable[Result]) -> list[SeasonRecord]:
    """Return the records of all these results of a team."""
    counts = counts_in(results)
    return records_in(seasons_of(counts, ()), counts, ratings_by_season(team))


def records_in(
    seasons: Sequence[Season],
    counts: Mapping[int, tuple[int, int, int]],
    ratings: Mapping[int, TeamRating],
) -> list[SeasonRecord]:
    """Return the records of the seasons in which a team has played."""
    return [
        SeasonRecord(season, *counts[season.pk], ratings.get(season.pk))
        for season in seasons
        if season.pk in counts
    ]


def with_ratings(
    roster: Roster,
    season: Season | None,
    team_ratings: Mapping[int, TeamRating],
    rows: Mapping[tuple[int, int], LeaderboardRow],
) -> RatedRoster:
    """Return a roster with its ratings in a season."""
    if season is None:
        return RatedRoster(roster, None, None, [Rated(one, None) for one in roster.members.all()])
    members = [Rated(one, rows.get((season.pk, one.pk))) for one in roster.members.all()]
    sign = 1 if season.lowest_first else -1

    def order(one: Rated) -> tuple[bool, float]:
        rating = one.row.rating * sign if one.row else math.inf
        return one.player.pk != roster.captain_id, rating

    return RatedRoster(roster, season, team_ratings.get(season.pk), sorted(members, key=order))


def memberships_of(team: Team) -> tuple[list[TeamMember], list[TeamMember]]:
    """Return the present and the former memberships of a team, as their lists order them."""
    latest = F("left_at").desc(nulls_first=True)
    rows = team.members.select_related("player").order_by(latest, "-id")
    found = list(rows[: MOST_MEMBERS + FORMER_SHOWN])
    present = sorted((one for one in found if one.left_at is None), key=by_role)
    return present, [one for one in found if one.left_at is not None][:FORMER_SHOWN]


def by_role(one: TeamMember) -> tuple[int, str]:
    return ORDER[TeamRole(one.role)], one.player.folded_name


def ratings_by_season(team: Team) -> dict[int, TeamRating]:
    return {row.season_id: row for row in TeamRating.objects.filter(team=team)}


def counts_in(results: Iterable[Result]) -> dict[int, tuple[int, int, int]]:
    """Return the number of matches, wins and draws by season.

    A win is an unshared first place and a draw a shared one, as for players. Of two rosters of one
    team in a match, each has its result.
    """
    outcomes: dict[int, Counter[str]] = {}
    for one in results:
        outcomes.setdefault(one.season_id, Counter())[one.outcome] += 1
    return {
        season: (counts.total(), counts["win"], counts["draw"])
        for season, counts in outcomes.items()
    }


def seasons_of(played: Collection[int], arenas: Collection[int]) -> list[Season]:
    """Return these seasons and the latest of each of these arenas, the latest first."""
    opened = Season.objects.filter(arena__in=arenas, opened_at__isnull=False)
    latest = opened.order_by("arena_id", "-starts_at", "-pk").distinct("arena_id").values("pk")
    seasons = Season.objects.filter(Q(pk__in=played) | Q(pk__in=latest), arena__is_draft=False)
    return list(seasons.select_related("arena").order_by("-starts_at", "-pk"))


def matches_of(team: Team) -> list[Match]:
    """Return a team's latest matches as lists show them."""
    played = Side.objects.filter(roster__team=team).values_list("match", "match__played_at")
    games = played.filter(match__in=Match.objects.games()).order_by("-match__played_at", "-match")
    latest = [match for match, _at in games.distinct()[:MATCHES_SHOWN]]
    lines = lines_of(latest)
    return [lines[match] for match in latest if match in lines]


def rosters_of(team: Team) -> QuerySet[Any]:
    """Return a team's rosters with the names of their arenas and members."""
    members = Prefetch("members", Player.objects.order_by("sort_name").only("name"))
    rosters = team.rosters.filter(arena__is_draft=False).select_related("arena")
    named = rosters.only("name", "captain", "team", "arena__name", "arena__slug")
    return named.order_by("arena__sort_name", "sort_name").prefetch_related(members)


def board(season: Season) -> list[BoardRow]:
    """Return a season's teams, best first. Equal ratings share a rank."""
    needed = season.season_rules().ranked.placement_matches
    rows = TeamRating.objects.filter(season=season).select_related("team")
    ordered = sorted(rows, key=lambda row: (row.games < needed, -row.rating, row.team.sort_name))
    found: list[BoardRow] = []
    for place, row in enumerate(ordered, start=1):
        before = found[-1] if found else None
        rank = before.rank if before and before.rating.rating == row.rating else place
        found.append(BoardRow(rank if row.games >= needed else None, row.team, row))
    return found


def open_links(team: Team, now: datetime) -> QuerySet[Any]:
    """Return a team's invitations that can still be accepted."""
    return team.invitations.open(now).select_related("player").order_by("-id")
