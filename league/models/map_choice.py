"""The map of a match: drawn, or left over by the captains' bans."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.models.match import Match
from league.models.name_lists import MAPS
from league.models.player import Player


class MatchMap(models.Model):
    """The map of a match, with everything from which its draws can be computed again.

    ``league.services.maps.draws`` says how.
    """

    match = models.OneToOneField(
        Match,
        verbose_name=_("match"),
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="map_choice",
    )
    maps = ArrayField(models.CharField(max_length=MAPS.longest), verbose_name=_("maps"))
    """The arena's maps as they were when the match began."""
    seed = models.CharField(pgettext_lazy("random number", "seed"), max_length=32)
    """32 hexadecimal digits that nobody chooses. Secret until the map is chosen."""
    turn = models.DurationField(_("time to ban"), null=True)
    """``None`` if the map was drawn."""
    first = models.PositiveSmallIntegerField(_("side that bans first"), default=0)
    began_at = models.DateTimeField(_("began"))
    chosen = models.CharField(_("map"), max_length=MAPS.longest, blank=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    """The time at which the map was chosen, or the match ended without one."""

    class Meta:
        verbose_name = _("map of a match")
        verbose_name_plural = _("maps of matches")
        indexes = [
            models.Index(fields=["match"], condition=Q(ended_at=None), name="map_vetoes_going_on"),
        ]

    def __str__(self) -> str:
        return f"{self.match}: {self.chosen}"


class MapBan(models.Model):
    """A map that a captain has banned, or that was drawn for them."""

    choice = models.ForeignKey(
        MatchMap, on_delete=models.CASCADE, related_name="bans", db_index=False
    )
    number = models.PositiveSmallIntegerField(_("turn"))
    """From 1."""
    map = models.CharField(_("map"), max_length=MAPS.longest)
    side = models.PositiveSmallIntegerField(_("side"))
    by = models.ForeignKey(
        Player,
        verbose_name=_("by"),
        on_delete=models.PROTECT,
        related_name="map_bans",
        null=True,
        blank=True,
    )
    """``None`` if the time was up and the map was drawn."""
    at = models.DateTimeField(_("when"))

    class Meta:
        ordering = ["choice", "number"]
        verbose_name = _("banned map")
        verbose_name_plural = _("banned maps")
        constraints = [
            models.UniqueConstraint(fields=["choice", "number"], name="one_ban_a_turn"),
            models.UniqueConstraint(fields=["choice", "map"], name="map_banned_once"),
        ]

    def __str__(self) -> str:
        return f"{self.choice_id}/{self.number}: {self.map}"
