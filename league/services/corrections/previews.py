"""Previews of corrections: which players move, and how far."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from django.db import connection

from league.models import Match, Player
from league.models.explained import translate
from league.services.core.errors import Refused
from league.services.corrections.changes import first_order, players_of, returning_matches
from league.services.corrections.effect import Effect, compute_effect, states_before
from league.services.corrections.point_changes import PointChanges, point_changes
from league.services.corrections.rules import change_of, check_may_correct, digest
from ratings.system import UnsupportedMatch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from league.models import Season, User
    from league.services.corrections.changes import Change
    from ratings.types import Booleans, Floats, Integers, States

MOST_SHOWN = 20

ABOVE = """
    SELECT width_bucket(rating, %s::float8[]), count(*)
    FROM league_rating WHERE season_id = %s AND games > 0 GROUP BY 1
"""


@dataclass(frozen=True)
class Movement:
    """A player's rating and rank before and after, ``None`` without a result."""

    player: Player
    rating_before: float | None
    rating_after: float | None
    rank_before: int | None
    """By rating only, among all rated players."""
    rank_after: int | None

    @property
    def change(self) -> float | None:
        if self.rating_after is None or self.rating_before is None:
            return None
        return self.rating_after - self.rating_before


@dataclass(frozen=True)
class Preview:
    """What a correction would change."""

    matches: int
    """Later matches, which would be rated again."""
    participations: int
    events: int
    """Rating events that would be replaced or void."""
    players: int
    """Players whose rating would change."""
    largest_change: float
    """The largest change of a rating, in the unit of the season's system."""
    movements: list[Movement]
    """The players in the match, then those who move most, at most ``MOST_SHOWN``."""
    points: PointChanges | None
    """Changes of ladder points, ``None`` if the season does not count them."""
    digest: str
    """A fingerprint of the history behind this preview. Pass it to ``ask`` with ``horizon``."""
    horizon: int
    corrected: int = 1
    """Matches that would be void, count again or have another result."""


def preview(
    match: Match,
    *,
    by: User,
    placings: Sequence[tuple[int, float | None]] | None = None,
    mode: str = "",
) -> Preview:
    """Return the effect of voiding a rated match, or of giving it the result ``placings``.

    ``placings`` are a place and a score for each side, in order. ``mode`` is the game mode of that
    result, by default the one that the match has.

    Raises:
        Forbidden: ``by`` may not correct this result.
        Conflict: the match is not rated.
        Refused: the result does not fit the match.
    """
    check_may_correct(match, by, voids=placings is None)
    return preview_of(match.season, [change_of(match, placings, mode)])


def preview_of(season: Season, changes: Sequence[Change]) -> Preview:
    """Return the effect of changes to a season's matches."""
    effect = effect_of(season, changes)
    return Preview(
        matches=later_matches(effect, changes),
        participations=len(effect.was),
        events=events_replaced(effect),
        players=int(np.count_nonzero(effect.moved | effect.gone)),
        largest_change=largest_change(effect),
        movements=movements(season, effect, changes),
        points=point_changes(season, effect, changes),
        digest=digest_of(season, effect, changes, effect.was.horizon),
        horizon=effect.was.horizon,
        corrected=len(changes),
    )


def effect_of(season: Season, changes: Sequence[Change]) -> Effect:
    """Compute the effect of changes. Raises ``Refused`` if a result cannot be rated."""
    try:
        return compute_effect(season, changes)
    except UnsupportedMatch as error:
        raise Refused("unsupported", translate(error.sentence), field="placings") from error


def digest_of(season: Season, effect: Effect, changes: Sequence[Change], horizon: int) -> str:
    """Return the fingerprint of a preview."""
    returning = players_of(effect.now, returning_matches(changes))
    if not len(returning):
        return digest(effect.was, changes, horizon)
    states, _unrated = states_before(season, effect.was, returning, first_order(changes))
    return digest(effect.was, changes, horizon, states)


def later_matches(effect: Effect, changes: Sequence[Change]) -> int:
    """Return how many matches were rated after the first corrected one, without corrected ones."""
    matches = [change.match for change in changes]
    later = effect.was["rated_order"] > first_order(changes)
    return effect.was.only(later & ~np.isin(effect.was["match"], matches)).matches


def events_replaced(effect: Effect) -> int:
    """Return how many rating events are replaced or void."""
    kept = np.isin(effect.was["event"], effect.now["event"])
    again = np.isin(effect.now["event"][effect.rewritten], effect.was["event"])
    return int(np.count_nonzero(again) + np.count_nonzero(~kept))


def largest_change(effect: Effect) -> float:
    """Return the largest absolute change among players who keep a rating."""
    kept = ~(effect.gone | effect.entered)
    changes = np.abs(effect.after.rating - effect.before.rating)[kept]
    return float(changes.max(initial=0.0))


def movements(season: Season, effect: Effect, changes: Sequence[Change]) -> list[Movement]:
    """Return the most interesting moved players with their ranks."""
    moves = effect.moved | effect.gone
    matches = [change.match for change in changes]
    in_match = np.zeros(len(effect.players), dtype=np.bool_)
    for tail in (effect.was, effect.now):
        in_match |= np.isin(effect.players, tail["player"][np.isin(tail["match"], matches)])
    size = np.abs(effect.after.rating - effect.before.rating)
    order = np.lexsort((effect.players, -size, ~in_match))
    listed = order[moves[order]][:MOST_SHOWN]
    before, after = effect.before.take(listed), effect.after.take(listed)
    gone, entered = effect.gone[listed], effect.entered[listed]
    ranks_before, ranks_after = ranks(season, effect, moves, before.rating, after.rating)
    players = Player.ever.in_bulk(effect.players[listed].tolist())
    return [
        Movement(
            player=players[int(effect.players[row])],
            rating_before=None if entered[at] else float(before.rating[at]),
            rating_after=None if gone[at] else float(after.rating[at]),
            rank_before=None if entered[at] else int(ranks_before[at]),
            rank_after=None if gone[at] else int(ranks_after[at]),
        )
        for at, row in enumerate(listed.tolist())
    ]


def ranks(
    season: Season, effect: Effect, moves: Booleans, before: Floats, after: Floats
) -> tuple[Integers, Integers]:
    """Return the ranks of these ratings among all, before and after the change."""
    if season.lowest_first:  # ratings are ranks, also of those who have not played yet
        return before.astype(np.int64), after.astype(np.int64)
    better = [np.nextafter(rating, np.inf) for rating in (before, after)]
    limits = np.unique(np.concatenate(better))
    above = count_from(season, limits)
    was = effect.before.rating[moves & rated(effect.before)]
    will_be = effect.after.rating[moves & rated(effect.after)]
    moved = np.array([np.count_nonzero(will_be >= x) - np.count_nonzero(was >= x) for x in limits])
    at_before, at_after = (np.searchsorted(limits, rating) for rating in better)
    return 1 + above[at_before], 1 + (above + moved)[at_after]


def rated(states: States) -> Booleans:
    return np.asarray(states.games > 0)


def count_from(season: Season, limits: Floats) -> Integers:
    """Count the season's ratings at or above each of the ascending limits."""
    above = np.zeros(len(limits) + 1, dtype=np.int64)
    if not len(limits):
        return above[1:]
    with connection.cursor() as cursor:
        cursor.execute(ABOVE, [limits.tolist(), season.pk])
        for bucket, count in cursor.fetchall():
            above[bucket] = count
    total: Integers = np.cumsum(above[::-1])[::-1]
    return total[1:]
