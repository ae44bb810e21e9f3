"""Claims: people ask for an imported player that is theirs, and staff decide."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import IntegrityError, transaction
from django.dispatch import Signal

from league.models import (
    DishonorAward,
    Participant,
    Player,
    PlayerClaim,
    RosterMember,
    StaffAction,
    TicketMember,
    User,
)
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.core.isolation import gettext as _
from league.services.eligibility.reasons import BUSY, busy, reasons_against

if TYPE_CHECKING:
    from datetime import datetime

LONGEST_EVIDENCE = 2000

approved = Signal()
"""Sent with ``claimed``, ``own``, ``by`` and ``now`` after an account has moved from its own player
to the claimed one, in the same transaction."""


def claim(account: User, player: Player, *, evidence: str, now: datetime) -> PlayerClaim:
    """Ask for a player without an account. Staff decide.

    Raises:
        Refused: there is no evidence, or the player cannot be claimed.
        Conflict: the account has an open claim, or a player of its own with a history.
    """
    if not evidence.strip():
        raise Refused(
            "no_evidence", _("Say how staff can tell that this is you."), field="evidence"
        )
    check_claimable(account, player, now)
    try:
        with transaction.atomic():
            return PlayerClaim.objects.create(
                account=account,
                player=player,
                evidence=evidence.strip()[:LONGEST_EVIDENCE],
                made_at=now,
            )
    except IntegrityError:  # or of two at once
        check_no_open_claim(account)
        raise


def refusal(account: User, player: Player, now: datetime) -> Refused | None:
    """Return why a claim would be refused before its evidence is read, ``None`` if it would not."""
    try:
        check_claimable(account, player, now)
        check_no_open_claim(account)
    except Refused as refused:
        return refused
    return None


def withdraw(account: User, *, now: datetime) -> None:
    """Withdraw the account's open claim. Raises ``Conflict`` if it has none."""
    claims = PlayerClaim.objects.filter(account=account, state=PlayerClaim.State.OPEN)
    if not claims.update(state=PlayerClaim.State.WITHDRAWN, decided_at=now):
        raise Conflict("no_claim", _("You have no open claim."))


def decide(claim_id: int, *, approve: bool, by: User, reason: str, now: datetime) -> PlayerClaim:
    """Approve or refuse an open claim. Approval moves the account to the claimed player.

    Raises:
        Forbidden: ``by`` may not decide claims, or this one is their own.
        Refused: there is no reason, or the player cannot be claimed any more.
        Conflict: the claim is not open, or a history stands in the way.
    """
    if not by.has_perm("league.decide_claim"):
        raise Forbidden("not_staff", _("You need the permission to decide claims."))
    if not reason.strip():
        raise Refused("no_reason", _("Give a reason. The claimant will read it."), field="reason")
    with transaction.atomic():
        one = PlayerClaim.objects.select_for_update().get(pk=claim_id)
        if one.state != PlayerClaim.State.OPEN:
            raise Conflict("decided", _("This claim is not open any more."))
        if one.account_id == by.pk:
            raise Forbidden("own_claim", _("Somebody else must decide your own claim."))
        one.state = PlayerClaim.State.APPROVED if approve else PlayerClaim.State.REFUSED
        one.answer, one.decided_at = reason.strip(), now
        if approve:
            move_account(one.account, one.player, by, now)
        one.save(update_fields=["state", "answer", "decided_at"])
        StaffAction.objects.create(
            actor=by,
            kind=StaffAction.Kind.CLAIM,
            reason=one.answer,
            details={
                "claim": one.pk,
                "approved": approve,
                "account": one.account.username,
                "name": one.player.name,
            },
            before={"Claim": "open"},
            after={"Claim": "approved" if approve else "refused"},
            at=now,
        )
    return one


def move_account(account: User, player: Player, by: User, now: datetime) -> None:
    """Let the account act for another player instead of its own, which is given up.

    Raises: as :func:`check_claimable` does.
    """
    own = Player.objects.filter(user=account).values_list("pk", flat=True)
    # Both in id order: two claims of the same players cannot deadlock.
    locked = Player.objects.select_for_update().filter(pk__in=[player.pk, *own])
    players = {player.pk: player for player in locked.order_by("pk")}
    claimed = players.pop(player.pk)
    check_claimable(account, claimed, now)
    Player.objects.filter(pk__in=players).update(user=None)
    Player.objects.filter(pk=claimed.pk).update(user=account)
    for given_up in players.values():
        approved.send(sender=PlayerClaim, claimed=claimed, own=given_up, by=by, now=now)


def check_claimable(account: User, player: Player, now: datetime) -> None:
    """Refuse players with an account, in a match or gone, and accounts with their own history.

    Raises:
        Refused: with the reason.
        Conflict: the account's own player has a history, or the claimed one is playing.
    """
    if player.user_id is not None:
        raise Refused("has_account", _("%(player)s has an account.") % {"player": player})
    if player.left_at:
        raise Refused("left", _("%(player)s has left the league.") % {"player": player})
    if found := reasons_against([player], now, codes=BUSY):
        raise busy(found)
    own = Player.objects.filter(user=account).first()
    if own and has_history(own):
        raise Conflict(
            "has_history",
            _(
                "Your own player %(player)s has matches, rosters or penalties. An account acts "
                "for one player. Ask staff to merge the two."
            )
            % {"player": own},
        )


def check_no_open_claim(account: User) -> None:
    """Refuse a second claim of an account while its first is open."""
    if PlayerClaim.objects.filter(account=account, state=PlayerClaim.State.OPEN).exists():
        raise Conflict(
            "claims_already",
            _("You have an open claim. Withdraw it, or wait until staff have decided it."),
        )


def has_history(player: Player) -> bool:
    """Whether a player has ever played, queued, been in a roster or been penalised."""
    return any(
        model.objects.filter(player=player).exists()
        for model in (Participant, TicketMember, RosterMember, DishonorAward)
    )
