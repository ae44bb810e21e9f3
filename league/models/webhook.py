"""Webhooks: addresses that get events, and the deliveries to them."""

from __future__ import annotations

import secrets
import uuid
from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.models.arena import Arena
from league.models.words import Line

if TYPE_CHECKING:
    from datetime import datetime

LONGEST_WEBHOOK_NAME = 60
LONGEST_ADDRESS = 500
LONGEST_ANSWER = 500
"""The most characters that are kept of an answer."""


class EventType(models.TextChoices):
    """An event that a webhook can be told. Triggers of the database write these events."""

    MATCH_STARTED = "match.started", _("A match started")
    REPORTED = "result.reported", _("A result was reported, or its report changed")
    CONFIRMED = "result.confirmed", _("A result counts: it was confirmed and rated")
    CORRECTED = "result.corrected", _("Staff corrected a rated result")
    VOIDED = "result.voided", _("A match no longer counts")
    REOPENED = "result.reopened", _("A match waits for a result again")
    DISPUTE_OPENED = "dispute.opened", _("A player disputes a result, or objects to it")
    DISPUTE_DECIDED = "dispute.decided", _("A dispute or an objection is over")
    SEASON_STARTED = "season.started", _("A season opened")
    SEASON_ENDED = "season.ended", _("A season ended: its final standings are fixed")
    COMPETITION_STARTED = "competition.started", _("A competition started")
    COMPETITION_ENDED = "competition.ended", _("A competition ended")
    FIXTURE_DECIDED = "fixture.decided", _("A fixture was decided without its games")


TEST = "webhook.test"
"""The type of the events that staff send by hand."""


def new_seed() -> str:
    return secrets.token_hex(24)


