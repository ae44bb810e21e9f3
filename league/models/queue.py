"""An arena's queue: its matcher, its rules and the length of its ready checks."""

from __future__ import annotations

import json
from datetime import timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from pydantic import ValidationError as BrokenRules
from simple_history.models import HistoricalRecords

from league.models.arena import Arena, Format
from matchmaking.prediction import PredictionRules
from matchmaking.presets import PRESETS
from matchmaking.rules.arena import Rules

if TYPE_CHECKING:
    from collections.abc import Collection

    from league.models.season import Season

SHORTEST_READY_WINDOW = timedelta(seconds=5)
LONGEST_READY_WINDOW = timedelta(minutes=10)

TICKS_KEPT = timedelta(days=7)
SHORTEST_TICKS_KEPT = timedelta(hours=1)
LONGEST_TICKS_KEPT = timedelta(days=365)


OF_ARENA = {"name", "team_size", "scale"}
"""The rules of a matcher that come from the arena and its season."""

STARTING_PRESET = "small-community"
"""The preset of new queues. The published rules make no matches while few players are online."""


def preset_rules(preset: str) -> dict[str, Any]:
    """Return a preset's rules as stored in a queue."""
    return PRESETS[preset].rules().model_dump(mode="json", exclude=OF_ARENA)


def starting_rules() -> dict[str, Any]:
    return preset_rules(STARTING_PRESET)


class ArenaQueueQuerySet(models.QuerySet["ArenaQueue"]):
    def open(self) -> ArenaQueueQuerySet:
        return self.filter(is_open=True, arena__is_open=True, arena__is_draft=False)


