"""Check stored ratings and events against a replay of the season's results, bit for bit."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np
from django.db import connection, transaction

from league.models import DayOne, Player, Rating, Season
from league.services.core.clock import moment
from league.services.core.stored_matches import PARTICIPATION, Participation, match_from
from league.services.rating import versions
from league.services.rating.rate import states_of
from league.services.rating.records import COUNTED
from league.services.seasons import day_one
from league.services.seasons.given_ratings import given_to
from league.services.seasons.starting_ratings import starting_states
from ratings.history import History, Match
from ratings.replay import replay
from ratings.types import NEVER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from ratings.replay import Replay
    from ratings.types import States

SEASON = f"""
    SELECT {PARTICIPATION}
    FROM league_match AS m
    JOIN league_side AS s ON s.match_id = m.id
    JOIN league_participant AS p ON p.side_id = s.id
    WHERE m.season_id = %s AND m.status = 'rated'
    ORDER BY m.rated_order, s.index, p.position
"""  # noqa: S608 - columns of ours

EVENT = (
    "match",
    "player",
    "rating_before",
    "rating_after",
    "deviation_before",
    "deviation_after",
    "volatility_before",
    "volatility_after",
    "games",
    "last_played_before",
    "ignored",
)

WRONG = f"""
    SELECT p.name, (r.wins, r.draws, r.ignored, r.outcome, r.streak)::text,
        (coalesce(c.wins, 0), coalesce(c.draws, 0), coalesce(c.ignored, 0), c.outcome,
            coalesce(c.streak, 0))::text
    FROM league_rating AS r
    JOIN league_player AS p ON p.id = r.player_id
    LEFT JOIN ({COUNTED}) AS c ON c.player_id = r.player_id
    WHERE r.season_id = %(season)s
        AND (r.wins, r.draws, r.ignored, r.outcome, r.streak) IS DISTINCT FROM
        (coalesce(c.wins, 0), coalesce(c.draws, 0), coalesce(c.ignored, 0), c.outcome,
            coalesce(c.streak, 0))
    ORDER BY r.player_id
"""  # noqa: S608 - a literal of this file


@dataclass(frozen=True)
class Difference:
    """A stored value that differs from the replay."""

    what: str
    stored: object
    replayed: object

    def __str__(self) -> str:
        return f"{self.what}: {exact(self.stored)} stored, {exact(self.replayed)} replayed"


def exact(value: object) -> str:
    """Return a value as text, floats with all their bits."""
    return value.hex() if isinstance(value, float) else str(value)


def verify(season: Season, progress: Callable[[int], object] = lambda _: None) -> list[Difference]:
    """Replay a season's results and return every rating and event that differs.

    Results of the season wait until this is done, a few seconds for fifty thousand matches.
    """
    with transaction.atomic():
        # Ratings and history are read by several statements, which must see the same matches.
        season = Season.objects.select_for_update().get(pk=season.pk)
        history = season_history(season)
        players = [int(name) for name in history.players]
        rated = replay_history(season, history, players, progress)
        return [
            *compare_drawn(season),
            *compare_given(season),
            *compare_untouched(season, players),
            *compare_ratings(season, players, rated.states),
            *compare_events(season, history, rated),
            *(Difference(f"record of {name}", *values) for name, *values in wrong_records(season)),
        ]


def replay_history(
    season: Season, history: History, players: list[int], progress: Callable[[int], object]
) -> Replay:
    """Return the replay of a season, each match under the rules in force when it was rated."""
    start = starting_states(season, players)
    rules = versions.stretches(season)
    if len(rules) == 1:
        return replay(rules[0].system, history, start, progress=progress)
    orders = np.array(
        season.matches.rated().order_by("rated_order").values_list("rated_order", flat=True)
    )
    new = versions.newcomers_among(season, players)
    rated, _notes = versions.replay_season(rules, orders, history, start, new, (), progress)
    return rated


def season_history(season: Season) -> History:
    """Return a season's rated results in the order in which they were rated."""
    return History.build(stored_matches(season))


def stored_matches(season: Season) -> Iterator[Match]:
    with connection.cursor() as cursor:
        cursor.execute(SEASON, [season.pk])
        rows = [Participation(*row) for row in cursor.fetchall()]
    for _match, participations in groupby(rows, key=attrgetter("match_id")):
        yield match_from(list(participations))


def compare_drawn(season: Season) -> Iterator[Difference]:
    """Check that random starting ratings are those that the season's draw gives."""
    drawn = DayOne.objects.filter(season=season).first()
    if drawn is None or not day_one.draws(season):
        drawn = DayOne(season=season, seed=0, players=[])
    given = given_to(season)
    held = dict(
        Rating.objects.filter(season=season, opening__isnull=False, played_before=None)
        .exclude(player__in=[*season.anchors, *given])
        .values_list("player", "opening")
    )
    for player, rating in day_one.given_by(season, drawn).items():
        if player in given or player in season.anchors:
            continue
        opening = held.pop(player, None)
        what = f"starting rating of player {player}"
        yield from differ(what, math.nan if opening is None else opening[0], rating)
    for player in held:
        yield Difference(f"starting rating of player {player}", "one", "none drawn")


