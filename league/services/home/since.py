"""News of a player since their last visit, and opponents for them to play."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef

from league.models import Match, Rating, RatingEvent, Roster, Side
from league.services.core.id_lists import any_of
from league.services.home.visits import note_visit, overtaken_by
from league.services.results.forecasts.suggestions import is_suggested_in, kept_suggestions
from league.services.results.records.lines import lines_of
from league.services.standings.leaderboards import player_rows
from league.services.standings.outlook import decay_start

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from league.models import Player, Season
    from league.services.home.visits import Overtaking
    from league.services.results.forecasts.candidates import Suggestion
    from league.services.standings.leaderboard_rows import LeaderboardRow

    Rows = Mapping[int, LeaderboardRow]

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
    """Return what is new for a player in the running seasons."""
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


def suggestions_for(
    player: Player, seasons: Sequence[Season], *, now: datetime
) -> tuple[Season | None, list[Suggestion]]:
    """Return the running season in which to suggest opponents to a player, and those."""
    running = {season.pk: season for season in seasons}
    rows = player_rows(player, seasons, now=now)
    return suggested_in(player, seasons_to_suggest_in(running, rows), rows, now)


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

    Not those of old matches, which were imported since.
    """
    latest = latest_of_followed(player, seasons)
    new = (
        Match.objects.rated()
        .games()
        .filter(
            pk__in=any_of({match for _name, matches in latest for match in matches}),
            season__in=seasons,
            settled_at__gt=since,
            played_at__gt=since - LATE,
        )
    )
    order = list(new.order_by("-played_at", "-id").values_list("pk", flat=True))
    names: dict[int, set[str]] = {}
    for name, matches in latest:
        for match in [one for one in order if one in matches][:OF_EACH]:
            names.setdefault(match, set()).add(name)
    shown = [match for match in order if match in names][:FOLLOWED_SHOWN]
    lines = lines_of(shown, player)
    return [Followed(sorted(names[match]), lines[match]) for match in shown]


def latest_of_followed(player: Player, seasons: Iterable[int]) -> list[tuple[str, list[int]]]:
    """Return the names of those whom a player follows, each with the ids of their latest matches.

    A player comes once for each season, a team once for each roster.
    """
    events = RatingEvent.objects.filter(season=OuterRef("season"), player=OuterRef("player"))
    rated = events.order_by("-games").values("match")[:READ_OF_EACH]
    ratings = Rating.objects.filter(season__in=seasons, player__hides_history=False)
    followed = ratings.filter(player__followers__player=player)
    sides = Side.objects.filter(roster=OuterRef("pk")).order_by("-match")
    rosters = Roster.objects.filter(team__followers__player=player)
    return [
        *followed.values_list("player__name", ArraySubquery(rated)),
        *rosters.values_list("team__name", ArraySubquery(sides.values("match")[:READ_OF_EACH])),
    ]
