"""Matches that are being played now, for spectators."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from django.db.models import Count, Exists, OuterRef, Prefetch, Q

from league.models import Match, MatchEvent, Participant, Rating, Side, Status
from league.models.live_score import last_score_of
from league.services.core.numbers import percents
from league.services.core.shown_ratings import with_shown
from league.services.rating.forecasts import COLUMNS, forecasts, newcomer_row

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from league.models import Arena, Team
    from league.services.rating.forecasts import Row
    from ratings.system import Shows

SHOWN = 50
SIDES_SHOWN = 8
"""Of matches of many sides, those with the most points of a game server's events."""


@dataclass(frozen=True)
class Watched:
    """A player of a live match with their rating before it."""

    player_id: int
    name: str
    rating: float
    provisional: bool
    picture: str
    """The digest of their picture, empty without one."""


@dataclass(frozen=True)
class WatchedSide:
    """A side of a live match."""

    index: int
    roster: str
    team: Team | None
    """The one for which its roster plays."""
    captain_id: int
    players: Sequence[Watched]
    chance: float | None
    points: int
    """The gains from its game server's events so far."""
    score: float | None
    """The last live score that somebody entered."""


@dataclass(frozen=True)
class WatchedMatch:
    """A live match, as spectators see it."""

    match_id: int
    arena: Arena
    shows: Shows
    began: datetime
    lasted: timedelta
    """In whole minutes."""
    mode: str
    region: str
    map: str
    sides: Sequence[WatchedSide]
    more: int
    """The number of sides that are not shown."""
    events: int
    """The number of events that a game server has sent."""

    @property
    def shares(self) -> list[str]:
        """Return the chance of each shown side to win in percent, empty if they are not known."""
        known = [side.chance for side in self.sides if side.chance is not None]
        return percents(known) if len(known) == len(self.sides) else []


def live_matches(arena: Arena | None, now: datetime) -> list[WatchedMatch]:
    """Return the matches that are being played, of an arena or of all, the latest first.

    The number of statements does not grow with the number of matches.
    """
    matches = read_live(arena)
    rated, points = ratings_in(matches), points_in(matches)
    seasons = {match.season_id: match.season for match in matches}
    fresh = {pk: newcomer_row(season.system(), season) for pk, season in seasons.items()}
    found = []
    for match in matches:
        season = match.season_id
        held = {
            part.player_id: rated.get((season, part.player_id), fresh[season])
            for _side, parts in line_ups_of(match)
            for part in parts
        }
        found.append(build_watched(match, held, points, now))
    return found


def read_live(arena: Arena | None) -> list[Match]:
    """Return the matches that are being played, with their sides and players who have not quit."""
    seats = Participant.objects.filter(quit=False)
    playing = Match.objects.filter(Exists(seats.filter(match=OuterRef("pk"))), status=Status.LIVE)
    chosen = playing.filter(arena__is_draft=False)
    chosen = chosen.filter(arena=arena) if arena else chosen
    parts = seats.select_related("player__profile").order_by("position", "id")
    sides = Side.objects.select_related("roster__team").order_by("index")
    loaded = (
        chosen.select_related("season__arena__queue", "map_choice")
        .annotate(live_score=last_score_of("match", Q(status=Status.LIVE)))
        .prefetch_related(
            Prefetch("sides", sides.prefetch_related(Prefetch("participants", parts)))
        )
    )
    return list(loaded.order_by("-id")[:SHOWN])


def line_ups_of(match: Match) -> list[tuple[Side, list[Participant]]]:
    """Return the sides of a match that are still played for, with their players."""
    line_ups = [(side, list(side.participants.all())) for side in match.sides.all()]
    return [(side, parts) for side, parts in line_ups if parts]


def ratings_in(matches: Iterable[Match]) -> dict[tuple[int, int], Row]:
    """Return the ratings of players in matches, after decay, by season and player id."""
    players = {
        part.player_id for match in matches for _side, parts in line_ups_of(match) for part in parts
    }
    seasons = {match.season_id for match in matches}
    ratings = with_shown(Rating.objects.filter(season__in=seasons, player__in=players))
    rows = ratings.values_list("season", "player", "shown", *COLUMNS[1:])
    return {(season, player): (0, *row) for season, player, *row in rows}


def points_in(matches: Iterable[Match]) -> dict[tuple[int, int], int]:
    """Return the points of events by match id and index of the side that won them."""
    counted = [match.pk for match in matches if match.event_count]
    events = MatchEvent.objects.filter(match__in=counted, kind=1).order_by()
    rows = events.values_list("match", "winner").annotate(points=Count("number"))
    return {(match, side): points for match, side, points in rows}


def build_watched(
    match: Match, held: Mapping[int, Row], points: Mapping[tuple[int, int], int], now: datetime
) -> WatchedMatch:
    """Return a live match, given the ratings of its players and the points of its sides."""
    season, line_ups = match.season, line_ups_of(match)
    chances = match.forecast or chances_of(match, line_ups, held, now) or ()
    by_side = dict(enumerate(chances))
    last = getattr(match, "live_score", None)
    scores = {0: last["first"], 1: last["second"]} if last else {}
    needed = season.season_rules().ranked.placement_matches
    sides = [
        WatchedSide(
            index=side.index,
            roster=side.roster.name if side.roster else "",
            team=side.roster.team if side.roster else None,
            captain_id=side.captain_id,
            players=[
                Watched(
                    part.player_id,
                    part.player.name,
                    rating=held[part.player_id][1],
                    provisional=held[part.player_id][4] < needed,
                    picture=part.player.picture,
                )
                for part in parts
            ],
            chance=by_side.get(side.index),
            points=points.get((match.pk, side.index), 0),
            score=scores.get(side.index),
        )
        for side, parts in line_ups
    ]
    if len(sides) > 2:
        sides.sort(key=lambda side: (-side.points, side.index))
    map_choice = getattr(match, "map_choice", None)
    return WatchedMatch(
        match_id=match.pk,
        arena=season.arena,
        shows=season.shows_in(season.arena),
        began=match.played_at,
        lasted=timedelta(minutes=max((now - match.played_at) // timedelta(minutes=1), 0)),
        mode=match.mode,
        region=match.region,
        map=map_choice.chosen if map_choice else "",
        sides=sides[:SIDES_SHOWN],
        more=max(len(sides) - SIDES_SHOWN, 0),
        events=match.event_count,
    )


def chances_of(
    match: Match,
    line_ups: Sequence[tuple[Side, Sequence[Participant]]],
    held: Mapping[int, Row],
    now: datetime,
) -> Sequence[float] | None:
    """Return each side's chance to win by the rating system, ``None`` if it predicts none.

    Where the arena predicts by other rules, only its queue's matches have a forecast, which is
    stored.
    """
    season = match.season
    queue = getattr(season.arena, "queue", None) if len(line_ups) == 2 else None
    if len(line_ups) < 2 or (queue and queue.prediction):
        return None
    players = [[part.player_id for part in parts] for _side, parts in line_ups]
    [chances] = forecasts(season, [players], held, now, firsts=[match.first_side], decayed={})
    return chances
