"""Objections of players to rated results."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from league.models.match import Match
from league.models.player import Player
from league.models.staff import StaffAction
from league.models.words import Words


class ObjectionQuerySet(models.QuerySet["Objection"]):
    def open(self) -> ObjectionQuerySet:
        return self.filter(state=Objection.State.OPEN)


class Objection(models.Model):
    """A player's objection to a rated result, which staff decide. The result counts meanwhile."""

    class State(models.TextChoices):
        OPEN = "open", _("waiting for staff")
        REJECTED = "rejected", _("rejected")
        CORRECTED = "corrected", _("led to a correction")
        LAPSED = "lapsed", _("not decided before the season was archived")
        WITHDRAWN = "withdrawn", _("withdrawn")

    match = models.ForeignKey(
        Match, on_delete=models.PROTECT, related_name="objections", db_index=False
    )
    side = models.PositiveSmallIntegerField(_("side"))
    """The index of the side that it comes from."""
    player = models.ForeignKey(
        Player,
        verbose_name=_("player"),
        on_delete=models.PROTECT,
        related_name="objections",
        db_index=False,
    )
    at = models.DateTimeField(_("when"))
    reason = Words(_("reason"))
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.OPEN)
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)
    action = models.ForeignKey(
        StaffAction,
        verbose_name=_("decision"),
        on_delete=models.PROTECT,
        related_name="objections",
        null=True,
        blank=True,
        db_index=False,
    )
    """The decision of staff, with its reason."""

    objects = ObjectionQuerySet.as_manager()

    class Meta:
        ordering = ["id"]
        verbose_name = _("objection")
        verbose_name_plural = _("objections")
        indexes = [models.Index(fields=["player", "at"], name="objection_recent")]
        constraints = [
            models.UniqueConstraint(
                fields=["match"], condition=Q(state="open"), name="one_open_objection"
            ),
            models.UniqueConstraint(
                fields=["match", "side"],
                condition=~Q(state="withdrawn"),
                name="side_objects_once",
            ),
            models.CheckConstraint(
                condition=Q(state="open", closed_at=None)
                | (~Q(state="open") & Q(closed_at__isnull=False)),
                name="objection_closed_has_its_time",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["rejected", "corrected"], action__isnull=False)
                | Q(state__in=["open", "lapsed", "withdrawn"], action=None),
                name="objection_decided_has_its_decision",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.match}: {self.player}"
