"""Members of teams: their roles, the captaincy, leaving and removing.

A row is a player's time in one role. Every change ends a row and begins another, so
the history of a team can be read from its members.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from league.models import NoticeKind, Roster, RosterInvitation, RosterMember, TeamMember, TeamRole
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.core.isolation import gettext as _
from league.services.eligibility.reasons import refuse_banned
from league.services.eligibility.rosters import refuse_ineligible, refuse_locked
from league.services.notices.reading import mark_answered
from league.services.notices.writing import notify
from league.services.people import captains
from league.services.teams.access import check_captain, check_leads, lock, membership
from league.services.teams.founding import check_led

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Player, Team

GIVEN = (TeamRole.VICE, TeamRole.PLAYER, TeamRole.SUBSTITUTE, TeamRole.COACH)
"""The roles that a captain gives. The captaincy is handed over instead."""


def member(team: Team, member_id: int) -> TeamMember:
    """Return a present member of a team by the id of the row.

    Raises:
        Conflict: they have left or have another role since, or it is another team's.
    """
    found = team.members.current().select_related("player").filter(pk=member_id).first()
    if found is None:
        raise Conflict("gone", _("The team has changed in the meantime. Check its members."))
    return found


def give_role(team: Team, member_id: int, role: str, *, by: Player, now: datetime) -> TeamMember:
    """Give a member another role, as the captain.

    Raises:
        Forbidden: ``by`` is not the captain.
        Refused: there is no such role to give, or the member is the captain.
        Conflict: the member has left or changed meanwhile.
    """
    if role not in GIVEN:
        raise Refused("role", _("Choose one of the roles."), field="role")
    with transaction.atomic():
        changed = lock(team.pk)
        check_captain(changed, by)
        one = member(changed, member_id)
        if one.role == TeamRole.CAPTAIN:
            raise Refused("captain", _("Hand over the captaincy first."), field="role")
        if one.role == role:
            return one
        made = turn_into(one, role, now)
        notify([one.player], NoticeKind.TEAM_CHANGED, now, actor=by, team=changed)
    return made


def turn_into(one: TeamMember, role: str, now: datetime) -> TeamMember:
    """End a member's row and begin one with another role."""
    end(one, now)
    return TeamMember.objects.create(
        team_id=one.team_id, player_id=one.player_id, role=role, joined_at=now
    )


def end(one: TeamMember, now: datetime) -> None:
    one.left_at = max(now, one.joined_at)
    one.save(update_fields=["left_at"])


def offer_captaincy(team: Team, member_id: int, *, by: Player, now: datetime) -> None:
    """Offer the captaincy to a member. It replaces an earlier offer.

    Raises:
        Forbidden: ``by`` is not the captain, or banned.
        Conflict: the member has left or changed meanwhile.
        Refused: they have no account to answer with, or ``by`` offers it to themselves.
    """
    refuse_banned([], now, by=by)
    with transaction.atomic():
        led = lock(team.pk)
        check_captain(led, by)
        one = member(led, member_id)
        if one.player == by:
            raise Refused("yourself", _("You are the captain already."))
        if one.player.user_id is None:
            raise Refused(
                "no_account",
                _("%(player)s has no account, so they cannot accept.") % {"player": one.player},
            )
        led.successor = one.player
        led.save(update_fields=["successor"])
        notify([one.player], NoticeKind.TEAM_CAPTAIN, now, actor=by, team=led)


def withdraw_offer(team: Team, *, by: Player) -> None:
    """Withdraw the offer of the captaincy. Raises ``Forbidden`` for anybody but the captain."""
    with transaction.atomic():
        led = lock(team.pk)
        check_captain(led, by)
        led.successor = None
        led.save(update_fields=["successor"])


def answer_offer(team: Team, *, by: Player, accept: bool, now: datetime) -> None:
    """Accept or decline the captaincy. The former captain becomes a player of the team.

    Raises:
        Forbidden: ``by`` is banned and accepts.
        Conflict: it is not offered to them any more, or they have left.
        LimitReached: they lead too many teams.
    """
    if accept:
        refuse_banned([], now, by=by)
    with transaction.atomic():
        led = lock(team.pk)
        own = membership(led, by)
        if own is None or led.successor_id != by.pk:
            raise Conflict("no_offer", _("The offer of the captaincy is no longer open."))
        led.successor = None
        led.save(update_fields=["successor"])
        mark_answered(by, NoticeKind.TEAM_CAPTAIN, now, team=led)
        if accept:
            check_led(by)
            appoint(led, own, now, by=by)


