"""Discord: requests that were answered, direct messages to players, and boards in channels."""

from __future__ import annotations

from django.db import models

LONGEST_ID = 20
"""Digits of Discord's ids, which have 64 bits."""


class DiscordInteraction(models.Model):
    """A request of Discord that was answered, so that nobody can send it again."""

    number = models.CharField(max_length=LONGEST_ID, primary_key=True)
    at = models.DateTimeField(db_index=True)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.number
