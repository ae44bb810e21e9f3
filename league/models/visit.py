"""The time of a player's last visit, and their standing then."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from league.models.player import Player


class Visit(models.Model):
    """A player's present or latest visit, and what it is compared with.

    Places are the ids of the players right behind the player, by season: ``{"7": [12, 5]}``.
    """

    player = models.OneToOneField(
        Player,
        verbose_name=_("player"),
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="visit",
    )
    seen_at = models.DateTimeField()
    """The last time they opened the home page, in steps of some minutes."""
    seen_places = models.JSONField(default=dict)
    """The players right behind them then."""
    before = models.DateTimeField(null=True)
    """The end of the visit before this one, ``None`` during the first."""
    places = models.JSONField(default=dict)
    """The players right behind them then."""

    def __str__(self) -> str:
        return f"{self.player} at {self.seen_at}"
