"""Arenas: places to compete, each with one format, one rating system and one set of rules."""

from __future__ import annotations

import json
from datetime import timedelta
from functools import cache
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, available_timezones

from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _
from simple_history.models import HistoricalRecords

import ratings.registry
from league.models.display import display_rules_from_json
from league.models.explained import problems_said, translate
from league.models.limits import Limits, limits_from_json
from league.models.lookalikes import SortField
from league.models.name_lists import FIGURES, MAPS, MODES, REGIONS
from league.models.result_rules import ResultRules, result_rules_from_json
from league.models.words import Line, Words
from ratings.seasons.rules import SeasonRules, read_rules
from ratings.tunables.reading import ParameterError

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from league.models.season import Season
    from ratings.display import DisplayRules
    from ratings.system import RatingSystem

MAX_SIDES = 10_000
MAX_TEAM_SIZE = 100
SHORTEST_WINDOW = timedelta(minutes=1)
LONGEST_WINDOW = timedelta(days=30)
SHORTEST_TURN = timedelta(seconds=10)
LONGEST_TURN = timedelta(minutes=10)


@cache
def zones() -> frozenset[str]:
    """Return the names of all time zones. Listing them reads hundreds of files."""
    return frozenset(available_timezones())


def validate_zone(name: str) -> None:
    """Refuse unknown time zones."""
    if name not in zones():
        raise ValidationError(
            _("There is no time zone “%(name)s”. Write it like Europe/Berlin or UTC."),
            params={"name": name[:60]},
        )


NAME_LISTS = {"modes": MODES, "regions": REGIONS, "maps": MAPS, "figures": FIGURES}
"""The lists of an arena, by field."""


class Format(models.TextChoices):
    TEAMS = "teams", _("Teams: sides of one or more players against each other")
    FREE_FOR_ALL = "free-for-all", _("Free for all: every player for themselves")


class MapChoice(models.TextChoices):
    """A way to choose the map of a match among those that its arena lists."""

    NONE = "none", _("not on this site")
    RANDOM = "random", _("drawn at random")
    VETO = "veto", _("alternating veto: captains ban in turn until one is left")


class ArenaQuerySet(models.QuerySet["Arena"]):
    def published(self) -> ArenaQuerySet:
        """Return the arenas that everybody may see. Drafts are for staff who may change them."""
        return self.filter(is_draft=False)

    def open(self) -> ArenaQuerySet:
        return self.filter(is_open=True)


