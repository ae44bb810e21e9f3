"""Fixtures: the matches of a competition, by rounds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import models
from django.db.models import F, OuterRef, Q, Subquery
from django.db.models.functions import JSONObject
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from league.models.arrangement import Arrangement
from league.models.competition import Competition, Entrant
from league.models.staff import StaffAction
from league.models.words import Line

if TYPE_CHECKING:
    from datetime import datetime

    from league.models.player import Player


class Round(models.Model):
    """A window of a competition in which its fixtures are played."""

    class Stage(models.TextChoices):
        TABLE = "table", _("league table")
        GROUPS = "groups", _("groups")
        SWISS = "swiss", _("Swiss")
        WINNERS = "winners", _("bracket")
        LOSERS = "losers", _("losers’ bracket")
        THIRD = "third", _("third place")
        FINAL = "final", _("final")

    competition = models.ForeignKey(
        Competition,
        verbose_name=_("competition"),
        on_delete=models.CASCADE,
        related_name="rounds",
        db_index=False,
    )
    stage = models.CharField(_("stage"), max_length=10, choices=Stage.choices)
    number = models.PositiveSmallIntegerField(_("number"))
    """Within its stage, from 1."""
    opens_at = models.DateTimeField(_("opens"))
    closes_at = models.DateTimeField(_("closes"))
    play_at = models.DateTimeField(_("default date"))
    """The time of its fixtures if the captains agree on no other."""
    opened_at = models.DateTimeField(null=True, editable=False)
    closed_at = models.DateTimeField(null=True, editable=False)
    waits_for_staff = models.BooleanField(default=False, db_default=False, editable=False)
    """Whether only staff draw it, because they undid its draw."""

    class Meta:
        ordering = ["competition", "opens_at", "id"]
        verbose_name = _("round")
        verbose_name_plural = _("rounds")
        indexes = [
            models.Index(fields=["opens_at"], condition=Q(opened_at=None), name="round_to_open"),
            models.Index(
                fields=["closes_at"],
                condition=Q(opened_at__isnull=False, closed_at=None),
                name="round_to_close",
            ),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["competition", "stage", "number"], name="round_once_a_competition"
            ),
            models.CheckConstraint(
                condition=Q(opens_at__lte=F("play_at"), play_at__lt=F("closes_at")),
                name="round_is_played_within_its_window",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.competition}: {self.get_stage_display()} {self.number}"

    @property
    def takes_results_from(self) -> datetime:
        """Return when it opened, which staff can do before its time."""
        return min(self.opens_at, self.opened_at or self.opens_at)

    @property
    def is_in_bracket(self) -> bool:
        """Return whether its fixtures need winners."""
        return self.stage in BRACKET

    @property
    def is_final(self) -> bool:
        return self.stage == self.Stage.FINAL

    @property
    def is_second_final(self) -> bool:
        """Return whether it is played only if the winners' bracket lost the final."""
        return self.is_final and self.number == SECOND


SECOND = 2
BRACKET = frozenset({Round.Stage.WINNERS, Round.Stage.LOSERS, Round.Stage.THIRD, Round.Stage.FINAL})


class FixtureQuerySet(models.QuerySet["Fixture"]):
    def undecided(self) -> FixtureQuerySet:
        """Fixtures that only their games decide."""
        return self.filter(result=Fixture.Result.OPEN)

    def needing_attention(self) -> FixtureQuerySet:
        """Fixtures of running competitions that staff should look at."""
        wanted = [one for one in Fixture.Attention if one not in {"", Fixture.Attention.KEPT}]
        running = Competition.State.RUNNING
        return self.filter(attention__in=wanted, competition__state=running)

    def with_sides(self) -> FixtureQuerySet:
        return self.select_related(
            "round",
            "competition__season__arena",
            "home__player__user",
            "home__player__profile",
            "home__roster__captain__user",
            "home__roster__team",
            "away__player__user",
            "away__player__profile",
            "away__roster__captain__user",
            "away__roster__team",
        )


