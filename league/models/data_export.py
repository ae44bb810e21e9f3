"""Copies of what the league keeps about an account, made for its owner."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class DataExport(models.Model):
    """An account's latest request for its data, and the file until it expires."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        verbose_name=_("account"),
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="data_export",
    )
    asked_at = models.DateTimeField(_("asked"))
    made_at = models.DateTimeField(_("made"), null=True)
    content = models.BinaryField(null=True)
    """A ZIP file of JSON files."""

    class Meta:
        verbose_name = _("data export")
        verbose_name_plural = _("data exports")
        indexes = [
            models.Index(
                fields=["asked_at"], condition=Q(made_at=None), name="data_exports_to_make"
            ),
        ]

    def __str__(self) -> str:
        return f"data of {self.user}"
