"""Single events of a match, such as frags: who beat whom, as its game server sends them."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from league.models.match import Match

MOST_EVENTS = 20_000
"""The most events of a match."""
MOST_KINDS = 100


class MatchEvent(models.Model):
    """One event of a match. Written once, never changed."""

    pk = models.CompositePrimaryKey("match_id", "number")
    match = models.ForeignKey(
        Match, on_delete=models.PROTECT, related_name="single_events", db_index=False
    )
    number = models.PositiveIntegerField(_("number"))
    """Its place in the order of the match's events, from 1, as the game server counts."""
    winner = models.PositiveSmallIntegerField(_("winner’s side"))
    loser = models.PositiveSmallIntegerField(_("loser’s side"))
    kind = models.PositiveSmallIntegerField(_("kind"), db_default=1)
    """From 1, such as a frag or a hit. A rating system can weight them (``event_weights``)."""

    class Meta:
        verbose_name = _("match event")
        verbose_name_plural = _("match events")
        constraints = [
            models.CheckConstraint(
                condition=Q(number__gte=1, number__lte=MOST_EVENTS), name="event_number_in_range"
            ),
            models.CheckConstraint(condition=~Q(winner=F("loser")), name="event_between_two"),
        ]

    def __str__(self) -> str:
        return f"{self.match_id}/{self.number}"
