"""Third-party apps that people sign in to with their account, and what the apps may do."""

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
    """An app with access to an account. Without this row, none of the app's tokens work.

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
    """All scopes that the user has allowed since the app was connected."""
    made_at = models.DateTimeField(_("connected"))
    used_at = models.DateTimeField(_("last used"), null=True, blank=True)
    """The last use, to within a minute."""

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
    """A code or refresh token that was exchanged. If it is sent again, it may have been stolen."""

    app = models.ForeignKey(ConnectedApp, on_delete=models.CASCADE, related_name="spent_grants")
    digest = models.CharField(max_length=64, unique=True)
    """SHA-256 of what was sent."""
    spent_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return self.digest


class SigningKey(models.Model):
    """An RSA key that signs ID tokens, encrypted with a key derived from ``SECRET_KEY``."""

    pem = models.TextField()
    made_at = models.DateTimeField()
    signs_from = models.DateTimeField()
    """Later than ``made_at``, so that apps know the key before it signs."""
    ends_at = models.DateTimeField(null=True, blank=True)
    """The end of its signatures' validity, ``None`` for the newest key."""

    class Meta:
        ordering: ClassVar[list[str]] = ["signs_from", "id"]

    def __str__(self) -> str:
        return f"{self.made_at:%Y-%m-%d}"

    def is_valid_at(self, now: datetime) -> bool:
        return self.ends_at is None or self.ends_at > now


class App(Client):
    """A registered third-party app, as the admin shows it."""

    class Meta:
        proxy = True
        verbose_name = _("app")
        verbose_name_plural = _("apps")
        ordering: ClassVar[list[str]] = ["name", "id"]

    def __str__(self) -> str:
        return self.name
