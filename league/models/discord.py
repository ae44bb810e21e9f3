"""Discord: answered requests, direct messages to players, and boards in channels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.postgres.fields import ArrayField
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from league.models.arena import Arena
from league.models.notice import Notice, NoticeKind
from league.models.player import Player

if TYPE_CHECKING:
    from datetime import datetime

LONGEST_ID = 20
"""The most digits of a Discord ID, which has 64 bits."""
LONGEST_ERROR = 200


class DiscordInteraction(models.Model):
    """A request from Discord that was answered, stored so that nobody can replay it."""

    number = models.CharField(max_length=LONGEST_ID, primary_key=True)
    at = models.DateTimeField(db_index=True)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.number


class DiscordPreference(models.Model):
    """A player's choice of direct messages. Without a row, none are sent."""

    player = models.OneToOneField(
        Player,
        verbose_name=_("player"),
        on_delete=models.CASCADE,
        related_name="discord_preference",
    )
    is_on = models.BooleanField(_("direct messages"), default=True)
    kinds = ArrayField(
        models.CharField(max_length=12, choices=NoticeKind.choices),
        verbose_name=_("messages about"),
        default=list,
        blank=True,
    )
    refused_at = models.DateTimeField(_("refused by Discord"), null=True, editable=False)
    """The time of Discord's latest refusal of a message to this player."""
    channel = models.CharField(max_length=LONGEST_ID, default="", editable=False)
    """The direct-message channel with the bot, once it is known."""
    channel_of = models.CharField(max_length=LONGEST_ID, default="", editable=False)
    """The Discord user to whom that channel belongs."""

    class Meta:
        ordering = ["player"]
        verbose_name = _("choice of direct messages")
        verbose_name_plural = _("choices of direct messages")

    def __str__(self) -> str:
        return str(self.player)


class DiscordMessageQuerySet(models.QuerySet["DiscordMessage"]):
    def due(self, now: datetime) -> DiscordMessageQuerySet:
        """Return the messages to send now, the longest due first."""
        return self.filter(next_attempt_at__lte=now).order_by("next_attempt_at", "notice")


class DiscordMessage(models.Model):
    """A direct message about a notice. A trigger creates it with the notice."""

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        SENT = "sent", _("sent")
        NEEDLESS = "needless", _("no longer needed")
        FAILED = "failed", _("failed")

    notice = models.OneToOneField(
        Notice,
        verbose_name=_("notice"),
        on_delete=models.CASCADE,
        related_name="discord_message",
        primary_key=True,
        db_constraint=False,
    )
    state = models.CharField(
        _("state"), max_length=10, choices=State.choices, default=State.WAITING
    )
    attempts = models.PositiveIntegerField(_("attempts"), default=0)
    next_attempt_at = models.DateTimeField(_("next attempt"), null=True)
    error = models.CharField(_("error"), max_length=LONGEST_ERROR, default="", blank=True)

    objects = DiscordMessageQuerySet.as_manager()

    class Meta:
        default_permissions = ()
        verbose_name = _("direct message")
        verbose_name_plural = _("direct messages")
        indexes = [
            models.Index(
                fields=["next_attempt_at", "notice"],
                condition=Q(next_attempt_at__isnull=False),
                name="discord_message_due",
            ),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(state="waiting", next_attempt_at__isnull=False)
                | (~Q(state="waiting") & Q(next_attempt_at=None)),
                name="discord_message_waits",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.notice_id}: {self.get_state_display()}"


class DiscordBoard(models.Model):
    """A message in a Discord channel with the top players of an arena, kept up to date."""

    arena = models.ForeignKey(
        Arena,
        verbose_name=_("arena"),
        on_delete=models.CASCADE,
        related_name="discord_boards",
    )
    channel = models.CharField(
        _("channel"),
        max_length=LONGEST_ID,
        validators=[
            RegexValidator(
                r"^[0-9]{15,20}\Z",
                _("Enter the id of the channel: 15 to 20 digits."),
            )
        ],
        help_text=_("Its id. In Discord, turn on the developer mode and choose “Copy channel ID”."),
    )
    tells_results = models.BooleanField(
        _("announces results"),
        default=False,
        help_text=_("Each minute, new results are posted below the board."),
    )
    message = models.CharField(max_length=LONGEST_ID, default="", editable=False)
    """The ID of the message to edit, empty until it is posted."""
    shown = models.CharField(max_length=64, default="", editable=False)
    """A digest of what the message shows."""
    told_order = models.BigIntegerField(default=0, editable=False)
    """The ``rated_order`` of the last announced result."""
    shown_at = models.DateTimeField(_("updated"), null=True, editable=False)
    next_attempt_at = models.DateTimeField(_("next attempt"), null=True, editable=False)
    """The time of the next update, empty while the board is stopped."""
    stopped_at = models.DateTimeField(_("stopped since"), null=True, editable=False)
    failures = models.PositiveIntegerField(_("failures in a row"), default=0, editable=False)
    error = models.CharField(
        _("error"), max_length=LONGEST_ERROR, default="", blank=True, editable=False
    )

    class Meta:
        ordering = ["arena", "id"]
        verbose_name = _("board on Discord")
        verbose_name_plural = _("boards on Discord")
        constraints = [
            models.UniqueConstraint(
                fields=["arena", "channel"],
                name="one_board_a_channel",
                violation_error_message=_("This channel has a board of this arena already."),
            ),
            models.CheckConstraint(
                condition=Q(next_attempt_at__isnull=True) | Q(stopped_at__isnull=True),
                name="board_works_or_is_stopped",
            ),
        ]
        indexes = [
            models.Index(
                fields=["next_attempt_at"],
                condition=Q(next_attempt_at__isnull=False),
                name="discord_board_due",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.arena}: {self.channel}"