class Fixture(models.Model):
    """A match between two entrants, known or still to come from earlier fixtures."""

    class Source(models.TextChoices):
        """The origin of a side in a bracket."""

        DRAWN = "drawn", _("the draw")
        WINNER = "winner", _("winner of")
        LOSER = "loser", _("loser of")
        BYE = "bye", _("bye")

    class Result(models.TextChoices):
        """The result of a fixture that its games do not decide."""

        OPEN = "", _("its games")
        HOME = "home", _("home wins")
        AWAY = "away", _("away wins")
        DRAW = "draw", _("draw")
        NEITHER = "neither", _("both lose")
        NONE = "none", _("does not count")

    class DecidedBy(models.TextChoices):
        GAMES = "", _("its games")
        FORFEIT = "forfeit", _("forfeit")
        BYE = "bye", _("bye")
        STAFF = "staff", _("staff")
        DEADLINE = "deadline", _("not played in time")
        WITHDRAWAL = "withdrawal", _("withdrawal")

    class Attention(models.TextChoices):
        """A reason for staff to look at a fixture."""

        NONE = "", _("nothing")
        UNPLAYED = "unplayed", _("was not played in time")
        FOLLOWED = "followed", _("has another result, but the next fixture was played")
        DRAWN = "drawn", _("ended in a draw, but somebody has to advance")
        KEPT = "kept", _("nothing: staff left it as it is")

    competition = models.ForeignKey(
        Competition,
        verbose_name=_("competition"),
        on_delete=models.CASCADE,
        related_name="fixtures",
        db_index=False,
    )
    round = models.ForeignKey(
        Round, verbose_name=_("round"), on_delete=models.CASCADE, related_name="fixtures"
    )
    number = models.PositiveIntegerField(_("number"))
    """Within the competition, from 1."""
    home = models.ForeignKey(
        Entrant,
        verbose_name=_("home"),
        on_delete=models.PROTECT,
        related_name="home_fixtures",
        null=True,
        blank=True,
    )
    away = models.ForeignKey(
        Entrant,
        verbose_name=_("away"),
        on_delete=models.PROTECT,
        related_name="away_fixtures",
        null=True,
        blank=True,
    )
    home_source = models.CharField(max_length=6, choices=Source.choices, default=Source.DRAWN)
    home_source_number = models.PositiveIntegerField(null=True, blank=True)
    away_source = models.CharField(max_length=6, choices=Source.choices, default=Source.DRAWN)
    away_source_number = models.PositiveIntegerField(null=True, blank=True)
    """The number of the fixture that a winner or loser comes from."""
    best_of = models.PositiveSmallIntegerField(_("best of"), default=1)
    result = models.CharField(
        _("result"), max_length=7, choices=Result.choices, default=Result.OPEN, blank=True
    )
    decided_by = models.CharField(
        _("decided by"),
        max_length=10,
        choices=DecidedBy.choices,
        default=DecidedBy.GAMES,
        blank=True,
    )
    decided_at = models.DateTimeField(_("decided"), null=True, blank=True)
    action = models.ForeignKey(
        StaffAction,
        verbose_name=_("staff action"),
        on_delete=models.PROTECT,
        related_name="+",
        null=True,
        blank=True,
    )
    attention = models.CharField(
        _("needs attention"),
        max_length=8,
        choices=Attention.choices,
        default=Attention.NONE,
        blank=True,
    )
    venue = Line(_("venue"), max_length=60, blank=True, default="", db_default="")
    """The hall, court or table that organisers chose for it."""
    line_up = models.JSONField(
        default=list, db_default=models.Value([], models.JSONField()), blank=True, editable=False
    )
    """The changes of the line-up of its next game: pairs of the ids of a member who does not play
    and of who plays for them, if anybody."""

    objects = FixtureQuerySet.as_manager()

    class Meta:
        ordering = ["competition", "number"]
        verbose_name = _("fixture")
        verbose_name_plural = _("fixtures")
        indexes = [
            models.Index(
                fields=["competition"],
                condition=Q(attention__in=["unplayed", "followed", "drawn"]),
                name="fixture_needing_attention",
            ),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["competition", "number"], name="fixture_number_once_a_competition"
            ),
            models.CheckConstraint(
                condition=Q(home=None) | Q(away=None) | ~Q(home=F("away")),
                name="fixture_of_two_entrants",
            ),
            models.CheckConstraint(
                condition=Q(result="", decided_by="", decided_at=None)
                | (~Q(result="") & ~Q(decided_by="") & Q(decided_at__isnull=False)),
                name="fixture_decided_has_its_reason",
            ),
            models.CheckConstraint(
                condition=Q(best_of__gte=1, best_of__lte=9), name="fixture_best_of_in_range"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.home or '?'} – {self.away or '?'}"

    def get_absolute_url(self) -> str:
        slug = self.competition.season.arena.slug
        return reverse("fixture", args=[slug, self.competition_id, self.number])

    @property
    def arena_id(self) -> int:
        return self.competition.season.arena_id

    def side_of(self, player: Player | None) -> Entrant | None:
        """Return the entrant that ``player`` is the captain of, if it is one of the two."""
        both = (self.home, self.away)
        return next((one for one in both if one and player and one.captain == player), None)


class FixtureGame(models.Model):
    """A game of a fixture. Its date has the match."""

    fixture = models.ForeignKey(
        Fixture, on_delete=models.CASCADE, related_name="games", db_index=False
    )
    number = models.PositiveSmallIntegerField(_("game"))
    arrangement = models.OneToOneField(
        Arrangement, verbose_name=_("date"), on_delete=models.PROTECT, related_name="game"
    )
    """Its proposer is the captain of the home side."""

    class Meta:
        ordering = ["fixture", "number"]
        verbose_name = _("game of a fixture")
        verbose_name_plural = _("games of fixtures")
        constraints = [
            models.UniqueConstraint(fields=["fixture", "number"], name="game_once_a_fixture")
        ]

    def __str__(self) -> str:
        return f"{self.fixture}: {self.number}"


def round_through(path: str) -> JSONObject:
    """Return what names the round of the fixture at a path of relations, for one statement.

    Its values are null where there is no fixture.
    """
    within = Round.objects.filter(
        competition=OuterRef(f"{path}__competition"), stage=OuterRef(f"{path}__round__stage")
    )
    return JSONObject(
        competition=F(f"{path}__competition__name"),
        format=F(f"{path}__competition__format"),
        stage=F(f"{path}__round__stage"),
        number=F(f"{path}__round__number"),
        last=Subquery(within.order_by("-number").values("number")[:1]),
    )
