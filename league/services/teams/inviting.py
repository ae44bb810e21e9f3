"""Invitations to a team: of a player by name, or by a link that anybody can open.

The token of a link is signed and names its invitation, so nothing secret is stored, and the captain
can copy it again. The invitation's row says whether the link is still valid.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.core import signing
from django.db import transaction

from league.models import NoticeKind, Team, TeamInvitation, TeamMember
from league.services.core.errors import Conflict, LimitReached, Refused
from league.services.core.isolation import gettext as _
from league.services.eligibility.reasons import refuse_banned
from league.services.following.blocks import refuse_blocked
from league.services.notices.reading import mark_answered
from league.services.notices.writing import notify
from league.services.people.invitations import count_of_day
from league.services.teams.access import check_leads, lock, membership

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet

    from league.models import Player

SIGNER = signing.Signer(salt="league.teams.invitation")
"""Its signatures do not expire. The row says how long a link is valid."""
VALID_FOR = timedelta(days=14)
"""The time in which an invitation can be accepted."""
PAUSE = timedelta(days=1)
"""The time for which a player who has declined cannot be invited again."""
MOST_MEMBERS = 100
MOST_OPEN = 30
"""The most open invitations of a team."""
MOST_PER_DAY = 50
"""The most invitations that one player can send on a day, those to rosters included."""
MOST_PLACES = 20
"""The most players that a link can let in."""


def invitations_of(player: Player, now: datetime) -> QuerySet[TeamInvitation]:
    """Return a player's open invitations, oldest first."""
    mine = TeamInvitation.objects.open(now).filter(player=player)
    return mine.select_related("team", "invited_by")


def invite(team: Team, player: Player, *, by: Player, now: datetime) -> TeamInvitation:
    """Invite a player. Inviting again changes nothing.

    Raises:
        Forbidden: ``by`` does not lead the team, or is banned.
        Refused: the player is in the team, has declined lately, or blocks ``by``.
        LimitReached: there are too many invitations or members.
    """
    refuse_banned([], now, by=by)
    refuse_blocked([player], by=by, field="player")
    with transaction.atomic():
        inviting = lock(team.pk)
        check_leads(inviting, by)
        if membership(inviting, player):
            raise Refused(
                "member",
                _("%(player)s is already in the team.") % {"player": player},
                field="player",
            )
        earlier = inviting.invitations.filter(player=player)
        earlier.filter(closed_at=None, expires_at__lte=now).update(closed_at=now)
        if still := earlier.open(now).first():
            return still
        declined = earlier.filter(used=0, closed_at__gt=now - PAUSE, expires_at__gt=now)
        if declined.exists():
            raise Refused(
                "declined",
                _("%(player)s was invited recently. Invite them again tomorrow.")
                % {"player": player},
                field="player",
            )
        check_limits(inviting, 1, by, now)
        made = create(inviting, by, now, player=player)
        notify([player], NoticeKind.TEAM_INVITED, now, actor=by, team=inviting)
    return made


def make_link(team: Team, places: int, *, by: Player, now: datetime) -> TeamInvitation:
    """Make a link with which ``places`` players can join.

    Raises:
        Forbidden: ``by`` does not lead the team, or is banned.
        Refused: ``places`` is out of range.
        LimitReached: there are too many invitations or members.
    """
    refuse_banned([], now, by=by)
    if not 1 <= places <= MOST_PLACES:
        raise Refused(
            "places",
            _("A link can be for 1 to %(most)d players.") % {"most": MOST_PLACES},
            field="places",
        )
    with transaction.atomic():
        inviting = lock(team.pk)
        check_leads(inviting, by)
        check_limits(inviting, places, by, now)
        return create(inviting, by, now, places=places)


def create(
    team: Team, by: Player, now: datetime, *, player: Player | None = None, places: int = 1
) -> TeamInvitation:
    return TeamInvitation.objects.create(
        team=team,
        player=player,
        invited_by=by,
        invited_at=now,
        expires_at=now + VALID_FOR,
        places=places,
    )


def check_limits(team: Team, places: int, by: Player, now: datetime) -> None:
    """Count new invitations, and refuse more than a team and a player may have."""
    if team.invitations.open(now).count() >= MOST_OPEN:
        raise LimitReached(
            "open_invitations",
            _("A team can have at most %(most)d open invitations. Withdraw some.")
            % {"most": MOST_OPEN},
        )
    check_room(team)
    count_of_day(by.pk, places, MOST_PER_DAY, now)


def check_room(team: Team) -> None:
    if team.members.current().count() >= MOST_MEMBERS:
        raise LimitReached(
            "full", _("A team can have at most %(most)d members.") % {"most": MOST_MEMBERS}
        )


