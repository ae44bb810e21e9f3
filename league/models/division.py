"""Promotions and demotions between the divisions of a season."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from league.models.match import Match
from league.models.player import Player
from league.models.season import Season
from league.models.words import Line


class DivisionChange(models.Model):
    """A player's entry into a division, promotion, demotion, or loss of a rank.

    A ledger: rows are written once and never changed. The division of a player near a cut depends
    on their previous one, so their last row here is the truth, and rebuilt standings take it from
    here. The rows are deleted with their season.
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
    was = Line(_("from"), max_length=60, blank=True)
    """The name of the division; empty if there was none."""
    becomes = Line(_("to"), max_length=60, blank=True)
    """The name of the division; empty if the player is no longer ranked."""
    match = models.ForeignKey(
        Match,
        verbose_name=_("match"),
        on_delete=models.PROTECT,
        related_name="division_changes",
        null=True,
        db_constraint=False,
        db_index=False,
    )
    """The player's match that caused the change; None if others moved, or by decay."""
    told = models.BooleanField(_("announced"), default=True)
    """Whether the change is announced to the player; not after a rebuild for all."""

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
    """The last change of division that a player has dismissed as news."""

    player = models.OneToOneField(
        Player, on_delete=models.CASCADE, primary_key=True, related_name="division_news"
    )
    upto = models.BigIntegerField()

    def __str__(self) -> str:
        return f"{self.player} up to {self.upto}"
