"""Notices: what players are told, and how."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from league.models.arena import Arena
from league.models.arrangement import Arrangement
from league.models.badge import BadgeNote
from league.models.challenge import Challenge
from league.models.competition import Competition
from league.models.dishonor import DishonorAward
from league.models.letter import Letter
from league.models.match import Match
from league.models.player import Player
from league.models.roster import Roster
from league.models.season import Season
from league.models.team import Team

if TYPE_CHECKING:
    from datetime import datetime


class NoticeKind(models.TextChoices):
    """The subject of a notice. Its text follows from the kind and the rows it refers to."""

    REPORTED = "reported", _("a result to confirm")
    DISPUTED = "disputed", _("a dispute about your result")
    DECIDED = "decided", _("a decision of staff about your match")
    RATED = "rated", _("a result that counts")
    LAPSED = "lapsed", _("a result that nobody confirmed")
    UNDECIDED = "undecided", _("an objection that was not decided in time")
    WITHDRAWN = "withdrawn", _("an objection that was withdrawn")
    DATED = "dated", _("news about a date to play")
    WAITING = "waiting", _("a date that waits for your answer")
    CALLED_OFF = "called_off", _("a date that was called off")
    MESSAGED = "messaged", _("a message about a date")
    FIXTURE = "fixture", _("a fixture of your competition")
    COMPETITION = "competition", _("news about a competition that you entered")
    CHALLENGED = "challenged", _("a challenge to you")
    ANSWERED = "answered", _("an answer to your challenge")
    INVITED = "invited", _("an invitation to a roster")
    QUEUED = "queued", _("your captain has queued you")
    FOUND = "found", _("a match was found for you")
    BANNED = "banned", _("a ban")
    UNBANNED = "unbanned", _("a lifted ban")
    PENALISED = "penalised", _("a penalty")
    APPEAL = "appeal", _("the answer to your appeal")
    LETTER = "letter", _("a message of staff")
    TEAM_INVITED = "team_invited", _("an invitation to a team")
    TEAM_CAPTAIN = "team_captain", _("an offer to lead a team")
    TEAM_CHANGED = "team_changed", _("your role in a team")
    TEAM_JOINED = "team_joined", _("a new member of your team")
    TEAM_REMOVED = "team_removed", _("the end of your time in a team")
    BADGE = "badge", _("a badge that you earned")
    SEASON = "season", _("your season in review")
    WEBHOOK = "webhook", _("a paused webhook of yours")
    DISCORD = "discord", _("the end of direct messages on Discord")


MAILED = [
    NoticeKind.REPORTED,
    NoticeKind.DISPUTED,
    NoticeKind.DECIDED,
    NoticeKind.RATED,
    NoticeKind.LAPSED,
    NoticeKind.UNDECIDED,
    NoticeKind.WITHDRAWN,
    NoticeKind.DATED,
    NoticeKind.WAITING,
    NoticeKind.CALLED_OFF,
    NoticeKind.MESSAGED,
    NoticeKind.FIXTURE,
    NoticeKind.COMPETITION,
    NoticeKind.CHALLENGED,
    NoticeKind.ANSWERED,
    NoticeKind.INVITED,
    NoticeKind.BANNED,
    NoticeKind.UNBANNED,
    NoticeKind.PENALISED,
    NoticeKind.APPEAL,
    NoticeKind.LETTER,
    NoticeKind.TEAM_INVITED,
    NoticeKind.TEAM_CAPTAIN,
    NoticeKind.TEAM_CHANGED,
    NoticeKind.TEAM_JOINED,
    NoticeKind.TEAM_REMOVED,
    NoticeKind.BADGE,
    NoticeKind.SEASON,
    NoticeKind.WEBHOOK,
    NoticeKind.DISCORD,
]
"""The kinds that can be mailed. The others are over before a mail is read."""


class NoticeQuerySet(models.QuerySet["Notice"]):
    def unseen(self) -> NoticeQuerySet:
        return self.filter(seen_at=None)

    def to_mail(self, now: datetime) -> NoticeQuerySet:
        """Notices whose mail is due, oldest first."""
        return self.filter(mail_at__lte=now).order_by("mail_at", "id")


class Notice(models.Model):
    """Something that a player is told. Its text is written when it is read."""

    player = models.ForeignKey(
        Player,
        verbose_name=_("player"),
        on_delete=models.CASCADE,
        related_name="notices",
        db_index=False,
    )
    kind = models.CharField(_("kind"), max_length=12, choices=NoticeKind.choices)
    match = models.ForeignKey(
        Match,
        on_delete=models.CASCADE,
        related_name="notices",
        null=True,
        blank=True,
        db_index=False,
    )
    challenge = models.ForeignKey(
        Challenge,
        on_delete=models.CASCADE,
        related_name="notices",
        null=True,
        blank=True,
        db_index=False,
    )
    roster = models.ForeignKey(
        Roster,
        on_delete=models.CASCADE,
        related_name="notices",
        null=True,
        blank=True,
        db_index=False,
    )
    arena = models.ForeignKey(
        Arena,
        on_delete=models.CASCADE,
        related_name="notices",
        null=True,
        blank=True,
        db_index=False,
    )
    arrangement = models.ForeignKey(
        Arrangement,
        on_delete=models.CASCADE,
        related_name="notices",
        null=True,
        blank=True,
        db_index=False,
    )
    award = models.ForeignKey(
        DishonorAward,
        on_delete=models.CASCADE,
        related_name="notices",
        null=True,
        blank=True,
        db_index=False,
    )
    letter = models.ForeignKey(
        Letter,
        on_delete=models.CASCADE,
        related_name="notices",
        null=True,
        blank=True,
        db_index=False,
        db_constraint=False,
    )
    competition = models.ForeignKey(
        Competition,
        on_delete=models.CASCADE,
        related_name="notices",
        null=True,
        blank=True,
        db_index=False,
        db_constraint=False,
    )
    team = models.ForeignKey(
        Team,
        on_delete=models.CASCADE,
        related_name="notices",
        null=True,
        blank=True,
        db_index=False,
        db_constraint=False,
    )
    season = models.ForeignKey(
        Season,
        on_delete=models.CASCADE,
        related_name="notices",
        null=True,
        blank=True,
        db_index=False,
        db_constraint=False,
    )
    badge = models.ForeignKey(
        BadgeNote,
        on_delete=models.CASCADE,
        related_name="notices",
        null=True,
        blank=True,
        db_index=False,
        db_constraint=False,
    )
    actor = models.ForeignKey(
        Player,
        on_delete=models.SET_NULL,
        related_name="notices_caused",
        null=True,
        blank=True,
        db_index=False,
    )
    """The player whose action caused it, such as the captain of a roster."""
    created_at = models.DateTimeField(_("when"))
    seen_at = models.DateTimeField(_("seen"), null=True, blank=True)
    mail_at = models.DateTimeField(null=True, blank=True)
    """The time at which to decide whether to mail it, empty once that is decided."""
    emailed_at = models.DateTimeField(_("mailed"), null=True, blank=True)

    objects = NoticeQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        verbose_name = _("notice")
        verbose_name_plural = _("notices")
        indexes = [
            models.Index(fields=["player", "-id"], name="notice_of_player"),
            models.Index(fields=["player"], condition=Q(seen_at=None), name="notice_unseen"),
            models.Index(
                fields=["mail_at", "id"], condition=Q(mail_at__isnull=False), name="notice_to_mail"
            ),
            models.Index(
                fields=["roster"], condition=Q(roster__isnull=False), name="notice_of_roster"
            ),
            models.Index(
                fields=["player", "emailed_at"],
                condition=Q(emailed_at__isnull=False),
                name="notice_mailed",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} ({self.player})"


class MailPreference(models.Model):
    """The mails that a player wants, and when. Without a row, the defaults apply."""

    class Pace(models.TextChoices):
        AT_ONCE = "at-once", _("At once")
        HOURLY = "hourly", _("Once an hour")
        DAILY = "daily", _("Once a day")
        NEVER = "never", _("Never")

    player = models.OneToOneField(
        Player,
        verbose_name=_("player"),
        on_delete=models.CASCADE,
        related_name="mail_preference",
    )
    pace = models.CharField(_("pace"), max_length=10, choices=Pace.choices, default=Pace.AT_ONCE)
    muted = ArrayField(
        models.CharField(max_length=12, choices=NoticeKind.choices),
        verbose_name=_("no mail about"),
        default=list,
        blank=True,
    )

    weekly = models.BooleanField(_("mail of the week"), default=True, db_default=True)

    class Meta:
        ordering = ["player"]
        verbose_name = _("mail preference")
        verbose_name_plural = _("mail preferences")

    def __str__(self) -> str:
        return f"{self.player}: {self.get_pace_display()}"


class WeeklyMail(models.Model):
    """The last week for which it is settled whether a player gets a mail about it."""

    player = models.OneToOneField(
        Player, on_delete=models.CASCADE, primary_key=True, related_name="weekly_mail"
    )
    week = models.DateField()
    """Its Monday, by the player's clock."""

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.player_id}: {self.week}"
