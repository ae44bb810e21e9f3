"""Errata: what the archive of a season would say without a mistake found later."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from league.models.archive import Award
from league.models.correction import CorrectionKind
from league.models.match import Match
from league.models.name_lists import MODES
from league.models.names import NAME_MAX_LENGTH
from league.models.player import Player
from league.models.season import Season
from league.models.words import Words

if TYPE_CHECKING:
    from league.models.player import User


KINDS = [
    (CorrectionKind.VOID.value, _("should not have counted")),
    (CorrectionKind.RESULT.value, _("ended otherwise")),
]


class Erratum(models.Model):
    """A published mistake in an archived season. The archive itself stays as it is.

    Later errata of the season build on earlier ones. Written once, never changed.
    """

    season = models.ForeignKey(Season, on_delete=models.PROTECT, related_name="errata")
    match = models.OneToOneField(Match, on_delete=models.PROTECT, related_name="erratum")
    kind = models.CharField(
        _("what"),
        max_length=10,
        choices=KINDS,
    )
    placings = models.JSONField(null=True)
    """For another result, a place and a score for each side, in order."""
    mode = models.CharField(max_length=MODES.longest, default="", blank=True)
    reason = Words(_("reason"))
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("by"),
        on_delete=models.PROTECT,
        related_name="errata",
    )
    at = models.DateTimeField(_("when"))

    class Meta:
        ordering = ["id"]
        verbose_name = _("erratum")
        verbose_name_plural = _("errata")

    def __str__(self) -> str:
        return f"{self.season}: {self.match}"

    @property
    def publisher(self) -> Player | User:
        """Return the name of the publisher that players know."""
        return getattr(self.by, "player", None) or self.by


class ErratumLine(models.Model):
    """The change of an erratum for one player, None for nothing. Written once, never changed."""

    erratum = models.ForeignKey(Erratum, on_delete=models.PROTECT, related_name="lines")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="erratum_lines")
    name = models.CharField(_("name"), max_length=NAME_MAX_LENGTH)
    rank_was = models.PositiveIntegerField(null=True)
    rank_is = models.PositiveIntegerField(null=True)
    rating_was = models.FloatField(null=True)
    rating_is = models.FloatField(null=True)
    points_was = models.IntegerField(null=True)
    points_is = models.IntegerField(null=True)
    awards_was = ArrayField(models.CharField(max_length=10), default=list)
    awards_is = ArrayField(models.CharField(max_length=10), default=list)

    class Meta:
        ordering = ["id"]
        verbose_name = _("line of an erratum")
        verbose_name_plural = _("lines of errata")
        constraints = [
            models.UniqueConstraint(fields=["erratum", "player"], name="player_once_an_erratum"),
        ]

    def __str__(self) -> str:
        return f"{self.name} in {self.erratum}"

    @property
    def won_was(self) -> list[str]:
        """The archived awards in words."""
        return [str(Award.Kind(kind).label) for kind in self.awards_was]

    @property
    def won_is(self) -> list[str]:
        """The awards without the mistake in words."""
        return [str(Award.Kind(kind).label) for kind in self.awards_is]
