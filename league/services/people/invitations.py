"""Who is in a roster: its captain invites, and nobody is in it who did not say yes."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.timesince import timeuntil
from django.utils.translation import gettext as _

from league.models import RosterInvitation, RosterMember
from league.services.core.errors import Conflict, Forbidden, Refused

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from django.db.models import QuerySet

    from league.models import Player, Roster

PAUSE = timedelta(days=1)
"""How long after a player declined she cannot be asked again."""


def invitations_of(player: Player) -> QuerySet[RosterInvitation]:
    """The invitations that wait for a player's answer, the oldest first."""
    return RosterInvitation.objects.open().filter(player=player).select_related("roster__arena")


def invite(roster: Roster, players: Sequence[Player], now: datetime) -> None:
    """Ask those of ``players`` who are not in the roster. Asking twice is asking once.

    Raises:
        Refused: one of them declined not long ago.
    """
    members = set(roster.memberships.values_list("player", flat=True))
    wanted = [player for player in players if player.pk not in members]
    answered = roster.invitations.filter(player__in=wanted, answered_at__isnull=False)
    recent = answered.filter(accepted=False, answered_at__gt=now - PAUSE)
    for name, answered_at in recent.values_list("player__name", "answered_at")[:1]:
        again = (answered_at or now) + PAUSE
        raise Refused(
            "declined",
            _("%(player)s has declined. You can ask again in %(time)s.")
            % {"player": name, "time": timeuntil(again, now)},
            field="members",
        )
    answered.update(invited_at=now, answered_at=None, accepted=False)
    RosterInvitation.objects.bulk_create(
        (RosterInvitation(roster=roster, player=player, invited_at=now) for player in wanted),
        ignore_conflicts=True,
    )


def withdraw(roster: Roster, keep: Iterable[Player]) -> None:
    """Take back the open invitations of everybody but those to ``keep``."""
    roster.invitations.open().exclude(player__in=keep).delete()


def answer(invitation_id: int, *, by: Player, accept: bool, now: datetime) -> Roster:
    """A player joins the roster that she was invited to, or declines.

    Raises:
        Refused: she has no such invitation (any more).
        Conflict: she has answered already, and otherwise.
    """
    with transaction.atomic():
        invitations = RosterInvitation.objects.select_for_update(of=("self",))
        invitation = (
            invitations.select_related("roster__arena").filter(pk=invitation_id, player=by).first()
        )
        if invitation is None:
            raise Refused("no_invitation", _("You have no such invitation: it was taken back."))
        if invitation.answered_at is not None:
            if invitation.accepted != accept:
                raise Conflict("answered", _("You have answered this invitation already."))
            return invitation.roster
        invitation.answered_at, invitation.accepted = now, accept
        invitation.save(update_fields=["answered_at", "accepted"])
        if accept:
            RosterMember.objects.get_or_create(roster=invitation.roster, player=by)
    return invitation.roster


def leave(roster: Roster, *, by: Player) -> None:
    """A member leaves a roster. What she has queued for or plays goes on.

    Raises:
        Forbidden: ``by`` is not in it.
        Refused: its captain cannot leave it.
    """
    if roster.captain_id == by.pk:
        raise Refused("captain", _("A roster cannot be without its captain."))
    left, _by_model = roster.memberships.filter(player=by).delete()
    if not left:
        raise Forbidden("not_a_member", _("You are not in this roster."))
