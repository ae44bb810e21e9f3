"""Rosters waiting for a match, and the matches proposed to them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, OuterRef, Q
from django.utils.translation import gettext_lazy as _

from league.models.arena import Arena
from league.models.match import Match
from league.models.name_lists import MODES, REGIONS
from league.models.player import Player
from league.models.roster import Roster
from league.models.words import Line

if TYPE_CHECKING:
    from datetime import datetime


class Proposal(models.Model):
    """A match that the players of two teams are asked to accept."""

    class State(models.TextChoices):
        OPEN = "open", _("waiting for answers")
        ACCEPTED = "accepted", _("accepted by all")
        CANCELLED = "cancelled", _("cancelled")

    arena = models.ForeignKey(
        Arena, verbose_name=_("arena"), on_delete=models.PROTECT, related_name="proposals"
    )
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.OPEN)
    proposed_at = models.DateTimeField(_("proposed"))
    deadline = models.DateTimeField(_("accept by"))
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)
    match = models.OneToOneField(
        Match,
        verbose_name=_("match"),
        on_delete=models.PROTECT,
        related_name="proposal",
        null=True,
        blank=True,
    )
    seats = models.JSONField(_("tickets of each team"), default=list)
    """The ids of both teams' tickets, kept after the tickets have gone back to the queue."""
    forecast = models.FloatField(
        _("forecast"),
        null=True,
        help_text=_("The first team's predicted chance of winning, from 0 to 1."),
    )
    mode = models.CharField(
        _("game mode"), max_length=MODES.longest, default="", db_default="", blank=True
    )
    """Empty in an arena without modes."""
    region = models.CharField(
        _("region"), max_length=REGIONS.longest, default="", db_default="", blank=True
    )
    """Empty in an arena without regions."""
    missed = ArrayField(models.BigIntegerField(), verbose_name=_("missed by"), default=list)
    """The ids of the players who declined or stayed silent."""

    class Meta:
        ordering = ["-id"]
        verbose_name = _("proposed match")
        verbose_name_plural = _("proposed matches")
        indexes = [
            models.Index(
                fields=["deadline"], condition=Q(state="open"), name="proposal_open_deadline"
            ),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(state="accepted", match__isnull=False)
                | (~Q(state="accepted") & Q(match=None)),
                name="proposal_accepted_is_a_match",
            ),
        ]

    def __str__(self) -> str:
        return _("%(arena)s: proposed match %(number)s") % {"arena": self.arena, "number": self.pk}


class TicketQuerySet(models.QuerySet["Ticket"]):
    def open(self) -> TicketQuerySet:
        return self.filter(state__in=Ticket.OPEN)

    def waiting(self) -> TicketQuerySet:
        return self.filter(state=Ticket.State.WAITING)

    def in_arena(self, arena: Arena | OuterRef) -> TicketQuerySet:
        """Return the tickets in an arena's queue, with those that also wait elsewhere."""
        within: Any = OuterRef(arena) if isinstance(arena, OuterRef) else arena
        also = TicketArena.objects.filter(arena=within).values("ticket")
        return self.filter(Q(arena=arena) | Q(pk__in=also))

    def of(self, player: Player) -> TicketQuerySet:
        """Return the open tickets with ``player`` in them: one at most."""
        return self.filter(members__player=player, members__open=True)


