"""Arrangements: two captains agree on when to play."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING
from uuid import uuid4

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from league.models.arena import Arena
from league.models.match import Match
from league.models.player import Player
from league.models.roster import Roster, RosterMember
from league.models.words import Words

if TYPE_CHECKING:
    from collections.abc import Collection

LONGEST_REASON = 500
PLAYED_WITHIN = timedelta(hours=12)
"""The time after an agreed one in which a match may be under way."""
UNDER_WAY = Q(state="accepted", play_at__gt=Now() - PLAYED_WITHIN)
"""The arrangements whose live scores are shown."""


class ArrangementQuerySet(models.QuerySet["Arrangement"]):
    def proposed(self) -> ArrangementQuerySet:
        """Arrangements without an answer."""
        return self.filter(state=Arrangement.State.PROPOSED)

    def accepted(self) -> ArrangementQuerySet:
        """Arrangements whose match is still to be reported."""
        return self.filter(state=Arrangement.State.ACCEPTED)

    def of(self, player: Player) -> ArrangementQuerySet:
        return self.filter(Q(proposer=player) | Q(opponent=player))

    def between(self, one: Player, other: Player) -> ArrangementQuerySet:
        """Arrangements of two players, either way round."""
        pair = [one, other]
        return self.filter(proposer__in=pair, opponent__in=pair)

    def visible_to(
        self, player: Player | None, *, in_arenas: Collection[int] | None = ()
    ) -> ArrangementQuerySet:
        """Dates that were agreed on, all arrangements of a player or their rosters, and all those
        in arenas that staff look after, ``None`` for every arena."""
        if in_arenas is None:
            return self.all()
        agreed = Q(accepted_at__isnull=False)
        if in_arenas:
            agreed |= Q(arena__in=in_arenas)
        if player is None:
            return self.filter(agreed)
        rosters = RosterMember.objects.filter(player=player).values("roster")
        theirs = Q(proposer_roster__in=rosters) | Q(opponent_roster__in=rosters)
        return self.filter(agreed | Q(proposer=player) | Q(opponent=player) | theirs)

    def waiting_for(self, player: Player) -> ArrangementQuerySet:
        """Arrangements with a proposed time, a request or a no-show that ``player`` can answer."""
        unanswered = Q(state=Arrangement.State.PROPOSED) | Q(request_until__isnull=False)
        return self.filter(Q(unanswered, asked=player) | self.claimed_against(player))

    @staticmethod
    def claimed_against(player: Player) -> Q:
        """Return the condition that the other captain says that ``player`` did not come."""
        return Q(
            Q(proposer=player, claimed_by=F("opponent"))
            | Q(opponent=player, claimed_by=F("proposer")),
            state=Arrangement.State.ACCEPTED,
        )

    def played_now(self) -> ArrangementQuerySet:
        """Arrangements with a live score that are still to be reported."""
        return self.filter(UNDER_WAY, live_scores__number=1)

    def in_lines(self) -> ArrangementQuerySet:
        """Read only what a list of dates shows, the round of each fixture, and the live score."""
        from league.models.fixture import round_through  # noqa: PLC0415 - which imports this
        from league.models.live_score import last_score_of  # noqa: PLC0415 - which imports this

        sides, rosters = ("proposer", "opponent"), ("proposer_roster", "opponent_roster")
        profiles = [f"{side}__profile" for side in sides]
        teams = [f"{roster}__team" for roster in rosters]
        looks = ("tag", "picture", "colour", "second_colour")
        listed = self.select_related("arena", *profiles, *teams).only(
            "arena__slug",
            "play_at",
            "state",
            *(f"{one}__name" for one in ("arena", *sides, *rosters)),
            *(f"{profile}__picture" for profile in profiles),
            *(f"{team}__{look}" for team in teams for look in looks),
        )
        return listed.annotate(
            round=round_through("game__fixture"),
            live_score=last_score_of("arrangement", UNDER_WAY),
        )

    def with_people(self) -> ArrangementQuerySet:
        return self.with_sides().select_related("arena")

    def with_sides(self) -> ArrangementQuerySet:
        return self.select_related(
            "proposer__profile",
            "opponent__profile",
            "proposer_roster__team",
            "opponent_roster__team",
            "asked",
        )


class Arrangement(models.Model):
    """A proposal of one captain to another to play a match at a certain time, and its outcome."""

    class State(models.TextChoices):
        PROPOSED = "proposed", _("waiting for an answer")
        ACCEPTED = "accepted", _("agreed")
        DECLINED = "declined", _("declined")
        WITHDRAWN = "withdrawn", _("withdrawn")
        LAPSED = "lapsed", _("lapsed")
        PLAYED = "played", _("played")
        CALLED_OFF = "called_off", _("called off")

    arena = models.ForeignKey(
        Arena,
        verbose_name=_("arena"),
        on_delete=models.PROTECT,
        related_name="arrangements",
        db_index=False,
    )
    proposer = models.ForeignKey(
        Player,
        verbose_name=_("proposer"),
        on_delete=models.PROTECT,
        related_name="arrangements_made",
        db_index=False,
    )
    opponent = models.ForeignKey(
        Player,
        verbose_name=_("opponent"),
        on_delete=models.PROTECT,
        related_name="arrangements_received",
        db_index=False,
    )
    proposer_roster = models.ForeignKey(
        Roster,
        verbose_name=_("proposer's roster"),
        on_delete=models.SET_NULL,
        related_name="arrangements_made",
        null=True,
        blank=True,
    )
    opponent_roster = models.ForeignKey(
        Roster,
        verbose_name=_("opponent's roster"),
        on_delete=models.SET_NULL,
        related_name="arrangements_received",
        null=True,
        blank=True,
    )
    play_at = models.DateTimeField(_("time of the match"))
    revision = models.PositiveIntegerField(_("revision"), default=1)
    """Counts the times proposed, moves and calling off. Answers name the one they are about."""
    asked = models.ForeignKey(
        Player,
        verbose_name=_("waits for"),
        on_delete=models.PROTECT,
        related_name="arrangements_to_answer",
        db_index=False,
    )
    """The captain whose answer the proposed time or the request needs, or needed."""
    state = models.CharField(
        _("state"), max_length=10, choices=State.choices, default=State.PROPOSED
    )
    created_at = models.DateTimeField(_("proposed"))
    answered_at = models.DateTimeField(_("answered"), null=True, blank=True)
    """The time of its acceptance, refusal or withdrawal, or of its lapse."""
    accepted_at = models.DateTimeField(_("accepted"), null=True, blank=True)
    changed_at = models.DateTimeField(_("moved or called off"), null=True, blank=True)
    request = models.OneToOneField(
        "ArrangementStep",
        verbose_name=_("open request"),
        on_delete=models.RESTRICT,
        related_name="open_for",
        null=True,
        blank=True,
    )
    """The step in which a captain asked to move the agreed date or to call it off."""
    request_until = models.DateTimeField(_("answer request by"), null=True, blank=True)
    claimed_by = models.ForeignKey(
        Player,
        verbose_name=_("no-show claimed by"),
        on_delete=models.PROTECT,
        related_name="no_shows_claimed",
        null=True,
        blank=True,
        db_index=False,
    )
    """The captain who says that the other side did not come."""
    claimed_at = models.DateTimeField(_("no-show claimed"), null=True, blank=True)
    play_until = models.DateTimeField(_("to be played by"), null=True, blank=True)
    """The end of a fixture's window, within which its date can be moved but not called off. Empty
    for dates that the captains proposed."""
    moves_left = models.PositiveSmallIntegerField(_("moves left"), null=True, blank=True)
    """Changes of time that the captains of a fixture have left, ``None`` for no limit."""
    match = models.OneToOneField(
        Match,
        verbose_name=_("match"),
        on_delete=models.PROTECT,
        related_name="arrangement",
        null=True,
        blank=True,
    )
    uid = models.UUIDField(default=uuid4, unique=True, editable=False)
    """Identifies the date in calendars."""

    objects = ArrangementQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        verbose_name = _("date")
        verbose_name_plural = _("dates")
        indexes = [
            models.Index(fields=["arena", "-play_at"], name="arrangement_of_arena"),
            models.Index(fields=["play_at"], name="arrangement_play_at"),
            models.Index(fields=["proposer", "-id"], name="arrangement_made_by"),
            models.Index(fields=["opponent", "-id"], name="arrangement_received_by"),
            models.Index(
                fields=["asked"], condition=Q(state="proposed"), name="arrangement_unanswered"
            ),
            models.Index(
                fields=["play_at"],
                condition=Q(state__in=["proposed", "accepted"]),
                name="arrangement_lapsing",
            ),
            models.Index(
                fields=["asked"],
                condition=Q(request_until__isnull=False),
                name="arrangement_requested",
            ),
            models.Index(
                fields=["request_until"],
                condition=Q(request_until__isnull=False),
                name="arrangement_request_due",
            ),
        ]
        constraints = [
            models.CheckConstraint(
                condition=~Q(proposer=F("opponent")), name="arrangement_with_another"
            ),
            models.CheckConstraint(
                condition=Q(asked=F("proposer")) | Q(asked=F("opponent")),
                name="arrangement_asks_a_captain",
            ),
            models.CheckConstraint(
                condition=Q(state="played", match__isnull=False)
                | (~Q(state="played") & Q(match=None)),
                name="arrangement_played_has_its_match",
            ),
            models.CheckConstraint(
                condition=Q(state="proposed", answered_at=None)
                | (~Q(state="proposed") & Q(answered_at__isnull=False)),
                name="arrangement_answered_has_its_time",
            ),
            models.CheckConstraint(
                condition=Q(
                    state__in=["accepted", "played", "called_off"], accepted_at__isnull=False
                )
                | Q(state="lapsed")
                | Q(state__in=["proposed", "declined", "withdrawn"], accepted_at=None),
                name="arrangement_accepted_has_its_time",
            ),
            models.CheckConstraint(
                condition=Q(claimed_by=None, claimed_at=None)
                | Q(claimed_by__isnull=False, claimed_at__isnull=False, accepted_at__isnull=False),
                name="arrangement_claim_has_its_time",
            ),
            models.CheckConstraint(
                condition=Q(request=None, request_until=None)
                | Q(
                    state="accepted",
                    claimed_by=None,
                    request__isnull=False,
                    request_until__isnull=False,
                ),
                name="arrangement_request_is_about_a_date",
            ),
        ]

    def __str__(self) -> str:
        return _("%(one)s against %(other)s") % {
            "one": self.proposer_name,
            "other": self.opponent_name,
        }

    def get_absolute_url(self) -> str:
        return reverse("date", args=[self.arena.slug, self.pk])

    @property
    def version(self) -> tuple[object, ...]:
        """Return everything that its line in a list says, but how long it is until then."""
        names = self.proposer_name, self.opponent_name
        round_ = str(getattr(self, "round", None))
        live = self.live_scores_shown
        return self.pk, self.play_at, self.state, round_, *names, *self.pictures, live

    @property
    def live_scores_shown(self) -> tuple[float, float] | None:
        """Return the last live score of each side, if it is being played and in a list."""
        last = getattr(self, "live_score", None)
        return (last["first"], last["second"]) if last else None

    @property
    def pictures(self) -> tuple[str, str]:
        return self.proposer.picture, self.opponent.picture

    @property
    def proposer_name(self) -> str:
        return self.proposer_roster.name if self.proposer_roster else self.proposer.name

    @property
    def opponent_name(self) -> str:
        return self.opponent_roster.name if self.opponent_roster else self.opponent.name

    @property
    def captains(self) -> list[tuple[Player, Roster | None]]:
        """Return the captain and the roster of each side, the proposer's first."""
        return [(self.proposer, self.proposer_roster), (self.opponent, self.opponent_roster)]

    @property
    def waits(self) -> Player:
        """Return the captain who has made the standing proposal."""
        return self.proposer if self.asked_id == self.opponent_id else self.opponent

    def other(self, player: Player) -> Player:
        """Return the captain who is not ``player``."""
        return self.opponent if player.pk == self.proposer_id else self.proposer

    def has(self, player: Player | None) -> bool:
        """Return whether ``player`` is one of the two captains."""
        return player is not None and player.pk in {self.proposer_id, self.opponent_id}


