"""Replay a season's results under some rules, predicting every match. Nothing is written."""

from __future__ import annotations

import time
from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from league.models import Rating
from league.models.explained import translate
from league.services.core.errors import Refused
from league.services.points import awarding
from league.services.rating import versions
from league.services.seasons.starting_ratings import starting_states
from league.services.standings import connections, divisions
from league.services.standings.ranking import RatingInputs, compute_standings, ranking_rules
from league.services.standings.rebuilding import ROW
from ratings.lab.evaluation import Predictions, predicted_steps
from ratings.replay import without_memory
from ratings.seasons.decay import decay_times_after_games
from ratings.system import UnsupportedMatch
from ratings.types import States

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from league.models import Season
    from league.services.rating.tail import Tail
    from league.services.rating.versions import Stretch
    from league.services.seasons.changing import Rules
    from ratings.history import History
    from ratings.types import Booleans, Integers


@dataclass(frozen=True)
class Played:
    """A season's history as rated under some rules."""

    tail: Tail
    history: History
    players: Integers
    """``(n,)`` ids of the history's players, by code."""
    states: States
    """``(n,)`` their states after the last match."""
    before: States
    """``(N,)`` states before each match, without memory."""
    ignored: Booleans
    """``(N,)`` whether the match was none to the system."""
    predictions: Predictions
    seconds: float
    """The processor time that it took."""

    @property
    def counted(self) -> Booleans:
        """``(N,)`` whether the match counts as a game of the participant."""
        return np.asarray((self.tail["played"] == 1) & ~self.ignored)


def play(
    season: Season,
    rules: Sequence[Stretch],
    tail: Tail,
    *,
    from_start: bool,
    progress: Callable[[int], object],
) -> Played:
    """Rate a season's history under these rules, predicting every match before it is rated.

    ``from_start`` keeps the ratings with which players started the season; otherwise everybody is
    a newcomer, as in a season with another rating system.

    Raises:
        Refused: the rating system cannot rate a match of the season.
    """
    # Of the processor, so that systems can be compared whatever else the machine does.
    began = time.process_time()
    history = tail.history()
    players = np.array(history.players, dtype=np.int64)
    if from_start:
        states = starting_states(season, players.tolist())
        new = versions.newcomers_among(season, players.tolist())
    else:
        states = rules[0].system.newcomers(len(players))
        new = np.ones(len(players), dtype=np.bool_)
    before = States.full(len(history.player))
    ignored = np.zeros(len(history.player), dtype=np.bool_)
    predictions = Predictions.blank(history, states)
    try:
        for stretch, start, stop in versions.spans(rules, tail.orders):
            part = history.part(start, stop)
            states, new = versions.joining(stretch.system, part, states, new)
            states = states.copy()
            into = predictions.part(history, start, stop)
            within = slice(history.match_offsets[start], history.match_offsets[stop])
            earlier, none = States.full(len(part.player)), ignored[within]
            for step in predicted_steps(stretch.system, part, states, into, progress=progress):
                earlier.put(step.rows, without_memory(step.before).ravel())
                if step.outcome.ignored is not None:
                    none[step.rows] = np.repeat(step.outcome.ignored, step.before.rating.shape[-1])
            before.put(within, earlier)
    except UnsupportedMatch as error:
        raise Refused("unsupported", translate(error.sentence)) from error
    seconds = time.process_time() - began
    return Played(tail, history, players, states, before, ignored, predictions, seconds)


@dataclass(frozen=True)
class Side:
    """A season as it is, or as it would be."""

    season: Season
    played: Played
    leaderboard: Leaderboard
    points: Points | None


@dataclass(frozen=True)
class Points:
    """Ladder points of ``n`` players."""

    total: Integers
    matches: Integers


def with_rules(season: Season, rules: Rules) -> Season:
    """Return an unsaved copy of a season that has had these rules from its first match on."""
    # Shallow, as values below are replaced as a whole and the season's own stay as they are.
    proposed = copy(season)
    proposed.rating_system = rules.system
    proposed.rating_parameters = dict(rules.parameters)
    proposed.rules = dict(rules.season)
    proposed.rules_version = 1
    if rules.system != season.rating_system:
        # The fixed ratings of anchors are on the scale of the system that they were set for.
        proposed.anchors = []
    return proposed


def proposed_side(
    season: Season, proposed: Season, tail: Tail, now: datetime, more: Callable[[int], object]
) -> Side:
    """Return the season as it would be under the rules of ``proposed``.

    With another rating system everybody begins as a newcomer, and what nobody played is left out:
    steps of decay and costs of ignored challenges belong to the system they were made for.
    """
    same_system = proposed.rating_system == season.rating_system
    if not same_system:
        tail = tail.only(tail["played"] == 1)
    was, new = season.season_rules(), proposed.season_rules()
    connect = (was.ranked, was.fair_play) != (new.ranked, new.fair_play)
    return side_of(proposed, tail, now, more, from_start=same_system, connect=connect)


