"""Filters of lists in the admin that somebody keeps."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from league.models.words import Line


class SavedFilter(models.Model):
    """A filtered list of the admin under a name, for the account that saved it."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="saved_filters",
        db_index=False,
    )
    page = models.CharField(max_length=100)
    """The model of the list: ``league.match``."""
    name = Line(_("name"), max_length=60)
    query = models.CharField(max_length=2000)
    """The part of the address after ``?``."""

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["user", "page", "name"], name="filter_name_once"),
        ]

    def __str__(self) -> str:
        return self.name
