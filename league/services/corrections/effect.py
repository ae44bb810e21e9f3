"""The effect of a correction: the season rated again from the match on, compared with now.

The replay starts right before the corrected match. The rating events hold the players' states at
that point, except for what some rating systems keep in memory. With such a system, the replay
starts at the latest checkpoint before the match (``league.services.rating.checkpoints``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from django.db import connection

from league.models import Rating, RatingEvent
from league.services.rating import checkpoints
from league.services.rating.tail import (
    Placings,
    Tail,
    by_appearance,
    codes_among,
    first_rows,
    last_rows,
    read_tail,
    rows_of_matches,
    same_bits,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from league.models import Season
    from league.services.rating.checkpoints import Checkpoint
    from ratings.replay import Progress, Replay
    from ratings.system import RatingSystem
    from ratings.types import Booleans, Integers, States

POPULATION = "SELECT count(*) FROM league_rating WHERE season_id = %s"


@dataclass(frozen=True)
class Change:
    """The change to a rated match: new placings, or void (``None``)."""

    match: int
    rated_order: int
    placings: Placings | None = None
    weight: float | None = None
    """The new weight, if it changes."""
    mode: str = ""
    """The new game mode, if it changes."""


@dataclass(frozen=True)
class Effect:
    """A season's rated history from a match on, before and after a change."""

    was: Tail
    now: Tail
    """Without the match if it is voided, or else with its new result."""
    replayed: Replay
    """The replay of ``now``."""
    rewritten: Booleans
    """``(N,)`` which participations of ``now`` get new events."""
    players: Integers
    """``(n,)`` ids of all players in ``was``."""
    before: States
    """``(n,)`` their current states, without memory."""
    after: States
    """``(n,)`` their states after the change."""
    gone: Booleans
    """``(n,)`` which newcomers lose their only match, and with it their rating."""
    reached: Booleans
    """``(n,)`` which players have a match that gets new events or is voided."""
    notes: list[Checkpoint]
    """Checkpoints of memories, if the system has any."""

    @property
    def moved(self) -> Booleans:
        """``(n,)`` whose state changes, not counting memory."""
        return ~same_bits(self.before, self.after)


def compute_effect(
    season: Season,
    change: Change,
    *,
    noted_after: Sequence[int] = (),
    progress: Progress | None = None,
) -> Effect:
    """Compute the effect of a change on the season, without writing anything.

    ``noted_after`` are the values of ``rated_order`` at which to take checkpoints of memories.

    Raises:
        UnsupportedMatch: the season's system cannot rate the new result.
    """
    remembers = checkpoints.has_memory(season)
    noted = checkpoints.latest(season, change.rated_order) if remembers else None
    was = read_tail(season, change.rated_order - 1 if noted is None else noted)
    if change.placings is None:
        now = was.only(was["match"] != change.match)
    else:
        now = was.with_result(change.match, change.placings, change.weight, change.mode)
    codes, players = by_appearance(was["player"])
    start = was.before().take(first_rows(codes, len(players)))
    if noted is not None:
        start = checkpoints.with_memory(start, checkpoints.memories(season, noted, players))
    system = season.system()
    new = start.games == 0
    new[codes_among(taken_over(season, players[new]), players)] = False
    if system.ignores_all_tied or season.matches.unplayed().exists():
        since = int(was["rated_order"][0])
        new[codes_among(moved_before(season, since, players[new]), players)] = False
    if system.ranks_population:
        start = with_newcomers_in_order(season, system, players, new, start, now)

    history = now.history()
    playing = codes_among(np.array(history.players, dtype=np.int64), players)
    cuts = cuts_after(now, noted_after)
    replayed, notes = checkpoints.replay_with_checkpoints(
        system, history, start.take(playing), cuts, progress
    )
    after = start.copy()
    after.put(playing, replayed.states)

    if remembers:
        in_match = set(was["player"][was["match"] == change.match].tolist())
        touched = reached_matches(now, in_match, change.rated_order + 1)
    else:
        touched = differing_matches(now, replayed)
    rewritten = rows_of_matches(now, touched) | (now["match"] == change.match)
    reached = np.zeros(len(players), dtype=np.bool_)
    reached[codes_among(now["player"][rewritten], players)] = True
    reached[codes[was["match"] == change.match]] = True
    still_playing = np.zeros(len(players), dtype=np.bool_)
    still_playing[playing] = True
    return Effect(
        was=was,
        now=now,
        replayed=replayed,
        rewritten=rewritten,
        players=players,
        before=was.after().take(last_rows(codes, len(players))),
        after=after,
        gone=~still_playing & new,
        reached=reached,
        notes=notes,
    )


def taken_over(season: Season, players: Integers) -> Integers:
    """Return which of ``players`` entered the season with a rating from the one before."""
    taken = Rating.objects.filter(season=season, opening__isnull=False, player__in=players.tolist())
    return np.array(taken.values_list("player", flat=True), dtype=np.int64)


def moved_before(season: Season, since: int, players: Integers) -> Integers:
    """Return which of ``players`` have an earlier rating event, even one that counts as no game."""
    earlier = RatingEvent.objects.filter(season=season, match__rated_order__lt=since)
    moved = earlier.filter(player__in=players.tolist()).values_list("player", flat=True).distinct()
    return np.array(moved, dtype=np.int64)


def with_newcomers_in_order(
    season: Season,
    system: RatingSystem,
    players: Integers,
    new: Booleans,
    start: States,
    now: Tail,
) -> States:
    """Return the states with ``new`` players joining in the order of their first match."""
    with connection.cursor() as cursor:
        cursor.execute(POPULATION, [season.pk])
        population = cursor.fetchone()[0] - int(np.count_nonzero(new))
    _codes, appearing = by_appearance(now["player"])
    rows = codes_among(appearing, players)
    rows = rows[new[rows]]
    start = start.copy()
    start.put(rows, system.newcomers(len(rows), population))
    return start


def differing_matches(now: Tail, replayed: Replay) -> Booleans:
    """Return ``(M,)`` which matches a player enters with a different state."""
    differs = ~same_bits(now.before(), replayed.before)
    starts = np.flatnonzero(now.begins("rated_order"))
    return np.logical_or.reduceat(differs, starts) if len(starts) else differs


def reached_matches(now: Tail, changed: set[int], since: int) -> Booleans:
    """Return ``(M,)`` which matches from ``since`` on a change can affect, from player to player.

    ``changed`` are the players whom it changes. A memory can differ before it shows in a rating. So
    with a system that has memory, everyone who met an affected player counts as affected.
    """
    reached = set(changed)
    starts = np.flatnonzero(now.begins("rated_order"))
    later = np.flatnonzero(now["rated_order"][starts] >= since)
    bounds = np.append(starts, len(now)).tolist()
    players = now["player"].tolist()
    touched = np.zeros(len(starts), dtype=np.bool_)
    for match in later.tolist():
        playing = players[bounds[match] : bounds[match + 1]]
        if not reached.isdisjoint(playing):
            reached.update(playing)
            touched[match] = True
    return touched


def cuts_after(now: Tail, orders: Sequence[int]) -> list[int]:
    """Return the indices of the last matches up to places in the order of rating."""
    rated = now["rated_order"][now.begins("rated_order")]
    cuts = [int(np.searchsorted(rated, order, side="right")) - 1 for order in orders]
    return [cut for cut in cuts if cut >= 0]
