"""The ladder points in a preview."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from league.models import Player, PointTotal
from league.services.points import awarding
from league.services.points.entries import entries

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from league.models import Season
    from league.services.replay.diff import Diff
    from ratings.types import Integers

MOST_SHOWN = 20


@dataclass(frozen=True)
class PointChange:
    """A player's ladder points before and after, ``None`` without a match that gave any."""

    player: Player
    before: int | None
    after: int | None


@dataclass(frozen=True)
class PointChanges:
    """The players whose ladder points an edit changes."""

    players: int
    """Their number, including players with no points from their only match."""
    shown: list[PointChange]
    """Those in the match in its order, or of several matches those who gain or lose most, at most
    ``MOST_SHOWN``."""

    @property
    def others(self) -> int:
        """Return how many are not in ``shown``."""
        return self.players - len(self.shown)


def point_changes(diff: Diff) -> PointChanges | None:
    """Return the changes of ladder points, or ``None`` if the season does not count them."""
    season = diff.season
    if not season.season_rules().points.ladder.counts:
        return None
    rows = np.flatnonzero(diff.now["rated_order"] >= diff.since)
    now = diff.now.only(rows)
    before = diff.replayed.before.take(rows)
    given = awarding.earned_in(season, now.history(), before, now["forecast"], now.orders)
    stored = entries(season, diff.since - 1, diff.edit.matches)
    lost, taken = stored["player"], now["player"][given.counts]
    players, codes = np.unique(np.concatenate([lost, taken]), return_inverse=True)
    points = sums_by_code(codes, np.concatenate([-stored["points"], given.points[given.counts]]))
    counted = sums_by_code(codes, np.repeat([-1, 1], [len(lost), len(taken)]))
    was, of_now = diff.changed
    playing = np.concatenate([diff.was["player"][was], diff.now["player"][of_now]])
    of_match = np.flatnonzero(np.isin(players, playing) & ((points != 0) | (counted != 0)))
    more = {
        player: (int(points[row]), int(counted[row]))
        for player, row in zip(players[of_match].tolist(), of_match.tolist(), strict=True)
    }
    sequence = list(dict.fromkeys(playing.tolist()))
    differing = [one for one in changes(season, sequence, more) if one.before != one.after]
    if len(diff.edit.changes) > 1:
        differing.sort(key=lambda one: -abs((one.after or 0) - (one.before or 0)))
    from_nothing = sum(more[one.player.pk][0] == 0 for one in differing)
    return PointChanges(int(np.count_nonzero(points)) + from_nothing, differing[:MOST_SHOWN])


def sums_by_code(codes: Integers, amounts: Integers) -> Integers:
    """Return the sums ``(n,)`` of the amounts ``(N,)`` for each code from 0."""
    return np.bincount(codes, weights=amounts).astype(np.int64)


def changes(
    season: Season, players: Sequence[int], more: Mapping[int, tuple[int, int]]
) -> list[PointChange]:
    """Return the changed totals in the order of ``players``.

    ``more`` has the added points and matches of players whose total changes.
    """
    totals = PointTotal.objects.filter(season=season, player__in=list(more))
    known = {total.player_id: (total.points, total.matches) for total in totals}
    people = Player.objects.in_bulk(list(more))
    listed = []
    for player in players:
        if player in people:
            points, matches = more[player]
            before, played = known.get(player, (None, 0))
            after = (before or 0) + points if played + matches else None
            listed.append(PointChange(people[player], before, after))
    return listed
