"""Versions of a season's rules, and trials of other rules."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from league.models.moments import describe_moment
from league.models.player import Player
from league.models.season import Season, rules_from_json, system_from_json
from league.models.words import Line, Words

if TYPE_CHECKING:
    from ratings.seasons.rules import SeasonRules
    from ratings.system import RatingSystem


class RulesVersion(models.Model):
    """The rules of a season from one change to the next. Written once, never changed.

    A season whose rules never changed has no rows. A match was rated under the version with the
    highest number among those whose ``since`` is below its ``rated_order``. So a season that was
    rated again has a version that covers all of its matches.
    """

    season = models.ForeignKey(Season, on_delete=models.PROTECT, related_name="versions")
    number = models.PositiveSmallIntegerField(_("version"))
    since = models.BigIntegerField()
    """Above the ``rated_order`` of all matches before it; 0 if it covers the whole season."""
    at = models.DateTimeField(_("when"))
    rating_system = models.CharField(_("rating system"), max_length=30)
    rating_parameters = models.JSONField(_("rating parameters"))
    rules = models.JSONField(_("rules"))
    changes = models.JSONField(default=list)
    """The differences from the version before: label, old and new value of each."""
    reason = Words(_("reason"), blank=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("by"),
        on_delete=models.PROTECT,
        related_name="+",
        null=True,
    )
    """Empty for the rules that the season began with."""

    class Meta:
        ordering = ["number"]
        verbose_name = _("version of rules")
        verbose_name_plural = _("versions of rules")
        constraints = [
            models.UniqueConstraint(fields=["season", "number"], name="rules_version_once"),
        ]

    def __str__(self) -> str:
        return f"{self.season} · {self.number}"

    @property
    def whole_season(self) -> bool:
        """Whether all matches were rated again under it."""
        return self.number > 1 and self.since == 0

    @property
    def who(self) -> str:
        """Return the name that everybody knows of the person who decided. Login names stay
        private.
        """
        player = getattr(self.by, "player", None)
        return player.name if player else str(_("Staff"))

    def system(self) -> RatingSystem:
        """Return its rating system, with the season's anchors."""
        parameters = json.dumps(self.rating_parameters, sort_keys=True)
        return system_from_json(self.rating_system, parameters, tuple(self.season.anchors))

    def season_rules(self) -> SeasonRules:
        return rules_from_json(json.dumps(self.rules, sort_keys=True))


class Trial(models.Model):
    """A season replayed under other rules, to see what they would change."""

    class Outcome(models.TextChoices):
        NONE = "", _("open")
        NEXT_MATCH = "next", _("applied from the next match")
        RERATED = "rerated", _("season rated again")
        PLANNED = "planned", _("planned for the next season")

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="trials")
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("by"),
        on_delete=models.CASCADE,
        related_name="trials",
    )
    at = models.DateTimeField(_("when"))
    candidates = models.JSONField(_("rules"))
    """The sets of rules that are tried (``league.services.other_rules.candidates``), with fitted
    parameters once they were."""
    split = models.DateTimeField()
    """From when on forecasts are judged."""
    version = models.PositiveSmallIntegerField()
    """The version of the season's rules that it was compared with."""
    horizon = models.BigIntegerField(default=0)
    """The last ``Match.rated_order`` that it replayed."""
    corrections = models.BigIntegerField(default=0)
    """The last correction of the season before it."""
    report = models.JSONField(null=True)
    """The changes that it would make, empty until they are known."""
    outcome = models.CharField(
        _("outcome"), max_length=10, choices=Outcome.choices, default=Outcome.NONE, blank=True
    )
    chosen = models.CharField(max_length=60, blank=True)
    """The candidate that the outcome is about."""

    class Meta:
        ordering = ["-id"]
        verbose_name = _("trial of rules")
        verbose_name_plural = _("trials of rules")

    def __str__(self) -> str:
        return f"{self.season} · {describe_moment(self.at)}"


class TrialMove(models.Model):
    """The change of a candidate for one player. Players for whom nothing changes have no row."""

    trial = models.ForeignKey(Trial, on_delete=models.CASCADE, related_name="moves", db_index=False)
    candidate = models.CharField(max_length=60)
    # Without a constraint: deleting a player would read the moves of all trials.
    player = models.ForeignKey(
        Player,
        on_delete=models.DO_NOTHING,
        related_name="+",
        db_index=False,
        db_constraint=False,
    )
    rating_before = models.FloatField(null=True)
    rating_after = models.FloatField(null=True)
    """Empty without a match that counts."""
    rank_before = models.PositiveIntegerField(null=True)
    """Empty for players without a rank."""
    rank_after = models.PositiveIntegerField(null=True)
    division_before = Line(max_length=60, default="", db_default="")
    division_after = Line(max_length=60, default="", db_default="")
    points_before = models.IntegerField(null=True)
    """Empty without a match that counted for points."""
    points_after = models.IntegerField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["trial", "candidate", "player"], name="trial_moves_a_player_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.trial}: {self.player}"
