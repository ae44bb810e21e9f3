"""How well the matches of seasons were predicted, and which largest gain would have done better."""

from __future__ import annotations

import logging
import math
from typing import TYPE_CHECKING

from django.db import connection, transaction

from league.models import Season, SeasonAccuracy
from league.outages import outage_behind
from league.services.rating.tail import read_tail
from league.services.seasons.calibration import calibrated
from league.services.seasons.starting_ratings import starting_states
from ratings.lab.gains import gains_around, losses_by_gain
from ratings.systems.fermi.system import Fermi

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

logger = logging.getLogger(__name__)

TRY_TURN = "SELECT pg_try_advisory_xact_lock(hashtextextended('gains of a season', %s))"
UNHURRIED = """
    SELECT set_config(name, '0', true) FROM pg_settings
    WHERE name IN ('idle_in_transaction_session_timeout', 'transaction_timeout')
"""
"""Lets the transaction rest while the season is replayed, however long it takes: a server that
ended it would do so in every try. Older versions of PostgreSQL have only the first limit."""

# Seasons with results or corrections since they were last measured.
CHANGED = """
    SELECT s.id, state.seen
    FROM league_season AS s
    CROSS JOIN LATERAL (
        SELECT concat(
            (SELECT max(m.rated_order) FROM league_match AS m WHERE m.season_id = s.id), ' ',
            (SELECT max(c.id) FROM league_correction AS c WHERE c.season_id = s.id)
        ) AS seen
    ) AS state
    LEFT JOIN league_seasonaccuracy AS a ON a.season_id = s.id
    WHERE s.opened_at IS NOT NULL AND state.seen <> coalesce(a.seen, ' ')
    ORDER BY s.id
"""

MEASURE = """
    WITH sides AS (
        SELECT m.id, s.place = 0 AS first, count(*) OVER w AS sides,
            greatest(m.forecast[s.index + 1], 1e-12) AS chance,
            count(*) FILTER (WHERE s.place = 0) OVER w AS winners,
            m.forecast[s.index + 1] = max(m.forecast[s.index + 1]) OVER w AS favourite
        FROM league_match AS m JOIN league_side AS s ON s.match_id = m.id
        WHERE m.season_id = %s AND m.status = 'rated' AND m.kind = 'game'
            AND m.forecast IS NOT NULL
        WINDOW w AS (PARTITION BY m.id)
    ), matches AS (
        SELECT sides, winners, -sum(ln(chance) / winners) FILTER (WHERE first) AS loss,
            count(*) FILTER (WHERE favourite AND first)::float8
                / count(*) FILTER (WHERE favourite) AS won
        FROM sides GROUP BY id, sides, winners
    )
    SELECT count(*), coalesce(sum(loss), 0), coalesce(sum(ln(sides::float8)), 0),
        count(*) FILTER (WHERE winners = 1),
        coalesce(sum(won) FILTER (WHERE winners = 1), 0),
        coalesce(sum(1 / sides::float8) FILTER (WHERE winners = 1), 0)
    FROM matches
"""
MEASURED = ("matches", "loss", "even_loss", "decided", "favourites", "even_favourites")


def measure_due(now: datetime) -> int:
    """Measure the forecasts of seasons that have changed. Return how many. Safe to run twice."""
    with connection.cursor() as cursor:
        cursor.execute(CHANGED)
        changed = cursor.fetchall()
    for season, seen in changed:
        measure(season, seen, now)
    return len(changed)


def measure(season_id: int, seen: str, now: datetime) -> None:
    """Measure the forecasts of a season, in the state ``seen`` or a later one."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(MEASURE, [season_id])
        values = dict(zip(MEASURED, cursor.fetchone(), strict=True))
        values["calibration"] = calibrated(Season.objects.get(pk=season_id))
        SeasonAccuracy.objects.update_or_create(
            season_id=season_id, defaults={**values, "seen": seen, "measured_at": now}
        )


def accuracies(seasons: Iterable[Season]) -> list[SeasonAccuracy]:
    """Return how well these seasons were predicted, newest first, if anything was."""
    found = SeasonAccuracy.objects.filter(season__in=list(seasons), matches__gt=0)
    return list(found.select_related("season__arena").order_by("-season__starts_at"))


def has_gain(season: Season) -> bool:
    """Return whether the season's rating system has a largest gain."""
    return isinstance(season.system(), Fermi)


def ask_for_gains(season: Season, now: datetime) -> None:
    """Ask for the losses with other largest gains. :func:`compute_gains` computes them."""
    SeasonAccuracy.objects.update_or_create(season=season, defaults={"asked_at": now})


def waiting() -> list[int]:
    """Return the seasons whose losses staff have asked for, longest waiting first."""
    asked = SeasonAccuracy.objects.filter(asked_at__isnull=False).order_by("asked_at")
    return list(asked.values_list("season", flat=True))


def compute_gains(season_id: int, now: datetime) -> bool:
    """Replay a season with other largest gains and keep their losses, if staff have asked.

    Return whether this call did so: while it runs, other workers leave the season alone. If it
    fails, the error is logged and there are no losses, unless the site is out of order: then the
    season stays asked for. Safe to run twice. The season is read as it is then, without a lock.
    """
    with transaction.atomic():
        if not is_alone(season_id):
            return False
        with connection.cursor() as cursor:
            cursor.execute(UNHURRIED)
        row = SeasonAccuracy.objects.select_related("season__arena").filter(pk=season_id).first()
        if row is None or row.asked_at is None:
            return False
        asked = SeasonAccuracy.objects.filter(pk=season_id, asked_at=row.asked_at)
        try:
            with transaction.atomic():
                gains = losses(row.season) if has_gain(row.season) else None
        except Exception as error:
            if outage_behind(error):
                raise  # it waits until the site works again
            logger.exception("Season %d could not be rated with other largest gains.", season_id)
            gains = None
        SeasonAccuracy.objects.filter(pk=season_id).update(gains=gains, gains_at=now)
        asked.update(asked_at=None)  # unless staff have asked again meanwhile
    return True


def is_alone(season_id: int) -> bool:
    """Try to lock the gains of a season until the transaction ends; return whether it worked."""
    with connection.cursor() as cursor:
        cursor.execute(TRY_TURN, [season_id])
        return bool(cursor.fetchone()[0])


def losses(season: Season) -> list[list[float]]:
    """Return pairs of a largest gain and the loss with it, empty if nothing was played."""
    tail = read_tail(season, -1)
    history = tail.history()
    players = [int(name) for name in history.players]
    system = season.system()
    gains = gains_around(float(vars(system.parameters)["max_gain"]))
    found = losses_by_gain(
        season.rating_system,
        season.rating_parameters,
        history,
        starting_states(season, players),
        gains,
        system.anchors,
    )
    pairs = zip(gains, found, strict=True)
    return [[gain, loss] for gain, loss in pairs if math.isfinite(loss)]
