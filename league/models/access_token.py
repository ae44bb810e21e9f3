"""Tokens, with which programs act for an account."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from league.models.arena import Arena
from league.models.player import User
from league.models.words import Line

if TYPE_CHECKING:
    from collections.abc import Iterable

LONGEST_TOKEN_NAME = 60


class Scope(models.TextChoices):
    """A permission of a token. Its account needs the permission as well."""

    READ = "read", _("Read what you can read")
    REPORT = "report", _("Report and answer results, challenges and dates")
    QUEUE = "queue", _("Wait in queues and answer ready checks")
    ACCOUNT = (
        "account",
        _(
            "Change your profile, teams, rosters and entries, whom you follow and block, answer "
            "invitations, report players, appeal, mark notices, revoke tokens"
        ),
    )
    SERVER = "server", _("Run matches as a game server, if you may add matches")
    STAFF = "staff", _("Do your work as staff, if you are staff")


class AccessToken(models.Model):
    """A token of an account. Only a digest of it is stored."""

    user = models.ForeignKey(
        User, verbose_name=_("account"), on_delete=models.CASCADE, related_name="access_tokens"
    )
    name = Line(_("name"), max_length=LONGEST_TOKEN_NAME)
    scopes = ArrayField(
        models.CharField(max_length=10, choices=Scope.choices), verbose_name=_("allows")
    )
    start = models.CharField(_("begins with"), max_length=15)
    digest = models.CharField(max_length=128, unique=True)
    """SHA-256 of the token; SHA-512 of those from before tokens had names."""
    made_at = models.DateTimeField(_("made"))
    expires_at = models.DateTimeField(_("expires"), null=True, blank=True)
    is_bound = models.BooleanField(_("only in some arenas"), default=False, db_default=False)
    """Whether it writes only in ``arenas``: nowhere, once these are deleted."""
    arenas = models.ManyToManyField(Arena, verbose_name=_("arenas"), blank=True)
    signs = models.BooleanField(
        _("signed requests only"),
        default=False,
        db_default=False,
        help_text=_(
            "Whether each request that writes must be signed with the token's second secret, so "
            "that nobody can change it on the way or send it again."
        ),
    )
    used_at = models.DateTimeField(_("last used"), null=True, blank=True)
    """The last time a program used it, at most a minute late."""

    class Meta:
        verbose_name = _("API token")
        verbose_name_plural = _("API tokens")
        ordering: ClassVar[list[str]] = ["made_at", "id"]

    def __str__(self) -> str:
        return self.name

    @property
    def allowed(self) -> list[str]:
        """Return the token's permissions in words."""
        return [str(Scope(scope).label) for scope in self.scopes]

    def allows_any(self, scopes: Iterable[str]) -> bool:
        return not set(scopes).isdisjoint(self.scopes)


LONGEST_NONCE = 64


class UsedNonce(models.Model):
    """A word that a signed request has used, so that nobody sends it again."""

    token = models.ForeignKey(AccessToken, on_delete=models.CASCADE, related_name="nonces")
    nonce = models.CharField(max_length=LONGEST_NONCE)
    used_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["token", "nonce"], name="nonce_used_once"),
        ]

    def __str__(self) -> str:
        return self.nonce
