"""Badges that players were told of. The badges themselves follow from the results."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from league.models.player import Player


class BadgeKind(models.TextChoices):
    """A kind of badge for a match."""

    FIRST_WIN = "first_win", _("First win")
    STREAK = "streak", _("Five in a row")
    GIANT = "giant", _("Giant-killer")
    COMEBACK = "comeback", _("Comeback")
    RIVALRY = "rivalry", _("Long rivalry")
    CENTURY = "century", _("100 matches")


class BadgeNote(models.Model):
    """A note that a player has had a badge, so that nobody is told of one twice.

    It stays when a correction takes the badge back.
    """

    player = models.ForeignKey(
        Player, on_delete=models.CASCADE, related_name="badge_notes", db_index=False
    )
    kind = models.CharField(_("badge"), max_length=12, choices=BadgeKind.choices)
    noted_at = models.DateTimeField(_("when"))

    class Meta:
        default_permissions = ()
        constraints = [models.UniqueConstraint(fields=["player", "kind"], name="badge_noted_once")]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.kind}"


class BadgeWatch(models.Model):
    """The time until which settled matches were looked through for new badges. One row."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1, editable=False)
    until = models.DateTimeField()

    class Meta:
        default_permissions = ()
        constraints = [models.CheckConstraint(condition=Q(id=1), name="badge_watch_is_one")]

    def __str__(self) -> str:
        return str(self.until)
