"""What a correction would do to ladder points, worked out as they will be, with nothing written."""

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
    from league.services.corrections.effect import Change, Effect
    from ratings.types import Integers

MOST_SHOWN = 20


@dataclass(frozen=True)
class PointChange:
    """A player's ladder points before and after; none of who has no match left that gave any."""

    player: Player
    before: int
    after: int | None


@dataclass(frozen=True)
class PointChanges:
    """Whose ladder points of the season a correction changes."""

    players: int
    """How many they are, with those who have no match left that gave points."""
    shown: list[PointChange]
    """Those of them who play in the match, in its order: ``MOST_SHOWN`` at most."""

    @property
    def others(self) -> int:
        """How many are not shown."""
        return self.players - len(self.shown)


def point_changes(season: Season, effect: Effect, change: Change) -> PointChanges | None:
    """What becomes of a season's points with this effect; none where the season has no points."""
    if not season.season_rules().points.ladder.counts:
        return None
    rows = np.flatnonzero(effect.now["rated_order"] >= change.rated_order)
    now = effect.now.only(rows)
    given = awarding.earned_in(season, now.history(), effect.replayed.before.take(rows))
    stored = entries(season, change.rated_order - 1, change.match)
    lost, taken = stored["player"], now["player"][given.counts]
    players, codes = np.unique(np.concatenate([lost, taken]), return_inverse=True)
    points = added_up(codes, np.concatenate([-stored["points"], given.points[given.counts]]))
    matches = added_up(codes, np.repeat([-1, 1], [len(lost), len(taken)]))
    playing = effect.was["player"][effect.was["match"] == change.match]
    of_match = np.flatnonzero(np.isin(players, playing) & ((points != 0) | (matches != 0)))
    more = {
        player: (int(points[row]), int(matches[row]))
        for player, row in zip(players[of_match].tolist(), of_match.tolist(), strict=True)
    }
    shown = [one for one in changes(season, playing.tolist(), more) if one.before != one.after]
    emptied = sum(one.before == 0 and one.after is None for one in shown)
    return PointChanges(int(np.count_nonzero(points)) + emptied, shown[:MOST_SHOWN])


def added_up(codes: Integers, amounts: Integers) -> Integers:
    """``(n,)`` the sums of the amounts ``(N,)`` of each code from 0 on."""
    return np.bincount(codes, weights=amounts).astype(np.int64)


def changes(
    season: Season, players: Sequence[int], more: Mapping[int, tuple[int, int]]
) -> list[PointChange]:
    """From what to what, in the order of ``players``: ``more`` tells by how many points and
    matches, of those with another total."""
    totals = PointTotal.objects.filter(season=season, player__in=list(more))
    there = {total.player_id: total for total in totals.select_related("player")}
    return [
        PointChange(
            player=there[player].player,
            before=there[player].points,
            after=there[player].points + points if there[player].matches + matches else None,
        )
        for player in players
        if player in there
        for points, matches in [more[player]]
    ]