def token_of(invitation: TeamInvitation) -> str:
    return SIGNER.sign_object(invitation.pk)


def read_token(token: str, now: datetime) -> TeamInvitation:
    """Return the invitation of a link that can still be accepted.

    Raises:
        Refused: the link is forged or incomplete.
        Conflict: it has expired, was withdrawn, or all its places are taken.
    """
    try:
        pk = SIGNER.unsign_object(token)
    except (signing.BadSignature, ValueError) as error:
        raise Refused("bad_link", _("This link is incomplete. Ask for it again.")) from error
    found = TeamInvitation.objects.select_related("team", "invited_by").filter(pk=pk).first()
    if found is None or found.player_id is not None:
        raise Refused("bad_link", _("This link is incomplete. Ask for it again."))
    check_open(found, now)
    return found


def check_open(invitation: TeamInvitation, now: datetime) -> None:
    if invitation.closed_at is not None or invitation.team.disbanded_at is not None:
        raise Conflict(
            "closed", _("This invitation has been used or withdrawn. Ask for a new one.")
        )
    if invitation.expires_at <= now:
        raise Conflict("expired", _("This invitation has expired. Ask for a new one."))


def join(token: str, *, by: Player, now: datetime) -> Team:
    """Join a team with a link. Members who open their link again stay members.

    Raises:
        Forbidden: ``by`` is banned.
        Refused: the link is forged or incomplete.
        Conflict: it has expired, was withdrawn, all its places are taken, or they have left the
            team since it was made.
        LimitReached: the team is full.
    """
    refuse_banned([], now, by=by)
    with transaction.atomic():
        return accept(read_token(token, now).pk, by, now)


def accept(invitation_id: int, by: Player, now: datetime) -> Team:
    """Take a place of an invitation, behind the lock of its team."""
    team_id = TeamInvitation.objects.values_list("team", flat=True).get(pk=invitation_id)
    team = lock(team_id)
    invitation = TeamInvitation.objects.select_related("team").get(pk=invitation_id)
    check_open(invitation, now)
    if membership(team, by) is None:
        if invitation.player_id is None:
            refuse_former(invitation, by)
        check_room(team)
        TeamMember.objects.create(team=team, player=by, joined_at=now)
        invitation.used += 1
        notify([invitation.invited_by_id], NoticeKind.TEAM_JOINED, now, actor=by, team=team)
    if invitation.used == invitation.places or invitation.player_id:
        invitation.closed_at = now
    invitation.save(update_fields=["used", "closed_at"])
    close_named(team, by, now)
    return team


def refuse_former(link: TeamInvitation, player: Player) -> None:
    """Refuse who left or was removed since a link was made: it was not meant for them again."""
    was_in = link.team.members.filter(player=player, left_at__gt=link.invited_at)
    if was_in.exists():
        raise Conflict(
            "left_since",
            _("You have left %(team)s since this link was made. Ask for a new invitation.")
            % {"team": link.team},
        )


def close_named(team: Team, player: Player, now: datetime) -> None:
    """Close the open invitation of somebody who has joined, or declined."""
    team.invitations.filter(player=player, closed_at=None).update(closed_at=now)
    mark_answered(player, NoticeKind.TEAM_INVITED, now, team=team)


def answer(invitation_id: int, *, by: Player, accepts: bool, now: datetime) -> Team:
    """Accept or decline an invitation by name. Return the team.

    Raises:
        Forbidden: a banned player accepts.
        Refused: there is no such invitation of theirs.
        Conflict: it has expired, or was withdrawn or answered.
        LimitReached: the team is full.
    """
    if accepts:
        refuse_banned([], now, by=by)
    with transaction.atomic():
        mine = TeamInvitation.objects.select_related("team").filter(pk=invitation_id, player=by)
        invitation = mine.first()
        if invitation is None:
            raise Refused("no_invitation", _("This invitation has been withdrawn."))
        if accepts:
            return accept(invitation.pk, by, now)
        # Behind the lock of the team, as everything about its invitations.
        team = Team.objects.select_for_update(no_key=True).get(pk=invitation.team_id)
        close_named(team, by, now)
    return team


def withdraw(team: Team, invitation_id: int, *, by: Player, now: datetime) -> None:
    """Withdraw an invitation or a link. Doing so again changes nothing.

    Raises:
        Forbidden: ``by`` does not lead the team.
        Refused: it is no invitation of this team.
    """
    with transaction.atomic():
        inviting = lock(team.pk)
        check_leads(inviting, by)
        invitation = inviting.invitations.filter(pk=invitation_id).first()
        if invitation is None:
            raise Refused("no_invitation", _("There is no such invitation."))
        if invitation.closed_at is None:
            invitation.closed_at = now
            invitation.save(update_fields=["closed_at"])
