"""Follow the link of an invitation: to an account that acts for the player, or to no more mails."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.core import signing
from django.db import transaction
from django.db.models import Q

from league.models import Player, PlayerClaim, PlayerInvitation
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.core.isolation import gettext as _
from league.services.eligibility.reasons import refuse_banned
from league.services.people.claims import check_claimable, move_account
from league.services.people.invitation_mails import SIGNER

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import User

State = PlayerInvitation.State


def read_link(token: str, now: datetime) -> PlayerInvitation:
    """Return the invitation of a link that still works.

    Raises:
        Refused: the link is forged or incomplete.
        Conflict: it has been used, has expired or was withdrawn, or the player has an account.
    """
    try:
        pk = SIGNER.unsign_object(token)
    except (signing.BadSignature, ValueError) as error:
        raise Refused("bad_link", _("This link is incomplete. Copy all of it.")) from error
    rows = PlayerInvitation.objects.select_related("player", "competition__season__arena", "by")
    found = rows.filter(pk=pk).first()
    if found is None:
        raise Conflict("withdrawn", texts_of_closed()[State.WITHDRAWN])
    check_works(found, now)
    return found


def texts_of_closed() -> dict[str, str]:
    return {
        State.JOINED: _("This link has been used. Log in with the account that was made with it."),
        State.WITHDRAWN: _("This invitation was withdrawn. Ask an organiser for a new one."),
        State.DECLINED: _("This invitation was declined. Ask an organiser for a new one."),
    }


def check_works(invitation: PlayerInvitation, now: datetime) -> None:
    """Raise ``Conflict`` for an invitation that is closed, has expired or is no longer needed."""
    if invitation.state != State.OPEN:
        raise Conflict(invitation.state, texts_of_closed()[invitation.state])
    if invitation.expires_at <= now:
        text = _("This invitation has expired. Ask an organiser for a new one.")
        raise Conflict("expired", text)
    if invitation.player.user_id is not None:
        text = _("%(player)s has an account. If it is not yours, tell an organiser.")
        raise Conflict("has_account", text % {"player": invitation.player})


def note_opened(invitation: PlayerInvitation, now: datetime) -> None:
    """Store that somebody has followed a link."""
    PlayerInvitation.objects.filter(pk=invitation.pk, opened_at=None).update(opened_at=now)


def check_may_join(invitation: PlayerInvitation, account: User, now: datetime) -> None:
    """Refuse an account that cannot act for the invited player.

    Raises:
        Forbidden: it is the organiser's who invites, or its own player or the invited one is
            banned.
        Conflict: its own player has a history, or the invited player is in a match.
    """
    if invitation.by_id == account.pk:
        text = _("You have sent this invitation, so another organiser must invite you.")
        raise Forbidden("own_invitation", text)
    refuse_banned([invitation.player], now, by=Player.objects.filter(user=account).first())
    check_claimable(account, invitation.player, now)


def join(token: str, account: User, now: datetime) -> PlayerInvitation:
    """Let an account act for the invited player. An empty player of its own is merged into them.

    Raises:
        Refused: the link is forged or incomplete.
        Conflict: it no longer works, or the account's own player has a history.
        Forbidden: one of the players is banned, or the account has sent the invitation itself.
    """
    with transaction.atomic():
        found = read_link(token, now)
        # Players before the invitation, as merges lock them.
        players = Player.ever.filter(Q(pk=found.player_id) | Q(user=account))
        list(players.order_by("pk").select_for_update())
        rows = PlayerInvitation.objects.select_for_update(of=("self",))
        invitation = rows.select_related("player", "competition", "by").get(pk=found.pk)
        if invitation.player_id != found.player_id:
            raise Conflict("merged", _("The player has just been merged. Follow the link again."))
        check_works(invitation, now)
        check_may_join(invitation, account, now)
        close(invitation, State.JOINED, now)
        claims = PlayerClaim.objects.filter(account=account, state=PlayerClaim.State.OPEN)
        claims.update(state=PlayerClaim.State.WITHDRAWN, decided_at=now)
        move_account(account, invitation.player, invitation.by, now)
    return invitation


def decline(token: str, now: datetime) -> None:
    """Close an invitation for somebody who does not want it. Its address gets no others.

    Raises:
        Refused: the link is forged or incomplete.
        Conflict: it no longer works.
    """
    with transaction.atomic():
        found = read_link(token, now)
        rows = PlayerInvitation.objects.select_for_update(of=("self",))
        invitation = rows.select_related("player").get(pk=found.pk)
        check_works(invitation, now)
        close(invitation, State.DECLINED, now)


def close(invitation: PlayerInvitation, state: State, now: datetime) -> None:
    invitation.state, invitation.closed_at = state, now
    invitation.opened_at = invitation.opened_at or now
    invitation.save(update_fields=["state", "closed_at", "opened_at"])