def appoint(team: Team, new: TeamMember, now: datetime, *, by: Player | None = None) -> None:
    """Make a member the captain of a locked team. The former captain becomes a player.

    An offer of the captaincy ends.
    """
    team.successor = None
    team.save(update_fields=["successor"])
    old = team.members.current().filter(role=TeamRole.CAPTAIN).select_related("player").first()
    if old:
        turn_into(old, TeamRole.PLAYER, now)
    turn_into(new, TeamRole.CAPTAIN, now)
    recipients = [one.player for one in (old, new) if one and one.player != by]
    notify(recipients, NoticeKind.TEAM_CHANGED, now, actor=by, team=team)


def leave(team: Team, *, by: Player, now: datetime) -> None:
    """Let a member leave a team and its rosters. Their matches go on.

    Raises:
        Forbidden: ``by`` is not in it.
        Refused: ``by`` is its captain.
    """
    with transaction.atomic():
        left = lock(team.pk)
        own = membership(left, by)
        if own is None:
            raise Forbidden("not_a_member", _("You are not in this team."))
        if own.role == TeamRole.CAPTAIN:
            others = left.members.current().exclude(pk=own.pk).exists()
            raise Refused(
                "captain",
                _("Hand over the captaincy first.")
                if others
                else _("You are the last member. Disband the team instead."),
            )
        take_out(left, own, now)


def remove(team: Team, member_id: int, *, by: Player, now: datetime) -> Player:
    """Remove a member. The captain can remove anybody, vice-captains anybody but leaders.

    Raises:
        Forbidden: ``by`` may not remove this member.
        Conflict: rosters they are in are locked, or they have left meanwhile.
    """
    with transaction.atomic():
        changed = lock(team.pk)
        own = check_leads(changed, by)
        one = member(changed, member_id)
        if one.role == TeamRole.CAPTAIN or (one.leads and own.role != TeamRole.CAPTAIN):
            raise Forbidden("leader", _("Only the captain can remove a vice-captain."))
        for roster in rosters_with(changed, one.player):
            refuse_locked(roster.arena, now)
        take_out(changed, one, now)
        notify([one.player], NoticeKind.TEAM_REMOVED, now, actor=by, team=changed)
    return one.player


def rosters_with(team: Team, player: Player) -> list[Roster]:
    """Return the rosters of a team that a player is in."""
    theirs = team.rosters.filter(members=player)
    return list(theirs.select_related("arena", "captain").order_by("pk"))


def take_out(team: Team, one: TeamMember, now: datetime) -> None:
    """End a membership, and the player's places in the rosters of the locked team."""
    end(one, now)
    if team.successor_id == one.player_id:
        team.successor = None
        team.save(update_fields=["successor"])
    theirs = rosters_with(team, one.player)
    heirs = [
        (roster, heir(team, roster, now)) for roster in theirs if roster.captain_id == one.player_id
    ]
    captains.announce(heirs, now)
    for roster, captain in heirs:
        if may_join(roster, captain, now):
            RosterMember.objects.get_or_create(roster=roster, player=captain)
        roster.captain = captain
        roster.save(update_fields=["captain"])
    for roster in theirs:
        roster.memberships.filter(player=one.player).delete()
    invited = RosterInvitation.objects.open().filter(roster__team=team, player=one.player)
    invited.delete()


def heir(team: Team, roster: Roster, now: datetime) -> Player:
    """Return who leads a roster whose captain leaves: a leader in it, or the team's captain.

    The captain of the team joins it, unless the season keeps them out: then another member leads
    it, and an empty roster has a captain who is not in it.
    """
    leaders = team.members.current().filter(role__in=[TeamRole.CAPTAIN, TeamRole.VICE])
    in_roster = leaders.filter(player__memberships__roster=roster).select_related("player")
    next_one = in_roster.order_by("role", "id").first() or leaders.get(role=TeamRole.CAPTAIN)
    others = roster.memberships.exclude(player=roster.captain_id).select_related("player")
    there = others.filter(player=next_one.player_id).exists()
    if there or may_join(roster, next_one.player, now):
        return next_one.player
    left = others.order_by("pk").first()
    return left.player if left else next_one.player


def may_join(roster: Roster, player: Player, now: datetime) -> bool:
    """Return whether the season lets a player join a roster now."""
    try:
        refuse_locked(roster.arena, now)
        refuse_ineligible(roster.arena, [player], now)
    except Refused:
        return False
    return True
