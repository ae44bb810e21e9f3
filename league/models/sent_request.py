"""Requests of programs that take effect once, however often they are sent."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from league.models.player import User

LONGEST_KEY = 255


class SentRequest(models.Model):
    """A request with an ``Idempotency-Key``, and its response."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="sent_requests")
    key = models.CharField(max_length=LONGEST_KEY)
    digest = models.CharField(max_length=64)
    """SHA-256 of the method, the address and the body."""
    status = models.PositiveSmallIntegerField(default=0)
    media_type = models.CharField(max_length=60, default="")
    body = models.TextField(default="")
    at = models.DateTimeField(db_index=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["user", "key"], name="request_sent_once"),
        ]

    def __str__(self) -> str:
        return self.key
