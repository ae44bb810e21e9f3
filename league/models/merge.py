"""Requests to merge two players."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from league.models.player import Player
from league.models.words import Words


class MergeRequest(models.Model):
    """A merge of two players that staff requested after its preview."""

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        DONE = "done", _("done")
        REFUSED = "refused", _("refused")

    kept = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+", db_index=False)
    merged = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+", db_index=False)
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, related_name="+", null=True
    )
    """The account that stays, None for the only one or that of ``kept``."""
    reason = Words()
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="merge_requests"
    )
    at = models.DateTimeField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    refusal = models.TextField(blank=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-id"]
        verbose_name = _("merge request")
        verbose_name_plural = _("merge requests")
        constraints = [
            models.UniqueConstraint(
                fields=["merged"], condition=Q(state="waiting"), name="one_merge_at_a_time"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.merged} → {self.kept}: {self.get_state_display()}"
