"""Accounts and players."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AbstractUser
from django.core.exceptions import ValidationError
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from league.models.names import NAME_MAX_LENGTH, fold, tidy, validate_name


class User(AbstractUser):
    """An account that can log in. The site shows its player's name."""

    def save(self, **options: Any) -> None:
        self.username = fold(self.username)  # log-in folds names too
        super().save(**options)


MOST_NAMED = 5_000
"""The most names that a search reads."""


class NameStartQuerySet(models.QuerySet["NameStart"]):
    def beginning(self, text: str) -> NameStartQuerySet:
        low, high = span(text)
        return self.filter(start__gte=low, start__lt=high)


class NameStart(models.Model):
    """A folded name from the start of one of its words. Database triggers maintain these rows."""

    pk = models.CompositePrimaryKey("start", "player_id")
    start = models.TextField(db_collation="C")
    player_id = models.BigIntegerField()

    objects = NameStartQuerySet.as_manager()

    def __str__(self) -> str:
        return f"{self.start} of player {self.player_id}"


def span(text: str) -> tuple[str, str]:
    """Return the range [low, high) of folded strings that start with ``text``."""
    folded = fold(text)
    return folded, folded + chr(0x10FFFF)


class PlayerQuerySet(models.QuerySet["Player"]):
    def named(self, name: str) -> PlayerQuerySet:
        """Players whose name folds to the same form as ``name``."""
        return self.filter(folded_name=fold(name))

    def search(self, text: str) -> PlayerQuerySet:
        """Players whose name, from the start of one of its words, starts with ``text``.

        Reads at most ``MOST_NAMED`` names, so that one letter costs no more than five.
        """
        names = NameStart.objects.beginning(text).order_by("start", "player_id")
        return self.filter(pk__in=names.values("player_id")[:MOST_NAMED])


class Player(models.Model):
    """A person's (or a team's, or a nation's) competitive identity."""

    name = models.CharField(
        _("name"),
        max_length=NAME_MAX_LENGTH,
        validators=[validate_name],
        help_text=_("The name that everyone sees. Letters of one writing system, none invisible."),
    )
    folded_name = models.CharField(max_length=4 * NAME_MAX_LENGTH, unique=True, editable=False)
    user = models.OneToOneField(
        User,
        verbose_name=_("account"),
        on_delete=models.SET_NULL,
        related_name="player",
        null=True,
        blank=True,
        help_text=_("The account that acts for this player. If empty, nobody can act for them."),
    )
    created_at = models.DateTimeField(_("joined"), auto_now_add=True)

    objects = PlayerQuerySet.as_manager()

    class Meta:
        ordering = ["name"]
        verbose_name = _("player")
        verbose_name_plural = _("players")
        permissions = [("ban_player", "Can ban players and lift bans")]
        constraints = [
            models.CheckConstraint(
                condition=~models.Q(folded_name=""), name="player_has_a_folded_name"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def save(self, **options: Any) -> None:
        self.name = tidy(self.name)
        self.folded_name = fold(self.name)
        super().save(**options)

    def get_absolute_url(self) -> str:
        return reverse("player", args=[self.pk])

    def clean(self) -> None:
        self.name = tidy(self.name)
        self.folded_name = fold(self.name)

    def validate_unique(self, exclude: Any = None) -> None:
        """Report a taken name at ``name``, because forms have no field for the folded form."""
        self.folded_name = fold(self.name)
        if type(self).objects.named(self.name).exclude(pk=self.pk).exists():
            raise ValidationError(
                {
                    "name": _("“%(name)s” is taken or too similar to a taken name.")
                    % {"name": self.name}
                }
            )
        super().validate_unique(exclude=exclude)
