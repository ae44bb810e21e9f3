"""Competitions: the fixtures of a season and their entrants."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.models.competition_rules import MOST_ENTRANTS, competition_rules_from_json
from league.models.player import Player
from league.models.roster import Roster, RosterMember
from league.models.season import Season
from league.models.words import Line

if TYPE_CHECKING:
    from league.models.competition_rules import CompetitionRules
    from league.models.team import Team

LONGEST_NAME = 80


class CompetitionQuerySet(models.QuerySet["Competition"]):
    def published(self) -> CompetitionQuerySet:
        """Return competitions that players can see."""
        return self.filter(opened_at__isnull=False)

    def running(self) -> CompetitionQuerySet:
        return self.filter(state=Competition.State.RUNNING)

    def unfinished(self) -> CompetitionQuerySet:
        """Return competitions that are open for entries or running."""
        return self.filter(state__in=[Competition.State.REGISTRATION, Competition.State.RUNNING])


class Competition(models.Model):
    """Fixtures of a season, whose results count for a table or a bracket, and for the rating."""

    class Format(models.TextChoices):
        TABLE = "table", _("league table")
        GROUPS = "groups", _("groups")
        SWISS = "swiss", _("Swiss")
        SINGLE = "single", _("single elimination")
        DOUBLE = "double", _("double elimination")
        GROUPS_KNOCKOUT = "groups-knockout", _("groups, then a bracket")

    class State(models.TextChoices):
        DRAFT = "draft", _("draft")
        REGISTRATION = "registration", _("open for entries")
        RUNNING = "running", _("running")
        OVER = "over", _("over")
        CANCELLED = "cancelled", _("cancelled")

    season = models.ForeignKey(
        Season,
        verbose_name=_("season"),
        on_delete=models.PROTECT,
        related_name="competitions",
        help_text=_("Its fixtures are rated in this season."),
    )
    name = Line(_("name"), max_length=LONGEST_NAME)
    format = models.CharField(
        _("format"), max_length=20, choices=Format.choices, default=Format.TABLE
    )
    rules = models.JSONField(default=dict, blank=True)
    state = models.CharField(
        _("state"), max_length=12, choices=State.choices, default=State.DRAFT, editable=False
    )
    level = models.PositiveSmallIntegerField(
        _("level"),
        default=1,
        help_text=_(
            "1 is the highest. Competitions of one season exchange entrants with the level above "
            "and below."
        ),
    )
    starts_at = models.DateTimeField(
        _("first round"),
        help_text=_("Entries close then, the draw is made, and the first round opens."),
    )
    opened_at = models.DateTimeField(_("open for entries since"), null=True, editable=False)
    drawn_at = models.DateTimeField(pgettext_lazy("of lots", "drawn"), null=True, editable=False)
    seed = models.BigIntegerField(
        null=True,
        editable=False,
        help_text=_(
            "The number from which the draw follows. The same entrants give the same draw."
        ),
    )
    over_at = models.DateTimeField(_("ended"), null=True, editable=False)
    waits_for_staff = models.BooleanField(default=False, db_default=False, editable=False)
    """Whether only staff start it, because they undid its draw."""
    clock_left = models.PositiveIntegerField(null=True, editable=False)
    """The seconds on the clock of the round while it is paused."""
    clock_ends_at = models.DateTimeField(null=True, editable=False)
    """The end of the clock while it runs."""
    final = models.JSONField(null=True, editable=False)
    """The final table, once it is over."""

    objects = CompetitionQuerySet.as_manager()

    class Meta:
        ordering = ["-starts_at", "level", "id"]
        verbose_name = _("competition")
        verbose_name_plural = _("competitions")
        indexes = [
            models.Index(
                fields=["starts_at"],
                condition=Q(state__in=["registration", "running"]),
                name="competition_current",
            ),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["season", "name"],
                name="competition_name_once_a_season",
                violation_error_message=_("Another competition of this season has that name."),
            ),
            models.CheckConstraint(
                condition=Q(level__gte=1, level__lte=100), name="competition_level"
            ),
            models.CheckConstraint(
                condition=~Q(state__in=["running", "over"])
                | Q(drawn_at__isnull=False, seed__isnull=False),
                name="competition_drawn_has_its_seed",
            ),
            models.CheckConstraint(
                condition=Q(state="over", over_at__isnull=False, final__isnull=False)
                | (~Q(state="over") & Q(over_at=None, final=None)),
                name="competition_over_has_its_table",
            ),
        ]
        permissions = [("run_competition", "Can run competitions")]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("competition", args=[self.season.arena.slug, self.pk])

    def ruled_by(self) -> CompetitionRules:
        """Return the rules in force."""
        return competition_rules_from_json(json.dumps(self.rules, sort_keys=True))

    @property
    def arena_id(self) -> int:
        return self.season.arena_id

    @property
    def has_bracket(self) -> bool:
        """Return whether a bracket decides its winner."""
        return self.format in BRACKETS

    @property
    def has_table(self) -> bool:
        """Return whether its fixtures, or those of its first stage, count for a table."""
        return self.format not in {self.Format.SINGLE, self.Format.DOUBLE}


BRACKETS = frozenset(
    {Competition.Format.SINGLE, Competition.Format.DOUBLE, Competition.Format.GROUPS_KNOCKOUT}
)


class EntrantQuerySet(models.QuerySet["Entrant"]):
    def in_play(self) -> EntrantQuerySet:
        return self.filter(state=Entrant.State.PLAYING)

    def led_by(self, player: Player) -> EntrantQuerySet:
        """Return those of whom a player is the captain now."""
        return self.filter(Q(roster__captain=player) | Q(roster=None, player=player))

    def of(self, player: Player) -> EntrantQuerySet:
        """Return those that a player is, or is a member of now."""
        rosters = RosterMember.objects.filter(player=player).values("roster")
        return self.filter(Q(roster__in=rosters) | Q(roster=None, player=player))

    def with_people(self) -> EntrantQuerySet:
        return self.select_related(
            "player__user", "player__profile", "roster__captain__user", "roster__team"
        )


class Entrant(models.Model):
    """A player or a roster in a competition."""

    class State(models.TextChoices):
        REGISTERED = "registered", _("registered")
        WAITING = "waiting", _("on the waiting list")
        CHECKED_IN = "checked-in", _("checked in")
        PLAYING = "playing", _("playing")
        WITHDRAWN = "withdrawn", _("withdrawn")

    competition = models.ForeignKey(
        Competition,
        verbose_name=_("competition"),
        on_delete=models.PROTECT,
        related_name="entrants",
        db_index=False,
    )
    player = models.ForeignKey(
        Player,
        verbose_name=_("player"),
        on_delete=models.PROTECT,
        related_name="entries",
        help_text=_("Of a roster, the captain who entered it."),
    )
    roster = models.ForeignKey(
        Roster,
        verbose_name=_("roster"),
        on_delete=models.SET_NULL,
        related_name="entries",
        null=True,
        blank=True,
    )
    name = Line(_("name"), max_length=200)
    """As entered, so that tables keep the name of a roster that is deleted."""
    club = Line(_("club"), max_length=60, blank=True, default="", db_default="")
    """Shown beside the name. Entrants of one club can be kept apart in a Swiss."""
    state = models.CharField(
        _("state"), max_length=12, choices=State.choices, default=State.REGISTERED
    )
    entered_at = models.DateTimeField(_("entered"))
    seed = models.PositiveSmallIntegerField(_("seed"), null=True, blank=True)
    """The place by rating, from 1. Before the draw, the one that an organiser chose."""
    rating = models.FloatField(_("rating"), null=True, blank=True)
    """The rating by which they were seeded. Before the draw, the one that an organiser wrote."""
    group = models.PositiveSmallIntegerField(_("group"), null=True, blank=True)
    """From 0."""
    joined_round = models.PositiveSmallIntegerField(_("joined in round"), default=1)
    withdrawn_at = models.DateTimeField(_("withdrawn"), null=True, blank=True)
    place = models.PositiveSmallIntegerField(_("final place"), null=True, blank=True)
    """In the table or the bracket, once that is over. Empty in groups. Some may share it."""
    trophy = models.BooleanField(_("trophy"), default=True, db_default=True)
    """Whether one of the first places is a trophy."""
    annulled = models.BooleanField(_("results annulled"), default=False)
    """Whether none of their results counts for the table."""

    objects = EntrantQuerySet.as_manager()

    class Meta:
        ordering = ["competition", "seed", "id"]
        verbose_name = _("entrant")
        verbose_name_plural = _("entrants")
        constraints = [
            models.UniqueConstraint(
                fields=["competition", "player"], name="player_enters_a_competition_once"
            ),
            models.UniqueConstraint(
                fields=["competition", "roster"], name="roster_enters_a_competition_once"
            ),
            models.UniqueConstraint(fields=["competition", "seed"], name="entrant_seed_once"),
            models.CheckConstraint(
                condition=Q(seed=None) | Q(seed__gte=1, seed__lte=MOST_ENTRANTS),
                name="entrant_seed_in_range",
            ),
            models.CheckConstraint(
                condition=Q(state="withdrawn", withdrawn_at__isnull=False)
                | (~Q(state="withdrawn") & Q(withdrawn_at=None, annulled=False)),
                name="entrant_withdrawn_has_its_time",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def team(self) -> Team | None:
        return self.roster.team if self.roster else None

    @property
    def captain(self) -> Player:
        """Return the player who arranges dates and reports for it now."""
        return self.roster.captain if self.roster else self.player
