"""A player's profile: picture, country, links and a short text."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from league.models.player import Player
from league.models.words import Words

MOST_LINKS = 3
LONGEST_LINK = 200
LONGEST_ABOUT = 300
"""The length of a player's text about themselves, in characters."""
MOST_LINES = 6


class Profile(models.Model):
    """A player's country, links and text, and which picture is theirs."""

    player = models.OneToOneField(
        Player,
        verbose_name=_("player"),
        on_delete=models.CASCADE,
        related_name="profile",
        primary_key=True,
    )
    picture = models.CharField(max_length=32, default="", blank=True, editable=False)
    """The digest of the stored picture, empty without one."""
    country = models.CharField(_("country"), max_length=2, default="", blank=True)
    """A code of ISO 3166-1 alpha-2, empty for none."""
    links = ArrayField(
        models.URLField(max_length=LONGEST_LINK), verbose_name=_("links"), default=list, blank=True
    )

    about = Words(
        _("about the player"), max_length=LONGEST_ABOUT, default="", db_default="", blank=True
    )
    """In their own words, empty for none."""

    class Meta:
        verbose_name = _("profile")
        verbose_name_plural = _("profiles")

    def __str__(self) -> str:
        return str(self.player)


class PlayerPicture(models.Model):
    """A player's picture, as encoded by the site."""

    player = models.OneToOneField(
        Player,
        verbose_name=_("player"),
        on_delete=models.CASCADE,
        related_name="stored_picture",
        primary_key=True,
    )
    digest = models.CharField(max_length=32)
    webp = models.BinaryField(_("WebP file"))
    at = models.DateTimeField(_("when"))

    class Meta:
        verbose_name = _("picture of a player")
        verbose_name_plural = _("pictures of players")

    def __str__(self) -> str:
        return str(self.player)
