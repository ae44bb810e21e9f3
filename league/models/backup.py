"""Backups that were made, for staff to see how old the last one is."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class BackupQuerySet(models.QuerySet["Backup"]):
    def usable(self) -> BackupQuerySet:
        """Those that nothing is wrong with, latest first."""
        return self.filter(problem="").order_by("-made_at")


class Backup(models.Model):
    """An attempt to make a backup."""

    made_at = models.DateTimeField(_("made"), db_index=True)
    name = models.CharField(_("file"), max_length=255)
    size = models.BigIntegerField(_("size in bytes"), default=0)
    seconds = models.FloatField(_("seconds"), default=0)
    proven_at = models.DateTimeField(_("proven"), null=True, blank=True)
    """The time of its trial restore with verified ratings, None without one."""
    problem = models.TextField(_("problem"), blank=True)
    """The reason why it was not made or is not usable, empty if all is well."""

    objects = BackupQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        verbose_name = _("backup")
        verbose_name_plural = _("backups")

    def __str__(self) -> str:
        return self.name
