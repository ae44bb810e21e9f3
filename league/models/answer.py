"""Rows that follow a report: its changes, and the confirmations, own reports and messages of
others.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from league.models.match import Match, Side
from league.models.name_lists import MODES
from league.models.player import Player
from league.models.words import Words

LONGEST_MESSAGE = 2_000
LONGEST_LINK = 500


def may_be_linked(link: str) -> bool:
    """Return whether a link may be shown as one: not with a name before the host, which can make a
    host look like another, nor one that was stored under earlier rules or by hand."""
    try:
        URLValidator(schemes=["http", "https"])(link)
        return "@" not in urlsplit(link).netloc
    except (ValidationError, ValueError):
        return False


class Confirmation(models.Model):
    """A side's confirmation of a report, in a match of more than two sides."""

    match = models.ForeignKey(
        Match, on_delete=models.CASCADE, related_name="confirmations", db_index=False
    )
    side = models.OneToOneField(Side, on_delete=models.CASCADE, related_name="confirmation")
    player = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="confirmations", db_index=False
    )
    at = models.DateTimeField(_("when"))
    sent_from = models.UUIDField(null=True, editable=False)

    class Meta:
        ordering = ["match", "at", "id"]
        verbose_name = _("confirmation")
        verbose_name_plural = _("confirmations")
        constraints = [
            models.UniqueConstraint(fields=["match", "side"], name="side_confirms_once"),
        ]
        indexes = [
            models.Index(
                fields=["at"],
                condition=Q(sent_from__isnull=False),
                name="confirmation_with_address",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} confirmed {self.match}"


class CounterReport(models.Model):
    """The result of a reported match according to another side."""

    class State(models.TextChoices):
        AGREES = "agrees", _("agrees with the report")
        OPEN = "open", _("waiting for an answer")
        ACCEPTED = "accepted", _("accepted")
        REJECTED = "rejected", _("rejected")
        DECIDED = "decided", _("decided by staff")

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="counter_reports")
    side = models.PositiveSmallIntegerField(_("side"))
    """The index of the side that it comes from."""
    reporter = models.ForeignKey(
        Player,
        verbose_name=_("reported by"),
        on_delete=models.PROTECT,
        related_name="counter_reports",
    )
    at = models.DateTimeField(_("reported"))
    played_at = models.DateTimeField(_("played"))
    placings = models.JSONField(_("places and scores"))
    """A place and a score for each side of the match, in order."""
    mode = models.CharField(
        _("game mode"), max_length=MODES.longest, default="", db_default="", blank=True
    )
    """The game mode, if it is another than in the report."""
    comment = Words(_("comment"), blank=True)
    against = models.ForeignKey(
        Player,
        verbose_name=_("in answer to"),
        on_delete=models.PROTECT,
        related_name="counter_reports_received",
        db_index=False,
    )
    """The player whose report it answers."""
    state = models.CharField(_("state"), max_length=10, choices=State.choices)
    answer_by = models.DateTimeField(_("answer by"), null=True, blank=True)
    answered_at = models.DateTimeField(_("answered"), null=True, blank=True)
    answered_by = models.ForeignKey(
        Player,
        verbose_name=_("answered by"),
        on_delete=models.PROTECT,
        related_name="counter_reports_answered",
        null=True,
        blank=True,
        db_index=False,
    )
    client_token = models.UUIDField(null=True, unique=True, editable=False)
    result_digest = models.UUIDField(null=True, editable=False)
    report_digest = models.UUIDField(null=True, editable=False)
    sent_from = models.UUIDField(null=True, editable=False)

    class Meta:
        ordering = ["id"]
        verbose_name = _("counter-report")
        verbose_name_plural = _("counter-reports")
        indexes = [
            models.Index(fields=["reporter", "at"], name="counter_report_recent"),
            models.Index(
                fields=["at"],
                condition=Q(sent_from__isnull=False),
                name="counter_report_with_address",
            ),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["match"], condition=Q(state="open"), name="one_open_counter_report"
            ),
            models.CheckConstraint(
                condition=~Q(state="open") | Q(answer_by__isnull=False),
                name="counter_report_open_has_its_deadline",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.match}: {self.reporter}"


class ReportChange(models.Model):
    """A change of a report by its reporter before anybody answered. Never changed itself."""

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="report_changes")
    revision = models.PositiveSmallIntegerField(_("revision"))
    """The report's revision after the change."""
    by = models.ForeignKey(
        Player, verbose_name=_("by"), on_delete=models.PROTECT, related_name="report_changes"
    )
    at = models.DateTimeField(_("when"))
    was = models.JSONField(_("places and scores before"))

    class Meta:
        ordering = ["id"]
        verbose_name = _("change of a report")
        verbose_name_plural = _("changes of reports")
        constraints = [
            models.UniqueConstraint(fields=["match", "revision"], name="report_revision_once"),
        ]

    def __str__(self) -> str:
        return f"{self.match}: {self.revision}"


class MatchMessage(models.Model):
    """A message of a player or of staff about a disputed match. Never changed."""

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="messages")
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("author"),
        on_delete=models.PROTECT,
        related_name="match_messages",
        db_index=False,
    )
    player = models.ForeignKey(
        Player,
        verbose_name=_("player"),
        on_delete=models.PROTECT,
        related_name="match_messages",
        null=True,
        blank=True,
    )
    """The player who wrote it, empty for staff."""
    at = models.DateTimeField(_("when"))
    text = Words(_("message"), max_length=LONGEST_MESSAGE)
    link = models.URLField(_("link to evidence"), max_length=LONGEST_LINK, blank=True)

    class Meta:
        ordering = ["id"]
        verbose_name = _("message about a match")
        verbose_name_plural = _("messages about matches")
        indexes = [models.Index(fields=["author", "at"], name="match_message_recent")]

    def __str__(self) -> str:
        return f"{self.match}: {self.author}"
