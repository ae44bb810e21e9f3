"""Day One: random starting ratings that keep the average, drawn once when a season opens.

Source: B. Kreimeier, "Rising from the Ranks", Gamasutra 2000, under "Closed System". Everybody with
an account takes part. Those who come later start at the mean, which changes no average.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

import numpy as np

from league.models import DayOne, Player
from ratings.systems.fermi.population import day_one

if TYPE_CHECKING:
    from django.db.backends.utils import CursorWrapper
    from django.db.models import QuerySet

    from league.models import Season
    from ratings.types import Floats

FILL = """
    INSERT INTO PARTITION (id, season_id, player_id, rating, games, memory, opening)
    SELECT nextval('league_rating_id_seq'), %(season)s, drawn.player, drawn.rating, 0, '{}',
        ARRAY[drawn.rating, NULL, NULL]
    FROM unnest(%(players)s::bigint[], %(ratings)s::float8[]) WITH ORDINALITY
        AS drawn(player, rating, nth)
    ORDER BY drawn.nth
"""


def draws(season: Season) -> bool:
    """Return whether starting ratings are drawn under the season's rules."""
    return season.season_rules().start.day_one > 0 and season.system().zero_sum


def registered() -> QuerySet[Player]:
    """Return the players who take part in a draw now, in order."""
    return Player.objects.filter(user__is_active=True).order_by("pk")


def write(season: Season, partition: str, cursor: CursorWrapper) -> None:
    """Draw starting ratings and write them to the season's partition."""
    players = list(registered().values_list("pk", flat=True))
    drawn, _new = DayOne.objects.update_or_create(
        season=season,
        defaults={"players": players},
        create_defaults={"players": players, "seed": secrets.randbits(63)},
    )
    ratings = ratings_of(season, drawn)
    cursor.execute(
        FILL.replace("PARTITION", partition),
        {"season": season.pk, "players": players, "ratings": ratings.tolist()},
    )


def ratings_of(season: Season, drawn: DayOne) -> Floats:
    """Return the ratings ``(n,)`` of the players in a draw."""
    return day_one(
        len(drawn.players),
        np.random.default_rng(drawn.seed),
        mean=float(season.system().newcomers(1).rating[0]),
        width=season.season_rules().start.day_one,
    )
