"""Invitations to make an account for a player who has none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from league.models.competition import Competition
from league.models.player import Player

if TYPE_CHECKING:
    from datetime import datetime


class PlayerInvitationQuerySet(models.QuerySet["PlayerInvitation"]):
    def open(self, now: datetime) -> PlayerInvitationQuerySet:
        """Invitations whose link works."""
        return self.filter(state=PlayerInvitation.State.OPEN, expires_at__gt=now)


class PlayerInvitation(models.Model):
    """A personal link with which one person gets an account that acts for a player.

    The link is mailed to an address, or printed on a slip. Its token is signed and names this row,
    so nothing secret is stored.
    """

    class State(models.TextChoices):
        OPEN = "open", _("waiting")
        JOINED = "joined", _("joined")
        WITHDRAWN = "withdrawn", _("withdrawn")
        DECLINED = "declined", _("declined")

    player = models.ForeignKey(
        Player,
        verbose_name=_("player"),
        on_delete=models.CASCADE,
        related_name="player_invitations",
    )
    competition = models.ForeignKey(
        Competition,
        verbose_name=_("competition"),
        on_delete=models.SET_NULL,
        related_name="player_invitations",
        null=True,
        blank=True,
    )
    """The competition whose organisers invite them, ``None`` for those of the league."""
    address = models.EmailField(_("address"), blank=True)
    """Empty for a printed link, and once it is no longer needed."""
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("by"),
        on_delete=models.PROTECT,
        related_name="player_invitations",
    )
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.OPEN)
    sent_at = models.DateTimeField(_("sent"))
    """The time of the last mail or print."""
    expires_at = models.DateTimeField(_("expires"))
    opened_at = models.DateTimeField(_("opened"), null=True, blank=True)
    """The first time that somebody followed the link."""
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)

    objects = PlayerInvitationQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        default_permissions = ()
        verbose_name = _("invitation of a player")
        verbose_name_plural = _("invitations of players")
        indexes = [models.Index(fields=["address"], name="player_invitation_address")]
        constraints = [
            models.UniqueConstraint(
                fields=["player"], condition=Q(state="open"), name="one_open_invitation_a_player"
            ),
            models.CheckConstraint(
                condition=Q(state="open", closed_at=None)
                | (~Q(state="open") & Q(closed_at__isnull=False)),
                name="player_invitation_open_or_closed",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.state}"
