"""Messages of staff to players."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from league.models.words import Words

LONGEST_LETTER = 1_000


class Letter(models.Model):
    """A letter of staff to one or many players, who each have a notice of it. Never changed."""

    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("by"),
        on_delete=models.PROTECT,
        related_name="letters",
        db_index=False,
    )
    at = models.DateTimeField(_("when"))
    text = Words(_("message"), max_length=LONGEST_LETTER)

    class Meta:
        ordering = ["-id"]
        verbose_name = _("message of staff")
        verbose_name_plural = _("messages of staff")

    def __str__(self) -> str:
        return self.text[:50]
