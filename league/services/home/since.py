"""News of a player since their last visit, and opponents for them to play."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from league.services.core.columns import binary_cursor, to_array_literal
from league.services.home.visits import note_visit, overtaken_by
from league.services.results.forecasts.suggestions import is_suggested_in, kept_suggestions
from league.services.results.records.lines import read_matches
from league.services.standings.leaderboards import player_rows
from league.services.standings.outlook import decay_start

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from league.models import Player, Season
    from league.services.home.visits import Overtaking
    from league.services.results.forecasts.candidates import Suggestion
    from league.services.standings.leaderboard_rows import LeaderboardRow

    Rows = Mapping[int, LeaderboardRow]
    from collections.abc import Mapping
    from datetime import datetime

    from league.models import Match

SOON = timedelta(days=7)
"""The time before its start from which decay is announced."""
LEAST_OF_FOLLOWED = timedelta(days=1)
"""Results of those whom a player follows are shown at least for so long."""
SHOWN = 3
FOLLOWED_SHOWN = 4
OF_EACH = 3
READ_OF_EACH = 20
"""Of how many of the latest rated ones, so that a long history costs nothing."""
LATE = timedelta(days=7)
"""The longest wait of a result for its confirmation."""

NEW = """
    status = 'rated' AND kind = 'game' AND settled_at > %(since)s AND played_at > %(late)s
"""
# Rating events of a season are in the order of rating by player, and sides by roster.
FOLLOWED = f"""
    SELECT found.id, found.season_id, array_agg(DISTINCT found.name)
    FROM (
        SELECT m.id, m.season_id, m.played_at, p.name FROM league_follow AS f
        JOIN league_player AS p ON p.id = f.followed_id AND NOT p.hides_history
        CROSS JOIN unnest(%(seasons)s::bigint[]) AS season(id)
        CROSS JOIN LATERAL (
            SELECT m.id, m.season_id, m.played_at FROM (
                SELECT match_id FROM league_ratingevent
                WHERE season_id = season.id AND player_id = p.id AND superseded_by_id IS NULL
                ORDER BY games DESC LIMIT %(read)s
            ) AS e
            JOIN league_match AS m ON m.id = e.match_id
            WHERE {NEW} ORDER BY m.played_at DESC, m.id DESC LIMIT %(each)s
        ) AS m
        WHERE f.player_id = %(player)s
        UNION
        SELECT m.id, m.season_id, m.played_at, t.name FROM league_follow AS f
        JOIN league_team AS t ON t.id = f.team_id
        JOIN league_roster AS r ON r.team_id = t.id
        CROSS JOIN LATERAL (
            SELECT m.id, m.season_id, m.played_at FROM (
                SELECT match_id FROM league_side WHERE roster_id = r.id
                ORDER BY match_id DESC LIMIT %(read)s
            ) AS s
            JOIN league_match AS m ON m.id = s.match_id
            WHERE {NEW} AND m.season_id = ANY(%(seasons)s::bigint[])
            ORDER BY m.played_at DESC, m.id DESC LIMIT %(each)s
        ) AS m
        WHERE f.player_id = %(player)s
    ) AS found
    GROUP BY found.id, found.season_id, found.played_at
    ORDER BY found.played_at DESC, found.id DESC LIMIT %(shown)s
"""  # noqa: S608 - literals of this file


class Overtaken(NamedTuple):
    """Somebody who was behind a player and is ahead now."""

    season: Season
    player_id: int
    name: str
    beat: Suggestion | None
    """The suggested opponent against whom a win takes the player past them again."""


class Decaying(NamedTuple):
    """A season in which a player's rating decays, now or soon."""

    season: Season
    starts_in: timedelta | None
    """``None`` if it does already."""


@dataclass(frozen=True)
class Since:
    """News of a player, and their possible next matches."""

    before: datetime | None
    """The end of their last visit, ``None`` during their first."""
    overtaken: Sequence[Overtaken]
    decaying: Sequence[Decaying]
    followed: Sequence[Followed]
    has_played: bool
    season: Season | None
    """The season of the suggestions."""
    suggested: Sequence[Suggestion]


