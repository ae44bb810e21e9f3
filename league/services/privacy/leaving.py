"""Take a player out of everything that is going on, by the rules that hold for everybody.

Each step is a transaction of its own and can be repeated. Some things end by themselves only, such
as a live match: the deletion of the account waits for them.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from league.models import (
    Arrangement,
    Challenge,
    Competition,
    Entrant,
    Roster,
    Team,
    TeamMember,
    TeamRole,
    Ticket,
)
from league.services.competitions.running import entering, withdrawing
from league.services.core.errors import Refused
from league.services.dates import answers, changing
from league.services.eligibility.reasons import is_locked
from league.services.ladder import challenges
from league.services.merging.moving import unsettled_matches
from league.services.people import captains
from league.services.queue import queueing
from league.services.teams import access, founding, membership

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from league.models import Player

State = Arrangement.State
WHY = "–"
"""The reason that others read when a date is called off: the site gives none."""


def leave_everything(player: Player, now: datetime) -> list[str]:
    """Take a player out of queues, challenges, competitions, dates, teams and rosters.

    Return what the deletion has to wait for, as sentences.
    """
    leave_queues(player, now)
    answer_challenges(player, now)
    hand_over_rosters(player, now)
    leave_teams(player, now)
    leave_competitions(player, now)
    end_dates(player, now)
    leave_teams(player, now)  # those that had to finish something first
    return list_obstacles(player)


def list_obstacles(player: Player) -> list[str]:
    """Return what a player's account waits for before it is deleted."""
    open_states = [Ticket.State.WAITING, Ticket.State.PROPOSED]
    dates = Arrangement.objects.of(player).filter(state__in=[State.PROPOSED, State.ACCEPTED])
    return [
        sentence
        for rows, sentence in (
            (
                Ticket.objects.filter(members__player=player, state__in=open_states),
                _("You are in a queue or a ready check."),
            ),
            (unsettled_matches(player), _("You have a match without a final result.")),
            (dates, _("You have a proposed or agreed date.")),
            (Team.objects.existing().of(player), _("You are in a team.")),
        )
        if rows.exists()
    ]


def leave_queues(player: Player, now: datetime) -> None:
    """Leave the queue. A ready check is left to its end."""
    waiting = Ticket.objects.filter(members__player=player, state=Ticket.State.WAITING)
    for ticket in waiting:
        try_step(partial(queueing.leave, ticket.pk, by=player, now=now))


def answer_challenges(player: Player, now: datetime) -> None:
    """Withdraw and decline open challenges, at their usual cost. Accepted ones lapse later."""
    for one in Challenge.objects.open().of(player):
        is_sent = one.challenger_id == player.pk
        act: Callable[..., object] = challenges.withdraw if is_sent else challenges.decline
        try_step(partial(act, one.pk, by=player, now=now))


def leave_competitions(player: Player, now: datetime) -> None:
    """Take back entries and withdraw from what is running: the rules decide open fixtures."""
    kinds: dict[str, Callable[..., object]] = {
        Competition.State.REGISTRATION: entering.leave,
        Competition.State.RUNNING: withdrawing.withdraw,
    }
    led = Q(roster=None, player=player) | Q(roster__captain=player)
    mine = Entrant.objects.filter(led, competition__state__in=kinds)
    for one in mine.exclude(state=Entrant.State.WITHDRAWN).select_related("competition"):
        act = kinds[one.competition.state]
        try_step(partial(act, one.competition_id, by=player, now=now))


def end_dates(player: Player, now: datetime) -> None:
    """Withdraw, decline or call off dates. Those that start too soon are played or time out."""
    for one in Arrangement.objects.proposed().of(player):
        if one.asked_id == player.pk:
            try_step(partial(answers.decline, one.pk, by=player, seen=one.revision, now=now))
        else:
            try_step(partial(answers.withdraw, one.pk, by=player, now=now))
    for one in Arrangement.objects.accepted().of(player):
        seen: dict[str, Any] = {"seen": one.revision, "reason": WHY}
        try_step(partial(changing.call_off, one.pk, by=player, now=now, **seen))


def leave_teams(player: Player, now: datetime) -> None:
    """Leave teams. A team that the player leads gets another captain, or ends with them."""
    for team in Team.objects.existing().of(player):
        try_step(partial(leave_team, team, player, now))


def leave_team(team: Team, player: Player, now: datetime) -> None:
    """Leave a team, after its captaincy has gone to :func:`next_captain`.

    Raises:
        Refused: nobody can lead the team, or it has something to finish first.
    """
    with transaction.atomic():
        led = access.lock(team.pk)
        own = led.members.current().filter(player=player).first()
        if own is None:
            return
        if own.role == TeamRole.CAPTAIN:
            heir = next_captain(led, player)
            if heir is None:
                founding.end(led, now, by=player)
                return
            membership.appoint(led, heir, now)
        membership.leave(led, by=player, now=now)


def next_captain(team: Team, player: Player) -> TeamMember | None:
    """Return who leads a team after a player: a vice-captain, or else the longest-serving member
    with an account."""
    others = team.members.current().exclude(player=player).select_related("player__user")
    able = [one for one in others if one.player.user is not None and not is_locked(one.player)]
    return min(
        able, key=lambda one: (one.role != TeamRole.VICE, one.joined_at, one.pk), default=None
    )


def hand_over_rosters(player: Player, now: datetime) -> None:
    """Leave rosters that play for no team. Another member with an account leads those left."""
    for roster in Roster.objects.filter(team=None, memberships__player=player):
        with transaction.atomic():
            Roster.objects.select_for_update(no_key=True).get(pk=roster.pk)
            others = roster.memberships.exclude(player=player).select_related("player__user")
            able = [one.player for one in others.order_by("pk") if one.player.user is not None]
            if roster.captain_id == player.pk and able:
                captains.announce([(roster, able[0])], now)
                roster.captain = able[0]
                roster.save(update_fields=["captain"])
            if roster.captain_id != player.pk:
                roster.memberships.filter(player=player).delete()


def try_step(act: Callable[[], object]) -> bool:
    """Try a step. What the rules refuse now may be possible later, or ends by itself."""
    try:
        act()
    except Refused:
        return False
    return True
