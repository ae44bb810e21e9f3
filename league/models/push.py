"""Push messages: the devices that get them, when, and those on their way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from league.models.notice import Notice, NoticeKind
from league.models.player import Player
from league.models.site import check_zone

if TYPE_CHECKING:
    from datetime import datetime

LONGEST_ENDPOINT = 1_000


class PushKey(models.Model):
    """The key that names this site to push services, encrypted as ``SigningKey`` is. One row."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1, editable=False)
    pem = models.TextField()

    class Meta:
        default_permissions = ()
        constraints = [models.CheckConstraint(condition=Q(id=1), name="push_key_is_one")]

    def __str__(self) -> str:
        return str(self.pk)


class PushDevice(models.Model):
    """A browser that gets push messages for a player, and the keys that encrypt them for it."""

    player = models.ForeignKey(
        Player, verbose_name=_("player"), on_delete=models.CASCADE, related_name="push_devices"
    )
    endpoint = models.CharField(max_length=LONGEST_ENDPOINT, unique=True)
    """The address of its browser's push service. Whoever knows it could send to the device."""
    key = models.CharField(max_length=100)
    auth = models.CharField(max_length=30)
    name = models.CharField(_("device"), max_length=60)
    created_at = models.DateTimeField(_("since"))

    class Meta:
        ordering = ["-id"]
        default_permissions = ()

    def __str__(self) -> str:
        return self.name


class PushPreference(models.Model):
    """A player's choice of push messages. Without a row, the defaults apply."""

    player = models.OneToOneField(
        Player,
        verbose_name=_("player"),
        on_delete=models.CASCADE,
        related_name="push_preference",
    )
    muted = ArrayField(
        models.CharField(max_length=12, choices=NoticeKind.choices),
        verbose_name=_("no push about"),
        default=list,
        blank=True,
    )
    quiet_from = models.TimeField(_("quiet from"), null=True, blank=True)
    quiet_until = models.TimeField(_("quiet until"), null=True, blank=True)
    zone = models.CharField(_("time zone"), max_length=60, default="UTC", validators=[check_zone])

    class Meta:
        ordering = ["player"]
        default_permissions = ()
        constraints = [
            models.CheckConstraint(
                condition=Q(quiet_from=None, quiet_until=None)
                | Q(quiet_from__isnull=False, quiet_until__isnull=False),
                name="push_quiet_has_both_ends",
            )
        ]

    def __str__(self) -> str:
        return str(self.player)


class PushMessageQuerySet(models.QuerySet["PushMessage"]):
    def due(self, now: datetime) -> PushMessageQuerySet:
        return self.filter(next_attempt_at__lte=now).order_by("next_attempt_at", "id")


class PushMessage(models.Model):
    """A notice on its way to a device. A trigger creates it, and it goes once it is sent."""

    notice = models.ForeignKey(
        Notice,
        on_delete=models.CASCADE,
        related_name="push_messages",
        db_constraint=False,
    )
    device = models.ForeignKey(
        PushDevice, on_delete=models.CASCADE, related_name="messages", db_index=False
    )
    attempts = models.PositiveSmallIntegerField(default=0)
    next_attempt_at = models.DateTimeField()

    objects = PushMessageQuerySet.as_manager()

    class Meta:
        default_permissions = ()
        indexes = [models.Index(fields=["next_attempt_at", "id"], name="push_message_due")]
        constraints = [
            models.UniqueConstraint(fields=["device", "notice"], name="one_push_a_device"),
        ]

    def __str__(self) -> str:
        return f"{self.notice_id}: {self.device_id}"
