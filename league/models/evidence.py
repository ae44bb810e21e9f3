"""Images that captains and staff add to their messages about a dispute."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from league.models.answer import MatchMessage
from league.models.words import Line, Words

LONGEST_DESCRIPTION = 200
LONGEST_REMOVAL_REASON = 500
HIGHEST_SHOWN = 384
"""The pixels of a page that an image is high at most."""


class EvidenceImage(models.Model):
    """An image of a message, as the site encoded it. Never changed."""

    message = models.OneToOneField(
        MatchMessage,
        verbose_name=_("message"),
        on_delete=models.PROTECT,
        related_name="image",
        primary_key=True,
    )
    description = Line(_("what the image shows"), max_length=LONGEST_DESCRIPTION, blank=True)
    width = models.PositiveSmallIntegerField(_("width"))
    height = models.PositiveSmallIntegerField(_("height"))
    size = models.PositiveIntegerField(_("size in bytes"))

    class Meta:
        ordering = ["message"]
        verbose_name = _("image about a match")
        verbose_name_plural = _("images about matches")

    def __str__(self) -> str:
        return f"{self.message}: {self.width} × {self.height}"

    @property
    def shown_width(self) -> int:
        """The width at which pages show it, unless they are narrower.

        They leave room for it before it is there, so that nothing moves while somebody clicks.
        """
        return max(round(self.width * self.shown_height / self.height), 1)

    @property
    def shown_height(self) -> int:
        return min(self.height, HIGHEST_SHOWN)


class EvidenceContent(models.Model):
    """The bytes of an image, apart from what pages read about it."""

    image = models.OneToOneField(
        EvidenceImage,
        verbose_name=_("image"),
        on_delete=models.PROTECT,
        related_name="content",
        primary_key=True,
    )
    webp = models.BinaryField(_("WebP file"))

    class Meta:
        verbose_name = _("content of an image")
        verbose_name_plural = _("contents of images")

    def __str__(self) -> str:
        return str(self.image)


class ImageRemoval(models.Model):
    """The removal of an image by staff: its bytes are deleted, and this row says why."""

    image = models.OneToOneField(
        EvidenceImage,
        verbose_name=_("image"),
        on_delete=models.PROTECT,
        related_name="removal",
        primary_key=True,
    )
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("removed by"),
        on_delete=models.PROTECT,
        related_name="image_removals",
    )
    at = models.DateTimeField(_("when"))
    reason = Words(_("reason"), max_length=LONGEST_REMOVAL_REASON)

    class Meta:
        verbose_name = _("removal of an image")
        verbose_name_plural = _("removals of images")

    def __str__(self) -> str:
        return str(self.image)
