"""Players' preferences for the matches that queues find for them."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from league.models.arena import Arena
from league.models.name_lists import REGIONS
from league.models.player import Player

EVERYBODY = 100
"""A range of percentiles that includes everyone."""


class RankPreference(models.Model):
    """The largest distance in an arena's percentiles to players that a player is matched with."""

    player = models.ForeignKey(
        Player,
        verbose_name=_("player"),
        on_delete=models.CASCADE,
        related_name="rank_preferences",
    )
    arena = models.ForeignKey(
        Arena,
        verbose_name=_("arena"),
        on_delete=models.CASCADE,
        related_name="rank_preferences",
        db_index=False,
    )
    percentiles = models.FloatField(_("percentiles"))
    strict = models.BooleanField(
        _("strict"), default=False, help_text=_("The filter never widens, however long the wait.")
    )

    class Meta:
        ordering = ["arena", "player"]
        verbose_name = _("rank filter")
        verbose_name_plural = _("rank filters")
        constraints = [
            models.UniqueConstraint(fields=["arena", "player"], name="one_rank_filter_an_arena"),
            models.CheckConstraint(
                condition=Q(percentiles__gt=0, percentiles__lt=EVERYBODY),
                name="rank_filter_in_range",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} in {self.arena}"


class RegionPreference(models.Model):
    """The regions in which a player would play an arena's matches, and their latencies."""

    player = models.ForeignKey(
        Player,
        verbose_name=_("player"),
        on_delete=models.CASCADE,
        related_name="region_preferences",
    )
    arena = models.ForeignKey(
        Arena,
        verbose_name=_("arena"),
        on_delete=models.CASCADE,
        related_name="region_preferences",
        db_index=False,
    )
    regions = ArrayField(
        models.CharField(max_length=REGIONS.longest), verbose_name=_("regions"), default=list
    )
    """Empty for any."""
    strict = models.BooleanField(
        _("strict"), default=False, help_text=_("The choice never widens, however long the wait.")
    )
    latencies = models.JSONField(_("latencies"), default=dict)
    """Milliseconds by region, as the player's game has measured them."""
    measured_at = models.DateTimeField(_("measured"), null=True)

    class Meta:
        ordering = ["arena", "player"]
        verbose_name = _("choice of regions")
        verbose_name_plural = _("choices of regions")
        constraints = [
            models.UniqueConstraint(
                fields=["arena", "player"], name="one_choice_of_regions_an_arena"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} in {self.arena}"