def since_last_visit(player: Player, seasons: Sequence[Season], *, now: datetime) -> Since:
    """Return what is new for a player in the running seasons. At most ten queries, but
    for suggestions that are not kept."""
    running = {season.pk: season for season in seasons}
    visit = note_visit(player, running, now)
    rows = player_rows(player, seasons, now=now)
    season, suggested = suggested_in(player, seasons_to_suggest_in(running, rows), rows, now)
    overtaken = overtaken_by(player, visit, running)
    recently = now - LEAST_OF_FOLLOWED
    return Since(
        before=visit.before,
        overtaken=[returning(running, one, season, suggested) for one in overtaken[:SHOWN]],
        decaying=decaying(running, rows, now),
        followed=results_of_followed(
            player, running, since=min(visit.before or recently, recently)
        ),
        has_played=bool(rows),
        season=season,
        suggested=suggested,
    )


def seasons_to_suggest_in(running: Mapping[int, Season], rows: Rows) -> list[Season]:
    """Return the season in which the player played last, of those where they are ranked, and if
    that one is for rosters, the one of duels: the player may have left their roster.

    Ranked players have others around them to suggest.
    """
    played = [
        (row.rank is not None, row.last_played_at, pk)
        for pk, row in rows.items()
        if row.last_played_at and is_suggested_in(running[pk].arena)
    ]
    latest = [running[pk] for _ranked, _at, pk in sorted(played, reverse=True)]
    duels = [season for season in latest if season.arena.team_size_max == 1]
    return latest[:1] if latest[:1] == duels[:1] else [*latest[:1], *duels[:1]]


def suggested_in(
    player: Player, seasons: Sequence[Season], rows: Rows, now: datetime
) -> tuple[Season | None, list[Suggestion]]:
    """Return the first of these seasons with suggestions, and those."""
    for season in seasons:
        if found := kept_suggestions(season, player, rows[season.pk], now=now):
            return season, found
    return None, []


def returning(
    running: Mapping[int, Season],
    one: Overtaking,
    season: Season | None,
    suggested: Sequence[Suggestion],
) -> Overtaken:
    """Return who overtook a player, and the suggested opponent to beat to return, if any."""
    beat = None
    if season and season.pk == one.season_id:
        sign = 1 if season.lowest_first else -1
        enough = (s for s in suggested if sign * s.stakes.win.rating_after < one.key)
        beat = next(enough, None)
    return Overtaken(running[one.season_id], one.player_id, one.name, beat)


def decaying(running: Mapping[int, Season], rows: Rows, now: datetime) -> list[Decaying]:
    """Return the seasons in which a ranked player's rating decays, or will within a week."""
    found = []
    for pk, row in rows.items():
        season = running[pk]
        ranked = row.rank is not None and row.last_played_at is not None
        if not ranked or season.lowest_first or not season.season_rules().decays:
            continue
        starts = decay_start(season, row.last_played_at or now)
        in_time = season.ends_at is None or starts < season.ends_at
        if starts < now + SOON and in_time:
            found.append(Decaying(season, starts - now if starts > now else None))
    return found


class Followed(NamedTuple):
    """A result of those whom a player follows."""

    names: Sequence[str]
    """Of the followed who played in it."""
    match: Match


def results_of_followed(
    player: Player, seasons: Mapping[int, Season], *, since: datetime
) -> list[Followed]:
    """Return the results since a time of those whom a player follows, latest first.

    Not those of old matches, which were imported since. One query, and one more if there are any.
    """
    asked: dict[str, Any] = {
        "player": player.pk,
        "seasons": to_array_literal(seasons),
        "each": OF_EACH,
        "read": READ_OF_EACH,
        "since": since,
        "late": since - LATE,
        "shown": FOLLOWED_SHOWN,
    }
    with binary_cursor() as cursor:
        cursor.execute(FOLLOWED, asked)
        found = cursor.fetchall()
    if not found:
        return []
    matches = read_matches(player, {match: seasons[season] for match, season, _names in found})
    return [
        Followed(names, match)
        for (_match, _season, names), match in zip(found, matches, strict=True)
    ]
