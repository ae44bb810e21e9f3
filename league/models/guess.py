"""Guesses: what players think of coming matches, against the forecast of the rating system."""

from __future__ import annotations

from django.core.validators import MaxValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from league.models.arrangement import Arrangement
from league.models.player import Player


class Guess(models.Model):
    """A player's guess of an agreed match. Its points are computed from the result when read."""

    player = models.ForeignKey(
        Player,
        verbose_name=_("player"),
        on_delete=models.CASCADE,
        related_name="guesses",
        db_index=False,
    )
    arrangement = models.ForeignKey(
        Arrangement, verbose_name=_("date"), on_delete=models.CASCADE, related_name="guesses"
    )
    percent = models.PositiveSmallIntegerField(
        _("guess"), validators=[MaxValueValidator(100)], help_text=_("0 to 100.")
    )
    """The expected result of the proposer's side, with a draw as half a win."""
    forecast = models.FloatField(_("forecast"))
    """The forecast of the same, from 0 to 1, at the moment of the guess."""
    given_at = models.DateTimeField(_("given"))
    """The time of its last change."""

    class Meta:
        verbose_name = _("guess")
        verbose_name_plural = _("guesses")
        constraints = [
            models.UniqueConstraint(fields=["player", "arrangement"], name="guess_once_a_match"),
            models.CheckConstraint(condition=Q(percent__lte=100), name="guess_is_a_percentage"),
            models.CheckConstraint(
                condition=Q(forecast__gte=0, forecast__lte=1), name="guess_beside_a_chance"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.arrangement_id} {self.percent} %"
