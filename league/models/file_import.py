"""Files that staff import in the browser."""

from __future__ import annotations

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from league.models.arena import Arena
from league.models.words import Line


class FileImport(models.Model):
    """A file of results, players, rosters, teams or fixtures, from its upload to its undoing.

    Its columns are named, it is checked without changing anything, imported as a whole, and can be
    undone as a whole.
    """

    class What(models.TextChoices):
        RESULTS = "results", _("results")
        PLAYERS = "players", _("players")
        ROSTERS = "rosters", _("rosters")
        TEAMS = "teams", _("teams")
        FIXTURES = "fixtures", _("fixtures")

    class State(models.TextChoices):
        UPLOADED = "uploaded", _("uploaded")
        CHECKED = "checked", _("checked")
        IMPORTED = "imported", _("imported")
        UNDONE = "undone", _("undone")

    arena = models.ForeignKey(
        Arena, verbose_name=_("arena"), on_delete=models.PROTECT, related_name="file_imports"
    )
    what = models.CharField(_("what"), max_length=10, choices=What.choices)
    state = models.CharField(
        _("state"), max_length=10, choices=State.choices, default=State.UPLOADED
    )
    file_name = Line(_("file"), max_length=200)
    digest = models.CharField(_("digest"), max_length=64)
    """The SHA-256 of the file."""
    mapping = models.JSONField(default=dict)
    """The number of the column of each field. The next file of its kind starts from it."""
    header = models.JSONField(default=list)
    """The names of the file's columns."""
    season = models.JSONField(null=True)
    """The name and the dates of a season to create, if any."""
    report = models.JSONField(null=True)
    """The findings of the last check or of the import: counts, differences and errors."""
    matches = ArrayField(models.BigIntegerField(), default=list)
    """Ids of the matches that it created."""
    players = ArrayField(models.BigIntegerField(), default=list)
    """Ids of the players whom it created."""
    changed = models.JSONField(default=list)
    """Its changes with the values before them, to undo it by."""
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("uploaded by"),
        on_delete=models.PROTECT,
        related_name="+",
    )
    at = models.DateTimeField(_("uploaded"))
    imported_at = models.DateTimeField(_("imported"), null=True)
    undone_at = models.DateTimeField(_("undone"), null=True)

    class Meta:
        ordering = ["-id"]
        verbose_name = _("import")
        verbose_name_plural = _("imports")

    def __str__(self) -> str:
        return self.file_name


class FileContent(models.Model):
    """The bytes of a file until it has been imported."""

    file = models.OneToOneField(
        FileImport, on_delete=models.CASCADE, related_name="content", primary_key=True
    )
    content = models.BinaryField()

    def __str__(self) -> str:
        return str(self.file)
