"""Anchors: players, usually bots, against whom the drift of an arena's ratings is measured."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

import ratings.registry
from league.models.arena import Arena
from league.models.player import Player

LARGEST = 1_000_000


class Anchor(models.Model):
    """A player with a fixed rating in an arena, which no result moves.

    A season takes over the anchors of its arena when it opens, and later ones as long as they have
    no rated result in it.
    """

    arena = models.ForeignKey(
        Arena, verbose_name=_("arena"), on_delete=models.CASCADE, related_name="anchors"
    )
    player = models.ForeignKey(
        Player, verbose_name=_("player"), on_delete=models.PROTECT, related_name="anchored"
    )
    rating = models.FloatField(
        _("fixed rating"),
        validators=[MinValueValidator(-LARGEST), MaxValueValidator(LARGEST)],
        help_text=_("On the scale of the rating itself. Results never change it."),
    )

    class Meta:
        ordering = ["pk"]
        verbose_name = _("anchor")
        verbose_name_plural = _("anchors")
        constraints = [
            models.UniqueConstraint(
                fields=["arena", "player"],
                name="anchor_once_an_arena",
                violation_error_message=_("This player is already an anchor here."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} ({self.rating:g})"

    def clean(self) -> None:
        system = ratings.registry.KNOWN_SYSTEMS.get(self.arena.rating_system)
        if system is None or self.rating is None:
            return
        if system.shows.lowest_first:
            raise ValidationError(
                {"rating": _("A ladder has ranks, and a rank cannot be held fixed.")}
            )
        if self.rating < system.lowest:
            message = _("No rating of %(system)s is below %(lowest)g.")
            values = {"system": _(system.label), "lowest": system.lowest}
            raise ValidationError({"rating": message % values})
