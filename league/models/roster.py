"""Rosters: players who compete together, led by a captain."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from league.models.arena import Arena
from league.models.lookalikes import (
    SearchField,
    SkeletonField,
    SortField,
    is_spelt,
    looks_like,
    refuse_reserved,
)
from league.models.names import NAME_MAX_LENGTH, fold, tidy, validate_name
from league.models.player import Player
from league.models.team import Team, TeamMember

if TYPE_CHECKING:
    from collections.abc import Collection


class RosterQuerySet(models.QuerySet["Roster"]):
    def led_by(self, player: Player) -> RosterQuerySet:
        """Rosters that a player can play with: those of disbanded teams only remain in archives."""
        return self.filter(captain=player, team__disbanded_at=None)

    def search(self, text: str) -> RosterQuerySet:
        """Rosters whose name contains ``text``, whatever its accents."""
        return self.filter(is_spelt(text))


class Roster(models.Model):
    """Players who compete together in an arena, including their captain."""

    arena = models.ForeignKey(Arena, on_delete=models.PROTECT, related_name="rosters")
    name = models.CharField(_("name"), max_length=NAME_MAX_LENGTH, validators=[validate_name])
    folded_name = models.CharField(max_length=4 * NAME_MAX_LENGTH, editable=False)
    skeleton = SkeletonField()
    search_name = SearchField()
    sort_name = SortField()
    may_resemble = models.BooleanField(
        _("may resemble other names"),
        default=False,
        help_text=_("If set, this name may look like another roster's and contain reserved words."),
    )
    captain = models.ForeignKey(
        Player,
        verbose_name=_("captain"),
        on_delete=models.PROTECT,
        related_name="rosters_led",
        help_text=_("Reports and confirms the roster's results."),
    )
    team = models.ForeignKey(
        Team,
        verbose_name=_("team"),
        on_delete=models.PROTECT,
        related_name="rosters",
        null=True,
        blank=True,
        editable=False,
    )
    """The team that it plays for, empty for a roster of its captain's own."""
    members: models.ManyToManyField[Player, RosterMember] = models.ManyToManyField(
        Player, through="RosterMember", related_name="rosters"
    )

    objects = RosterQuerySet.as_manager()

    class Meta:
        ordering = ["sort_name"]
        verbose_name = _("roster")
        verbose_name_plural = _("rosters")
        indexes = [models.Index(fields=["skeleton"], name="roster_skeleton")]
        constraints = [
            models.UniqueConstraint(
                fields=["arena", "folded_name"],
                name="roster_name_once_an_arena",
                violation_error_message=_("This arena already has a roster with this name."),
            ),
            models.UniqueConstraint(
                fields=["arena", "skeleton"],
                condition=Q(may_resemble=False),
                name="roster_looks_like_no_other",
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

    def validate_unique(self, exclude: Any = None) -> None:
        """Report a taken or reserved name at ``name``: forms have no field for its other forms."""
        try:
            self.refuse_imitation()
        except ValidationError as error:
            raise ValidationError({"name": error.messages}) from error
        super().validate_unique(exclude=exclude)

    def validate_constraints(self, exclude: Any = None) -> None:
        checked = {*(exclude or ()), "skeleton", "folded_name"}  # validate_unique has
        super().validate_constraints(checked)

    def outsiders(self, players: Collection[int]) -> list[Player]:
        """Return those of some players who are not in the team that it plays for."""
        if self.team_id is None:
            return []
        members = TeamMember.objects.current().filter(team=self.team_id)
        return list(Player.objects.filter(pk__in=players).exclude(team_memberships__in=members))

    def refuse_imitation(self) -> None:
        """Refuse a name that a roster of the arena has, that looks like one, or is reserved.

        Raises:
            ValidationError: with the reason.
        """
        others = Roster.objects.filter(arena=self.arena_id).exclude(pk=self.pk)
        if others.filter(folded_name=fold(self.name)).exists():
            raise ValidationError(_("This arena already has a roster with this name."))
        if self.may_resemble:
            return
        teams = Team.objects.exclude(pk=self.team_id or 0)
        if team := teams.filter(looks_like(self.name)).first():
            raise ValidationError(
                _("This name looks like that of the team “%(team)s”.") % {"team": team}
            )
        if alike := others.filter(looks_like(self.name)).first():
            raise ValidationError(
                _("This name looks like that of the roster “%(roster)s”.") % {"roster": alike}
            )
        refuse_reserved(self.name)


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
    """The number of invitations that a captain has sent on a day (UTC), withdrawn ones included."""

    captain = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+", db_index=False)
    day = models.DateField()
    sent = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["captain", "day"], name="one_count_a_captain_and_day")
        ]

    def __str__(self) -> str:
        return f"{self.sent} by {self.captain_id} on {self.day}"
