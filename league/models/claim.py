"""Requests to act for an imported player."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from league.models.player import Player
from league.models.words import Words


class PlayerClaim(models.Model):
    """A person's request to own a player without an account, with evidence. Staff decide it."""

    class State(models.TextChoices):
        OPEN = "open", _("waiting")
        APPROVED = "approved", _("approved")
        REFUSED = "refused", _("refused")
        WITHDRAWN = "withdrawn", _("withdrawn")

    account = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("account"),
        on_delete=models.PROTECT,
        related_name="claims",
    )
    player = models.ForeignKey(
        Player, verbose_name=_("player"), on_delete=models.PROTECT, related_name="claims"
    )
    evidence = Words(_("evidence"), max_length=2000)
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.OPEN)
    made_at = models.DateTimeField(_("made"))
    decided_at = models.DateTimeField(_("decided"), null=True, blank=True)
    answer = Words(_("answer"), blank=True)
    """The reason that staff gave."""

    class Meta:
        ordering = ["-made_at", "-id"]
        verbose_name = _("claim")
        verbose_name_plural = _("claims")
        permissions = [("decide_claim", "Can decide claims of players")]
        constraints = [
            models.UniqueConstraint(
                fields=["account"], condition=Q(state="open"), name="one_open_claim_an_account"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.account}: {self.player}"
