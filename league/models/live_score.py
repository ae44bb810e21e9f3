"""Live scores: the score of a match while it is played, as somebody there enters it."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Case, OuterRef, Q, Subquery, When
from django.db.models.functions import JSONObject
from django.utils.translation import gettext_lazy as _

from league.models.arrangement import Arrangement
from league.models.match import Match
from league.models.player import Player


class LiveScore(models.Model):
    """A score of two sides at a moment. It is never changed, and never a result by itself."""

    arrangement = models.ForeignKey(
        Arrangement,
        verbose_name=_("date"),
        on_delete=models.CASCADE,
        related_name="live_scores",
        null=True,
        blank=True,
        db_index=False,
    )
    match = models.ForeignKey(
        Match,
        verbose_name=_("match"),
        on_delete=models.CASCADE,
        related_name="live_scores",
        null=True,
        blank=True,
        db_index=False,
    )
    number = models.PositiveIntegerField(_("number"))
    """Counts the scores of a match from 1. Whoever enters one names the one that they have seen."""
    first = models.FloatField(_("score of the first side"))
    """Of a date, that of the proposer's side."""
    second = models.FloatField(_("score of the second side"))
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("account"),
        on_delete=models.SET_NULL,
        related_name="live_scores",
        null=True,
        blank=True,
        db_index=False,
    )
    """Empty once the account is deleted."""
    player = models.ForeignKey(
        Player,
        verbose_name=_("by"),
        on_delete=models.PROTECT,
        related_name="live_scores",
        null=True,
        blank=True,
        db_index=False,
    )
    """The player who entered it, empty for organisers who do not play."""
    at = models.DateTimeField(_("when"))

    class Meta:
        ordering = ["number"]
        verbose_name = _("live score")
        verbose_name_plural = _("live scores")
        indexes = [
            models.Index(fields=["player"], name="live_score_by_player"),
            models.Index(fields=["author", "at"], name="live_score_recent"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["arrangement", "number"], name="live_score_of_date"),
            models.UniqueConstraint(fields=["match", "number"], name="live_score_of_match"),
            models.CheckConstraint(
                condition=Q(arrangement__isnull=False, match=None)
                | Q(arrangement=None, match__isnull=False),
                name="live_score_of_one_thing",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.first:g} : {self.second:g}"


def last_score_of(kind: str, is_played: Q) -> Case:
    """Return the ``first`` and ``second`` score of each date or match, as ``kind`` says, for one
    statement: the last ones, null before the first, or where ``is_played`` does not hold."""
    scores = LiveScore.objects.filter(**{kind: OuterRef("pk")}).order_by("-number")
    pair = scores.values(pair=JSONObject(first="first", second="second"))[:1]
    return Case(When(is_played, then=Subquery(pair)))
