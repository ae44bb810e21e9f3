"""Seasons: bounded runs of an arena, each with its own ratings."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from functools import lru_cache
from typing import TYPE_CHECKING

from django.contrib.postgres.constraints import ExclusionConstraint
from django.contrib.postgres.fields import ArrayField, DateTimeRangeField, RangeOperators
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Exists, F, Func, OuterRef, Q, Value
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

import ratings.registry
from league.models.arena import Arena
from league.models.display import shows_in_arena
from league.models.earlier import EARLIER_DEFAULTS, WITHOUT_PROFESSIONS
from league.models.moments import describe_moment
from league.models.words import Line
from ratings.seasons.fair_play import FairPlay, read_fair_play
from ratings.seasons.rules import SeasonRules, read_rules
from ratings.tunables.spans import add_span

if TYPE_CHECKING:
    from ratings.system import RatingSystem, Shows

EARLIEST = datetime(1000, 1, 1, tzinfo=UTC)
LATEST = datetime(3000, 1, 1, tzinfo=UTC)
"""Limits on the dates of seasons, so that no time zone or length leaves the range of dates."""


EARLIER = {**EARLIER_DEFAULTS, "glicko-2": {**EARLIER_DEFAULTS["glicko-2"], **WITHOUT_PROFESSIONS}}
"""Values by rating system of parameters that seasons of an earlier release lack. So its ratings
stay the replay of its results."""


class SeasonQuerySet(models.QuerySet["Season"]):
    def opened(self) -> SeasonQuerySet:
        """Return seasons that have opened, not those that are only planned."""
        return self.filter(opened_at__isnull=False)

    def running(self, now: datetime) -> SeasonQuerySet:
        begun = self.opened().filter(starts_at__lte=now)
        return begun.filter(Q(ends_at=None) | Q(ends_at__gt=now))

    def played_in(self, moment: datetime) -> SeasonQuerySet:
        """Return opened seasons, over or not, that ``moment`` falls in."""
        return self.running(moment)

    def take_late(self, now: datetime) -> SeasonQuerySet:
        """Return seasons that are over but still take results of matches played in them."""
        return self.unfrozen(now).filter(
            Q(rules__calendar__late="its-season") | Q(rules__calendar__isnull=True)
        )

    def due(self, now: datetime) -> SeasonQuerySet:
        """Return planned seasons that should have opened by ``now``."""
        return self.filter(opened_at=None, starts_at__lte=now)

    def unfollowed(self, now: datetime) -> SeasonQuerySet:
        """Return the last season of each arena if it is over and no next one is planned."""
        newer = Season.objects.filter(arena=OuterRef("arena"), starts_at__gt=OuterRef("starts_at"))
        return self.opened().filter(~Exists(newer), ends_at__lte=now)

    def unfrozen(self, now: datetime) -> SeasonQuerySet:
        """Return seasons that are over and not archived yet."""
        return self.opened().filter(archived_at=None, ends_at__lte=now)


class Season(models.Model):
    """A bounded run of an arena.

    A season keeps the rating system and the rules that it began with, and a change of the arena's
    rules applies from its next season, unless staff change those of the season. Ratings are the
    replay of its results, each under the rules in force when it was rated (``RulesVersion``).

    A season is *planned* with a date, *opened* with starting ratings for its players, *over* at its
    end and *archived* when its standings are frozen. Results of an archived season no longer
    change.
    """

    arena = models.ForeignKey(
        Arena, verbose_name=_("arena"), on_delete=models.PROTECT, related_name="seasons"
    )
    name = Line(_("name"), max_length=60)
    starts_at = models.DateTimeField(_("start"))
    ends_at = models.DateTimeField(
        _("end"), null=True, blank=True, help_text=_("If empty, until the next season opens.")
    )
    rating_system = models.CharField(_("rating system"), max_length=30, editable=False)
    rating_parameters = models.JSONField(_("rating parameters"), default=dict, editable=False)
    rules = models.JSONField(_("rules"), default=dict, editable=False)
    opened_at = models.DateTimeField(_("opened"), null=True, editable=False)
    archived_at = models.DateTimeField(_("archived"), null=True, editable=False)
    months_from = models.DateTimeField(null=True, editable=False)
    """The start of the season from which its months are counted, ``None`` if that is itself."""
    decayed_until = models.DateTimeField(_("decayed until"), null=True, editable=False)
    """The end of the last processed period of zero-sum decay, ``None`` before the first."""

    kept_open_until = models.DateTimeField(null=True, editable=False)
    """For a season that was created after its end: it is not archived earlier, so that its results
    can be imported, and the import undone."""

    anchors = ArrayField(
        models.BigIntegerField(), default=list, db_default=Value("{}"), editable=False
    )
    """Ids of the players whose rating no result of this season moves."""
    starting_ratings = models.JSONField(
        default=dict, db_default=Value({}, models.JSONField()), editable=False
    )
    """Starting ratings that organisers gave, by the name of the rating system for which: the rating
    of each player, by id, and the deviation or null. In a ladder the ratings are ranks."""
    rules_version = models.PositiveSmallIntegerField(default=1, db_default=1, editable=False)
    """The number of the rules in force, the fields above. Those before are ``RulesVersion``."""
    shown_mean = models.FloatField(null=True, editable=False)
    """The mean of the ranked players' ratings, for arenas that show a fixed range."""
    shown_width = models.FloatField(null=True, editable=False)
    """Their standard deviation. Both are ``None`` until somebody is ranked."""

    objects = SeasonQuerySet.as_manager()

    class Meta:
        ordering = ["-starts_at"]
        verbose_name = _("season")
        verbose_name_plural = _("seasons")
        constraints = [
            models.CheckConstraint(
                condition=Q(ends_at=None) | Q(ends_at__gt=F("starts_at")),
                name="season_ends_after_it_starts",
                violation_error_message=_("A season must end after it starts."),
            ),
            models.UniqueConstraint(fields=["arena", "name"], name="season_name_once_an_arena"),
            # The arena as a range of one: equality in GiST without the btree_gist extension.
            ExclusionConstraint(
                name="seasons_of_an_arena_do_not_overlap",
                expressions=[
                    (
                        Func(F("arena"), F("arena"), Value("[]"), function="int8range"),
                        RangeOperators.OVERLAPS,
                    ),
                    (
                        Func(
                            F("starts_at"),
                            F("ends_at"),
                            Value("[)"),
                            function="tstzrange",
                            output_field=DateTimeRangeField(),
                        ),
                        RangeOperators.OVERLAPS,
                    ),
                ],
                violation_error_message=_("This season overlaps another season of its arena."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.arena} · {self.name}"

    def get_absolute_url(self) -> str:
        return reverse("season", args=[self.pk])

    def clean(self) -> None:
        check_dates(self.starts_at, self.ends_at)
        self.check_others()

    def check_others(self) -> None:
        """Refuse a name or dates that another season of the arena has, and name that season."""
        others = Season.objects.filter(arena=self.arena_id).exclude(pk=self.pk)
        if others.filter(name=self.name).exists():
            raise ValidationError({"name": _("Another season of this arena has that name.")})
        if self.starts_at is None:
            return
        later = others.filter(Q(ends_at=None) | Q(ends_at__gt=self.starts_at))
        if self.ends_at is not None:
            later = later.filter(starts_at__lt=self.ends_at)
        if other := later.order_by("starts_at").first():
            at_fault = "starts_at" if other.starts_at <= self.starts_at else "ends_at"
            message = _("This season overlaps %(season)s. Choose other dates, or change its dates.")
            raise ValidationError({at_fault: message % {"season": other.describe()}})

    def is_running(self, now: datetime) -> bool:
        """Return whether this is its arena's current season at ``now``."""
        has_begun = self.opened_at is not None and self.starts_at <= now
        return has_begun and (self.ends_at is None or self.ends_at > now)

    def describe(self) -> str:
        """Return the name and dates in the active time zone."""
        start, end = (
            describe_moment(moment) if moment else "" for moment in (self.starts_at, self.ends_at)
        )
        if not end:
            return _("“%(name)s”, which starts on %(start)s and has no end yet") % {
                "name": self.name,
                "start": start,
            }
        return _("“%(name)s”, which runs from %(start)s to %(end)s") % {
            "name": self.name,
            "start": start,
            "end": end,
        }

    def season_rules(self) -> SeasonRules:
        """Return the rules in force."""
        return rules_from_json(json.dumps(self.rules, sort_keys=True))

    @property
    def archive_due_at(self) -> datetime | None:
        """The time when the standings are frozen, ``None`` for a season without an end."""
        if self.ends_at is None:
            return None
        wait = self.season_rules().calendar.wait
        due = add_span(self.ends_at, wait, self.arena.zone)
        return max(due, self.kept_open_until) if self.kept_open_until else due

    def system(self) -> RatingSystem:
        """Return the rating system of this season, with the parameters in force."""
        return system_from_json(self.rating_system, self.parameters_as_json, tuple(self.anchors))

    @property
    def parameters_as_json(self) -> str:
        return json.dumps(self.rating_parameters, sort_keys=True)

    def shows_in(self, arena: Arena) -> Shows:
        """Return how ratings are shown by the rules of its arena, which the caller has loaded."""
        if not arena.display:
            return self.system().shows
        return shows_in_arena(
            self.system(), arena.display_settings(), self.shown_mean, self.shown_width
        )

    @property
    def shows(self) -> Shows:
        """Return the way in which ratings of this season are shown."""
        return self.shows_in(self.arena)

    @property
    def lowest_first(self) -> bool:
        """Whether the lowest rating is the best: in a ladder, ratings are ranks."""
        return ratings.registry.find(self.rating_system).shows.lowest_first


def check_dates(starts_at: datetime | None, ends_at: datetime | None) -> None:
    """Refuse dates that are out of range or in the wrong order.

    Raises:
        ValidationError: for ``starts_at`` or ``ends_at``.
    """
    for name, moment in (("starts_at", starts_at), ("ends_at", ends_at)):
        if moment and not EARLIEST <= moment < LATEST:
            raise ValidationError({name: _("The year must be from 1000 to 2999.")})
    if starts_at and ends_at and ends_at <= starts_at:
        raise ValidationError({"ends_at": _("A season must end after it starts.")})


@lru_cache(maxsize=256)
def system_from_json(name: str, parameters: str, anchors: tuple[int, ...] = ()) -> RatingSystem:
    """Return a rating system from its name, JSON parameters and the ids of players held fixed.

    Cached: it is immutable.
    """
    system = ratings.registry.build(name, EARLIER.get(name, {}) | json.loads(parameters))
    return system.with_anchors(map(str, anchors)) if anchors else system


@lru_cache(maxsize=256)
def rules_from_json(rules: str) -> SeasonRules:
    """Return season rules from JSON. Cached: they are immutable."""
    return read_rules(json.loads(rules))


@lru_cache(maxsize=256)
def fair_play_from_json(rules: str | None) -> FairPlay:
    """Return rules of fair play from JSON, the defaults for None. Cached: they are immutable."""
    return read_fair_play(json.loads(rules) if rules else None)
