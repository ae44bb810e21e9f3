"""Players who take the place of somebody who left a match. They play unrated."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from league.models.match import Match, Participant
from league.models.match_states import Status
from league.models.player import Player


class FillInQuerySet(models.QuerySet["FillIn"]):
    def now(self) -> FillInQuerySet:
        """Return the fill-ins who play now."""
        return self.filter(left_at=None, match__status=Status.LIVE)


class FillIn(models.Model):
    """A player who took a leaver's place in a live match.

    They are no participants: no rating, point or record depends on them. While the match is live
    and they have not left, they can neither queue nor play elsewhere, as a trigger ensures.
    """

    match = models.ForeignKey(
        Match, verbose_name=_("match"), on_delete=models.CASCADE, related_name="fill_ins"
    )
    replaces = models.ForeignKey(
        Participant,
        verbose_name=_("replaces"),
        on_delete=models.CASCADE,
        related_name="fill_ins",
        db_index=False,
    )
    player = models.ForeignKey(
        Player,
        verbose_name=_("player"),
        on_delete=models.PROTECT,
        related_name="fill_ins",
        db_index=False,
    )
    joined_at = models.DateTimeField(_("joined"))
    left_at = models.DateTimeField(_("left"), null=True, blank=True)

    objects = FillInQuerySet.as_manager()

    class Meta:
        ordering = ["match", "joined_at"]
        verbose_name = _("fill-in")
        verbose_name_plural = _("fill-ins")
        constraints = [
            models.UniqueConstraint(fields=["player", "match"], name="fills_in_once_a_match"),
            models.UniqueConstraint(
                fields=["replaces"], condition=Q(left_at=None), name="one_fill_in_a_seat"
            ),
        ]
        indexes = [
            models.Index(fields=["player"], condition=Q(left_at=None), name="fills_in_now"),
        ]

    def __str__(self) -> str:
        return f"{self.player} in {self.match}"
