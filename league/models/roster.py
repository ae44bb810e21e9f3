"""Rosters: players who compete together, led by a captain."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from league.models.arena import Arena
from league.models.names import NAME_MAX_LENGTH, fold, tidy, validate_name
from league.models.player import Player


class RosterQuerySet(models.QuerySet["Roster"]):
    def led_by(self, player: Player) -> RosterQuerySet:
        return self.filter(captain=player)


class Roster(models.Model):
    """Players who compete together in an arena, including their captain."""

    arena = models.ForeignKey(Arena, on_delete=models.PROTECT, related_name="rosters")
    name = models.CharField(_("name"), max_length=NAME_MAX_LENGTH, validators=[validate_name])
    folded_name = models.CharField(max_length=4 * NAME_MAX_LENGTH, editable=False)
    captain = models.ForeignKey(
        Player,
        verbose_name=_("captain"),
        on_delete=models.PROTECT,
        related_name="rosters_led",
        help_text=_("Reports and confirms the roster's results."),
    )
    members: models.ManyToManyField[Player, RosterMember] = models.ManyToManyField(
        Player, through="RosterMember", related_name="rosters"
    )

    objects = RosterQuerySet.as_manager()

    class Meta:
        ordering = ["name"]
        verbose_name = _("roster")
        verbose_name_plural = _("rosters")
        constraints = [
            models.UniqueConstraint(
                fields=["arena", "folded_name"],
                name="roster_name_once_an_arena",
                violation_error_message=_("This arena already has a roster with this name."),
            ),
            models.CheckConstraint(condition=~Q(folded_name=""), name="roster_has_a_folded_name"),
        ]

    def __str__(self) -> str:
        return self.name

    def save(self, **options: object) -> None:
        self.clean()
        super().save(**options)  # type: ignore[arg-type] # passed on as they came

    def clean(self) -> None:
        self.name = tidy(self.name)
        self.folded_name = fold(self.name)


class RosterMember(models.Model):
    roster = models.ForeignKey(Roster, on_delete=models.CASCADE, related_name="memberships")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="memberships")

    class Meta:
        verbose_name = _("member")
        verbose_name_plural = _("members")
        constraints = [
            models.UniqueConstraint(fields=["roster", "player"], name="player_once_a_roster"),
        ]

    def __str__(self) -> str:
        return f"{self.player} ({self.roster})"


class RosterInvitationQuerySet(models.QuerySet["RosterInvitation"]):
    def open(self) -> RosterInvitationQuerySet:
        """Invitations without an answer."""
        return self.filter(answered_at=None)


class RosterInvitation(models.Model):
    """A captain's invitation to join a roster. Accepting it makes the player a member."""

    roster = models.ForeignKey(
        Roster, on_delete=models.CASCADE, related_name="invitations", db_index=False
    )
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="roster_invitations")
    invited_at = models.DateTimeField(_("invited"))
    answered_at = models.DateTimeField(_("answered"), null=True, blank=True)
    accepted = models.BooleanField(_("accepted"), default=False)

    objects = RosterInvitationQuerySet.as_manager()

    class Meta:
        ordering = ["id"]
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")
        constraints = [
            models.UniqueConstraint(fields=["roster", "player"], name="player_invited_once"),
            models.CheckConstraint(
                condition=Q(accepted=False) | Q(answered_at__isnull=False),
                name="invitation_accepted_is_answered",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} ({self.roster})"


class InvitationDay(models.Model):
    """How many invitations a captain has sent on a day (UTC), withdrawn ones included."""

    captain = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+", db_index=False)
    day = models.DateField()
    sent = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["captain", "day"], name="one_count_a_captain_and_day")
        ]

    def __str__(self) -> str:
        return f"{self.sent} by {self.captain_id} on {self.day}"