class Arena(models.Model):
    """A place to compete with one format and one set of rules."""

    name = Line(_("name"), max_length=60, unique=True)
    sort_name = SortField()
    slug = models.SlugField(
        _("address"),
        max_length=60,
        unique=True,
        help_text=_("The last part of the arena's web address: letters, digits and hyphens."),
    )
    description = Words(
        _("description"), blank=True, help_text=_("Shown at the top of the arena's page.")
    )
    is_open = models.BooleanField(
        _("open"),
        default=True,
        help_text=_("If closed, the arena stays readable, but no new results can be reported."),
    )

    is_draft = models.BooleanField(_("draft"), default=False, db_default=False, editable=False)
    """Whether only staff who may change it see it. It has no season before it is published."""
    copied_from = models.BigIntegerField(null=True, editable=False)
    """The id of the arena that a draft was copied from, whose players its divisions count."""

    format = models.CharField(
        _("format"), max_length=20, choices=Format.choices, default=Format.TEAMS
    )
    sides_min = models.PositiveSmallIntegerField(
        _("fewest sides"),
        default=2,
        validators=[MinValueValidator(2), MaxValueValidator(MAX_SIDES)],
        help_text=_("The minimum number of sides in a match. From 2 to 10,000."),
    )
    sides_max = models.PositiveSmallIntegerField(
        _("most sides"),
        default=2,
        validators=[MinValueValidator(2), MaxValueValidator(MAX_SIDES)],
        help_text=_("The maximum number of sides in a match. From 2 to 10,000."),
    )
    team_size_min = models.PositiveSmallIntegerField(
        _("smallest team"),
        default=1,
        validators=[MinValueValidator(1), MaxValueValidator(MAX_TEAM_SIZE)],
        help_text=_("The minimum number of players on a side. From 1 to 100."),
    )
    team_size_max = models.PositiveSmallIntegerField(
        _("largest team"),
        default=1,
        validators=[MinValueValidator(1), MaxValueValidator(MAX_TEAM_SIZE)],
        help_text=_("The maximum number of players on a side. From 1 to 100."),
    )
    draws_allowed = models.BooleanField(
        _("draws"), default=True, help_text=_("Whether sides may share a place.")
    )
    modes = ArrayField(
        models.CharField(max_length=MODES.longest),
        verbose_name=_("game modes"),
        default=list,
        db_default=[],
        blank=True,
        help_text=_(
            "The modes that its matches are played in, separated by commas, such as “Conquest, "
            "Stronghold”. Players choose theirs when they queue, and every result names one. All "
            "modes share one rating; for a rating per mode, set up an arena each. Leave it empty "
            "if all matches are played the same way."
        ),
    )
    regions = ArrayField(
        models.CharField(max_length=REGIONS.longest),
        verbose_name=_("regions"),
        default=list,
        db_default=[],
        blank=True,
        help_text=_(
            "The regions where matches can be played, separated by commas, such as “Europe, "
            "America”. Players choose theirs when they queue. Leave it empty if location does not "
            "matter."
        ),
    )
    maps = ArrayField(
        models.CharField(max_length=MAPS.longest),
        verbose_name=_("maps"),
        default=list,
        db_default=[],
        blank=True,
        help_text=_(
            "The maps or servers on which its matches are played, separated by commas, such as "
            "“Forest, Temple, Harbour”. At most 30."
        ),
    )
    map_choice = models.CharField(
        _("choice of the map"),
        max_length=10,
        choices=MapChoice.choices,
        default=MapChoice.NONE,
        db_default=MapChoice.NONE,
        help_text=_(
            "How a match that begins on this site gets one of the maps. A veto is for two sides; "
            "with more, the map is drawn."
        ),
    )
    veto_turn = models.DurationField(
        _("time to ban"),
        default=timedelta(seconds=30),
        db_default=timedelta(seconds=30),
        validators=[MinValueValidator(SHORTEST_TURN), MaxValueValidator(LONGEST_TURN)],
        help_text=_(
            "How long a captain has to ban a map, as minutes:seconds. From 10 seconds to 10 "
            "minutes. After that, a map is drawn and banned for them."
        ),
    )
    confirmation_window = models.DurationField(
        _("confirmation window"),
        default=timedelta(days=2),
        validators=[MinValueValidator(SHORTEST_WINDOW), MaxValueValidator(LONGEST_WINDOW)],
        help_text=_(
            "How long the other sides have to confirm or dispute a report. From 1 minute to 30 "
            "days, written as days hours:minutes:seconds (“2 0:00”)."
        ),
    )
    result_rules = models.JSONField(_("result rules"), default=dict, blank=True)
    limits = models.JSONField(_("limits"), default=dict, blank=True)
    display = models.JSONField(
        _("shown ratings"),
        default=dict,
        db_default=models.Value({}, models.JSONField()),
        blank=True,
    )
    figures = models.JSONField(
        _("match figures"),
        default=list,
        db_default=models.Value([], models.JSONField()),
        blank=True,
        help_text=_("Columns such as hits, shots or laps: shown and summed, never rated."),
    )

    rating_system = models.CharField(
        _("rating system"),
        max_length=30,
        default="glicko-2",
        help_text=_("How results change ratings. Its parameters are below."),
    )
    rating_parameters = models.JSONField(_("rating parameters"), default=dict, blank=True)
    season_rules = models.JSONField(_("season rules"), default=dict, blank=True)
    time_zone = models.CharField(
        _("time zone"),
        max_length=60,
        default="UTC",
        validators=[validate_zone],
        help_text=_("The time zone for the dates of its seasons, such as Europe/Berlin."),
    )

    history = HistoricalRecords(excluded_fields=["sort_name"])  # type: ignore[no-untyped-call] # the library has no types
    objects = ArenaQuerySet.as_manager()

    class Meta:
        ordering = ["sort_name"]
        verbose_name = _("arena")
        verbose_name_plural = _("arenas")
        constraints = [
            models.CheckConstraint(condition=~models.Q(slug=""), name="arena_has_an_address"),
            models.CheckConstraint(
                condition=models.Q(sides_min__gte=2, sides_max__lte=MAX_SIDES)
                & models.Q(sides_min__lte=models.F("sides_max")),
                name="arena_sides_in_order",
                violation_error_message=_("“Fewest sides” is above “most sides”."),
            ),
            models.CheckConstraint(
                condition=models.Q(team_size_min__gte=1, team_size_max__lte=MAX_TEAM_SIZE)
                & models.Q(team_size_min__lte=models.F("team_size_max")),
                name="arena_team_sizes_in_order",
                violation_error_message=_("“Smallest team” is above “largest team”."),
            ),
            models.CheckConstraint(
                condition=~models.Q(format=Format.FREE_FOR_ALL) | models.Q(team_size_max=1),
                name="arena_free_for_all_has_sides_of_one",
                violation_error_message=_("In a free-for-all every side is one player."),
            ),
            models.CheckConstraint(
                condition=models.Q(
                    confirmation_window__gte=SHORTEST_WINDOW,
                    confirmation_window__lte=LONGEST_WINDOW,
                ),
                name="arena_confirmation_window_in_range",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("arena", args=[self.slug])

    @property
    def is_duel(self) -> bool:
        """One player against one."""
        return self.sides_max == 2 and self.team_size_max == 1

    def system(self) -> RatingSystem:
        """Return the rating system of the arena's next season."""
        return ratings.registry.build(self.rating_system, self.rating_parameters)

    @property
    def is_ladder(self) -> bool:
        """Whether players challenge each other here, one against one."""
        return self.rating_system == "ladder" and self.sides_min <= 2 and self.team_size_min <= 1

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.time_zone)

    def rules(self) -> SeasonRules:
        """Return the rules of the arena's next season."""
        return read_rules(self.season_rules)

    def result_settings(self) -> ResultRules:
        """Return the rules by which the arena accepts results."""
        return result_rules_from_json(json.dumps(self.result_rules, sort_keys=True))

    def limit_settings(self) -> Limits:
        """Return how much one account may send here."""
        return limits_from_json(json.dumps(self.limits, sort_keys=True))

    def display_settings(self) -> DisplayRules:
        """Return what people see in place of the arena's ratings."""
        return display_rules_from_json(json.dumps(self.display, sort_keys=True))

    def clean(self) -> None:
        self.clean_format()
        self.clean_names()
        self.clean_results()
        self.clean_limits()
        self.clean_display()
        self.clean_rating()
        self.clean_seasons()

    def validate_constraints(self, exclude: Collection[str] | None = None) -> None:
        """Leave the constraints to the database: the fields' validators and ``clean_format`` ask
        the same, beside the field to change and without statements."""

    def clean_format(self) -> None:
        """Refuse bounds in the wrong order, and teams in a free-for-all."""
        problems = {}
        for least, most in (("sides_min", "sides_max"), ("team_size_min", "team_size_max")):
            low, high = getattr(self, least), getattr(self, most)
            if None not in {low, high} and low > high:
                text = _("Must be at most “%(most)s” (%(high)d); you gave %(low)d.")
                label = capfirst(self._meta.get_field(most).verbose_name)  # type: ignore[union-attr] # a column
                problems[least] = text % {"most": label, "high": high, "low": low}
        if self.format == Format.FREE_FOR_ALL and self.team_size_max != 1:
            text = _("Must be 1 in a free-for-all, where every side is one player; you gave %(n)d.")
            problems["team_size_max"] = text % {"n": self.team_size_max}
        if problems:
            raise ValidationError(problems)

    def clean_names(self) -> None:
        """Read the lists of game modes, regions, maps and figures."""
        problems = {}
        for field, declared in NAME_LISTS.items():
            try:
                setattr(self, field, declared.read(getattr(self, field)))
            except ValidationError as error:
                problems[field] = error.messages
        if "maps" not in problems and self.map_choice != MapChoice.NONE and len(self.maps) < 2:
            problems["maps"] = [str(_("List two or more maps, or choose none on this site."))]
        if problems:
            raise ValidationError(problems)

    def clean_results(self) -> None:
        try:
            self.result_rules = self.result_settings().to_json()
        except ParameterError as error:
            raise ValidationError({"result_rules": problems_said(error)}) from error

    def clean_limits(self) -> None:
        try:
            self.limits = self.limit_settings().to_json()
        except ParameterError as error:
            raise ValidationError({"limits": problems_said(error)}) from error

    def clean_display(self) -> None:
        try:
            self.display = self.display_settings().to_json()
        except ParameterError as error:
            raise ValidationError({"display": problems_said(error)}) from error

    def clean_rating(self) -> None:
        try:
            system = self.system()
        except ratings.registry.UnknownSystem as error:
            raise ValidationError({"rating_system": translate(error.sentence)}) from error
        except ParameterError as error:
            raise ValidationError({"rating_parameters": problems_said(error)}) from error
        self.rating_parameters = system.parameters.model_dump(mode="json")

    def clean_seasons(self) -> None:
        try:
            rules = self.rules()
        except ParameterError as error:
            raise ValidationError({"season_rules": problems_said(error)}) from error
        system = ratings.registry.find(self.rating_system)
        if clash := rules.clash_with(system):
            raise ValidationError({"season_rules": translate(clash[1])})
        self.season_rules = rules.to_json()

    def takes_results(self, now: datetime) -> bool:
        """Return whether results can be reported at ``now``, for a running season or late."""
        running = self.current_season(now) is not None
        return self.is_open and (running or self.seasons.take_late(now).exists())

    def current_season(self, now: datetime) -> Season | None:
        """Return the season that is running at ``now``."""
        return self.seasons.running(now).first()
