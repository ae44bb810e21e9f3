"""How players moved between the divisions of a season."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from league.models.match import Match
from league.models.player import Player
from league.models.season import Season


class DivisionChange(models.Model):
    """A player who entered a division, was promoted or demoted, or is not ranked any more.

    A ledger: rows are written once and never changed. Where a player at a cut stands depends on
    where she came from, so the division of a player is what her last row here says, and standings
    that are made anew take it from here. The rows go with their season.
    """

    season = models.ForeignKey(
        Season,
        on_delete=models.DO_NOTHING,
        related_name="division_changes",
        db_constraint=False,
        db_index=False,
    )
    player = models.ForeignKey(
        Player,
        on_delete=models.PROTECT,
        related_name="division_changes",
        db_constraint=False,
        db_index=False,
    )
    at = models.DateTimeField(_("when"))
    was = models.CharField(_("from"), max_length=60, blank=True)
    """The division's name; none of who had none."""
    becomes = models.CharField(_("to"), max_length=60, blank=True)
    """The division's name; none of who is not ranked any more."""
    match = models.ForeignKey(
        Match,
        verbose_name=_("match"),
        on_delete=models.PROTECT,
        related_name="division_changes",
        null=True,
        db_constraint=False,
        db_index=False,
    )
    """The match of the player's that brought it about; none if others moved, or time did."""
    told = models.BooleanField(_("told"), default=True)
    """Whether the player is told: not when divisions were made anew for all."""

    class Meta:
        ordering = ["-id"]
        verbose_name = _("change of division")
        verbose_name_plural = _("changes of division")
        indexes = [
            models.Index(fields=["season", "player", "id"], name="division_change_of_player"),
            models.Index(
                fields=["match"], condition=Q(match__isnull=False), name="division_change_of_match"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.was or '–'} → {self.becomes or '–'}"


class DivisionNews(models.Model):
    """Up to which change of division a player has put the news away."""

    player = models.OneToOneField(
        Player, on_delete=models.CASCADE, primary_key=True, related_name="division_news"
    )
    upto = models.BigIntegerField()

    def __str__(self) -> str:
        return f"{self.player} up to {self.upto}"
