"""Corrections of rated results, and the requests for them."""

from __future__ import annotations

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from league.models.match import Match
from league.models.name_lists import MODES
from league.models.player import Player
from league.models.season import Season
from league.models.words import Words


class CorrectionKind(models.TextChoices):
    VOID = "void", _("voided")
    RESULT = "result", _("corrected")
    MERGE = "merge", _("rated again for a merged player")
    IMPORT = "import", _("rated again for imported results")
    UNIMPORT = "unimport", _("rated again without imported results")
    UNDO = "undo", _("undone")
    VOID_ALL = "void_all", _("voided with all matches of a player")
    RERATED = "rerated", _("rated again with its season")


class Correction(models.Model):
    """A correction of a rated result, and its effect. Written once, never changed.

    The season's later results were rated again as if the mistake had never happened, or as if one
    person had always been one player: then ``match`` is the first that changes. Replaced
    rating events are kept and point here (``RatingEvent.superseded_by``).
    """

    season = models.ForeignKey(Season, on_delete=models.PROTECT, related_name="corrections")
    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="corrections")
    kind = models.CharField(_("what"), max_length=10, choices=CorrectionKind.choices)
    details = models.JSONField(_("details"), default=dict, blank=True)
    """For a new result, each side's place and score before (``was``) and after (``is``).

    For merged players, the ids of both."""
    reason = Words(_("reason"))
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("by"),
        on_delete=models.PROTECT,
        related_name="corrections",
    )
    at = models.DateTimeField(_("when"))
    rated_order = models.BigIntegerField(_("place in the order of rating"))
    """The match's ``rated_order`` before the correction. Void matches have none."""
    digest = models.CharField(_("preview"), max_length=64)
    """The fingerprint of the history behind the preview."""
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


class CorrectedMatch(models.Model):
    """A match that a correction changed, and what it was before. Undoing the correction brings that
    back. Written once, never changed."""

    correction = models.ForeignKey(
        Correction, on_delete=models.PROTECT, related_name="corrected_matches"
    )
    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="corrected_in")
    was = models.JSONField()
    """As ``league.services.corrections.states`` writes it."""

    class Meta:
        ordering = ["id"]
        verbose_name = _("corrected match")
        verbose_name_plural = _("corrected matches")
        constraints = [
            models.UniqueConstraint(
                fields=["correction", "match"], name="match_once_in_a_correction"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.match} in {self.correction}"


class Undoing(models.Model):
    """A correction that undid another one. Written once, never changed."""

    correction = models.OneToOneField(Correction, on_delete=models.PROTECT, related_name="undoing")
    undone = models.OneToOneField(Correction, on_delete=models.PROTECT, related_name="undone_by")

    class Meta:
        ordering = ["id"]
        verbose_name = _("undone correction")
        verbose_name_plural = _("undone corrections")

    def __str__(self) -> str:
        return f"{self.correction} of {self.undone}"


class CorrectionRequest(models.Model):
    """A correction that staff requested after its preview."""

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        DONE = "done", _("done")
        REFUSED = "refused", _("refused")

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="correction_requests")
    kind = models.CharField(max_length=10, choices=CorrectionKind.choices)
    placings = models.JSONField(null=True)
    """For a new result, a place and a score for each side, in order."""
    mode = models.CharField(max_length=MODES.longest, default="", db_default="", blank=True)
    """The game mode of a new result, if it is another than before."""
    undoes = models.ForeignKey(
        Correction,
        on_delete=models.DO_NOTHING,
        related_name="+",
        null=True,
        db_constraint=False,
        db_index=False,
    )
    """The correction to undo. Corrections are never deleted."""
    reason = Words()
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="correction_requests"
    )
    at = models.DateTimeField()
    digest = models.CharField(max_length=64)
    horizon = models.BigIntegerField()
    """The last ``Match.rated_order`` in the preview."""
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
    """A rating system's memory of a player after the season's result ``rated_order``.

    Rating events hold a player's full state except its memory, which can be long. Checkpoints save
    the memories of the players who played since the last one, so that a replay can start there and
    not at the start of the season. A player's memory at a checkpoint is in their latest row up to
    it.
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
