"""Follows and blocks between players."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from league.models.player import Player
from league.models.team import Team


class Follow(models.Model):
    """A player follows another player, or a team. Nobody else can see it."""

    player = models.ForeignKey(
        Player,
        verbose_name=_("follower"),
        on_delete=models.CASCADE,
        related_name="follows",
        db_index=False,
    )
    followed = models.ForeignKey(
        Player,
        verbose_name=_("followed player"),
        on_delete=models.CASCADE,
        related_name="followers",
        null=True,
    )
    team = models.ForeignKey(
        Team,
        verbose_name=_("followed team"),
        on_delete=models.CASCADE,
        related_name="followers",
        null=True,
    )
    since = models.DateTimeField(_("since"))

    class Meta:
        verbose_name = _("follow")
        verbose_name_plural = _("follows")
        constraints = [
            models.UniqueConstraint(fields=["player", "followed"], name="follows_a_player_once"),
            models.UniqueConstraint(fields=["player", "team"], name="follows_a_team_once"),
            models.CheckConstraint(
                condition=Q(followed=None) ^ Q(team=None), name="follows_a_player_or_a_team"
            ),
            models.CheckConstraint(condition=~Q(followed=F("player")), name="follows_another"),
        ]

    def __str__(self) -> str:
        return f"{self.player} follows {self.followed or self.team}"


class Block(models.Model):
    """A player wants no challenges, invitations, proposals and messages from another."""

    player = models.ForeignKey(
        Player,
        verbose_name=_("player"),
        on_delete=models.CASCADE,
        related_name="blocks",
        db_index=False,
    )
    blocked = models.ForeignKey(
        Player,
        verbose_name=_("blocked player"),
        on_delete=models.CASCADE,
        related_name="blocked_by",
    )
    since = models.DateTimeField(_("since"))

    class Meta:
        verbose_name = _("block")
        verbose_name_plural = _("blocks")
        constraints = [
            models.UniqueConstraint(fields=["player", "blocked"], name="blocks_a_player_once"),
            models.CheckConstraint(condition=~Q(blocked=F("player")), name="blocks_another"),
        ]

    def __str__(self) -> str:
        return f"{self.player} blocks {self.blocked}"
