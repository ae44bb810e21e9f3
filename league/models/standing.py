"""The order of a season's ranked players: a projection of its ratings, made anew from them at will.

Nothing here is the truth, so nothing here refers to it by a foreign key. Only
:mod:`league.services.standings` writes these tables.
"""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q


class Standing(models.Model):
    """A player who has played enough to be ranked, and the place in the order that this earns.

    The order is by ``key``, then by ``player_id``: equal keys share a rank and stand in the order
    in which they joined the league.
    """

    pk = models.CompositePrimaryKey("season_id", "player_id")
    season_id = models.BigIntegerField()
    player_id = models.BigIntegerField()
    key = models.FloatField()
    """The effective rating, with its sign turned where the highest is the best: least is best."""
    active = models.BooleanField()
    """Whether the player is ranked; the inactive keep the key with which they would return."""
    decaying = models.FloatField()
    """Seconds of decay time that were left right after the last match."""
    due = models.BigIntegerField(null=True)
    """When key or activity change by themselves, if nothing is played before: microseconds since
    1970, as the engines count."""
    division = models.SmallIntegerField(null=True)
    """Which of the season's divisions, from 0 for the lowest; the inactive keep theirs."""

    class Meta:
        indexes = [
            models.Index(
                fields=["season_id", "key", "player_id"],
                condition=Q(active=True),
                name="standing_order",
            ),
            models.Index(
                fields=["season_id", "key", "player_id"],
                condition=Q(active=False),
                name="standing_inactive",
            ),
            models.Index(
                fields=["season_id", "due"],
                condition=Q(due__isnull=False),
                name="standing_due",
            ),
        ]

    def __str__(self) -> str:
        return f"player {self.player_id} in season {self.season_id}"


class StandingHistogram(models.Model):
    """How many of a season's ranked players stand in each stretch of the order.

    The stretches begin at (``low_keys``, ``low_players``), each inclusive; the first begins before
    everybody. Arrays are kept as their bytes: 8-byte floats, 8-byte and 4-byte integers.
    """

    season_id = models.BigIntegerField(primary_key=True)
    version = models.BigIntegerField()
    """Grows with every change."""
    bounds_version = models.BigIntegerField()
    """The version in which the stretches themselves last changed."""
    total = models.IntegerField()
    low_keys = models.BinaryField()
    low_players = models.BinaryField()
    counts = models.BinaryField()

    def __str__(self) -> str:
        return f"{self.total} players in season {self.season_id}"


class StandingCuts(models.Model):
    """Where in the order the divisions of a season began when they were last settled."""

    season_id = models.BigIntegerField(primary_key=True)
    reached = ArrayField(models.FloatField())
    """Of each division but the lowest: who has a lesser key has reached it."""
    kept = ArrayField(models.FloatField())
    """Who has a lesser key does not lose it."""

    def __str__(self) -> str:
        return f"{len(self.reached)} cuts in season {self.season_id}"


class StandingChange(models.Model):
    """A rating that changed and is still to be put in its place. The database writes these."""

    season_id = models.BigIntegerField()
    player_id = models.BigIntegerField()

    def __str__(self) -> str:
        return f"player {self.player_id} in season {self.season_id}"


class StandingDay(models.Model):
    """That a season's ranks were written down as a day began where its arena is."""

    pk = models.CompositePrimaryKey("season_id", "day")
    season_id = models.BigIntegerField()
    day = models.DateField()
    noted_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"season {self.season_id} on {self.day}"


class StandingDayRanks(models.Model):
    """The ranks of 128 players with neighbouring ids as a day began.

    ``ranks`` are integers of four bytes, the highest first; 0 for who was not ranked.
    """

    pk = models.CompositePrimaryKey("season_id", "day", "chunk")
    season_id = models.BigIntegerField()
    day = models.DateField()
    chunk = models.BigIntegerField()
    """The players' ids divided by 128."""
    ranks = models.BinaryField()

    def __str__(self) -> str:
        return f"chunk {self.chunk} of season {self.season_id} on {self.day}"