def compare_given(season: Season) -> Iterator[Difference]:
    """Check that players started with the ratings that organisers gave them."""
    given = given_to(season)
    rows = Rating.objects.filter(season=season, player__in=list(given), opening__isnull=False)
    held = dict(rows.values_list("player", "opening"))
    for player, (rating, deviation) in given.items():
        opening = held.get(player) or [math.nan, math.nan]
        yield from differ(f"starting rating of player {player}", opening[0], rating)
        if deviation is not None:
            yield from differ(f"starting deviation of player {player}", opening[1], deviation)


def compare_untouched(season: Season, players: list[int]) -> Iterator[Difference]:
    """Check that players without a result still have the rating the season took over."""
    touched = set(players)
    waiting = Rating.objects.filter(season=season, games=0).select_related("player")
    for row in waiting.iterator():
        if row.player_id in touched:
            continue
        what = f"rating of {row.player}"
        if row.opening is None:
            yield Difference(what, "a row", "no result")
            continue
        stored = [row.rating, row.deviation, row.volatility, *row.memory, row.last_played_at]
        for one, other in zip(stored, [*row.opening, row.played_before], strict=True):
            yield from differ(what, one, other)


def compare_ratings(season: Season, players: list[int], states: States) -> Iterator[Difference]:
    rows = Rating.objects.filter(season=season).values_list(
        "player", "id", "rating", "deviation", "volatility", "games", "last_played_at", "memory"
    )
    stored = {row[0]: row[1:] for row in rows.filter(games__gt=0)}
    moved_only = [player for player in players if player not in stored]
    stored |= {row[0]: row[1:] for row in rows.filter(player__in=moved_only)}
    for stray in stored.keys() - set(players):
        yield Difference(f"rating of player {stray}", "a row", "no result")
    known = [(row, player) for row, player in enumerate(players) if player in stored]
    for _row, player in set(enumerate(players)) - set(known):
        yield Difference(f"rating of player {player}", "no row", "a rating")
    if not known:
        return
    _ids, held = states_of([stored[player] for _row, player in known])
    names = dict(Player.ever.filter(pk__in=players).values_list("pk", "name"))
    for at, (row, player) in enumerate(known):
        for name in ("rating", "deviation", "volatility", "games", "last_played"):
            yield from differ(
                f"{name} of {names[player]}",
                getattr(held, name)[at].item(),
                getattr(states, name)[row].item(),
            )
        yield from differ(
            f"memory of {names[player]}", without_padding(held, at), without_padding(states, row)
        )


def without_padding(states: States, row: int) -> list[float]:
    return [value for value in states.memory[row].tolist() if not math.isnan(value)]


def compare_events(season: Season, history: History, rated: Replay) -> Iterator[Difference]:
    stored = season.events.filter(superseded_by=None).values_list(*EVENT)
    events = {(row[0], row[1]): row[2:] for row in stored.iterator()}
    before, after = rated.before, rated.after
    bounds = history.match_offsets.tolist()
    for match, match_id in enumerate(history.match_ids):
        for row in range(bounds[match], bounds[match + 1]):
            player = int(history.players[history.player[row]])
            event = events.pop((int(match_id), player), None)
            replayed = [
                state.item()
                for name in ("rating", "deviation", "volatility")
                for state in (getattr(before, name)[row], getattr(after, name)[row])
            ]
            replayed += [after.games[row].item(), played_before(before, row)]
            replayed += [rated.ignored[row].item()]
            what = f"event of player {player} in match {match_id}"
            if event is None:
                yield Difference(what, "none", "one")
                continue
            for stored, value in zip(event, replayed, strict=True):
                yield from differ(what, math.nan if stored is None else stored, value)
    for match_id, player in events:
        yield Difference(f"event of player {player} in match {match_id}", "one", "none")


def played_before(before: States, row: int) -> datetime | float:
    """Return when a player had last played before a match, NaN for never."""
    last_played = before.last_played[row].item()
    return math.nan if last_played == NEVER else moment(last_played)


def differ(what: str, stored: Any, replayed: Any) -> Iterator[Difference]:
    """Yield a difference unless both are NaN or equal in every bit, including the sign of 0."""
    same = (
        stored.hex() == replayed.hex()
        if isinstance(stored, float) and isinstance(replayed, float)
        else stored == replayed
    )
    if not same:
        yield Difference(what, stored, replayed)


def wrong_records(season: Season) -> Iterator[tuple[str, str, str]]:
    """Yield the player name, stored and correct record where they differ."""
    with connection.cursor() as cursor:
        cursor.execute(WRONG, {"season": season.pk, "players": None})
        yield from cursor.fetchall()