class Ticket(models.Model):
    """A roster in a queue, as it was when it joined."""

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        PROPOSED = "proposed", _("in a ready check")
        PLAYED = "played", _("found its match")
        LEFT = "left", _("left")
        DROPPED = "dropped", _("dropped after a ready check")

    OPEN = (State.WAITING, State.PROPOSED)

    arena = models.ForeignKey(
        Arena,
        verbose_name=_("arena"),
        on_delete=models.PROTECT,
        related_name="tickets",
        db_index=False,
    )
    captain = models.ForeignKey(
        Player, verbose_name=_("captain"), on_delete=models.PROTECT, related_name="tickets_led"
    )
    roster = models.ForeignKey(
        Roster,
        verbose_name=_("roster"),
        on_delete=models.SET_NULL,
        related_name="tickets",
        null=True,
        blank=True,
    )
    modes = ArrayField(
        models.CharField(max_length=MODES.longest),
        verbose_name=_("game modes"),
        default=list,
        blank=True,
    )
    fills_seat = models.BooleanField(_("would fill a seat"), default=False, db_default=False)
    """Whether the player would take the place of a leaver in a match that is being played."""
    state = models.CharField(
        _("state"), max_length=10, choices=State.choices, default=State.WAITING
    )
    queued_at = models.DateTimeField(_("queued"))
    place = models.BigIntegerField(_("place"))
    """The ticket's place in the queue; the lowest is at the front."""
    closed_at = models.DateTimeField(_("left the queue"), null=True, blank=True)
    proposal = models.ForeignKey(
        Proposal,
        verbose_name=_("ready check"),
        on_delete=models.PROTECT,
        related_name="tickets",
        null=True,
        blank=True,
    )
    team = models.PositiveSmallIntegerField(_("team"), null=True, blank=True)

    objects = TicketQuerySet.as_manager()

    class Meta:
        ordering = ["arena", "place", "id"]
        verbose_name = _("ticket")
        verbose_name_plural = _("tickets")
        indexes = [
            models.Index(
                fields=["arena", "place"], condition=Q(state="waiting"), name="ticket_waiting"
            ),
            models.Index(F("arena"), F("closed_at").desc(), name="ticket_closed"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=~Q(state="proposed") | Q(proposal__isnull=False, team__in=[1, 2]),
                name="ticket_proposed_has_its_team",
            ),
            models.CheckConstraint(
                condition=~Q(state="waiting") | Q(proposal=None, team=None),
                name="ticket_waiting_has_no_team",
            ),
        ]

    def __str__(self) -> str:
        return _("%(captain)s in %(arena)s") % {"captain": self.captain, "arena": self.arena}

    @property
    def is_open(self) -> bool:
        return self.state in self.OPEN

    def waiting_time(self, now: datetime) -> float:
        """Return the seconds in the queue, 0 if the clock was set back."""
        return max((now - self.queued_at).total_seconds(), 0.0)


class TicketArena(models.Model):
    """Another arena in which an open ticket waits. The first match found, wherever it is, takes the
    ticket, and with it the player out of all its queues: they are one row with one state."""

    ticket = models.ForeignKey(
        Ticket,
        verbose_name=_("ticket"),
        on_delete=models.CASCADE,
        related_name="also",
        db_index=False,
    )
    arena = models.ForeignKey(
        Arena,
        verbose_name=_("arena"),
        on_delete=models.PROTECT,
        related_name="tickets_also",
        db_index=False,
    )
    modes = ArrayField(
        models.CharField(max_length=MODES.longest),
        verbose_name=_("game modes"),
        default=list,
        blank=True,
    )
    place = models.BigIntegerField(_("place"))
    """The ticket's place in this queue."""

    class Meta:
        ordering = ["arena", "place"]
        verbose_name = _("further arena of a ticket")
        verbose_name_plural = _("further arenas of tickets")
        constraints = [
            models.UniqueConstraint(fields=["ticket", "arena"], name="ticket_once_an_arena"),
        ]
        indexes = [models.Index(fields=["arena", "place"], name="ticket_also_waits")]

    def __str__(self) -> str:
        return f"{self.ticket} + {self.arena}"


class TicketMember(models.Model):
    """A player's membership in a ticket."""

    ticket = models.ForeignKey(
        Ticket, verbose_name=_("ticket"), on_delete=models.CASCADE, related_name="members"
    )
    player = models.ForeignKey(
        Player,
        verbose_name=_("player"),
        on_delete=models.PROTECT,
        related_name="ticket_memberships",
        db_index=False,
    )
    profession = Line(_("profession"), max_length=40, blank=True)
    open = models.BooleanField(_("open"), default=True, editable=False)
    """Whether the ticket is open. A player is in one open ticket at most."""
    seen_at = models.DateTimeField(_("seen"), null=True, blank=True)
    """The time at which the player joined the queue or first opened its page. Matches come
    later."""
    accepted_at = models.DateTimeField(_("accepted"), null=True, blank=True)

    class Meta:
        ordering = ["ticket", "id"]
        verbose_name = _("ticket member")
        verbose_name_plural = _("ticket members")
        constraints = [
            models.UniqueConstraint(fields=["ticket", "player"], name="player_once_a_ticket"),
            models.UniqueConstraint(
                fields=["player"], condition=Q(open=True), name="player_in_one_open_ticket"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} ({self.ticket})"
