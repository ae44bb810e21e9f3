"""Rows that belong to arrangements: messages, the players of a claimed no-show, and calendars."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from league.models.arrangement import Arrangement
from league.models.challenge import Challenge
from league.models.match import Match
from league.models.player import Player
from league.models.words import Words

LONGEST_DATE_MESSAGE = 1_000


class ArrangementMessage(models.Model):
    """A message of a player or of staff to those who meet: about a date, an accepted challenge or
    a match of a queue. Never changed.
    """

    arrangement = models.ForeignKey(
        Arrangement,
        verbose_name=_("date"),
        on_delete=models.PROTECT,
        related_name="messages",
        null=True,
        blank=True,
    )
    challenge = models.ForeignKey(
        Challenge,
        verbose_name=_("challenge"),
        on_delete=models.PROTECT,
        related_name="messages",
        null=True,
        blank=True,
        db_index=False,
    )
    match = models.ForeignKey(
        Match,
        verbose_name=_("match"),
        on_delete=models.PROTECT,
        related_name="talk",
        null=True,
        blank=True,
        db_index=False,
    )
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("author"),
        on_delete=models.SET_NULL,
        related_name="arrangement_messages",
        null=True,
        blank=True,
        db_index=False,
    )
    """Empty once the account is deleted."""
    player = models.ForeignKey(
        Player,
        verbose_name=_("player"),
        on_delete=models.PROTECT,
        related_name="arrangement_messages",
        null=True,
        blank=True,
    )
    """The player of a side who wrote it, empty for staff."""
    at = models.DateTimeField(_("when"))
    text = Words(_("message"), max_length=LONGEST_DATE_MESSAGE)

    class Meta:
        ordering = ["id"]
        verbose_name = _("message about a date")
        verbose_name_plural = _("messages about dates")
        indexes = [
            models.Index(fields=["author", "at"], name="date_message_recent"),
            models.Index(
                fields=["challenge"],
                condition=Q(challenge__isnull=False),
                name="message_of_challenge",
            ),
            models.Index(
                fields=["match"], condition=Q(match__isnull=False), name="message_of_match"
            ),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(arrangement__isnull=False, challenge=None, match=None)
                | Q(arrangement=None, challenge__isnull=False, match=None)
                | Q(arrangement=None, challenge=None, match__isnull=False),
                name="message_is_about_one_thing",
            )
        ]

    def __str__(self) -> str:
        about = self.arrangement_id or self.challenge_id or self.match_id
        return f"{about}: {self.player or self.author}"


class NoShowPlayer(models.Model):
    """A player of a claimed no-show: one who came, or one who was to come."""

    arrangement = models.ForeignKey(
        Arrangement, on_delete=models.CASCADE, related_name="no_show_players", db_index=False
    )
    player = models.ForeignKey(
        Player, verbose_name=_("player"), on_delete=models.PROTECT, related_name="+"
    )
    came = models.BooleanField(_("came"))

    class Meta:
        ordering = ["id"]
        verbose_name = _("player of a no-show")
        verbose_name_plural = _("players of a no-show")
        constraints = [
            models.UniqueConstraint(fields=["arrangement", "player"], name="no_show_player_once")
        ]

    def __str__(self) -> str:
        return f"{self.arrangement_id}: {self.player}"


class CalendarAddress(models.Model):
    """The number of times that a player has renewed the address of their calendar. Without a row,
    never.
    """

    player = models.OneToOneField(
        Player,
        verbose_name=_("player"),
        on_delete=models.CASCADE,
        related_name="calendar_address",
    )
    renewals = models.PositiveIntegerField(_("renewals"), default=0)

    class Meta:
        ordering = ["player"]
        verbose_name = _("address of a calendar")
        verbose_name_plural = _("addresses of calendars")

    def __str__(self) -> str:
        return str(self.player)
