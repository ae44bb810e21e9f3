"""Flags: hints to staff about records that look arranged, and captains' reports of conduct. A flag
never has an effect by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from league.models.player import Player
from league.models.season import Season
from league.models.words import Words

if TYPE_CHECKING:
    from datetime import datetime


class FlagQuerySet(models.QuerySet["Flag"]):
    def open(self) -> FlagQuerySet:
        """Flags that staff have not resolved."""
        return self.filter(resolved_at=None)

    def resolved_since(self, moment: datetime) -> FlagQuerySet:
        return self.filter(resolved_at__gte=moment)


class Flag(models.Model):
    """A suspicion of a detector or a captain about a player of a season, with evidence."""

    class Kind(models.TextChoices):
        ONE_SIDED = "one_sided", _("one-sided pair")
        ONE_OPPONENT = "one_opponent", _("points from one opponent")
        FEW_OPPONENTS = "few_opponents", _("points from a few opponents")
        UNRANKED_OPPONENTS = "unranked", _("wins against unranked players")
        DODGING = "dodging", _("avoided matches")
        ONE_ADDRESS = "one_address", _("confirmed from one address")
        CONDUCT = "conduct", _("reported by a captain")

    kind = models.CharField(_("kind"), max_length=20, choices=Kind.choices)
    season = models.ForeignKey(
        Season, verbose_name=_("season"), on_delete=models.CASCADE, related_name="flags"
    )
    player = models.ForeignKey(
        Player, verbose_name=_("player"), on_delete=models.PROTECT, related_name="flags"
    )
    other = models.ForeignKey(
        Player,
        verbose_name=_("opponent"),
        on_delete=models.PROTECT,
        related_name="flags_as_opponent",
        null=True,
        blank=True,
    )
    evidence = models.JSONField(
        _("evidence"), default=dict, help_text=_("The detector's figures, by name.")
    )
    raised_at = models.DateTimeField(_("raised"))
    resolved_at = models.DateTimeField(_("resolved"), null=True, blank=True)
    resolved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("resolved by"),
        on_delete=models.PROTECT,
        related_name="flags_resolved",
        null=True,
        blank=True,
    )
    note = Words(_("note"), blank=True, help_text=_("What staff found. Only staff can read it."))

    objects = FlagQuerySet.as_manager()

    class Meta:
        ordering = ["-raised_at", "-id"]
        verbose_name = _("flag")
        verbose_name_plural = _("flags")
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "season", "player", "other"],
                condition=Q(resolved_at=None),
                nulls_distinct=False,
                name="flag_once_while_open",
            ),
            models.CheckConstraint(
                condition=Q(resolved_at=None, resolved_by=None)
                | Q(resolved_at__isnull=False, resolved_by__isnull=False),
                name="flag_resolved_by_somebody",
            ),
        ]

    def __str__(self) -> str:
        if self.other is None:
            return f"{self.get_kind_display()}: {self.player}"
        return f"{self.get_kind_display()}: {self.player}, {self.other}"
