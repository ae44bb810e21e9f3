"""What a correction does: the season's end rated again, and how that differs from what is there.

A replay begins right before the match in question. All of the players' states then is in the rating
events; only what a system keeps in memory is not, so with such a system it begins at the newest
note of memories (``league.services.rating.checkpoints``) instead.
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
    from league.services.rating.checkpoints import Note
    from ratings.replay import Progress, Replay
    from ratings.system import RatingSystem
    from ratings.types import Booleans, Integers, States

POPULATION = "SELECT count(*) FROM league_rating WHERE season_id = %s"


@dataclass(frozen=True)
class Change:
    """What staff want of a rated match: other placings, or that it is void (``None``)."""

    match: int
    rated_order: int
    placings: Placings | None = None


@dataclass(frozen=True)
class Effect:
    """A season's end as it is and as it will be."""

    was: Tail
    now: Tail
    """Without the match if it becomes void, else with its other result."""
    replayed: Replay
    """Of ``now``."""
    rewritten: Booleans
    """``(N,)`` the participations of ``now`` whose events are written anew."""
    players: Integers
    """``(n,)`` ids of all who play in ``was``."""
    before: States
    """``(n,)`` as they stand, without memory."""
    after: States
    """``(n,)`` as they will stand."""
    gone: Booleans
    """``(n,)`` newcomers whose only match becomes void: they have no rating any more."""
    reached: Booleans
    """``(n,)`` in a match that is rewritten or becomes void."""
    notes: list[Note]
    """Memories on the way, if the system has any."""

    @property
    def moved(self) -> Booleans:
        """``(n,)`` whose state differs, memory aside."""
        return ~same_bits(self.before, self.after)


def work_out(
    season: Season,
    change: Change,
    *,
    noted_after: Sequence[int] = (),
    progress: Progress | None = None,
) -> Effect:
    """The effect of a change on the season as it stands; nothing is written.

    ``noted_after`` are the places in the order of rating at which to note memories on the way.

    Raises:
        UnsupportedMatch: the season's system cannot rate the new result.
    """
    remembers = checkpoints.remembers(season)
    noted = checkpoints.newest(season, change.rated_order) if remembers else None
    was = read_tail(season, change.rated_order - 1 if noted is None else noted)
    if change.placings is None:
        now = was.only(was["match"] != change.match)
    else:
        now = was.with_result(change.match, change.placings)
    codes, players = by_appearance(was["player"])
    start = was.before().take(first_rows(codes, len(players)))
    if noted is not None:
        start = checkpoints.with_memory(start, checkpoints.memories(season, noted, players))
    system = season.system()
    new = start.games == 0
    new[codes_among(taken_over(season, players[new]), players)] = False
    if season.matches.unplayed().exists():
        since = int(was["rated_order"][0])
        new[codes_among(moved_before(season, since, players[new]), players)] = False
    if system.ranks_population:
        start = with_newcomers_in_order(season, system, players, new, start, now)

    history = now.history()
    playing = codes_among(np.array(history.players, dtype=np.int64), players)
    orders = now["rated_order"][now.begins("rated_order")]
    cuts = [int(np.searchsorted(orders, order, side="right")) - 1 for order in noted_after]
    replayed, notes = checkpoints.replay_noting(
        system, history, start.take(playing), [cut for cut in cuts if cut >= 0], progress
    )
    after = start.copy()
    after.put(playing, replayed.states)

    touched = reached_matches(was, now, change) if remembers else differing_matches(now, replayed)
    rewritten = rows_of_matches(now, touched) | (now["match"] == change.match)
    reached = np.zeros(len(players), dtype=np.bool_)
    reached[codes_among(now["player"][rewritten], players)] = True
    reached[codes[was["match"] == change.match]] = True
    there = np.zeros(len(players), dtype=np.bool_)
    there[playing] = True
    return Effect(
        was=was,
        now=now,
        replayed=replayed,
        rewritten=rewritten,
        players=players,
        before=was.after().take(last_rows(codes, len(players))),
        after=after,
        gone=~there & new,
        reached=reached,
        notes=notes,
    )


def taken_over(season: Season, players: Integers) -> Integers:
    """Which of ``players`` came into the season with a rating from the one before."""
    taken = Rating.objects.filter(season=season, opening__isnull=False, player__in=players.tolist())
    return np.array(taken.values_list("player", flat=True), dtype=np.int64)


def moved_before(season: Season, since: int, players: Integers) -> Integers:
    """Which of ``players`` an earlier entry moved, though it may have been nobody's game."""
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
    """The states with ``new`` players as they join in the order of their first match of ``now``."""
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
    """``(M,)`` the matches that anyone enters with another state than they did."""
    differs = ~same_bits(now.before(), replayed.before)
    starts = np.flatnonzero(now.begins("rated_order"))
    return np.logical_or.reduceat(differs, starts) if len(starts) else differs


def reached_matches(was: Tail, now: Tail, change: Change) -> Booleans:
    """``(M,)`` the matches that the change can reach, from player to player.

    A memory may differ without showing in a rating yet, so with a system that remembers, all who
    met someone who met someone in the match count as reached.
    """
    reached = set(was["player"][was["match"] == change.match].tolist())
    starts = np.flatnonzero(now.begins("rated_order"))
    later = np.flatnonzero(now["rated_order"][starts] > change.rated_order)
    bounds = np.append(starts, len(now)).tolist()
    players = now["player"].tolist()
    touched = np.zeros(len(starts), dtype=np.bool_)
    for match in later.tolist():
        playing = players[bounds[match] : bounds[match + 1]]
        if not reached.isdisjoint(playing):
            reached.update(playing)
            touched[match] = True
    return touched
