"""Challenges on a ladder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from league.models.match import Match
from league.models.match_states import Status
from league.models.player import Player
from league.models.season import Season
from league.models.staff import StaffAction

if TYPE_CHECKING:
    from datetime import datetime

UNSETTLED = [Status.LIVE, Status.REPORTED, Status.DISPUTED]


class ChallengeQuerySet(models.QuerySet["Challenge"]):
    def open(self) -> ChallengeQuerySet:
        """Challenges without an answer."""
        return self.filter(state=Challenge.State.OPEN)

    def to_come(self) -> ChallengeQuerySet:
        """Challenges that wait for an answer or to be played."""
        return self.filter(Q(state=Challenge.State.OPEN) | AGREED)

    def pending(self) -> ChallengeQuerySet:
        """Challenges that are open or whose match is not settled."""
        return self.filter(
            Q(state=Challenge.State.OPEN)
            | Q(state=Challenge.State.ACCEPTED, match=None)
            | Q(state=Challenge.State.ACCEPTED, match__status__in=UNSETTLED)
        )

    def chosen(self) -> ChallengeQuerySet:
        """Challenges whose opponent was chosen, not drawn at random."""
        return self.filter(drawn_from=None)

    def over(self) -> ChallengeQuerySet:
        """Challenges that led to a match or ended without one."""
        accepted = Q(state=Challenge.State.ACCEPTED, match__isnull=False)
        return self.filter(accepted | Q(closed_at__isnull=False))

    def with_results(self) -> ChallengeQuerySet:
        return self.prefetch_related("match__sides__captain")

    def of(self, player: Player) -> ChallengeQuerySet:
        return self.filter(Q(challenger=player) | Q(challenged=player))

    def between(self, one: Player, other: Player) -> ChallengeQuerySet:
        """Challenges between two players, either way round."""
        pair = [one, other]
        return self.filter(challenger__in=pair, challenged__in=pair)

    def unanswered(self, now: datetime) -> ChallengeQuerySet:
        """Open challenges whose time to answer has run out."""
        return self.open().filter(answer_by__lte=now)

    def unplayed(self, now: datetime) -> ChallengeQuerySet:
        """Accepted challenges that nobody reported in time."""
        late = self.filter(state=Challenge.State.ACCEPTED, play_by__lte=now)
        return late.filter(Q(match=None) | Q(match__status=Status.LIVE))


class Challenge(models.Model):
    """A ladder player's challenge to a player ranked above them, within the ladder's range."""

    class State(models.TextChoices):
        OPEN = "open", _("waiting for an answer")
        ACCEPTED = "accepted", _("accepted")
        DECLINED = "declined", _("declined")
        IGNORED = "ignored", _("ignored")
        WITHDRAWN = "withdrawn", _("withdrawn")
        LAPSED = "lapsed", _("lapsed")
        CANCELLED = "cancelled", _("called off by staff")

    season = models.ForeignKey(
        Season, on_delete=models.PROTECT, related_name="challenges", db_index=False
    )
    challenger = models.ForeignKey(
        Player,
        verbose_name=_("challenger"),
        on_delete=models.PROTECT,
        related_name="challenges_made",
        db_index=False,
    )
    challenged = models.ForeignKey(
        Player,
        verbose_name=_("challenged"),
        on_delete=models.PROTECT,
        related_name="challenges_received",
        db_index=False,
    )
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.OPEN)
    made_at = models.DateTimeField(_("sent"))
    answer_by = models.DateTimeField(_("answer by"))
    accepted_at = models.DateTimeField(_("accepted"), null=True, blank=True)
    play_by = models.DateTimeField(_("play by"), null=True, blank=True)
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)
    """The time at which it ended without a match, or with a void one."""
    match = models.OneToOneField(
        Match,
        verbose_name=_("match"),
        on_delete=models.PROTECT,
        related_name="challenge",
        null=True,
        blank=True,
    )
    """The match that was played, or the forfeit of an ignored or declined challenge."""
    action = models.OneToOneField(
        StaffAction,
        verbose_name=_("called off"),
        on_delete=models.PROTECT,
        related_name="challenge",
        null=True,
        blank=True,
    )

    drawn_from = models.PositiveIntegerField(_("drawn from"), null=True, editable=False)
    """Among how many players the challenged one was drawn; ``None`` if they were chosen."""

    objects = ChallengeQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        verbose_name = _("challenge")
        verbose_name_plural = _("challenges")
        indexes = [
            models.Index(fields=["season", "-id"], name="challenge_of_season"),
            models.Index(fields=["challenger", "-id"], name="challenge_made_by"),
            models.Index(fields=["challenged", "-id"], name="challenge_received_by"),
            models.Index(
                fields=["answer_by"], condition=Q(state="open"), name="challenge_unanswered"
            ),
            models.Index(
                fields=["play_by"],
                condition=Q(state="accepted"),
                name="challenge_unplayed",
            ),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["season", "challenger", "challenged"],
                condition=Q(state="open"),
                name="challenge_asked_once",
            ),
            models.CheckConstraint(
                condition=~Q(challenger=F("challenged")), name="challenge_of_another"
            ),
            models.CheckConstraint(
                condition=Q(state="accepted", accepted_at__isnull=False, play_by__isnull=False)
                | Q(state__in=["declined", "ignored", "lapsed"])
                | Q(state__in=["open", "withdrawn", "cancelled"], match=None),
                name="challenge_match_fits_its_state",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["open", "accepted"], closed_at=None)
                | (~Q(state__in=["open", "accepted"]) & Q(closed_at__isnull=False)),
                name="challenge_closed_has_its_time",
            ),
            models.CheckConstraint(
                condition=Q(state="cancelled", action__isnull=False)
                | (~Q(state="cancelled") & Q(action=None)),
                name="challenge_called_off_by_an_action",
            ),
        ]

    def __str__(self) -> str:
        return _("%(challenger)s challenges %(challenged)s") % {
            "challenger": self.challenger,
            "challenged": self.challenged,
        }

    def get_absolute_url(self) -> str:
        return reverse("challenge", args=[self.pk])

    @property
    def is_agreed(self) -> bool:
        """Return whether it is accepted and still to be played."""
        return self.state == self.State.ACCEPTED and self.match_id is None


AGREED = Q(state=Challenge.State.ACCEPTED, match=None)
