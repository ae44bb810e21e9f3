"""Teams: lasting clubs with members and roles. Their rosters play for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from league.models.former_name import FormerNameQuerySet
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

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models.functions import Now

LONGEST_TAG = 5
COLOUR = RegexValidator(r"\A#[0-9a-f]{6}\Z", _("Choose a colour."))
TAG = RegexValidator(
    r"\A[^\W_]{2,5}\Z", _("A tag has two to five letters or digits, and nothing else.")
)


class TeamQuerySet(models.QuerySet["Team"]):
    def search(self, text: str) -> TeamQuerySet:
        """Teams with ``text`` in their name, ignoring accents, or as their tag."""
        return self.filter(is_spelt(text) | Q(folded_tag=fold(text)))

    def existing(self) -> TeamQuerySet:
        """Teams that were not disbanded."""
        return self.filter(disbanded_at=None)

    def of(self, player: Player) -> TeamQuerySet:
        """Teams that a player is a member of now."""
        return self.filter(members__player=player, members__left_at=None)


class Team(models.Model):
    """A lasting club. It is never deleted: archives and ledgers keep referring to it."""

    name = models.CharField(_("name"), max_length=NAME_MAX_LENGTH, validators=[validate_name])
    folded_name = models.CharField(max_length=4 * NAME_MAX_LENGTH, unique=True, editable=False)
    skeleton = SkeletonField(db_index=True)
    search_name = SearchField()
    sort_name = SortField()
    may_resemble = models.BooleanField(
        _("may resemble other names"),
        default=False,
        help_text=_("If set, this name may look like another team's and contain reserved words."),
    )
    tag = models.CharField(
        _("tag"),
        max_length=LONGEST_TAG,
        validators=[TAG],
        help_text=_("Two to five letters or digits, shown where there is little space."),
    )
    folded_tag = models.CharField(max_length=4 * LONGEST_TAG, editable=False)
    colour = models.CharField(
        _("first colour"), max_length=7, default="#1c6a47", validators=[COLOUR]
    )
    second_colour = models.CharField(
        _("second colour"), max_length=7, default="#e3bd62", validators=[COLOUR]
    )
    picture = models.CharField(max_length=32, default="", blank=True, editable=False)
    """The digest of its picture, empty if it has none."""
    created_at = models.DateTimeField(_("founded"))
    disbanded_at = models.DateTimeField(_("disbanded"), null=True, editable=False)
    successor = models.ForeignKey(
        Player,
        on_delete=models.SET_NULL,
        related_name="captaincies_offered",
        null=True,
        editable=False,
    )
    """The member to whom the captain has offered the captaincy, until they answer."""

    objects = TeamQuerySet.as_manager()

    class Meta:
        ordering = ["sort_name"]
        verbose_name = _("team")
        verbose_name_plural = _("teams")
        constraints = [
            models.CheckConstraint(condition=~Q(folded_name=""), name="team_has_a_folded_name"),
            models.UniqueConstraint(
                fields=["skeleton"],
                condition=Q(may_resemble=False),
                name="team_looks_like_no_other",
            ),
            models.UniqueConstraint(
                fields=["folded_tag"],
                condition=Q(disbanded_at=None),
                name="team_tag_once",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def save(self, **options: Any) -> None:
        self.clean()
        super().save(**options)

    def get_absolute_url(self) -> str:
        return reverse("team", args=[self.pk])

    def clean(self) -> None:
        self.name = tidy(self.name)
        self.folded_name = fold(self.name)
        self.tag = tidy(self.tag).upper()
        self.folded_tag = fold(self.tag)
        self.colour, self.second_colour = self.colour.lower(), self.second_colour.lower()
        if len(self.tag) > LONGEST_TAG:  # some letters are several as capitals
            raise ValidationError({"tag": TAG.message})

    def validate_unique(self, exclude: Any = None) -> None:
        """Report a taken or reserved name or tag at its own field."""
        problems = {}
        for field, check in (("name", self.refuse_imitation), ("tag", self.refuse_taken_tag)):
            try:
                check()
            except ValidationError as error:
                problems[field] = error.messages
        if problems:
            raise ValidationError(problems)
        super().validate_unique(exclude=exclude)

    def validate_constraints(self, exclude: Any = None) -> None:
        super().validate_constraints({*(exclude or ()), "skeleton", "folded_tag"})  # checked above

    def refuse_imitation(self) -> None:
        """Refuse a reserved name, and one like the present or recent name of another team.

        Raises:
            ValidationError: with the reason.
        """
        others = Team.objects.exclude(pk=self.pk)
        alike = Q(folded_name=fold(self.name))
        former = FormerTeamName.objects.none()
        if not self.may_resemble:
            alike |= looks_like(self.name)
            former = FormerTeamName.objects.reserved().exclude(team=self.pk)
        if others.filter(alike).exists() or former.looking_like(self.name).exists():
            raise ValidationError(
                _("“%(name)s” is taken or too similar to the name of another team.")
                % {"name": self.name}
            )
        kept = Team.objects.filter(pk=self.pk, folded_name=fold(self.name)).exists()
        if not self.may_resemble and not kept:
            refuse_reserved(self.name)

    def refuse_taken_tag(self) -> None:
        taken = Team.objects.existing().exclude(pk=self.pk)
        if taken.filter(folded_tag=fold(tidy(self.tag))).exists():
            raise ValidationError(_("Another team has this tag."))
        if not self.may_resemble:
            refuse_reserved(self.tag)


class FormerTeamName(models.Model):
    """A name that a team gave up. For a while nobody else may take it."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="former_names")
    name = models.CharField(_("former name"), max_length=NAME_MAX_LENGTH)
    skeleton = SkeletonField(db_index=True)
    given_up_at = models.DateTimeField(_("given up"))

    objects = FormerNameQuerySet.as_manager()

    class Meta:
        ordering = ["-given_up_at", "-id"]
        verbose_name = _("former team name")
        verbose_name_plural = _("former team names")

    def __str__(self) -> str:
        return self.name


