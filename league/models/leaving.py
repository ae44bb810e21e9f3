"""Accounts that are to be deleted, and what stays of them to keep bans in force."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from league.models.player import User


class AccountDeletion(models.Model):
    """A person's request to delete their account. They can take it back until it is due."""

    user = models.OneToOneField(
        User,
        verbose_name=_("account"),
        on_delete=models.CASCADE,
        related_name="deletion",
        primary_key=True,
    )
    asked_at = models.DateTimeField(_("asked"))
    due_at = models.DateTimeField(_("due"), db_index=True)

    class Meta:
        verbose_name = _("account deletion")
        verbose_name_plural = _("account deletions")

    def __str__(self) -> str:
        return str(self.user)


class BarredAddress(models.Model):
    """An email address of a banned account that was deleted, as a keyed hash.

    Nobody can sign up with it, or add it to an account, until the ban ends.
    """

    digest = models.CharField(max_length=64, unique=True)
    until = models.DateTimeField(_("until"), null=True)
    """``None`` for a ban without an end."""

    class Meta:
        verbose_name = _("barred address")
        verbose_name_plural = _("barred addresses")

    def __str__(self) -> str:
        return self.digest[:8]
