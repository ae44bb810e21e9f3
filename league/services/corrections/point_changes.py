"""Preview of a correction's effect on ladder points."""

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
    """A player's ladder points before and after, ``None`` without a match left that gave any."""

    player: Player
    before: int
    after: int | None


@dataclass(frozen=True)
class PointChanges:
    """The players whose ladder points a correction changes."""

    players: int
    """Their number, including players without a match left that gave points."""
    shown: list[PointChange]
    """Those in the match, in its order, at most ``MOST_SHOWN``."""

    @property
    def others(self) -> int:
        """Return how many are not in ``shown``."""
        return self.players - len(self.shown)


def point_changes(season: Season, effect: Effect, change: Change) -> PointChanges | None:
    """Return the changes of ladder points, or ``None`` if the season does not count them."""
    if not season.season_rules().points.ladder.counts:
        return None
    rows = np.flatnonzero(effect.now["rated_order"] >= change.rated_order)
    now = effect.now.only(rows)
    before = effect.replayed.before.take(rows)
    given = awarding.earned_in(season, now.history(), before, now["forecast"])
    stored = entries(season, change.rated_order - 1, change.match)
    lost, taken = stored["player"], now["player"][given.counts]
    players, codes = np.unique(np.concatenate([lost, taken]), return_inverse=True)
    points = sums_by_code(codes, np.concatenate([-stored["points"], given.points[given.counts]]))
    matches = sums_by_code(codes, np.repeat([-1, 1], [len(lost), len(taken)]))
    playing = effect.was["player"][effect.was["match"] == change.match]
    of_match = np.flatnonzero(np.isin(players, playing) & ((points != 0) | (matches != 0)))
    more = {
        player: (int(points[row]), int(matches[row]))
        for player, row in zip(players[of_match].tolist(), of_match.tolist(), strict=True)
    }
    shown = [one for one in changes(season, playing.tolist(), more) if one.before != one.after]
    emptied = sum(one.before == 0 and one.after is None for one in shown)
    return PointChanges(int(np.count_nonzero(points)) + emptied, shown[:MOST_SHOWN])


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
    totals_by_player = {total.player_id: total for total in totals.select_related("player")}
    return [
        PointChange(
            player=totals_by_player[player].player,
            before=totals_by_player[player].points,
            after=totals_by_player[player].points + points
            if totals_by_player[player].matches + matches
            else None,
        )
        for player in players
        if player in totals_by_player
        for points, matches in [more[player]]
    ]
