"""Ratings in hindsight: a projection of a season's results, computed anew once a night."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from league.models.player import Player
from league.models.season import Season


class SeasonHindsight(models.Model):
    """The time and the results of the last computation of a season's ratings in hindsight."""

    season = models.OneToOneField(
        Season, on_delete=models.CASCADE, related_name="hindsight", primary_key=True
    )
    seen = models.CharField(max_length=80)
    """Up to which result and which correction, and under which rules. Empty if the last try
    failed."""
    tried_at = models.DateTimeField()
    at = models.DateTimeField(_("when"), null=True)
    """The time at which the stored curves were computed."""
    players = models.PositiveIntegerField(default=0)
    """The number of stored curves: none if the season's ratings cannot be compared with them."""

    class Meta:
        default_permissions = ()
        verbose_name = _("season in hindsight")
        verbose_name_plural = _("seasons in hindsight")

    def __str__(self) -> str:
        return str(self.season)


class HindsightCurve(models.Model):
    """A player's ratings in hindsight on the days (UTC) on which they played in a season."""

    season = models.ForeignKey(
        Season, on_delete=models.CASCADE, related_name="hindsight_curves", db_index=False
    )
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="hindsight_curves")
    days = ArrayField(models.IntegerField())
    """Days since 1970, ascending."""
    ratings = ArrayField(models.FloatField())
    """In points of the season's rating system, one for each day."""
    deviations = ArrayField(models.FloatField())
    """As if the strengths of all others were known."""

    class Meta:
        default_permissions = ()
        verbose_name = _("curve in hindsight")
        verbose_name_plural = _("curves in hindsight")
        constraints = [
            models.UniqueConstraint(fields=["season", "player"], name="hindsight_curve_once")
        ]

    def __str__(self) -> str:
        return f"{self.player} in {self.season}"
