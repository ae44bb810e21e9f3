"""Delete accounts at their owners' request, after some days to change their mind."""

from __future__ import annotations

import hashlib
import hmac
import logging
from datetime import timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.core import signing
from django.core.mail import send_mail
from django.db import transaction
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _

from league.models import AccountDeletion, BarredAddress, Player, User
from league.outages import outage_behind
from league.services.core.errors import Conflict, Refused
from league.services.dishonor import discipline
from league.services.eligibility.reasons import is_locked
from league.services.people.roles import check_another_owner
from league.services.privacy import forgetting
from league.services.privacy.leaving import leave_everything, list_obstacles
from league.services.site import frame

if TYPE_CHECKING:
    from datetime import datetime

GRACE = timedelta(days=14)
"""The time in which an owner can change their mind."""
LINK_VALID_FOR = timedelta(hours=1)
SALT = "league.privacy.delete"

logger = logging.getLogger(__name__)


def ask(user: User, now: datetime) -> AccountDeletion:
    """Ask for the deletion of an account. Asking again changes nothing.

    Raises:
        Refused: it is the league's only owner.
    """
    with transaction.atomic():
        owners = User.objects.select_for_update(no_key=True).filter(is_superuser=True)
        list(owners.order_by("pk"))  # two owners who leave at once wait for each other
        if user.is_superuser:
            check_stays_owned(user)
        found, _made = AccountDeletion.objects.get_or_create(
            user=user, defaults={"asked_at": now, "due_at": now + GRACE}
        )
    return found


def check_stays_owned(user: User) -> None:
    """Refuse to delete the last owner who is not on the way out."""
    check_another_owner(user)
    others = User.objects.filter(is_superuser=True, is_active=True, deletion=None)
    if not others.exclude(pk=user.pk).exists():
        raise Refused(
            "last_owner",
            _("The other owners delete their accounts too. The league needs one who stays."),
        )


def take_back(user: User) -> None:
    """Keep the account after all.

    Raises:
        Conflict: it is not to be deleted, or has been.
    """
    gone, _rows = AccountDeletion.objects.filter(user=user).delete()
    if not gone:
        raise Conflict("not_asked", _("Your account is not going to be deleted."))


def mail_link(user: User, address: str) -> None:
    """Mail a link that asks for the deletion, to owners who log in without a password."""
    token = signing.dumps([user.pk, user.password], salt=SALT)
    link = f"{settings.SITE_URL}{reverse('account_delete_by_mail', args=[token])}"
    text = _(
        "To delete your account, open this link within an hour and confirm:\n\n%(link)s\n\n"
        "If you did not ask for this, do nothing, and check who else can log in to your account."
    )
    send_mail(
        _("%(league)s: delete your account") % {"league": frame.current().name},
        text % {"link": link},
        None,
        [address],
    )


def account_of_link(token: str) -> User:
    """Return the account whose deletion a link confirms.

    Raises:
        Refused: the link is too old, incomplete, or from before a change of the log-in.
    """
    try:
        user_id, password = signing.loads(token, salt=SALT, max_age=LINK_VALID_FOR)
    except (signing.BadSignature, ValueError) as error:
        text = _("This link has expired or is incomplete. Ask for another one.")
        raise Refused("bad_link", text) from error
    user = User.objects.filter(pk=user_id, password=password, is_active=True).first()
    if user is None:
        raise Refused("bad_link", _("This link has expired or is incomplete. Ask for another one."))
    return user


def due(now: datetime) -> list[int]:
    """Return the accounts that are to be deleted now, the first to ask first."""
    asked = AccountDeletion.objects.filter(due_at__lte=now).order_by("due_at", "pk")
    return list(asked.values_list("pk", flat=True))


def attempt(user_id: int, now: datetime) -> bool:
    """Delete an account, unless something must end first. Return whether it is deleted.

    If that fails, others are deleted, and it is tried again later.
    """
    try:
        return carry_out(user_id, now)
    except Exception as error:
        if outage_behind(error):
            raise
        logger.exception("The account %d could not be deleted.", user_id)
        return False


def carry_out(user_id: int, now: datetime) -> bool:
    """Take the player out of everything and erase the account, unless something must end first."""
    user = User.objects.get(pk=user_id)
    player = Player.objects.filter(user=user).first()
    if player is not None and leave_everything(player, now):
        return False
    with transaction.atomic():
        # They may have taken the request back while the player left everything.
        asked = AccountDeletion.objects.select_for_update().filter(pk=user_id, due_at__lte=now)
        if not asked.exists():
            return False
        user = User.objects.select_for_update().get(pk=user_id)
        if player is not None:
            locked = Player.objects.select_for_update(of=("self",)).select_related("user")
            player = locked.get(pk=player.pk)
            if list_obstacles(player):  # something has begun meanwhile
                return False
            bar_addresses(user, player, now)
        if user.is_superuser:
            check_another_owner(user)
        forgetting.forget(user, player, now)
    logger.info("Account %d is deleted.", user_id)
    return True


def bar_addresses(user: User, player: Player, now: datetime) -> None:
    """Keep hashes of the addresses of a banned player, so that they cannot begin anew with them."""
    ban = discipline.ban_of(player, now)
    if ban is None and not is_locked(player):
        return
    until = ban.ends_at if ban else None
    for address in forgetting.addresses_of(user):
        digest = digest_of(address, settings.SECRET_KEY)
        BarredAddress.objects.update_or_create(digest=digest, defaults={"until": until})


def is_barred(address: str, now: datetime) -> bool:
    """Return whether an address belonged to a deleted account whose ban is still in force."""
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    rows = BarredAddress.objects.filter(digest__in=[digest_of(address, key) for key in keys])
    return rows.filter(Q(until=None) | Q(until__gt=now)).exists()


def forget_ended_bans(now: datetime) -> int:
    """Delete the hashes of addresses whose bans have ended. Return how many."""
    return BarredAddress.objects.filter(until__lte=now).delete()[0]


def digest_of(address: str, key: str) -> str:
    """Return the keyed hash of an address, in lower case and without what follows a plus."""
    name, _at, domain = address.strip().lower().rpartition("@")
    plain = f"{name.partition('+')[0]}@{domain}"
    return hmac.new(key.encode(), plain.encode(), hashlib.sha256).hexdigest()
