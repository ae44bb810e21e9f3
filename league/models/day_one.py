"""The draw of random starting ratings when a season opens."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models

from league.models.season import Season


class DayOne(models.Model):
    """The players who drew a random starting rating in a season, in this order, from this seed.

    With the width in the season's rules it gives the same ratings again. It stays as it is if the
    season adopts other rules, so that nobody can have it drawn again until they like it.
    """

    season = models.OneToOneField(
        Season, on_delete=models.CASCADE, primary_key=True, related_name="drawn"
    )
    seed = models.BigIntegerField()
    players = ArrayField(models.BigIntegerField())

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(seed__gte=0), name="day_one_has_a_seed"),
        ]

    def __str__(self) -> str:
        return f"{self.season}: {len(self.players)}"