class ArrangementStep(models.Model):
    """One step of an arrangement, such as a proposed time or an answer. Steps are never changed."""

    class Kind(models.TextChoices):
        PROPOSED = "proposed", _("proposed")
        MOVED = "moved", _("proposed another time")
        ACCEPTED = "accepted", _("accepted")
        DECLINED = "declined", _("declined")
        WITHDRAWN = "withdrawn", _("withdrawn")
        LAPSED = "lapsed", _("lapsed")
        REPORTED = "reported", _("reported the result")
        CLAIMED = "claimed", _("claimed a no-show")
        CONCEDED = "conceded", _("agreed that they did not come")
        DENIED = "denied", _("denied the no-show")
        MOVING = "moving", _("asked to move the date")
        ENDING = "ending", _("asked to call the date off")
        AGREED = "agreed", _("agreed to the other time")
        ENDED = "ended", _("agreed to call the date off")
        KEPT = "kept", _("kept the date")
        DROPPED = "dropped", _("withdrew the request")
        CALLED_OFF = "called_off", _("called the date off")
        SCHEDULED = "scheduled", _("set the date")
        CANCELLED = "cancelled", _("cancelled the date")
        HANDED = "handed", _("became the captain of a side")
        SAME = "same", _("ended, as both sides have one captain")

    arrangement = models.ForeignKey(Arrangement, on_delete=models.CASCADE, related_name="steps")
    kind = models.CharField(_("step"), max_length=10, choices=Kind.choices)
    at = models.DateTimeField(_("when"))
    by = models.ForeignKey(
        Player,
        verbose_name=_("by"),
        on_delete=models.PROTECT,
        related_name="arrangement_steps",
        null=True,
        blank=True,
        db_index=False,
    )
    """The captain who took the step, empty if a deadline or staff did."""
    play_at = models.DateTimeField(_("time of the match"), null=True, blank=True)
    """The time that it proposed or agreed to."""
    reason = Words(_("reason"), max_length=LONGEST_REASON, blank=True)
    """A captain's reason to call the date off. Only both sides and staff read it."""

    class Meta:
        ordering = ["id"]
        verbose_name = _("step")
        verbose_name_plural = _("steps")

    def __str__(self) -> str:
        return f"{self.arrangement_id}: {self.get_kind_display()}"
