"""E-mails on their way out, and addresses that refuse them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

if TYPE_CHECKING:
    from datetime import datetime


class EmailQuerySet(models.QuerySet["Email"]):
    def due(self, now: datetime) -> EmailQuerySet:
        """Waiting mails whose next attempt is due, oldest first."""
        return self.filter(state=Email.State.WAITING, next_attempt_at__lte=now).order_by(
            "next_attempt_at", "id"
        )


class Email(models.Model):
    """A mail to one address. It waits here until the mail server has taken or refused it."""

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        SENT = "sent", _("sent")
        FAILED = "failed", _("failed")

    recipient = models.CharField(pgettext_lazy("recipient", "to"), max_length=320)
    sender = models.CharField(_("from"), max_length=320)
    subject = models.TextField(_("subject"))
    text = models.TextField(blank=True, editable=False)
    """The plain text, empty once it is sent. It may contain links that only the reader may see."""
    html = models.TextField(blank=True, editable=False)
    headers = models.JSONField(default=dict, blank=True, editable=False)
    state = models.CharField(
        _("state"), max_length=10, choices=State.choices, default=State.WAITING
    )
    created_at = models.DateTimeField(_("written"))
    next_attempt_at = models.DateTimeField(_("next attempt"), null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    closed_at = models.DateTimeField(_("sent or given up"), null=True, blank=True)
    error = models.TextField(_("last answer of the mail server"), blank=True)

    objects = EmailQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        verbose_name = _("email")
        verbose_name_plural = _("emails")
        indexes = [
            models.Index(
                fields=["next_attempt_at", "id"], condition=Q(state="waiting"), name="email_due"
            ),
            models.Index(
                fields=["closed_at"], condition=Q(closed_at__isnull=False), name="email_closed"
            ),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(state="waiting", next_attempt_at__isnull=False, closed_at=None)
                | (
                    Q(state__in=["sent", "failed"], next_attempt_at=None)
                    & Q(closed_at__isnull=False)
                ),
                name="email_waits_or_is_closed",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.subject} ({self.recipient})"


class BouncingAddress(models.Model):
    """An address that its mail server refuses. No notices are mailed to it."""

    address = models.CharField(_("address"), max_length=320, unique=True)
    """In lower case."""
    since = models.DateTimeField(_("since"))
    error = models.TextField(_("answer of the mail server"))

    class Meta:
        ordering = ["-since"]
        verbose_name = _("bouncing address")
        verbose_name_plural = _("bouncing addresses")

    def __str__(self) -> str:
        return self.address
