"""The permanent archive of a season: its final standings and awards."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from league.models.names import NAME_MAX_LENGTH
from league.models.player import Player
from league.models.season import Season
from league.models.words import Line


class FinalStanding(models.Model):
    """A player's place in the final standings of a season. Written once, never changed.

    ``name`` is the player's name at that time; they may have changed it since.
    """

    season = models.ForeignKey(
        Season,
        verbose_name=_("season"),
        on_delete=models.PROTECT,
        related_name="final_standings",
        db_index=False,
    )
    position = models.PositiveIntegerField(_("position"))
    """The place in the archive, from 1: ranked players, best first, then the others."""
    player = models.ForeignKey(
        Player,
        verbose_name=_("player"),
        on_delete=models.PROTECT,
        related_name="final_standings",
        db_index=False,
    )
    name = models.CharField(_("name"), max_length=NAME_MAX_LENGTH)
    rank = models.PositiveIntegerField(_("rank"), null=True)
    """``None`` for players with too few matches, or none lately. Equal ratings share a rank."""
    percentile = models.PositiveSmallIntegerField(_("percentile"), null=True)
    division = Line(_("division"), max_length=60, blank=True)
    rating = models.FloatField(_("rating"))
    """The effective rating, after decay."""
    deviation = models.FloatField(_("deviation"), null=True)
    games = models.PositiveIntegerField(_("matches"))
    wins = models.PositiveIntegerField(_("won"))
    draws = models.PositiveIntegerField(_("drawn"))
    losses = models.PositiveIntegerField(_("lost"))
    streak = models.PositiveIntegerField(_("longest winning streak"))
    gain = models.FloatField(_("gained since placement"), null=True)
    """``None`` if the rating never settled."""

    class Meta:
        ordering = ["season", "position"]
        verbose_name = _("final standing")
        verbose_name_plural = _("final standings")
        constraints = [
            models.UniqueConstraint(fields=["season", "position"], name="final_standing_order"),
            models.UniqueConstraint(fields=["player", "season"], name="final_standing_once"),
            models.CheckConstraint(
                condition=Q(rank=None, percentile=None)
                | Q(rank__isnull=False, percentile__isnull=False),
                name="final_rank_has_a_percentile",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.position}. {self.name}"


class Award(models.Model):
    """An award of a season. Written once, never changed."""

    class Kind(models.TextChoices):
        TOP = "top", _("Top of the season")
        IMPROVED = "improved", _("Most improved")
        STREAK = "streak", _("Longest winning streak")
        FAIREST = "fairest", _("Fairest")

    season = models.ForeignKey(
        Season, verbose_name=_("season"), on_delete=models.PROTECT, related_name="awards"
    )
    kind = models.CharField(_("award"), max_length=10, choices=Kind.choices)
    player = models.ForeignKey(
        Player, verbose_name=_("player"), on_delete=models.PROTECT, related_name="awards"
    )
    name = models.CharField(_("name"), max_length=NAME_MAX_LENGTH)
    value = models.FloatField(_("for"))
    """The rank, the rating gained, the matches won in a row or the matches played."""

    class Meta:
        ordering = ["season", "id"]
        verbose_name = _("award")
        verbose_name_plural = _("awards")
        constraints = [
            models.UniqueConstraint(fields=["season", "kind", "player"], name="award_once")
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.name}"

    @property
    def count(self) -> int:
        """The value as a whole number, of awards for a rank or a number of matches."""
        return round(self.value)