class Webhook(models.Model):
    """An address that is told of events of the league, or of one arena."""

    class Paused(models.TextChoices):
        """The reason why a webhook is paused."""

        NOT = "", _("not paused")
        STAFF = "staff", _("paused by staff")
        FAILING = "failing", _("every attempt failed for too long")
        GONE = "gone", _("its receiver answered 410 (Gone)")

    arena = models.ForeignKey(
        Arena,
        verbose_name=_("arena"),
        on_delete=models.CASCADE,
        related_name="webhooks",
        null=True,
        blank=True,
        help_text=_("Whose events it is told. Empty for those of the whole league."),
    )
    name = Line(_("name"), max_length=LONGEST_WEBHOOK_NAME)
    address = models.CharField(
        _("address"),
        max_length=LONGEST_ADDRESS,
        help_text=_("Where events are sent, such as https://example.org/laurel."),
    )
    events = ArrayField(
        models.CharField(max_length=30, choices=EventType.choices), verbose_name=_("events")
    )
    secret_seed = models.CharField(max_length=64, default=new_seed, editable=False)
    """The seed of its secret, together with ``SECRET_KEY``."""
    old_secret_seed = models.CharField(max_length=64, default="", blank=True, editable=False)
    old_until = models.DateTimeField(null=True, editable=False)
    """Until when the secret before signs as well."""
    paused = models.CharField(
        _("paused"), max_length=10, choices=Paused.choices, default="", blank=True, editable=False
    )
    paused_at = models.DateTimeField(_("paused since"), null=True, editable=False)
    failures = models.PositiveIntegerField(_("failures in a row"), default=0, editable=False)
    failing_since = models.DateTimeField(_("failing since"), null=True, editable=False)
    waits_until = models.DateTimeField(null=True, editable=False)
    """Nothing is sent before: its receiver has just failed."""
    claimed_until = models.DateTimeField(null=True, editable=False)
    """Until when a worker is sending to it, unless it ends before."""
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("made by"),
        on_delete=models.PROTECT,
        related_name="webhooks",
        editable=False,
    )
    made_at = models.DateTimeField(_("made"), editable=False)

    class Meta:
        ordering = ["name", "id"]
        verbose_name = _("webhook")
        verbose_name_plural = _("webhooks")
        constraints = [
            models.CheckConstraint(
                condition=Q(paused="", paused_at=None)
                | (~Q(paused="") & Q(paused_at__isnull=False)),
                name="webhook_paused_since",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class WebhookEvent(models.Model):
    """Something that happened, written in its transaction. Its message is made when it is sent.

    It refers to its subject by id only, so that nothing of it is kept once it is erased.
    """

    uid = models.UUIDField(default=uuid.uuid4, unique=True)
    """Its id for receivers, the same in each attempt."""
    type = models.CharField(_("event"), max_length=30)
    subject = models.BigIntegerField(null=True)
    """The id of the match, season, competition or fixture that it is about."""
    facts = models.JSONField(default=dict)
    """The subject as of that moment, where it changes later."""
    at = models.DateTimeField(_("when"))

    class Meta:
        default_permissions = ()
        ordering = ["-id"]
        verbose_name = _("event")
        verbose_name_plural = _("events")
        indexes = [models.Index(fields=["at"], name="webhook_event_at")]

    def __str__(self) -> str:
        return f"{self.label} {self.message_id}"

    @property
    def label(self) -> str:
        """Return the event in the reader's language."""
        known = self.type in EventType.values
        return str(EventType(self.type).label) if known else gettext("A test event")

    @property
    def message_id(self) -> str:
        return f"msg_{self.uid.hex}"


class WebhookDeliveryQuerySet(models.QuerySet["WebhookDelivery"]):
    def due(self, now: datetime) -> WebhookDeliveryQuerySet:
        """Waiting deliveries whose next attempt is due, oldest first."""
        waiting = self.filter(state=WebhookDelivery.State.WAITING, next_attempt_at__lte=now)
        return waiting.order_by("next_attempt_at", "id")


class WebhookDelivery(models.Model):
    """An event on its way to a webhook."""

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        DELIVERED = "delivered", _("delivered")
        FAILED = "failed", _("given up")

    webhook = models.ForeignKey(
        Webhook,
        verbose_name=_("webhook"),
        on_delete=models.CASCADE,
        related_name="deliveries",
        db_index=False,
    )
    event = models.ForeignKey(
        WebhookEvent, verbose_name=_("event"), on_delete=models.CASCADE, related_name="deliveries"
    )
    state = models.CharField(
        _("state"), max_length=10, choices=State.choices, default=State.WAITING
    )
    created_at = models.DateTimeField(_("written"))
    next_attempt_at = models.DateTimeField(_("next attempt"), null=True)
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    """Since it was written or last replayed."""
    closed_at = models.DateTimeField(_("delivered or given up"), null=True)

    objects = WebhookDeliveryQuerySet.as_manager()

    class Meta:
        default_permissions = ("view",)
        ordering = ["-id"]
        verbose_name = _("webhook delivery")
        verbose_name_plural = _("webhook deliveries")
        indexes = [
            models.Index(fields=["webhook", "-id"], name="webhook_delivery_log"),
            models.Index(
                fields=["webhook", "next_attempt_at", "id"],
                condition=Q(state="waiting"),
                name="webhook_delivery_due",
            ),
            models.Index(fields=["created_at"], name="webhook_delivery_created"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(state="waiting", next_attempt_at__isnull=False, closed_at=None)
                | (
                    Q(state__in=["delivered", "failed"], next_attempt_at=None)
                    & Q(closed_at__isnull=False)
                ),
                name="webhook_delivery_waits_or_is_closed",
            ),
            models.CheckConstraint(
                condition=Q(closed_at=None) | Q(closed_at__gte=F("created_at")),
                name="webhook_delivery_closed_later",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event.label} ({self.webhook})"


class WebhookAttempt(models.Model):
    """An attempt to deliver an event, and what the receiver answered."""

    delivery = models.ForeignKey(WebhookDelivery, on_delete=models.CASCADE, related_name="log")
    at = models.DateTimeField(_("when"))
    status = models.PositiveSmallIntegerField(_("status"), null=True)
    """The status of the answer, empty without one."""
    milliseconds = models.PositiveIntegerField(_("milliseconds"))
    problem = models.CharField(_("problem"), max_length=200, blank=True)
    answer = models.CharField(_("start of the answer"), max_length=LONGEST_ANSWER, blank=True)

    class Meta:
        default_permissions = ()
        ordering = ["id"]
        verbose_name = _("attempt")
        verbose_name_plural = _("attempts")

    def __str__(self) -> str:
        return str(self.status or "–")