def side_of(
    season: Season,
    tail: Tail,
    now: datetime,
    more: Callable[[int], object],
    *,
    from_start: bool = True,
    connect: bool = False,
) -> Side:
    """Return a season as its rules would make it of its results."""
    rules = versions.stretches(season)
    played = play(season, rules, tail, from_start=from_start, progress=more)
    leaderboard = leaderboard_of(season, played, now, connect=connect)
    return Side(season, played, leaderboard, points_of(season, rules, played))


def points_of(season: Season, rules: Sequence[Stretch], played: Played) -> Points | None:
    """Return the ladder points of a replayed season, ``None`` if it counts none."""
    if not rules[-1].rules.points.ladder.counts:
        return None
    bounds, tail = played.history.match_offsets, played.tail
    count = len(played.players)
    total, matches = np.zeros(count), np.zeros(count, dtype=np.int64)
    for one, start, stop in versions.spans(rules, tail.orders):
        rows = slice(bounds[start], bounds[stop])
        part = played.history.part(start, stop)
        given = awarding.earned_under(
            one, season, part, played.before.take(rows), tail["forecast"][rows]
        )
        players = part.player[given.counts]
        total += np.bincount(players, given.points[given.counts], minlength=count)
        matches += np.bincount(players, minlength=count)
    return Points(total.astype(np.int64), matches)


@dataclass(frozen=True)
class Leaderboard:
    """The leaderboard that would be. Arrays ``(n,)`` are by the players of a replay."""

    ranks: Integers
    """From 1 for the best; 0 for players without a rank."""
    divisions: Integers
    """From 0 for the lowest; -1 for none."""
    names: list[str]
    """The names of the divisions, lowest first."""

    @property
    def ranked(self) -> int:
        return int(np.count_nonzero(self.ranks))

    def division(self, row: int) -> str:
        """Return the name of a player's division, empty for none."""
        return self.names[self.divisions[row]] if self.divisions[row] >= 0 else ""


def leaderboard_of(season: Season, played: Played, now: datetime, *, connect: bool) -> Leaderboard:
    """Return the leaderboard under the rules of ``season``, which need not be the stored ones.

    ``connect`` computes anew who has enough different opponents. Otherwise it is as stored.
    """
    ranking = ranking_rules(season)
    held = Rating.objects.filter(season=season)
    returning, connected = (
        np.isin(played.players, np.fromiter(rows.values_list("player", flat=True), np.int64))
        for rows in (held.filter(played_before__isnull=False), held.filter(connected=True))
    )
    decaying = np.zeros(len(played.players))
    if ranking.decay:
        games = played.counted
        match = np.repeat(np.arange(len(played.history)), np.diff(played.history.match_offsets))
        decaying = decay_times_after_games(
            ranking.decay,
            played.history.player[games],
            played.history.times[match[games]],
            len(played.players),
        )
    standings = compute_standings(
        ranking,
        RatingInputs(
            rating=played.states.rating,
            games=played.states.games,
            last_played=played.states.last_played,
            decaying=decaying,
            returning=returning,
            connected=connected_under(season, played.players) if connect else connected,
        ),
        now,
    )
    rows = np.zeros(len(played.players), ROW)
    rows["player_id"], rows["key"] = played.players, standings.key
    rows["active"] = standings.active
    order = np.lexsort((played.players, standings.key))
    order = order[standings.placed[order]]
    division = np.full(len(played.players), -1)
    division[order] = divisions.rebuilt(season, rows[order])[0]
    names = [one.name for one in season.season_rules().divisions.divisions]
    return Leaderboard(ranks_of(standings.key, standings.active), division, names)


def ranks_of(keys: np.ndarray[tuple[int], np.dtype[np.float64]], active: Booleans) -> Integers:
    """Return ``(n,)`` ranks from 1 by the lowest key, 0 for the inactive. Equal keys share one."""
    ranks = 1 + np.searchsorted(np.sort(keys[active]), keys, side="left")
    return np.where(active, ranks, 0)


def connected_under(season: Season, players: Integers) -> Booleans:
    """Return ``(n,)`` whether each player has enough opponents under the rules of ``season``."""
    if not connections.opponents_needed(season):
        return np.ones(len(players), dtype=np.bool_)
    found = connections.compute(season)
    return np.isin(players, found.players[found.connected])
