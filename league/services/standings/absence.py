"""What time alone is about to do to a season: points that absence takes, players who drop out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from league.models import Player
from league.services.core.clock import microseconds
from league.services.standings import rules as ruling
from league.services.standings.reading import of_due
from league.services.standings.rules import places

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Season

LOOKED_AT = 20_000
SHOWN = 10


@dataclass(frozen=True)
class Loss:
    """What absence takes from one player."""

    player: Player
    rating: float
    becomes: float


@dataclass(frozen=True)
class Absence:
    """What happens until a moment if nobody plays. Nothing is written."""

    losing: int
    """Players whose effective rating falls."""
    leaving: int
    """Players who are not ranked any more."""
    most: list[Loss]
    """Who loses most."""
    complete: bool
    """Whether all were looked at; of very many only the first."""


def preview(season: Season, until: datetime) -> Absence:
    """What absence does until then. Two queries."""
    found = of_due(season.pk, microseconds(until), LOOKED_AT + 1)
    if not len(found.who):
        return Absence(0, 0, [], complete=True)
    who, held, played = found.who, found.held(), found.played()
    then = places(ruling.rules_of(season), played, until)
    lost = np.where(held.active, then.key - held.key, 0.0)
    players = Player.objects.in_bulk(who.tolist())
    most = [at for at in np.argsort(-lost, kind="stable")[:SHOWN].tolist() if lost[at] > 0]
    return Absence(
        losing=int(np.count_nonzero(lost > 0)),
        leaving=int(np.count_nonzero(held.active & ~then.active)),
        most=[Loss(players[int(who[at])], -held.key[at], -then.key[at]) for at in most],
        complete=len(who) <= LOOKED_AT,
    )
