"""Figures of one day in an arena, for staff."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models

from league.models.arena import Arena


class ArenaDay(models.Model):
    """A day of an arena: a projection of matches and tickets, as long as charts show it.

    Sums instead of averages, so that days and arenas can be added up.
    """

    arena = models.ForeignKey(Arena, on_delete=models.CASCADE, related_name="days", db_index=False)
    day = models.DateField()
    """In UTC."""
    matches = models.PositiveIntegerField(default=0)
    """Rated games played on that day."""
    waits = ArrayField(models.PositiveIntegerField(), default=list)
    """Counts of tickets that found a match within each of ``WAITS``, and after all of them."""
    forecasts = ArrayField(models.PositiveIntegerField(), default=list)
    """Matches of two sides by their favourite's chance: 50 to 60 %, and so on up to 100 %."""
    chances = ArrayField(models.FloatField(), default=list)
    """The sums of the favourites' chances in these."""
    wins = ArrayField(models.FloatField(), default=list)
    """The favourites' wins in these. A draw is half a win."""

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["day", "arena"], name="arena_day_once"),
        ]

    def __str__(self) -> str:
        return f"{self.arena} {self.day}"