class ArenaQueue(models.Model):
    """The settings by which an arena makes matches of the rosters in its queue."""

    class Matcher(models.TextChoices):
        """The matchers of :mod:`matchmaking`, by name."""

        NEW = "new", _("Newer published matcher: scores rosters for both teams and the match")
        OLD = "old", _("Older published matcher: scores rosters for one team at a time")
        LAUREL = "laurel", _("Laurel: fair teams or none, from the whole queue at once")

    class RankSource(models.TextChoices):
        """The source of a player's rank, for the minimum rank of a queue and for its matcher."""

        SITE = "site", _("Rated matches in any arena")
        ARENA = "arena", _("Rated matches in this arena")
        LEVEL = "level", _("The player’s level, set by staff or a game server")

    class Pools(models.TextChoices):
        """Whether rosters and players who queue alone meet each other."""

        MIXED = "mixed", _("mixed: everybody meets everybody")
        APART = "apart", _("apart: rosters meet rosters, and lone players meet lone players")

    arena = models.OneToOneField(
        Arena, verbose_name=_("arena"), on_delete=models.CASCADE, related_name="queue"
    )
    is_open = models.BooleanField(
        _("open"),
        default=True,
        help_text=_("If closed, nobody can join and no matches are made."),
    )
    matcher = models.CharField(
        _("matcher"), max_length=20, choices=Matcher.choices, default=Matcher.LAUREL
    )
    rules = models.JSONField(_("rules"), default=starting_rules, blank=True)
    ready_window = models.DurationField(
        _("ready window"),
        default=timedelta(seconds=30),
        validators=[
            MinValueValidator(SHORTEST_READY_WINDOW),
            MaxValueValidator(LONGEST_READY_WINDOW),
        ],
        help_text=_("How long players have to accept a match. From 5 seconds to 10 minutes."),
    )
    ticks_kept = models.DurationField(
        _("ticks kept"),
        default=TICKS_KEPT,
        db_default=TICKS_KEPT,
        validators=[
            MinValueValidator(SHORTEST_TICKS_KEPT),
            MaxValueValidator(LONGEST_TICKS_KEPT),
        ],
        help_text=_(
            "How long each run of the matcher can be run again and explained. From 1 hour to 365 "
            "days. A queue with 12 waiting rosters takes about 7 MB a day, one with 5,000 up to "
            "2 GB."
        ),
    )
    bars_timeouts = models.BooleanField(
        _("bars players in a timeout"),
        default=True,
        help_text=_("Whether a timeout for dishonor keeps a player out of this queue."),
    )
    rank_source = models.CharField(
        _("rank"),
        max_length=10,
        choices=RankSource.choices,
        default=RankSource.SITE,
        db_default=RankSource.ARENA,
        help_text=_(
            "What counts as a player’s rank, for the minimum rank and in the matcher’s scores. "
            "If only matches in this arena count, newcomers can never reach a minimum rank by "
            "queueing here."
        ),
    )
    pools = models.CharField(
        _("pools"),
        max_length=10,
        choices=Pools.choices,
        default=Pools.MIXED,
        db_default=Pools.MIXED,
        help_text=_(
            "Two pools are fairer to lone players, but both wait longer. A roster has two or more "
            "players."
        ),
    )
    fills_seats = models.BooleanField(
        _("fills the seats of leavers"),
        default=False,
        db_default=False,
        help_text=_(
            "Whether lone players who have agreed to it take the place of somebody who left a "
            "match from this queue within the last 10 minutes. They play unrated."
        ),
    )
    prediction = models.JSONField(
        _("prediction"),
        null=True,
        blank=True,
        help_text=_(
            "The weights of the published prediction. Empty if matches are predicted from ratings."
        ),
    )
    configuration = models.TextField(
        _("imported configuration"),
        blank=True,
        editable=False,
        help_text=_("The parts of an imported file that are not rules of the queue, as XML."),
    )

    history = HistoricalRecords()  # type: ignore[no-untyped-call] # the library has no types
    objects = ArenaQueueQuerySet.as_manager()

    class Meta:
        ordering = ["arena__sort_name"]
        verbose_name = _("queue")
        verbose_name_plural = _("queues")
        constraints = [
            models.CheckConstraint(
                condition=Q(
                    ready_window__gte=SHORTEST_READY_WINDOW, ready_window__lte=LONGEST_READY_WINDOW
                ),
                name="queue_ready_window_in_range",
            ),
            models.CheckConstraint(
                condition=Q(
                    ticks_kept__gte=SHORTEST_TICKS_KEPT, ticks_kept__lte=LONGEST_TICKS_KEPT
                ),
                name="queue_ticks_kept_in_range",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.arena}"

    def start_from(self, preset: str) -> None:
        """Use a preset's rules and the matcher they are meant for."""
        self.rules = preset_rules(preset)
        published = preset.startswith("gw2-")
        self.matcher = self.Matcher.NEW if published else self.Matcher.LAUREL

    def matching(self) -> Rules:
        """Return the rules for the matcher. Teams have the arena's largest size."""
        own = {"name": self.arena.name, "team_size": self.arena.team_size_max}
        return Rules.model_validate({**self.rules, **own})

    def matching_in(self, season: Season) -> Rules:
        """Return the rules for the matcher in the points of a season's ratings."""
        return self.matching().on_scale(season.system().scale)

    def prediction_rules(self) -> PredictionRules | None:
        """Return the rules that predict this arena's matches, ``None`` if ratings do."""
        return prediction_from_json(json.dumps(self.prediction)) if self.prediction else None

    def validate_constraints(self, exclude: Collection[str] | None = None) -> None:
        """Leave the constraints to the database: the fields' validators have the same ranges."""

    def clean(self) -> None:
        if self.arena_id is None:  # the field says so
            return
        if (
            self.arena.format != Format.TEAMS
            or not self.arena.sides_min <= 2 <= self.arena.sides_max
        ):
            raise ValidationError(
                {"arena": _("A queue makes matches of two sides, and this arena has none.")}
            )
        try:
            written = self.matching().model_dump(mode="json", exclude=OF_ARENA)
        except BrokenRules as error:
            raise ValidationError(
                {
                    "rules": [
                        f"{'.'.join(map(str, problem['loc']))}: {problem['msg']}"
                        for problem in error.errors()
                    ]
                }
            ) from error
        self.rules = written


@lru_cache(maxsize=256)
def prediction_from_json(rules: str) -> PredictionRules:
    """Return rules of prediction from JSON. Cached: they are immutable."""
    return PredictionRules.model_validate_json(rules)
