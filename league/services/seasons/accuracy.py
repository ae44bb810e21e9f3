"""The accuracy of a season's forecasts, also with a correction.

Forecasts and ratings stay as they are. The slope that corrects each match is fitted to the arena's
matches under the same rating system that were rated before it and played on earlier days
(``ratings.lab.calibration``).
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np
from django.db import transaction
from django.db.models import OuterRef, Subquery, TextField, Value
from django.db.models.functions import Coalesce, Concat

from league.models import Correction, Match, Season, SeasonAccuracy
from league.services.core.columns import read_columns
from ratings.lab.calibration import correct
from ratings.lab.details import favourite_hits, losses
from ratings.lab.evaluation import Chances

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from numpy.typing import NDArray

    from ratings.types import Floats, Integers

MOST_MATCHES = 50_000
"""The number of latest matches that are corrected. Earlier ones would hardly change a slope."""

SIDES = """
    SELECT m.rated_order AS match, s.place, coalesce(m.forecast[s.index + 1], 'NaN') AS chance,
        (m.played_at AT TIME ZONE 'UTC')::date - DATE '1970-01-01' AS day
    FROM league_match AS m JOIN league_side AS s ON s.match_id = m.id
    WHERE m.season_id = %s AND m.status = 'rated' AND m.kind = 'game' AND m.forecast IS NOT NULL
    ORDER BY m.rated_order, s.index
"""
KINDS = {"match": "i8", "place": "i8", "chance": "f8", "day": "i8"}
Sides = dict[str, "NDArray[Any]"]
"""The sides of matches with a forecast, as columns, in the order of rating."""


def measure_due(now: datetime) -> int:
    """Measure the forecasts of seasons that have changed. Return how many. Safe to run twice."""
    changed = find_changed()
    for season in changed:
        with transaction.atomic():
            values = {**measure(season), "seen": season.seen, "measured_at": now}
            SeasonAccuracy.objects.update_or_create(season=season, defaults=values)
    return len(changed)


def find_changed() -> list[Any]:
    """Return the seasons with results or corrections since they were last measured.

    Their latest ones are ``seen``.
    """
    rated = Match.objects.filter(season=OuterRef("pk"), rated_order__isnull=False)
    last = Subquery(rated.order_by("-rated_order").values("rated_order")[:1])
    corrections = Correction.objects.filter(season=OuterRef("pk"))
    corrected = Subquery(corrections.order_by("-pk").values("pk")[:1])
    seen = Concat(last, Value(" "), corrected, output_field=TextField())
    opened = Season.objects.filter(opened_at__isnull=False).annotate(seen=seen)
    return list(opened.exclude(seen=Coalesce("accuracy__seen", Value(" "))).order_by("pk"))


def measure(season: Season) -> dict[str, Any]:
    """Return how good the forecasts of a season were, as the fields of ``SeasonAccuracy``."""
    sides = read_sides(season.pk)
    chances = Chances.of(sides["match"], sides["place"], sides["chance"])
    counts = np.bincount(chances.match)
    hits, decided = favourite_hits(chances)
    return {
        "matches": chances.matches,
        "loss": float(losses(chances).sum()),
        "even_loss": float(np.log(counts).sum()),
        "decided": int(decided.sum()),
        "favourites": float(hits.sum()),
        "even_favourites": float((decided / counts).sum()),
        "calibration": calibrate(season, sides) if chances.matches else None,
    }


def read_sides(season_id: int) -> Sides:
    """Return the sides of a season's matches with a forecast, which are numbered from 0."""
    sides = read_columns(SIDES, [season_id], KINDS)
    _, match = np.unique(sides["match"], return_inverse=True)
    known = ~np.isin(match, match[np.isnan(sides["chance"])])
    sides = {name: values[known] for name, values in sides.items()}
    sides["match"] = np.unique(sides["match"], return_inverse=True)[1]
    return sides


def latest(sides: Sides, most: int) -> Sides:
    """Return the sides of the latest matches."""
    chosen = sides["match"] >= sides["match"].max(initial=-1) + 1 - most
    return {name: values[chosen] for name, values in sides.items()}


def calibrate(season: Season, sides: Sides) -> dict[str, Any]:
    """Return how good a season's forecasts were, and would be corrected.

    ``matches`` are those that count, at most the latest ``MOST_MATCHES``. ``loss`` holds the sums
    of ``-ln`` of the chances of the first places, ``bins`` the reliability: both as forecast and
    corrected. ``slopes`` are pairs of the first day and the slope from then on.
    """
    own = latest(sides, MOST_MATCHES)
    parts, left = [own], MOST_MATCHES - count_matches(own)
    for before in before_it(season):
        if left > 0:
            parts.insert(0, latest(read_sides(before), left))
            left -= count_matches(parts[0])
    counts = np.concatenate([np.unique(one["match"], return_counts=True)[1] for one in parts])
    earlier = len(counts) - count_matches(own)
    chance, places, day = (
        np.concatenate([one[name] for one in parts]) for name in ("chance", "place", "day")
    )
    days = day[np.cumsum(counts) - counts]
    result = correct(chance, places, counts, days)
    first, match = len(chance) - len(own["match"]), own["match"] - own["match"][0]
    both = {"forecast": chance[first:], "corrected": result.chance[first:]}
    judged = {name: Chances.of(match, places[first:], chances) for name, chances in both.items()}
    return {
        "matches": count_matches(own),
        "earlier": earlier,
        "loss": {name: float(losses(each).sum()) for name, each in judged.items()},
        "bins": {
            name: [asdict(one) for one in each.calibration()] for name, each in judged.items()
        },
        "slopes": list_changes(days[earlier:], result.power[earlier:]),
    }


def count_matches(sides: Sides) -> int:
    return len(np.unique(sides["match"]))


def before_it(season: Season) -> list[int]:
    """Return the arena's earlier seasons under the same rating system, newest first."""
    earlier = Season.objects.filter(
        arena=season.arena_id,
        rating_system=season.rating_system,
        starts_at__lt=season.starts_at,
    )
    return list(earlier.order_by("-starts_at").values_list("pk", flat=True))


def list_changes(days: Integers, powers: Floats) -> list[list[Any]]:
    """Return each slope with the day of the first match that it corrected."""
    begins = np.flatnonzero(np.diff(powers, prepend=np.nan) != 0)
    dates = days[begins].astype("datetime64[D]")
    return [
        [str(day), round(power, 6)]
        for day, power in zip(dates, powers[begins].tolist(), strict=True)
    ]


def accuracies(seasons: Iterable[Season]) -> list[SeasonAccuracy]:
    """Return how well these seasons were predicted, newest first, if anything was."""
    found = SeasonAccuracy.objects.filter(season__in=list(seasons), matches__gt=0)
    return list(found.select_related("season__arena").order_by("-season__starts_at"))
