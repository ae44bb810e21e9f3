"""The states in which players enter a replay."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from league.models import Rating, RatingEvent
from league.services.core.id_lists import any_of
from league.services.rating import checkpoints, versions
from league.services.rating.rate import states_of
from league.services.rating.tail import by_appearance, codes_among, first_rows, last_rows
from league.services.seasons.starting_ratings import starting_states
from ratings.replay import without_memory
from ratings.types import States

if TYPE_CHECKING:
    from collections.abc import Sequence

    from league.models import Season
    from league.services.rating.tail import Tail
    from league.services.rating.versions import Stretch
    from league.services.replay.history import Edited
    from ratings.types import Booleans, Integers


@dataclass(frozen=True)
class Entry:
    """The states in which ``n`` players enter a replay."""

    states: States
    """``(n,)``."""
    new: Booleans
    """``(n,)`` which players join with their first match in it."""
    unrated: Booleans
    """``(n,)`` which players have no rating in the season."""


Start = tuple[States, "Booleans"]
"""``(n,)`` the states in which players start a season, and which of them are newcomers."""


def season_start(season: Season, players: list[int]) -> Start:
    """Return how players start a season, in their order."""
    return starting_states(season, players), versions.newcomers_among(season, players)


def unrated_among(season: Season, players: Integers) -> Booleans:
    """Return ``(n,)`` which players have no rating in the season."""
    rated = Rating.objects.filter(season=season, player__in=any_of(players.tolist()))
    found: Booleans = ~np.isin(players, list(rated.values_list("player", flat=True)))
    return found


def entry_at(
    season: Season, edited: Edited, players: Integers, noted: int | None, rules: Sequence[Stretch]
) -> Entry:
    """Return how players enter the replay of a history that begins while a season runs.

    The rating events hold their states at that point, except for what some rating systems keep in
    memory: then the history begins after the checkpoint ``noted``.
    """
    was, since = edited.was, edited.since
    states, unrated = states_before(season, was, players)
    if noted is not None:
        memories = checkpoints.memories(season, noted, players)
        states = checkpoints.with_memory(states, memories)
    new = states.games == 0
    new[codes_among(taken_over(season, players[new]), players)] = False
    ignoring = any(each.system.ignores_all_tied for each in rules)
    if ignoring or season.matches.unplayed().exists():
        first = min(since, int(was["rated_order"][0])) if len(was) else since
        new[codes_among(moved_before(season, first, players[new]), players)] = False
    system = season.system()
    if system.ranks_population:
        # Newcomers join below everybody who was there, in the order of their first match.
        population = season.ratings.count() - int(np.count_nonzero(new & ~unrated))
        _codes, appearing = by_appearance(edited.now["player"])
        rows = codes_among(appearing, players)
        rows = rows[new[rows]]
        states = states.copy()
        states.put(rows, system.newcomers(len(rows), population))
    return Entry(states, new, unrated)


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
    at, tail = rows_among(tail, players)
    there = np.unique(at)
    states.put(there, tail.before().take(first_rows(at, len(players))[there]))


def put_last(states: States, players: Integers, tail: Tail) -> None:
    """Write the states that players had after their last match in a history."""
    at, tail = rows_among(tail, players)
    there = np.unique(at)
    states.put(there, tail.after().take(last_rows(at, len(players))[there]))


def rows_among(tail: Tail, players: Integers) -> tuple[Integers, Tail]:
    """Return the participations of these players, and the index of each one's player."""
    at = codes_among(tail["player"], players)
    return at[at >= 0], tail.only(at >= 0)


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
