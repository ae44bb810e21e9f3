"""The rules under which the matches of a season were rated.

Rules can change while a season runs. Each result is rated under those in force at that moment, and
whatever rates it again goes by the same: verification, corrections, merges. A match's place in the
order of rating tells its version.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from league.models import Rating
from league.services.rating.checkpoints import Checkpoint, join, replay_with_checkpoints

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from league.models import Season
    from ratings.history import History
    from ratings.replay import Progress, Replay
    from ratings.seasons.rules import SeasonRules
    from ratings.system import RatingSystem
    from ratings.types import Booleans, Integers, States


@dataclass(frozen=True)
class Stretch:
    """A stretch of a season's order of rating, up to the next one, under the same rules."""

    since: int
    """The last ``Match.rated_order`` before it."""
    number: int
    """The version of the rules."""
    system: RatingSystem
    rules: SeasonRules


def stretches(season: Season) -> list[Stretch]:
    """Return the stretches of a season, in order. No statement if its rules never changed."""
    if season.rules_version == 1:
        return [Stretch(0, 1, season.system(), season.season_rules())]
    found: list[Stretch] = []
    for version in season.versions.order_by("number"):
        version.season = season
        found = [one for one in found if one.since < version.since]
        found.append(
            Stretch(version.since, version.number, version.system(), version.season_rules())
        )
    return found


def version_of(season: Season, rated_order: int | None) -> int:
    """Return the number of the rules under which a match was rated; for others those in force."""
    if season.rules_version == 1 or rated_order is None:
        return season.rules_version
    return stretch_of(stretches(season), rated_order).number


def system_of(season: Season, rated_order: int | None) -> RatingSystem:
    """Return the system with which a match was rated; for others the one in force."""
    if season.rules_version == 1 or rated_order is None:
        return season.system()
    return stretch_of(stretches(season), rated_order).system


def rules_of(season: Season, rated_order: int | None) -> SeasonRules:
    """Return the rules under which a match was rated; for others those in force."""
    if season.rules_version == 1 or rated_order is None:
        return season.season_rules()
    return stretch_of(stretches(season), rated_order).rules


def stretch_of(rules: Sequence[Stretch], rated_order: int) -> Stretch:
    """Return the stretch of a place in the order of rating."""
    return [rules[0], *(one for one in rules[1:] if one.since < rated_order)][-1]


def spans(rules: Sequence[Stretch], orders: Integers) -> Iterator[tuple[Stretch, int, int]]:
    """Yield each stretch with its matches, from one index to another.

    ``orders`` ``(M,)`` are the places of a history's matches in the order of rating.
    """
    inner = [int(np.searchsorted(orders, one.since, side="right")) for one in rules[1:]]
    edges = [0, *inner, len(orders)]
    for stretch, start, stop in zip(rules, edges, edges[1:], strict=False):
        if start < stop:
            yield stretch, start, stop


def newcomers_among(season: Season, players: Sequence[int]) -> Booleans:
    """Return ``(n,)`` which players did not start the season with a rating of their own."""
    taken = Rating.objects.filter(season=season, opening__isnull=False, player__in=players)
    return ~np.isin(np.array(players, dtype=np.int64), list(taken.values_list("player", flat=True)))


def replay_season(
    rules: Sequence[Stretch],
    orders: Integers,
    history: History,
    states: States,
    new: Booleans,
    cuts: Sequence[int] = (),
    progress: Progress | None = None,
) -> tuple[Replay, list[Checkpoint]]:
    """Rate a history, each match under its rules, with checkpoints after the matches ``cuts``.

    ``new`` ``(n,)`` players join with their first match, as its rules say.
    """
    if len(rules) == 1:
        return replay_with_checkpoints(rules[0].system, history, states, cuts, progress)
    portions: list[Replay] = []
    notes: list[Checkpoint] = []
    for stretch, start, stop in spans(rules, orders):
        part = history.part(start, stop)
        states, new = joining(stretch.system, part, states, new)
        within = [cut - start for cut in cuts if start <= cut < stop]
        replayed, noted = replay_with_checkpoints(stretch.system, part, states, within, progress)
        states = replayed.states
        portions.append(replayed)
        notes += [replace(one, match=one.match + start) for one in noted]
    if not portions:
        return replay_with_checkpoints(rules[-1].system, history, states, cuts, progress)
    return join(portions, states), notes


def joining(
    system: RatingSystem, part: History, states: States, new: Booleans
) -> tuple[States, Booleans]:
    """Return the states with the ``new`` players of a part of a history as newcomers of
    ``system``, and who has still to join.

    Ranks of newcomers depend on no parameter, so they stay as they are.
    """
    playing = np.unique(part.player)
    rows = playing[new[playing]]
    left = new.copy()
    left[rows] = False
    if system.ranks_population or not len(rows):
        return states, left
    states = states.copy()
    states.put(rows, system.newcomers(len(rows)))
    return states, left
