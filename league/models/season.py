"""Bounded runs of an arena, each with ratings of its own."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING

from django.contrib.postgres.constraints import ExclusionConstraint
from django.contrib.postgres.fields import DateTimeRangeField, RangeOperators
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Exists, F, Func, OuterRef, Q, Value
from django.urls import reverse
from django.utils.timezone import localtime
from django.utils.translation import gettext_lazy as _

import ratings.registry
from league.models.arena import Arena
from ratings.seasons.rules import SeasonRules, read_rules

if TYPE_CHECKING:
    from ratings.system import RatingSystem

EARLIEST = datetime(1000, 1, 1, tzinfo=UTC)
LATEST = datetime(3000, 1, 1, tzinfo=UTC)
"""Between which the dates of seasons lie: in any time zone, and with any length, still a date."""


class SeasonQuerySet(models.QuerySet["Season"]):
    def opened(self) -> SeasonQuerySet:
        """Seasons that have their ratings: not those that are only planned."""
        return self.filter(opened_at__isnull=False)

    def running(self, now: datetime) -> SeasonQuerySet:
        begun = self.opened().filter(starts_at__lte=now)
        return begun.filter(Q(ends_at=None) | Q(ends_at__gt=now))

    def played_in(self, moment: datetime) -> SeasonQuerySet:
        """Opened seasons, over or not, that ``moment`` lies in."""
        return self.running(moment)

    def take_late(self, now: datetime) -> SeasonQuerySet:
        """Seasons that are over and still take results that were played in them."""
        return self.unfrozen(now).filter(
            Q(rules__calendar__late="its-season") | Q(rules__calendar__isnull=True)
        )

    def due(self, now: datetime) -> SeasonQuerySet:
        """Planned seasons whose day has come, also if it passed while nobody was there to see."""
        return self.filter(opened_at=None, starts_at__lte=now)

    def unfollowed(self, now: datetime) -> SeasonQuerySet:
        """The last season of each arena, if it is over and no next one is planned."""
        newer = Season.objects.filter(arena=OuterRef("arena"), starts_at__gt=OuterRef("starts_at"))
        return self.opened().filter(~Exists(newer), ends_at__lte=now)

    def unfrozen(self, now: datetime) -> SeasonQuerySet:
        """Seasons that are over and have no archive yet."""
        return self.opened().filter(archived_at=None, ends_at__lte=now)


class Season(models.Model):
    """A bounded run of an arena.

    A season keeps the rating system and the rules that it began with: ratings are the replay of its
    results under one rule, and a change of the arena's rules shows from its next season on.

    Its life: *planned* with a date; *opened*, which gives its players the ratings they start from;
    *over* at its end; *archived* when its standings are frozen. No result of an archived season is
    settled or changed any more.
    """

    arena = models.ForeignKey(Arena, on_delete=models.PROTECT, related_name="seasons")
    name = models.CharField(_("name"), max_length=60)
    starts_at = models.DateTimeField(_("start"))
    ends_at = models.DateTimeField(
        _("end"), null=True, blank=True, help_text=_("Empty: until a next season is opened.")
    )
    rating_system = models.CharField(_("rating system"), max_length=30, editable=False)
    rating_parameters = models.JSONField(_("rating parameters"), default=dict, editable=False)
    rules = models.JSONField(_("rules"), default=dict, editable=False)
    opened_at = models.DateTimeField(_("opened"), null=True, editable=False)
    archived_at = models.DateTimeField(_("archived"), null=True, editable=False)
    decayed_until = models.DateTimeField(null=True, editable=False)
    """Up to where periods of zero-sum decay have been seen to; none before any was."""

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
        """Refuse the name or the time of another season of the arena, and say of which."""
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
            told = _("This season overlaps %s. Choose other dates, or change those of that season.")
            raise ValidationError({at_fault: told % other.in_words()})

    def in_words(self) -> str:
        """Name and dates, in the time zone in use."""
        start, end = (
            f"{localtime(moment):%Y-%m-%d %H:%M %Z}" if moment else ""
            for moment in (self.starts_at, self.ends_at)
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
        """The rules that this season began with."""
        return rules_of(json.dumps(self.rules, sort_keys=True))

    @property
    def archive_due_at(self) -> datetime | None:
        """When the standings are to be frozen; none of a season without an end."""
        if self.ends_at is None:
            return None
        return self.ends_at + timedelta(seconds=self.season_rules().calendar.wait)

    def system(self) -> RatingSystem:
        """The rating system of this season, with the parameters it began with."""
        return system_of(self.rating_system, json.dumps(self.rating_parameters, sort_keys=True))

    @property
    def lowest_first(self) -> bool:
        """Whether the smallest rating is the best: ratings of a ladder are ranks."""
        return ratings.registry.find(self.rating_system).shows.lowest_first


def check_dates(starts_at: datetime | None, ends_at: datetime | None) -> None:
    """Refuse dates that are out of reach or the wrong way round, beside the one at fault.

    Raises:
        ValidationError: with ``starts_at`` or ``ends_at``.
    """
    for name, moment in (("starts_at", starts_at), ("ends_at", ends_at)):
        if moment and not EARLIEST <= moment < LATEST:
            raise ValidationError({name: _("The year must be from 1000 to 2999.")})
    if starts_at and ends_at and ends_at <= starts_at:
        raise ValidationError({"ends_at": _("A season must end after it starts.")})


@lru_cache(maxsize=256)
def system_of(name: str, parameters: str) -> RatingSystem:
    """The system of that name and JSON parameters: it holds no player, so one serves all."""
    return ratings.registry.build(name, json.loads(parameters))


@lru_cache(maxsize=256)
def rules_of(rules: str) -> SeasonRules:
    """The rules of that JSON: nobody can change them, so one object serves all."""
    return read_rules(json.loads(rules))
