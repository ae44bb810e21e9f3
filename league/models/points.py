"""Ladder points: the ledger of awarded points, and the totals computed from it."""

from __future__ import annotations

from django.contrib.postgres.indexes import BrinIndex
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from league.models.correction import Correction
from league.models.match import Match
from league.models.names import NAME_MAX_LENGTH
from league.models.player import Player
from league.models.season import Season


class CurrentEntries(models.Manager["PointEntry"]):
    """Current entries: those that no correction has superseded."""

    def get_queryset(self) -> models.QuerySet[PointEntry]:
        return super().get_queryset().filter(superseded_by=None)


class PointEntry(models.Model):
    """The ladder points of one player from one match. Written once, never changed.

    A correction of a result supersedes entries and writes new ones instead. ``objects`` are the
    current entries, ``ever`` includes superseded ones. Entries do not depend on each other: points
    follow from the match and the ratings of its players before it.
    """

    season = models.ForeignKey(
        Season, on_delete=models.PROTECT, related_name="point_entries", db_index=False
    )
    match = models.ForeignKey(
        Match, on_delete=models.PROTECT, related_name="point_entries", db_index=False
    )
    player = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="point_entries", db_index=False
    )
    at = models.DateTimeField(_("awarded"))
    odds = models.FloatField(_("win chance"))
    """From 0 to 1, before the match."""
    score_ratio = models.FloatField(_("share of the winning score"))
    """Of the player's side, from 0 to 1."""
    victory = models.BooleanField(_("win"))
    """Whether the side came first alone."""
    deserted = models.BooleanField(_("left early"))
    points = models.IntegerField(_("points"))
    superseded_by = models.ForeignKey(
        Correction,
        verbose_name=_("superseded by"),
        on_delete=models.PROTECT,
        related_name="+",
        null=True,
        blank=True,
        db_index=False,
    )

    objects = CurrentEntries()
    ever: models.Manager[PointEntry] = models.Manager()

    class Meta:
        ordering = ["id"]
        verbose_name = _("ladder points of a match")
        verbose_name_plural = _("ladder points of matches")
        indexes = [
            models.Index(
                fields=["season", "player", "match"],
                condition=Q(superseded_by=None),
                name="points_of_player",
            ),
            BrinIndex(fields=["at"], name="points_at", autosummarize=True),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["match", "player"],
                condition=Q(superseded_by=None),
                name="a_result_gives_points_once",
            ),
            models.CheckConstraint(
                condition=Q(odds__gte=0, odds__lte=1, score_ratio__gte=0, score_ratio__lte=1),
                name="points_by_shares",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.points:+d}"


class PointTotal(models.Model):
    """A player's points in a season so far: the sum of current entries.

    The leaderboard is ordered by points, then by fewer matches, then by who joined the league
    earlier. Equal points share a rank.
    """

    pk = models.CompositePrimaryKey("season_id", "player_id")
    season = models.ForeignKey(
        Season, on_delete=models.PROTECT, related_name="point_totals", db_index=False
    )
    player = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="point_totals", db_index=False
    )
    points = models.IntegerField(_("points"))
    matches = models.PositiveIntegerField(_("matches"))
    wins = models.PositiveIntegerField(_("wins"))
    listed = models.BooleanField(_("listed"))
    """Whether the player has enough points and matches for the leaderboard."""

    class Meta:
        verbose_name = _("ladder points of a season")
        verbose_name_plural = _("ladder points of seasons")
        indexes = [
            models.Index(
                F("season"),
                F("points") * -1,
                F("matches"),
                F("player"),
                condition=Q(listed=True),
                name="points_order",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.points}"


class PointTally(models.Model):
    """The number of listed players with a number of points: the sum of ``players`` over its rows.

    Results add rows without locks, so they never wait for each other; a task merges the rows.
    Tallies follow from the totals and are used for ranks only.
    """

    season_id = models.BigIntegerField()
    points = models.IntegerField()
    players = models.IntegerField()

    class Meta:
        indexes = [models.Index(fields=["season_id", "points"], name="points_tally")]

    def __str__(self) -> str:
        return f"{self.players:+d} with {self.points} points in season {self.season_id}"


class FinalPoints(models.Model):
    """A player's final ladder points in an archived season. Written once, never changed."""

    season = models.ForeignKey(
        Season, on_delete=models.PROTECT, related_name="final_points", db_index=False
    )
    position = models.PositiveIntegerField()
    """From 1, in the order of the leaderboard, followed by players who were not listed."""
    player = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="final_points", db_index=False
    )
    name = models.CharField(_("name"), max_length=NAME_MAX_LENGTH)
    """The name when the season was archived."""
    rank = models.PositiveIntegerField(_("rank"), null=True)
    """None for players who were not listed. Equal points share a rank."""
    points = models.IntegerField(_("points"))
    matches = models.PositiveIntegerField(_("matches"))
    wins = models.PositiveIntegerField(_("wins"))

    class Meta:
        ordering = ["season", "position"]
        verbose_name = _("final ladder points")
        verbose_name_plural = _("final ladder points")
        constraints = [
            models.UniqueConstraint(fields=["season", "position"], name="final_points_order"),
            models.UniqueConstraint(fields=["player", "season"], name="final_points_once"),
        ]

    def __str__(self) -> str:
        return f"{self.position}. {self.name}"
