"""The effect of a correction: the season rated again from a match on, compared with now.

The replay starts right before the first corrected match. The rating events hold the players' states
at that point, except for what some rating systems keep in memory. With such a system, the replay
starts at the latest checkpoint before the match (``league.services.rating.checkpoints``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from django.db import connection

from league.models import Rating, RatingEvent
from league.services.core.id_lists import any_of
from league.services.corrections.changes import (
    first_order,
    players_of,
    returning_matches,
    with_changes,
)
from league.services.rating import checkpoints, versions
from league.services.rating.rate import states_of
from league.services.rating.tail import (
    by_appearance,
    codes_among,
    first_rows,
    last_rows,
    read_tail,
    rows_of_matches,
    same_bits,
)
from ratings.replay import without_memory

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from league.models import Season
    from league.services.corrections.changes import Change
    from league.services.rating.checkpoints import Checkpoint
    from league.services.rating.tail import Tail
    from ratings.replay import Progress, Replay
    from ratings.system import RatingSystem
    from ratings.types import Booleans, Integers, States

POPULATION = "SELECT count(*) FROM league_rating WHERE season_id = %s"


@dataclass(frozen=True)
class Effect:
    """A season's rated history from a match on, before and after changes."""

    was: Tail
    now: Tail
    """Without void matches, with those that return, and with new results."""
    replayed: Replay
    """The replay of ``now``."""
    rewritten: Booleans
    """``(N,)`` which participations of ``now`` get new events."""
    players: Integers
    """``(n,)`` ids of all players in ``was`` or ``now``."""
    before: States
    """``(n,)`` their current states, without memory."""
    after: States
    """``(n,)`` their states after the changes."""
    gone: Booleans
    """``(n,)`` which newcomers lose their only matches, and with them their rating."""
    entered: Booleans
    """``(n,)`` which players without a rating get one."""
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
    changes: Sequence[Change],
    *,
    noted_after: Sequence[int] = (),
    progress: Progress | None = None,
) -> Effect:
    """Compute the effect of changes on the season, without writing anything.

    ``noted_after`` are the values of ``rated_order`` at which to take checkpoints of memories.

    Raises:
        UnsupportedMatch: the season's system cannot rate the new results.
    """
    order = first_order(changes)
    remembers = checkpoints.has_memory(season)
    noted = checkpoints.latest(season, order) if remembers else None
    was = read_tail(season, order - 1 if noted is None else noted)
    now = with_changes(season, was, changes)
    returning = players_of(now, returning_matches(changes))
    codes, players = by_appearance(np.concatenate([was["player"], returning]))
    codes = codes[: len(was)]
    start, unrated = states_before(season, was, players)
    if noted is not None:
        start = checkpoints.with_memory(start, checkpoints.memories(season, noted, players))
    system = season.system()
    new = start.games == 0
    new[codes_among(taken_over(season, players[new]), players)] = False
    rules = versions.stretches(season)
    ignoring = any(each.system.ignores_all_tied for each in rules)
    if ignoring or season.matches.unplayed().exists():
        since = min(order, int(was["rated_order"][0])) if len(was) else order
        new[codes_among(moved_before(season, since, players[new]), players)] = False
    if system.ranks_population:
        start = with_newcomers_in_order(season, system, players, new, unrated, start, now)

    history = now.history()
    playing = codes_among(np.array(history.players, dtype=np.int64), players)
    cuts = cuts_after(now, noted_after)
    replayed, notes = versions.replay_season(
        rules,
        now.orders,
        history,
        start.take(playing),
        new[playing],
        cuts,
        progress,
    )
    after = start.copy()
    after.put(playing, replayed.states)

    changed = [change.match for change in changes]
    if remembers:
        touched = reached_matches(now, players_by_order(was, now, changed))
    else:
        touched = differing_matches(now, replayed)
    rewritten = rows_of_matches(now, touched) | np.isin(now["match"], changed)
    reached = np.zeros(len(players), dtype=np.bool_)
    reached[codes_among(now["player"][rewritten], players)] = True
    reached[codes[np.isin(was["match"], changed)]] = True
    still_playing = np.zeros(len(players), dtype=np.bool_)
    still_playing[playing] = True
    before, there = start.copy(), np.unique(codes)
    before.put(there, was.after().take(last_rows(codes, len(players))[there]))
    return Effect(
        was=was,
        now=now,
        replayed=replayed,
        rewritten=rewritten,
        players=players,
        before=without_memory(before),
        after=after,
        gone=~still_playing & new & ~unrated,
        entered=still_playing & unrated,
        reached=reached,
        notes=notes,
    )


