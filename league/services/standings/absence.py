"""Preview what inactivity will do to a season: rating lost to decay, players no longer ranked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from league.models import Player
from league.services.core.clock import microseconds
from league.services.standings import ranking
from league.services.standings.ranking import compute_standings
from league.services.standings.reading import read_due

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Season

LOOKED_AT = 20_000
"""The most players a preview reads."""
SHOWN = 10
"""The most players a preview lists."""


@dataclass(frozen=True)
class Loss:
    """The loss of one player by inactivity."""

    player: Player
    rating: float
    becomes: float


@dataclass(frozen=True)
class Absence:
    """The changes by a moment if nobody plays."""

    losing: int
    """Players whose rating decays."""
    leaving: int
    """Players who will no longer be ranked."""
    most: list[Loss]
    """The players who lose most."""
    complete: bool
    """Whether every affected player was read."""


def preview(season: Season, until: datetime) -> Absence:
    """Return what inactivity does by then, without writing anything. Two queries."""
    found = read_due(season.pk, microseconds(until), LOOKED_AT + 1)
    if not len(found.players):
        return Absence(0, 0, [], complete=True)
    stored = found.stored_standings()
    then = compute_standings(ranking.ranking_rules(season), found.ratings(), until)
    lost = np.where(stored.active, then.key - stored.key, 0.0)
    most = [at for at in np.argsort(-lost, kind="stable")[:SHOWN].tolist() if lost[at] > 0]
    players = Player.ever.in_bulk(found.players[most].tolist())
    return Absence(
        losing=int(np.count_nonzero(lost > 0)),
        leaving=int(np.count_nonzero(stored.active & ~then.active)),
        most=[Loss(players[int(found.players[at])], -stored.key[at], -then.key[at]) for at in most],
        complete=len(found.players) <= LOOKED_AT,
    )
