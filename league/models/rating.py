"""Ratings, and the ledger of rating events that they are a projection of."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils.formats import number_format
from django.utils.translation import gettext_lazy as _

from league.models.correction import Correction
from league.models.match import Match
from league.models.player import Player
from league.models.season import Season


class Rating(models.Model):
    """A player's state in one season: equal, bit for bit, to a replay of the season's results.

    The season's rating system defines what the numbers mean. ``deviation`` and ``volatility`` are
    empty for systems without them, and ``memory`` holds whatever else a system stores. The table
    has a partition for each season, so hand-written statements should filter by season.
    """

    season = models.ForeignKey(
        Season, on_delete=models.PROTECT, related_name="ratings", db_index=False
    )
    player = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="ratings", db_index=False
    )
    rating = models.FloatField(_("rating"))
    deviation = models.FloatField(_("deviation"), null=True)
    volatility = models.FloatField(_("volatility"), null=True)
    games = models.PositiveIntegerField(_("games"), default=0)
    last_played_at = models.DateTimeField(_("last match"), null=True)
    wins = models.PositiveIntegerField(_("wins"), db_default=0, editable=False)
    draws = models.PositiveIntegerField(_("draws"), db_default=0, editable=False)
    outcome = models.SmallIntegerField(null=True, editable=False)
    """Of the latest match: 1 for a win, 0 for a draw, -1 for a loss."""
    ignored = models.PositiveIntegerField(db_default=0, editable=False)
    """Played matches that the rating system ignored: in the record, but not in ``games``."""
    streak = models.PositiveIntegerField(db_default=0, editable=False)
    """Consecutive matches, up to the latest, with that outcome."""
    connected = models.BooleanField(db_default=False, editable=False)
    """Whether they have enough different opponents, and matches against them, to be ranked, when
    last computed."""
    joined = models.BooleanField(db_default=False, editable=False)
    """Whether they have enough different opponents, so that their wins over players without a rank
    are limited, when last computed."""
    proven = models.BooleanField(db_default=False, editable=False)
    """Whether they also have enough matches against others, so that wins over them are not limited
    like those over players without a rank, when last computed."""
    memory = ArrayField(models.FloatField(), default=list)
    opening = ArrayField(models.FloatField(null=True), null=True, editable=False)
    """The state carried over into the season, or drawn at its start (``DayOne``): rating,
    deviation, volatility, then memory.

    None for newcomers.
    """
    played_before = models.DateTimeField(_("last match before the season"), null=True)
    """The last match of a player carried over into the season; a replay starts from it. Returning
    players are those who have one."""

    class Meta:
        verbose_name = _("rating")
        verbose_name_plural = _("ratings")
        constraints = [
            models.UniqueConstraint(fields=["player", "season"], name="one_rating_a_season"),
            models.CheckConstraint(
                condition=Q(deviation=None) | Q(deviation__gte=0), name="deviation_not_negative"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.rating:.0f}"

    @property
    def losses(self) -> int:
        return self.games + self.ignored - self.wins - self.draws


class CurrentEvents(models.Manager["RatingEvent"]):
    """Current events: those that no correction has superseded."""

    def get_queryset(self) -> models.QuerySet[RatingEvent]:
        return super().get_queryset().filter(superseded_by=None)


class RatingEvent(models.Model):
    """The effect of one match on one player's rating. Written once, never changed.

    A correction of an earlier result supersedes events and writes new ones instead. ``objects`` are
    the current events, ``ever`` includes superseded ones. A player's events in a season are ordered
    by ``games``. Those that leave ``games`` as it was come after the one that raised it.
    """

    season = models.ForeignKey(
        Season, on_delete=models.PROTECT, related_name="events", db_index=False
    )
    match = models.ForeignKey(
        Match, on_delete=models.PROTECT, related_name="events", db_index=False
    )
    player = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="events", db_index=False
    )
    rated_at = models.DateTimeField(_("rated"))
    games = models.PositiveIntegerField(_("games"))
    rating_before = models.FloatField(_("rating before"))
    rating_after = models.FloatField(_("rating after"))
    deviation_before = models.FloatField(_("deviation before"), null=True)
    deviation_after = models.FloatField(_("deviation after"), null=True)
    volatility_before = models.FloatField(_("volatility before"), null=True)
    volatility_after = models.FloatField(_("volatility after"), null=True)
    why = models.JSONField(_("why"), default=dict)
    """The terms of the change, by the names that the rating system declares."""
    last_played_before = models.DateTimeField(_("last match before"), null=True)
    """The time of the player's match before this one; None for the first."""
    ignored = models.BooleanField(db_default=False, editable=False)
    """Whether the match changed nothing because the rating system ignores draws of all sides."""
    superseded_by = models.ForeignKey(
        Correction,
        verbose_name=_("superseded by"),
        on_delete=models.PROTECT,
        related_name="+",
        null=True,
        blank=True,
        db_index=False,
    )

    objects = CurrentEvents()
    ever: models.Manager[RatingEvent] = models.Manager()

    class Meta:
        ordering = ["id"]
        verbose_name = _("rating event")
        verbose_name_plural = _("rating events")
        indexes = [
            models.Index(
                fields=["season", "player", "games"],
                condition=Q(superseded_by=None),
                name="event_of_player",
            ),
            models.Index(
                fields=["match", "player"],
                condition=Q(superseded_by__isnull=False),
                name="event_superseded",
            ),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["match", "player"],
                condition=Q(superseded_by=None),
                name="a_result_is_rated_once",
            ),
        ]

    def __str__(self) -> str:
        before, after = (number_format(one, 1) for one in (self.rating_before, self.rating_after))
        return f"{self.player}: {before} → {after}"

    @property
    def change(self) -> float:
        return self.rating_after - self.rating_before
