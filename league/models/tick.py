"""Runs of a queue's matcher, stored so that they can be repeated and explained."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.models.arena import Arena
from league.models.moments import describe_moment


class Tick(models.Model):
    """One run of a queue's matcher, with its input and its figures.

    ``league.services.queue.kept_ticks`` reads the input.
    """

    arena = models.ForeignKey(
        Arena,
        verbose_name=_("arena"),
        on_delete=models.CASCADE,
        related_name="ticks",
        db_index=False,
    )
    at = models.DateTimeField(_("when"))
    seed = models.BigIntegerField(pgettext_lazy("random number", "seed"))
    matcher = models.CharField(_("matcher"), max_length=20)
    rules = models.JSONField(_("rules"))
    queue = models.BinaryField(editable=False)
    """The matcher's input as deflated JSON."""
    found = models.JSONField(_("teams found"), default=list)
    """Ticket ids of both teams of each match, in the order found."""
    tickets = models.PositiveIntegerField(_("tickets"))
    matches = models.PositiveIntegerField(_("matches"))
    proposed = models.PositiveIntegerField(
        _("proposed"), help_text=_("Matches whose tickets were all still in the queue.")
    )
    seconds = models.FloatField(_("seconds"), help_text=_("How long the matcher took."))

    class Meta:
        ordering = ["-id"]
        verbose_name = _("tick")
        verbose_name_plural = _("ticks")
        indexes = [models.Index(fields=["arena", "-at"], name="tick_latest")]

    def __str__(self) -> str:
        return f"{self.arena} · {describe_moment(self.at)}"
