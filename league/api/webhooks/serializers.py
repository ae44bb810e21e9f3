"""Webhooks, their deliveries, and the forms that make and change them."""

from __future__ import annotations

from typing import Any, ClassVar

from rest_framework import serializers

from league.api.arenas.serializers import ArenaSerializer
from league.api.core.fields import Choice, Flag, Strict, Text
from league.api.core.sparse import Expansion
from league.models import EventType, Webhook, WebhookAttempt, WebhookDelivery
from league.models.webhook import LONGEST_ADDRESS, LONGEST_WEBHOOK_NAME


class WebhookSerializer(serializers.ModelSerializer[Webhook]):
    """A webhook: its address, its events, and whether it works."""

    expands = {"arena": Expansion(ArenaSerializer)}
    arena = serializers.SlugField(
        source="arena.slug", allow_null=True, help_text="Null for events of the whole league."
    )
    paused = serializers.BooleanField(help_text="Whether it is paused.")
    pause_reason = serializers.ChoiceField(
        source="paused",
        choices=Webhook.Paused.choices,
        help_text="Why it is paused, empty if it is not.",
    )
    failures = serializers.IntegerField(help_text="Failed attempts in a row.")

    class Meta:
        model = Webhook
        fields = [
            "id",
            "arena",
            "name",
            "address",
            "events",
            "paused",
            "pause_reason",
            "paused_at",
            "failures",
            "failing_since",
            "made_at",
        ]
        extra_kwargs: ClassVar[dict[str, Any]] = {
            "events": {"help_text": "The events that it receives."},
            "paused_at": {"help_text": "Since when it is paused; null if it is not."},
            "failing_since": {"help_text": "Since when each attempt fails; null if none does."},
        }


class NewWebhookSerializer(WebhookSerializer):
    """A webhook with its secret, which is shown only now."""

    secret = serializers.CharField(help_text="The secret that signs its requests.")

    class Meta(WebhookSerializer.Meta):
        fields = [*WebhookSerializer.Meta.fields, "secret"]


def name_field(**options: Any) -> Text:
    return Text(max_length=LONGEST_WEBHOOK_NAME, **options)


def address_field(**options: Any) -> Text:
    text = "Where events are sent, by https and on the public internet."
    return Text(max_length=LONGEST_ADDRESS, help_text=text, **options)


def events_field(**options: Any) -> serializers.ListField:
    return serializers.ListField(
        child=Choice(choices=EventType.choices),
        allow_empty=False,
        max_length=len(EventType),
        help_text="The events that it receives.",
        **options,
    )


class WebhookForm(Strict):
    """A new webhook."""

    arena = Text(
        max_length=60,
        required=False,
        allow_null=True,
        default=None,
        help_text="An arena's slug. Without it, events of the whole league.",
    )
    name = name_field()
    address = address_field()
    events = events_field()


class WebhookChanges(Strict):
    """Changes of a webhook. The rest stays."""

    name = name_field(required=False)
    address = address_field(required=False)
    events = events_field(required=False)
    paused = Flag(required=False, help_text="True to pause it, false to resume it.")


class AttemptSerializer(serializers.ModelSerializer[WebhookAttempt]):
    """An attempt, and what the receiver answered."""

    status = serializers.IntegerField(allow_null=True, help_text="Null if there was no answer.")

    class Meta:
        model = WebhookAttempt
        fields = ["at", "status", "milliseconds", "problem", "answer"]
        extra_kwargs: ClassVar[dict[str, Any]] = {
            "milliseconds": {"help_text": "How long it took."},
            "problem": {"help_text": "Why it failed, empty if it did not."},
            "answer": {"help_text": "The start of the answer."},
        }


class DeliverySerializer(serializers.ModelSerializer[WebhookDelivery]):
    """An event on its way to a webhook."""

    collects = frozenset({"log"})
    type = serializers.CharField(source="event.type", help_text="What happened.")
    message_id = serializers.CharField(
        source="event.message_id", help_text="The header webhook-id, the same in each attempt."
    )
    attempts = serializers.IntegerField(help_text="Since it was written or last replayed.")
    log = AttemptSerializer(many=True, help_text="All attempts.")

    class Meta:
        model = WebhookDelivery
        fields = [
            "id",
            "type",
            "message_id",
            "state",
            "created_at",
            "attempts",
            "next_attempt_at",
            "closed_at",
            "log",
        ]
        extra_kwargs: ClassVar[dict[str, Any]] = {
            "next_attempt_at": {"help_text": "When it is due; null once it is closed."},
        }
