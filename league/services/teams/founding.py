"""Found, rename and disband teams. Their rows stay, for archives and ledgers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Q

from league.models import (
    Arrangement,
    Competition,
    Entrant,
    FormerTeamName,
    Match,
    NoticeKind,
    RosterInvitation,
    RosterMember,
    Team,
    TeamMember,
    TeamRole,
    Ticket,
)
from league.models.former_name import RENAME_COOLDOWN
from league.models.names import tidy
from league.services.core.durations import describe_duration
from league.services.core.errors import Conflict, LimitReached
from league.services.core.isolation import gettext as _
from league.services.eligibility.reasons import refuse_banned
from league.services.notices.writing import notify
from league.services.people.players import save_named
from league.services.teams.access import check_captain, lock

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Player

MOST_LED = 5
"""The most teams that one player can lead."""


def found(name: str, tag: str, colours: tuple[str, str], *, by: Player, now: datetime) -> Team:
    """Found a team and make ``by`` its captain.

    Raises:
        Forbidden: ``by`` is banned.
        LimitReached: they lead several teams already.
        ValidationError: the name, the tag or a colour cannot be used.
    """
    refuse_banned([], now, by=by)
    team = Team(name=name, tag=tag, colour=colours[0], second_colour=colours[1], created_at=now)
    with transaction.atomic():
        check_led(by)
        team.full_clean()
        save_named(team)
        TeamMember.objects.create(team=team, player=by, role=TeamRole.CAPTAIN, joined_at=now)
    return team


def check_led(player: Player) -> None:
    """Refuse another team for a player who leads several. Takes the player's turn."""
    # No row of the new team exists that could be locked, so its founder's stands for it.
    type(player).objects.select_for_update(no_key=True).get(pk=player.pk)
    led = TeamMember.objects.current().filter(player=player, role=TeamRole.CAPTAIN)
    if led.count() >= MOST_LED:
        raise LimitReached(
            "too_many_teams",
            _("%(player)s already leads %(count)d teams, the most that a player can lead.")
            % {"player": player, "count": MOST_LED},
        )


def change(
    team: Team, name: str, tag: str, colours: tuple[str, str], *, by: Player, now: datetime
) -> Team:
    """Change a team's name, tag and colours. An old name is kept on record.

    Raises:
        Forbidden: ``by`` is not the captain, or banned.
        Conflict: the team was renamed lately, or disbanded.
        ValidationError: the name, the tag or a colour cannot be used.
    """
    refuse_banned([], now, by=by)
    with transaction.atomic():
        changed = lock(team.pk)
        check_captain(changed, by)
        old = changed.name
        changed.tag, (changed.colour, changed.second_colour) = tag, colours
        if tidy(name) != old:
            check_rename(changed, now)
            changed.name, changed.may_resemble = name, False
        changed.full_clean()
        save_named(changed)
        keep_name(changed, old, now)
    return changed


def check_rename(team: Team, now: datetime) -> None:
    last = team.former_names.first()
    if last and now < last.given_up_at + RENAME_COOLDOWN:
        wait = describe_duration(last.given_up_at + RENAME_COOLDOWN - now)
        raise Conflict(
            "too_soon",
            _("You can rename the team again in %(time)s.") % {"time": wait},
            field="name",
        )


def keep_name(team: Team, old: str, now: datetime) -> None:
    """Keep a team's earlier name if it has changed."""
    if team.name != old:
        FormerTeamName.objects.create(team=team, name=old, given_up_at=now)


def reasons_against_disbanding(team: Team) -> list[str]:
    """Return a sentence for everything that a team has to finish before it can be disbanded."""
    playing = Match.objects.open().filter(sides__roster__team=team).distinct()
    pending = [Arrangement.State.PROPOSED, Arrangement.State.ACCEPTED]
    dates = Arrangement.objects.filter(
        Q(proposer_roster__team=team) | Q(opponent_roster__team=team), state__in=pending
    )
    open_states = [Competition.State.REGISTRATION, Competition.State.RUNNING]
    entered = Entrant.objects.filter(roster__team=team, competition__state__in=open_states)
    entered = entered.exclude(state=Entrant.State.WITHDRAWN)
    queued = Ticket.objects.filter(roster__team=team, members__open=True).distinct()
    return [
        sentence
        for rows, sentence in (
            (playing, _("It has a match without a final result.")),
            (dates, _("It has a proposed or agreed date.")),
            (queued, _("It is in a queue.")),
            (entered, _("It has entered a competition. Withdraw first.")),
        )
        if rows.exists()
    ]


def disband(team: Team, *, by: Player, now: datetime) -> Team:
    """Disband a team at its captain's request.

    Raises:
        Forbidden: ``by`` is not the captain.
        Conflict: it has something to finish first, or was disbanded already.
    """
    with transaction.atomic():
        ended = lock(team.pk)
        check_captain(ended, by)
        return end(ended, now, by=by)


def end(team: Team, now: datetime, *, by: Player | None = None) -> Team:
    """Disband a locked team: its members leave, and its rosters are empty but for archives."""
    if reasons := reasons_against_disbanding(team):
        raise Conflict(
            "unfinished",
            _("%(team)s cannot be disbanded yet. %(reasons)s")
            % {"team": team, "reasons": " ".join(reasons)},
        )
    members = list(team.members.current().select_related("player"))
    team.members.current().update(left_at=now)
    team.invitations.filter(closed_at=None).update(closed_at=now)
    RosterInvitation.objects.open().filter(roster__team=team).delete()
    RosterMember.objects.filter(roster__team=team).delete()
    team.successor, team.disbanded_at = None, now
    team.save(update_fields=["successor", "disbanded_at"])
    others = [member.player for member in members if member.player != by]
    notify(others, NoticeKind.TEAM_REMOVED, now, actor=by, team=team)
    return team
