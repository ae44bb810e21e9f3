"""Rows that belong to arrangements: messages, the players of a claimed no-show, and calendars."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from league.models.arrangement import Arrangement
from league.models.player import Player
from league.models.words import Words

LONGEST_DATE_MESSAGE = 1_000


class ArrangementMessage(models.Model):
    """A message of a player or of staff about an arranged match. Never changed."""

    arrangement = models.ForeignKey(Arrangement, on_delete=models.PROTECT, related_name="messages")
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
        indexes = [models.Index(fields=["author", "at"], name="date_message_recent")]

    def __str__(self) -> str:
        return f"{self.arrangement_id}: {self.player or self.author}"


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
