"""Settling a result: ratings, ladder points and penalties in one transaction."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from league import measuring
from league.models import Match
from league.services.dishonor import abandons
from league.services.points import awarding
from league.services.rating.forecasts import forecast_of
from league.services.rating.rate import hold, rate
from league.services.results.rules import challenges
from league.services.results.rules.meetings import reads_since, with_weight

if TYPE_CHECKING:
    from datetime import datetime

    from league.services.core.locking import LockedMatch
    from league.services.rating.rate import Settled


def settle(locked: LockedMatch, settled: Settled, now: datetime) -> Match:
    """Rate a locked match, award its points, penalise its leavers and return it.

    It gets a forecast if it has none. Repeated pairings count less. Its players are told, unless it
    only stands for ranks lost.
    """
    began = time.perf_counter()
    held = hold(locked, reads_since(locked, now))
    locked = replace(with_weight(locked, held, now), forecast=forecast_of(locked, held))
    rated = rate(locked, held, settled, now)
    awarding.award(locked, rated.history, rated.before, now)
    abandons.penalise_leavers(locked, rated.match, now)
    if locked.system.ranks_population and rated.match.kind == Match.Kind.GAME:
        challenges.link(locked.season_id, [locked.pk])
    measuring.rating_seconds.observe(time.perf_counter() - began)
    return rated.match
