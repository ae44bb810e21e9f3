"""The standings: a projection of ratings, which can be rebuilt from them at any time.

These tables have no foreign keys, as they are not the truth. Only :mod:`league.services.standings`
writes them.
"""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q


class Standing(models.Model):
    """The standing of a player who has played enough to be ranked.

    The order is by ``key``, then by ``player_id``: players with equal keys share a rank and stand
    in the order in which they joined the league.
    """

    pk = models.CompositePrimaryKey("season_id", "player_id")
    season_id = models.BigIntegerField()
    player_id = models.BigIntegerField()
    key = models.FloatField()
    """The effective rating, negated where the highest is best, so that the lowest key is best."""
    active = models.BooleanField()
    """Whether the player is ranked; inactive players keep the key with which they would return."""
    decaying = models.FloatField()
    """Seconds of decay time left right after the last match."""
    due = models.BigIntegerField(null=True)
    """The time at which key or activity next change by themselves, in microseconds since 1970, as
    in the engines."""
    division = models.SmallIntegerField(null=True)
    """The season's division, from 0 for the lowest; inactive players keep theirs."""

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
    """Bucket counts of a season's ranked players, over (key, player id).

    Buckets start at (``low_keys``, ``low_players``), inclusive; the first starts before everybody.
    Arrays are stored as bytes: 8-byte floats, 8-byte integers and 4-byte integers.
    """

    season_id = models.BigIntegerField(primary_key=True)
    version = models.BigIntegerField()
    """Grows with every change."""
    bounds_version = models.BigIntegerField()
    """The version in which the bounds of buckets last changed."""
    total = models.IntegerField()
    low_keys = models.BinaryField()
    low_players = models.BinaryField()
    counts = models.BinaryField()

    def __str__(self) -> str:
        return f"{self.total} players in season {self.season_id}"


class StandingCuts(models.Model):
    """The keys at which a season's divisions started when they were last updated."""

    season_id = models.BigIntegerField(primary_key=True)
    reached = ArrayField(models.FloatField())
    """For each division above the lowest: players with a lower key have reached it."""
    kept = ArrayField(models.FloatField())
    """Players with a lower key do not lose it."""

    def __str__(self) -> str:
        return f"{len(self.reached)} cuts in season {self.season_id}"


class StandingChange(models.Model):
    """A changed rating whose standing is to be updated. Triggers write these rows."""

    season_id = models.BigIntegerField()
    player_id = models.BigIntegerField()

    def __str__(self) -> str:
        return f"player {self.player_id} in season {self.season_id}"


class StandingConnections(models.Model):
    """Of which state of a season's results ``Rating.connected`` was last computed."""

    season_id = models.BigIntegerField(primary_key=True)
    changed = models.BigIntegerField(default=1)
    """Grows with every update of standings with changed ratings."""
    computed = models.BigIntegerField(default=0)
    """The value of ``changed`` at the last computation."""
    computed_at = models.DateTimeField(null=True)
    seconds = models.FloatField(default=0)
    """Its duration."""
    needed = models.PositiveSmallIntegerField(default=0)
    """Different opponents that a player needs to be connected, 0 before the first computation."""

    def __str__(self) -> str:
        return f"connections of season {self.season_id}"


class StandingDay(models.Model):
    """A day whose ranks have been recorded, as it started in the arena's time zone."""

    pk = models.CompositePrimaryKey("season_id", "day")
    season_id = models.BigIntegerField()
    day = models.DateField()
    noted_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"season {self.season_id} on {self.day}"


class StandingDayRanks(models.Model):
    """The ranks of 128 players with neighbouring ids at the start of a day.

    ``ranks`` are 4-byte integers, most significant byte first; 0 for unranked players.
    """

    pk = models.CompositePrimaryKey("season_id", "day", "chunk")
    season_id = models.BigIntegerField()
    day = models.DateField()
    chunk = models.BigIntegerField()
    """The players' ids divided by 128."""
    ranks = models.BinaryField()

    def __str__(self) -> str:
        return f"chunk {self.chunk} of season {self.season_id} on {self.day}"