def states_before(
    season: Season, was: Tail, players: Integers, order: int = 0
) -> tuple[States, Booleans]:
    """Return the states ``(n,)`` of players before a place in the order of rating, without memory,
    and which of them have no rating in the season. By default that is before the history ``was``.

    Players without a match in ``was`` have the state of their rating, or that of newcomers.
    """
    states = without_memory(season.system().newcomers(len(players)))
    unrated = np.zeros(len(players), dtype=np.bool_)
    others = np.setdiff1d(players, was["player"])
    if len(others):
        rows = Rating.objects.filter(season=season, player__in=others.tolist()).values_list(
            "player", "rating", "deviation", "volatility", "games", "last_played_at", "memory"
        )
        unrated[codes_among(others, players)] = True
        if rows:
            ids, held = states_of(rows)
            at = codes_among(np.array(ids, dtype=np.int64), players)
            states.put(at, without_memory(held))
            unrated[at] = False
    since = was["rated_order"] >= order
    put_last(states, players, was.only(~since))
    put_first(states, players, was.only(since))
    return states, unrated


def put_first(states: States, players: Integers, tail: Tail) -> None:
    """Write the states that players had before their first match in a history."""
    at = codes_among(tail["player"], players)
    there = np.unique(at)
    states.put(there, tail.before().take(first_rows(at, len(players))[there]))


def put_last(states: States, players: Integers, tail: Tail) -> None:
    """Write the states that players had after their last match in a history."""
    at = codes_among(tail["player"], players)
    there = np.unique(at)
    states.put(there, tail.after().take(last_rows(at, len(players))[there]))


def taken_over(season: Season, players: Integers) -> Integers:
    """Return which of ``players`` entered the season with a rating from the one before."""
    taken = Rating.objects.filter(
        season=season, opening__isnull=False, player__in=any_of(players.tolist())
    )
    return np.array(taken.values_list("player", flat=True), dtype=np.int64)


def moved_before(season: Season, since: int, players: Integers) -> Integers:
    """Return which of ``players`` have an earlier rating event, even one that counts as no game."""
    earlier = RatingEvent.objects.filter(season=season, match__rated_order__lt=since)
    theirs = earlier.filter(player__in=any_of(players.tolist()))
    moved = theirs.values_list("player", flat=True).distinct()
    return np.array(moved, dtype=np.int64)


def with_newcomers_in_order(
    season: Season,
    system: RatingSystem,
    players: Integers,
    new: Booleans,
    unrated: Booleans,
    start: States,
    now: Tail,
) -> States:
    """Return the states with ``new`` players joining in the order of their first match.

    The season does not have ratings of ``unrated`` players yet.
    """
    with connection.cursor() as cursor:
        cursor.execute(POPULATION, [season.pk])
        population = cursor.fetchone()[0] - int(np.count_nonzero(new & ~unrated))
    _codes, appearing = by_appearance(now["player"])
    rows = codes_among(appearing, players)
    rows = rows[new[rows]]
    start = start.copy()
    start.put(rows, system.newcomers(len(rows), population))
    return start


def differing_matches(now: Tail, replayed: Replay) -> Booleans:
    """Return ``(M,)`` which matches a player enters with a different state."""
    return matches_of(now, ~same_bits(now.before(), replayed.before))


def matches_of(tail: Tail, rows: Booleans) -> Booleans:
    """Return ``(M,)``, true for the matches with one of these participations ``(N,)``."""
    starts = np.flatnonzero(tail.begins("rated_order"))
    return np.logical_or.reduceat(rows, starts) if len(starts) else rows


def players_by_order(was: Tail, now: Tail, changed: Sequence[int]) -> dict[int, set[int]]:
    """Return the players of the changed matches, by their place in the order of rating."""
    found: dict[int, set[int]] = {}
    for tail in (was, now):
        rows = np.isin(tail["match"], changed)
        for order, player in zip(
            tail["rated_order"][rows].tolist(), tail["player"][rows].tolist(), strict=True
        ):
            found.setdefault(order, set()).add(player)
    return found


def reached_matches(now: Tail, changed: Mapping[int, set[int]]) -> Booleans:
    """Return ``(M,)`` which matches changes can affect, from player to player.

    ``changed`` are players whom a place in the order of rating changes: their later matches can
    differ. A memory can differ before it shows in a rating. So with a system that has memory,
    everyone who met an affected player counts as affected.
    """
    reached: set[int] = set()
    waiting = sorted(changed, reverse=True)
    starts = np.flatnonzero(now.begins("rated_order"))
    orders = now["rated_order"][starts].tolist()
    bounds = np.append(starts, len(now)).tolist()
    players = now["player"].tolist()
    touched = np.zeros(len(starts), dtype=np.bool_)
    for match, order in enumerate(orders):
        while waiting and waiting[-1] < order:
            reached |= changed[waiting.pop()]
        playing = players[bounds[match] : bounds[match + 1]]
        if not reached.isdisjoint(playing):
            reached.update(playing)
            touched[match] = True
    return touched


def cuts_after(now: Tail, orders: Sequence[int]) -> list[int]:
    """Return the indices of the last matches up to places in the order of rating."""
    rated = now.orders
    cuts = [int(np.searchsorted(rated, order, side="right")) - 1 for order in orders]
    return [cut for cut in cuts if cut >= 0]
