"""Figures of a match, such as hits, shots or laps: shown and summed, never rated."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from league.models.match import Match
from league.models.player import Player


class PlayerFigures(models.Model):
    """A player's figures in one match, by the columns that its arena had when they were entered."""

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="figures")
    player = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="figures", db_index=False
    )
    values = models.JSONField()
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        related_name="+",
        db_index=False,
    )
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["player", "match"], name="figures_once_a_match"),
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.values}"
