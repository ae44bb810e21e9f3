"""Day One: random starting ratings that keep the average, drawn once when a season opens.

Source: B. Kreimeier, "Rising from the Ranks", Gamasutra 2000, under "Closed System". Everybody with
an account who has a rated match on the site takes part. The others start at the mean, which changes
no average: otherwise somebody could register often and play on with the best rating. Who takes part
stays as it was if the season adopts other rules, so that nobody can choose among several draws.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

import numpy as np
from django.db.models import Exists, OuterRef

from league.models import DayOne, Player, Rating
from league.services.rating import versions
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
    first = versions.stretches(season)[0]
    return first.rules.start.day_one > 0 and first.system.zero_sum


def taking_part() -> QuerySet[Player]:
    """Return the players who would take part in a draw now, in order."""
    played = Rating.objects.filter(player=OuterRef("pk"), games__gt=0)
    return Player.objects.filter(Exists(played), user__is_active=True).order_by("pk")


def write(season: Season, partition: str, cursor: CursorWrapper) -> None:
    """Draw starting ratings, or take those drawn earlier, and write them to the partition."""
    drawn = DayOne.objects.filter(season=season).first() or DayOne.objects.create(
        season=season,
        players=list(taking_part().values_list("pk", flat=True)),
        seed=secrets.randbits(63),
    )
    given = given_by(season, drawn)
    cursor.execute(
        FILL.replace("PARTITION", partition),
        {"season": season.pk, "players": list(given), "ratings": list(given.values())},
    )


def given_by(season: Season, drawn: DayOne) -> dict[int, float]:
    """Return the starting ratings that a draw gives, by player.

    A player merged since then has passed theirs on, unless the one who stays had one.
    """
    known = Player.ever.filter(pk__in=drawn.players)
    merged_into = dict(known.values_list("pk", "merged_into_id"))
    given: dict[int, float] = {}
    for player, rating in zip(drawn.players, ratings_of(season, drawn).tolist(), strict=True):
        keeper = merged_into.get(player) or player
        if keeper == player or keeper not in merged_into:
            given.setdefault(keeper, rating)
    return given


def drawn_by(season: Season, player: Player) -> float | None:
    """Return the starting rating that a player drew, ``None`` if they did not take part.

    One query, none where nothing is drawn.
    """
    if not draws(season):
        return None
    own = Rating.objects.filter(season=season, player=player, season__drawn__isnull=False)
    opening = own.values_list("opening", flat=True).first()
    return opening[0] if opening else None


def ratings_of(season: Season, drawn: DayOne) -> Floats:
    """Return the ratings ``(n,)`` of the players in a draw."""
    first = versions.stretches(season)[0]
    return day_one(
        len(drawn.players),
        np.random.default_rng(drawn.seed),
        mean=float(first.system.newcomers(1).rating[0]),
        width=first.rules.start.day_one,
    )
