"""Names that players had before."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from league.models.lookalikes import SkeletonField, looks_like
from league.models.names import NAME_MAX_LENGTH

RENAME_COOLDOWN = timedelta(days=30)
"""The time for which a player keeps a new name, and the old one is reserved for them."""


class FormerNameQuerySet(models.QuerySet[Any]):
    def reserved(self) -> FormerNameQuerySet:
        """Names that nobody but their former owners may use yet."""
        return self.filter(given_up_at__gt=Now() - RENAME_COOLDOWN)

    def looking_like(self, name: str) -> FormerNameQuerySet:
        return self.filter(looks_like(name))


class FormerName(models.Model):
    """A name that a player gave up."""

    player = models.ForeignKey(
        "league.Player",
        verbose_name=_("player"),
        on_delete=models.CASCADE,
        related_name="former_names",
    )
    name = models.CharField(_("former name"), max_length=NAME_MAX_LENGTH)
    skeleton = SkeletonField(db_index=True)
    given_up_at = models.DateTimeField(_("given up"))

    objects = FormerNameQuerySet.as_manager()

    class Meta:
        ordering = ["-given_up_at", "-id"]
        verbose_name = _("former name")
        verbose_name_plural = _("former names")

    def __str__(self) -> str:
        return self.name