class TeamPicture(models.Model):
    """A team's picture, as encoded by the site."""

    team = models.OneToOneField(
        Team, on_delete=models.CASCADE, related_name="stored_picture", primary_key=True
    )
    digest = models.CharField(max_length=32)
    webp = models.BinaryField(_("WebP file"))
    at = models.DateTimeField(_("when"))

    class Meta:
        verbose_name = _("team picture")
        verbose_name_plural = _("team pictures")

    def __str__(self) -> str:
        return str(self.team)


class TeamRole(models.TextChoices):
    """A member's role in the team, in the order in which pages list them."""

    CAPTAIN = "captain", _("captain")
    VICE = "vice", _("vice-captain")
    PLAYER = "player", _("player")
    SUBSTITUTE = "substitute", _("substitute")
    COACH = "coach", _("coach")


LEADING = (TeamRole.CAPTAIN, TeamRole.VICE)
"""The roles that invite, remove and line up players."""


class TeamMemberQuerySet(models.QuerySet["TeamMember"]):
    def current(self) -> TeamMemberQuerySet:
        return self.filter(left_at=None)


class TeamMember(models.Model):
    """A player's time in a team in one role. A new role ends the row and begins another."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="members")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="team_memberships")
    role = models.CharField(
        _("role"), max_length=10, choices=TeamRole.choices, default=TeamRole.PLAYER
    )
    joined_at = models.DateTimeField(_("since"))
    left_at = models.DateTimeField(_("until"), null=True, blank=True)

    objects = TeamMemberQuerySet.as_manager()

    class Meta:
        ordering = ["team", "id"]
        verbose_name = _("team member")
        verbose_name_plural = _("team members")
        constraints = [
            models.UniqueConstraint(
                fields=["team", "player"],
                condition=Q(left_at=None),
                name="player_once_a_team",
            ),
            models.UniqueConstraint(
                fields=["team"],
                condition=Q(left_at=None, role="captain"),
                name="team_has_one_captain",
            ),
            models.CheckConstraint(
                condition=Q(left_at=None) | Q(left_at__gte=models.F("joined_at")),
                name="team_member_left_after_joining",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} ({self.team})"

    @property
    def leads(self) -> bool:
        return self.role in LEADING


class TeamInvitationQuerySet(models.QuerySet["TeamInvitation"]):
    def open(self, now: datetime | Now) -> TeamInvitationQuerySet:
        """Invitations that can still be accepted."""
        return self.filter(closed_at=None, expires_at__gt=now)


class TeamInvitation(models.Model):
    """An invitation of a player, or a link with which up to ``places`` players can join."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="invitations")
    player = models.ForeignKey(
        Player, on_delete=models.CASCADE, related_name="team_invitations", null=True, blank=True
    )
    """The invited player, empty for a link."""
    invited_by = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    invited_at = models.DateTimeField(_("invited"))
    expires_at = models.DateTimeField(_("expires"))
    places = models.PositiveSmallIntegerField(_("places"), default=1)
    used = models.PositiveSmallIntegerField(_("accepted"), default=0)
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)
    """The time at which the last place was taken, or it was declined or withdrawn."""

    objects = TeamInvitationQuerySet.as_manager()

    class Meta:
        ordering = ["id"]
        verbose_name = _("team invitation")
        verbose_name_plural = _("team invitations")
        constraints = [
            models.UniqueConstraint(
                fields=["team", "player"],
                condition=Q(closed_at=None, player__isnull=False),
                name="player_invited_to_team_once",
            ),
            models.CheckConstraint(
                condition=Q(used__lte=models.F("places")), name="team_invitation_has_places"
            ),
        ]

    def __str__(self) -> str:
        invited = self.player or _("link")
        return f"{invited} ({self.team})"


class StandIn(models.Model):
    """A player's offer to stand in for members of rosters in an arena."""

    arena = models.ForeignKey("league.Arena", on_delete=models.CASCADE, related_name="stand_ins")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="stand_in_offers")
    at = models.DateTimeField(_("since"))

    class Meta:
        ordering = ["arena", "id"]
        verbose_name = _("stand-in")
        verbose_name_plural = _("stand-ins")
        constraints = [
            models.UniqueConstraint(fields=["arena", "player"], name="stand_in_once_an_arena")
        ]

    def __str__(self) -> str:
        return f"{self.player} ({self.arena})"
