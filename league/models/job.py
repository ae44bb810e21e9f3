"""Long work that staff started, done by a worker."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from league.models.arena import Arena
from league.models.season import Season
from league.models.words import Line


class Job(models.Model):
    """A piece of long work, such as an import. It takes effect as a whole or not at all."""

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")
        CANCELLED = "cancelled", _("cancelled")

    kind = models.CharField(_("kind"), max_length=30)
    """A name in ``league.work.WORK``."""
    title = Line(_("title"), max_length=200)
    arena = models.ForeignKey(Arena, on_delete=models.CASCADE, related_name="+", null=True)
    season = models.ForeignKey(
        Season, on_delete=models.CASCADE, related_name="+", null=True, db_index=False
    )
    given = models.JSONField(default=dict)
    """The input of the work: ids, parameters, rules."""
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="jobs",
        verbose_name=_("started by"),
    )
    at = models.DateTimeField(_("started"))
    state = models.CharField(
        _("state"), max_length=10, choices=State.choices, default=State.WAITING
    )
    attempts = models.PositiveSmallIntegerField(default=0, db_default=0)
    """The number of times that a worker began it. Workers that were killed left it to the next."""
    cancelled_at = models.DateTimeField(null=True)
    """The time of a request to cancel it. The worker notices at its next step."""
    finished_at = models.DateTimeField(_("finished"), null=True)
    refusal = models.TextField(_("why it failed"), blank=True)
    result: models.JSONField[Any, Any] = models.JSONField(null=True)

    class Meta:
        ordering = ["-id"]
        verbose_name = _("job")
        verbose_name_plural = _("jobs")
        indexes = [
            models.Index(fields=["id"], condition=Q(state="waiting"), name="jobs_waiting"),
        ]

    def __str__(self) -> str:
        return self.title
