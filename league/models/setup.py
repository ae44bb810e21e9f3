"""Notes of a new league until it has an admin and, perhaps, the demo."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class SetupCode(models.Model):
    """The code that creates the first admin. There is at most one, and its use deletes it."""

    is_only = models.BooleanField(primary_key=True, default=True, editable=False)
    code = models.CharField(max_length=20)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(is_only=True), name="one_setup_code"),
        ]

    def __str__(self) -> str:
        return self.code


class DemoRequest(models.Model):
    """The first admin's wish to have the demo league."""

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")

    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="demo_requests"
    )
    at = models.DateTimeField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["state"], condition=Q(state="waiting"), name="one_demo_at_a_time"
            ),
        ]

    def __str__(self) -> str:
        return self.get_state_display()
