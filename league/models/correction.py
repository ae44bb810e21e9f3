"""Corrections of rated results: the ledger of those made, and the requests for them."""

from __future__ import annotations

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from league.models.match import Match
from league.models.player import Player
from league.models.season import Season


class CorrectionKind(models.TextChoices):
    VOID = "void", _("made void")
    RESULT = "result", _("given another result")


class Correction(models.Model):
    """A rated result that staff voided or changed, and what that did. Written once, never changed.

    The season's later results were rated again as if the mistake had never happened. Rating events
    that this changed are kept, and point here (``RatingEvent.superseded_by``).
    """

    season = models.ForeignKey(Season, on_delete=models.PROTECT, related_name="corrections")
    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="corrections")
    kind = models.CharField(_("what"), max_length=10, choices=CorrectionKind.choices)
    details = models.JSONField(_("details"), default=dict, blank=True)
    """Of a new result: the places and scores that it ``was`` and ``is``, side by side."""
    reason = models.TextField(_("reason"))
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("by"),
        on_delete=models.PROTECT,
        related_name="corrections",
    )
    at = models.DateTimeField(_("when"))
    rated_order = models.BigIntegerField(_("place in the order of rating"))
    """Where the match stood when it was rated: a void one has lost its place."""
    digest = models.CharField(_("preview"), max_length=64)
    """Of the history that the preview was worked out from."""
    matches = models.PositiveIntegerField(_("matches rated again"))
    events = models.PositiveIntegerField(_("rating events replaced"))
    players = models.PositiveIntegerField(_("players moved"))
    largest_change = models.FloatField(_("largest change of a rating"))

    class Meta:
        ordering = ["-id"]
        verbose_name = _("correction")
        verbose_name_plural = _("corrections")

    def __str__(self) -> str:
        return f"{self.match} {self.get_kind_display()}"


class CorrectionRequest(models.Model):
    """A correction that staff asked for after reading its preview, until it is made or refused."""

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        DONE = "done", _("done")
        REFUSED = "refused", _("refused")

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="correction_requests")
    kind = models.CharField(max_length=10, choices=CorrectionKind.choices)
    placings = models.JSONField(null=True)
    """Of a new result: a place and a score for each side, in their order."""
    reason = models.TextField()
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="correction_requests"
    )
    at = models.DateTimeField()
    digest = models.CharField(max_length=64)
    horizon = models.BigIntegerField()
    """The last result, by ``Match.rated_order``, that the preview knew of."""
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    refusal = models.TextField(blank=True)
    finished_at = models.DateTimeField(null=True)
    correction = models.OneToOneField(
        Correction, on_delete=models.PROTECT, related_name="request", null=True
    )

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["match"], condition=Q(state="waiting"), name="one_correction_at_a_time"
            ),
            models.CheckConstraint(
                condition=Q(state="done", correction__isnull=False)
                | (~Q(state="done") & Q(correction=None)),
                name="correction_request_done_has_its_correction",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.match}: {self.get_state_display()}"


class MemoryCheckpoint(models.Model):
    """What a rating system remembered of a player after the season's result ``rated_order``.

    Rating events hold all of a state but its memory, which may be long. It is noted now and then
    for those who have played since, so that a replay can begin there and not with the season. The
    memory of a player at a checkpoint is that of their latest note up to it.
    """

    season = models.ForeignKey(
        Season, on_delete=models.CASCADE, related_name="checkpoints", db_index=False
    )
    player = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="checkpoints", db_index=False
    )
    rated_order = models.BigIntegerField()
    memory = ArrayField(models.FloatField())

    class Meta:
        indexes = [models.Index(fields=["season", "rated_order"], name="checkpoint_newest")]
        constraints = [
            models.UniqueConstraint(
                fields=["season", "player", "rated_order"], name="checkpoint_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} after {self.rated_order}"
