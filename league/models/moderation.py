"""Rows of moderation: reports by players, cases with notes, and appeals.

Players see none of it but their own appeals.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.models.dishonor import DishonorAward
from league.models.flag import Flag
from league.models.match import Match
from league.models.player import Player
from league.models.staff import StaffAction
from league.models.words import Line, Words

LONGEST_TEXT = 2_000
LONGEST_TITLE = 200


class Case(models.Model):
    """Something that moderators look into, with what it is about and their notes."""

    class State(models.TextChoices):
        OPEN = "open", _("open")
        CLOSED = "closed", _("closed")

    title = Line(_("title"), max_length=LONGEST_TITLE)
    opened_at = models.DateTimeField(_("opened"))
    opened_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("opened by"),
        on_delete=models.PROTECT,
        related_name="cases_opened",
        db_index=False,
    )
    assignee = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("assigned to"),
        on_delete=models.SET_NULL,
        related_name="cases_assigned",
        null=True,
        blank=True,
    )
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.OPEN)
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)
    outcome = Words(_("outcome"), blank=True)
    players: models.ManyToManyField[Player, CasePlayer] = models.ManyToManyField(
        Player, through="CasePlayer", related_name="cases", verbose_name=_("players")
    )
    matches: models.ManyToManyField[Match, models.Model] = models.ManyToManyField(
        Match, related_name="cases", verbose_name=_("matches"), blank=True
    )
    flags: models.ManyToManyField[Flag, models.Model] = models.ManyToManyField(
        Flag, related_name="cases", verbose_name=_("flags"), blank=True
    )

    class Meta:
        ordering = ["-id"]
        verbose_name = _("case")
        verbose_name_plural = _("cases")
        permissions = [("read_file", "Can read the whole file of a player")]
        indexes = [models.Index(fields=["id"], condition=Q(state="open"), name="case_open")]
        constraints = [
            models.CheckConstraint(
                condition=Q(state="open", closed_at=None)
                | (Q(state="closed", closed_at__isnull=False) & ~Q(outcome="")),
                name="case_closed_has_its_outcome",
            ),
        ]

    def __str__(self) -> str:
        return self.title


class CasePlayer(models.Model):
    """A player whom a case is about."""

    case = models.ForeignKey(
        Case, on_delete=models.CASCADE, related_name="about_players", db_index=False
    )
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="case_entries")

    class Meta:
        ordering = ["pk"]
        verbose_name = _("player of a case")
        verbose_name_plural = _("players of cases")
        constraints = [
            models.UniqueConstraint(fields=["case", "player"], name="case_player_once"),
        ]

    def __str__(self) -> str:
        return f"{self.case}: {self.player}"


class CaseNote(models.Model):
    """A moderator's note on a case. Written once, never changed."""

    case = models.ForeignKey(
        Case, verbose_name=_("case"), on_delete=models.PROTECT, related_name="notes"
    )
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("author"),
        on_delete=models.PROTECT,
        related_name="case_notes",
        db_index=False,
    )
    at = models.DateTimeField(_("when"))
    text = Words(_("note"), max_length=LONGEST_TEXT)

    class Meta:
        ordering = ["pk"]
        verbose_name = _("note of a case")
        verbose_name_plural = _("notes of cases")

    def __str__(self) -> str:
        return f"{self.case}: {self.author}"


class PlayerReportQuerySet(models.QuerySet["PlayerReport"]):
    def open(self) -> PlayerReportQuerySet:
        """Reports that no moderator has resolved."""
        return self.filter(resolved_at=None)


class PlayerReport(models.Model):
    """A player's report of another to the moderators. The reported player never sees it."""

    class Reason(models.TextChoices):
        CHEATING = "cheating", _("cheating")
        INSULTS = "insults", _("insults or harassment")
        THROWING = "throwing", _("losing on purpose, or arranged results")
        SHARING = "sharing", _("shared or second account")
        NAME = "name", _("offensive name")
        OTHER = "other", _("something else")

    reporter = models.ForeignKey(
        Player,
        verbose_name=pgettext_lazy("player", "reported by"),
        on_delete=models.PROTECT,
        related_name="player_reports_made",
        db_index=False,
    )
    reported = models.ForeignKey(
        Player,
        verbose_name=_("reported player"),
        on_delete=models.PROTECT,
        related_name="player_reports",
    )
    match = models.ForeignKey(
        Match,
        verbose_name=_("match"),
        on_delete=models.PROTECT,
        related_name="player_reports",
        null=True,
        blank=True,
        db_index=False,
    )
    reason = models.CharField(_("reason"), max_length=20, choices=Reason.choices)
    text = Words(_("what happened"))
    at = models.DateTimeField(_("first reported"))
    latest_at = models.DateTimeField(_("last reported"))
    times = models.PositiveSmallIntegerField(_("times reported"), default=1, db_default=1)
    case = models.ForeignKey(
        Case,
        verbose_name=_("case"),
        on_delete=models.SET_NULL,
        related_name="reports",
        null=True,
        blank=True,
    )
    resolved_at = models.DateTimeField(_("resolved"), null=True, blank=True)
    resolved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("resolved by"),
        on_delete=models.PROTECT,
        related_name="player_reports_resolved",
        null=True,
        blank=True,
        db_index=False,
    )
    note = Words(_("note"), blank=True, help_text=_("What staff found. Only staff can read it."))

    objects = PlayerReportQuerySet.as_manager()

    class Meta:
        ordering = ["-latest_at", "-id"]
        verbose_name = _("report by a player")
        verbose_name_plural = _("reports by players")
        indexes = [
            models.Index(fields=["reporter", "latest_at"], name="player_report_recent"),
            models.Index(fields=["-latest_at", "-id"], name="player_report_latest"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(resolved_at=None, resolved_by=None)
                | Q(resolved_at__isnull=False, resolved_by__isnull=False),
                name="player_report_resolved_by_somebody",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.reported}: {self.get_reason_display()}"


class AppealQuerySet(models.QuerySet["Appeal"]):
    def open(self) -> AppealQuerySet:
        """Appeals that nobody has answered."""
        return self.filter(state=Appeal.State.OPEN)


class Appeal(models.Model):
    """A player's appeal against a ban or penalty: one for each, answered once."""

    class State(models.TextChoices):
        OPEN = "open", _("waiting for staff")
        UPHELD = "upheld", _("the penalty stands")
        SHORTENED = "shortened", _("the ban was shortened")
        LIFTED = "lifted", _("the penalty was lifted")

    award = models.OneToOneField(
        DishonorAward,
        verbose_name=_("penalty"),
        on_delete=models.PROTECT,
        related_name="appeal",
    )
    text = Words(_("appeal"), max_length=LONGEST_TEXT)
    at = models.DateTimeField(_("when"))
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.OPEN)
    action = models.OneToOneField(
        StaffAction,
        verbose_name=_("answer"),
        on_delete=models.PROTECT,
        related_name="appeal",
        null=True,
        blank=True,
    )
    """The answer of staff, with its reason."""

    objects = AppealQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        verbose_name = _("appeal")
        verbose_name_plural = _("appeals")
        indexes = [models.Index(fields=["id"], condition=Q(state="open"), name="appeal_open")]
        constraints = [
            models.CheckConstraint(
                condition=Q(state="open", action=None)
                | (~Q(state="open") & Q(action__isnull=False)),
                name="appeal_answered_has_its_answer",
            ),
        ]

    def __str__(self) -> str:
        return str(self.award)
