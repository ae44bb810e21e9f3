"""Apps of others that people sign in to with their account, and what they may do with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from allauth.idp.oidc.models import Client
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from league.models.player import User

if TYPE_CHECKING:
    from datetime import datetime

LONGEST_SCOPE = 20


class ConnectedApp(models.Model):
    """An app that an account has let in. Without this row, no token of the app is worth anything.

    The apps and their tokens are rows of allauth: its ``Client`` and ``Token``.
    """

    user = models.ForeignKey(
        User, verbose_name=_("account"), on_delete=models.CASCADE, related_name="connected_apps"
    )
    client = models.ForeignKey(
        "allauth_idp_oidc.Client",
        verbose_name=_("app"),
        on_delete=models.CASCADE,
        related_name="connections",
    )
    scopes = ArrayField(models.CharField(max_length=LONGEST_SCOPE), verbose_name=_("allows"))
    """All that the account has allowed since it was connected."""
    made_at = models.DateTimeField(_("connected"))
    used_at = models.DateTimeField(_("last used"), null=True, blank=True)
    """The last time the app used it, at most a minute late."""

    class Meta:
        verbose_name = _("connected app")
        verbose_name_plural = _("connected apps")
        ordering: ClassVar[list[str]] = ["made_at", "id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["user", "client"], name="app_connected_once"),
        ]

    def __str__(self) -> str:
        return self.client.name


class SpentGrant(models.Model):
    """A code or refresh token that was exchanged. Whoever sends it again has stolen it, or the
    other one has."""

    app = models.ForeignKey(ConnectedApp, on_delete=models.CASCADE, related_name="spent_grants")
    digest = models.CharField(max_length=64, unique=True)
    """SHA-256 of what was sent."""
    spent_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return self.digest


class SigningKey(models.Model):
    """The RSA key with which ID tokens are signed, encrypted with a key from ``SECRET_KEY``."""

    pem = models.TextField()
    made_at = models.DateTimeField()
    signs_from = models.DateTimeField()
    """Later than it was made, so that apps know the key before it signs."""
    ends_at = models.DateTimeField(null=True, blank=True)
    """Until when what it has signed is accepted; ``None`` for the newest key."""

    class Meta:
        ordering: ClassVar[list[str]] = ["signs_from", "id"]

    def __str__(self) -> str:
        return f"{self.made_at:%Y-%m-%d}"

    def is_valid_at(self, now: datetime) -> bool:
        return self.ends_at is None or self.ends_at > now


class App(Client):
    """An app of others that may ask people to let it in, by the name that the admin gives it."""

    class Meta:
        proxy = True
        verbose_name = _("app")
        verbose_name_plural = _("apps")
        ordering: ClassVar[list[str]] = ["name", "id"]

    def __str__(self) -> str:
        return self.name
