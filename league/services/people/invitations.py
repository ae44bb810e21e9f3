"""Roster membership: captains invite players, and players join by accepting."""

from __future__ import annotations

from datetime import UTC, timedelta
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import F

from league.models import InvitationDay, NoticeKind, Roster, RosterInvitation, RosterMember
from league.services.core.durations import describe_duration
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.core.isolation import gettext as _
from league.services.eligibility import rosters
from league.services.eligibility.reasons import refuse_banned
from league.services.following.blocks import refuse_blocked
from league.services.notices.reading import mark_answered
from league.services.notices.writing import notify

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from django.db.models import QuerySet

    from league.models import Player

PAUSE = timedelta(days=1)
"""The time for which a player who declined cannot be invited again."""


def invitations_of(player: Player) -> QuerySet[RosterInvitation]:
    """Return a player's open invitations, oldest first."""
    return RosterInvitation.objects.open().filter(player=player).select_related("roster__arena")


def invite(roster: Roster, players: Sequence[Player], now: datetime) -> None:
    """Invite those of ``players`` who are not in the roster. Inviting again changes nothing.

    Raises:
        Forbidden: the roster's captain is banned.
        Refused: the roster belongs to a team, one of them declined recently, or these are too many
            at once or on a day.
    """
    refuse_banned([], now, by=roster.captain)
    with transaction.atomic():
        # The roster may be joining a team at this moment.
        if Roster.objects.select_for_update().get(pk=roster.pk).team_id is not None:
            raise Refused(
                "of_a_team",
                _("%(roster)s plays for a team. Only members of the team can be in it.")
                % {"roster": roster},
            )
        invite_from_locked(roster, players, now)


def invite_from_locked(roster: Roster, players: Sequence[Player], now: datetime) -> None:
    members = set(roster.memberships.values_list("player", flat=True))
    wanted = [player for player in players if player.pk not in members]
    answered = roster.invitations.filter(player__in=wanted, answered_at__isnull=False)
    recent = answered.filter(accepted=False, answered_at__gt=now - PAUSE)
    for name, answered_at in recent.values_list("player__name", "answered_at")[:1]:
        again = (answered_at or now) + PAUSE
        raise Refused(
            "declined",
            _("%(player)s has declined. You can invite them again in %(time)s.")
            % {"player": name, "time": describe_duration(again - now)},
            field="members",
        )
    asked = set(roster.invitations.open().values_list("player", flat=True))
    new = [player for player in wanted if player.pk not in asked]
    if new:
        refuse_blocked(new, by=roster.captain, field="members")
        check_open(roster, len(asked) + len(new))
        count(roster, len(new), now)
    answered.update(invited_at=now, answered_at=None, accepted=False)
    RosterInvitation.objects.bulk_create(
        (RosterInvitation(roster=roster, player=player, invited_at=now) for player in wanted),
        ignore_conflicts=True,
    )
    notify(new, NoticeKind.INVITED, now, actor=roster.captain, roster=roster)


def check_open(roster: Roster, invitations: int) -> None:
    """Refuse more open invitations than a roster may have."""
    most = at_most(roster, roster.arena.limit_settings().open_invitations)
    if invitations > most:
        raise Refused(
            "open_invitations",
            _(
                "A roster can have %(most)d open invitations at a time. Wait for answers, or "
                "withdraw some."
            )
            % {"most": most},
            field="members",
        )


def count(roster: Roster, invitations: int, now: datetime) -> None:
    """Count a captain's invitations of the day, and refuse too many. Withdrawn ones count too."""
    most = at_most(roster, roster.arena.limit_settings().invitations_per_day)
    count_of_day(roster.captain_id, invitations, most, now)


def count_of_day(captain_id: int, invitations: int, most: int, now: datetime) -> None:
    """Count a player's invitations of the day to rosters and teams, and refuse too many."""
    day = {"captain_id": captain_id, "day": now.astimezone(UTC).date()}
    InvitationDay.objects.get_or_create(**day, defaults={"sent": 0})
    InvitationDay.objects.filter(**day).update(sent=F("sent") + invitations)
    sent = InvitationDay.objects.values_list("sent", flat=True).get(**day)
    if sent > most:
        raise Refused(
            "invitations_today",
            _("You can send %(most)d invitations a day. Try again tomorrow.") % {"most": most},
            field="members",
        )


def at_most(roster: Roster, usual: int) -> int:
    """Return a limit on invitations: the arena's, or twice the size of larger teams."""
    return max(usual, 2 * roster.arena.team_size_max)


def withdraw(roster: Roster, keep: Iterable[Player]) -> None:
    """Withdraw open invitations of all players except ``keep``."""
    roster.invitations.open().exclude(player__in=keep).delete()


def answer(invitation_id: int, *, by: Player, accept: bool, now: datetime) -> Roster:
    """Accept or decline a player's invitation to a roster. Return the roster.

    Raises:
        Refused: there is no such invitation, it was withdrawn, or the season keeps them out.
        Forbidden: a banned player accepts.
        Conflict: the player has already given the other answer, or rosters are locked.
    """
    if accept:
        refuse_banned([], now, by=by)
    with transaction.atomic():
        mine = RosterInvitation.objects.filter(pk=invitation_id, player=by)
        # Roster before invitation, as a captain who withdraws it locks them.
        turn = Roster.objects.select_for_update(no_key=True, of=("self",))
        turn.filter(invitations__in=mine).first()
        invitations = mine.select_for_update(of=("self",)).select_related("roster__arena")
        invitation = invitations.first()
        if invitation is None:
            raise Refused("no_invitation", _("This invitation has been withdrawn."))
        if invitation.answered_at is not None:
            if invitation.accepted != accept:
                raise Conflict("answered", _("You have already answered this invitation."))
            return invitation.roster
        invitation.answered_at, invitation.accepted = now, accept
        invitation.save(update_fields=["answered_at", "accepted"])
        mark_answered(by, NoticeKind.INVITED, now, roster=invitation.roster)
        if accept:
            check_joining(invitation.roster, by, now)
            RosterMember.objects.get_or_create(roster=invitation.roster, player=by)
    return invitation.roster


def check_joining(roster: Roster, player: Player, now: datetime) -> None:
    """Refuse a new member while rosters are locked, or if the team or the season excludes them."""
    if roster.outsiders([player.pk]):
        raise Conflict("has_a_team", _("This roster belongs to a team. Join the team first."))
    rosters.refuse_locked(roster.arena, now)
    rosters.refuse_too_many(roster.arena, roster.memberships.count() + 1, now)
    rosters.refuse_ineligible(roster.arena, [player], now)


def leave(roster: Roster, *, by: Player) -> None:
    """Let a member leave a roster. Their tickets and live matches go on.

    Raises:
        Forbidden: ``by`` is not in it.
        Refused: ``by`` is its captain.
    """
    if roster.captain_id == by.pk:
        raise Refused("captain", _("The captain cannot leave the roster."))
    left, _by_model = roster.memberships.filter(player=by).delete()
    if not left:
        raise Forbidden("not_a_member", _("You are not in this roster."))
