"""Support staff see the site as a player does, read-only and for a short time."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from league.models import StaffAction
from league.services.core.errors import Forbidden, Refused
from league.services.people.roles import name_of

if TYPE_CHECKING:
    from collections.abc import MutableMapping
    from datetime import datetime

    from league.models import User

PERMISSION = "league.impersonate"
LASTS = timedelta(minutes=30)
KEY = "seen_as"
"""The key in a session for the impersonated player and the end."""
COOKIE = "seen_as"
"""Set while somebody sees the site as a player, so that other requests need not look for it."""


def may_see_as(by: User, account: User) -> bool:
    """Return whether staff may see the site as this account: never as one with any permission."""
    return (
        by.has_perm(PERMISSION)
        and account.pk != by.pk
        and account.is_active
        and not account.is_staff
        and not account.is_superuser
        and not account.get_all_permissions()
    )


def begin(
    session: MutableMapping[str, Any], account: User, *, by: User, reason: str, now: datetime
) -> StaffAction:
    """Let a session see the site as a player from now on, and record why.

    Raises:
        Forbidden: they may not, or the account is one of staff.
        Refused: there is no reason.
    """
    if not may_see_as(by, account):
        raise Forbidden("not_seen", _("You cannot see the site as this account."))
    if not reason.strip():
        raise Refused("no_reason", _("Give a reason. It stays in the record."), field="reason")
    session[KEY] = {"account": account.pk, "until": (now + LASTS).isoformat()}
    return StaffAction.objects.create(
        actor=by,
        kind=StaffAction.Kind.IMPERSONATED,
        reason=reason.strip(),
        details={"account": account.pk, "name": name_of(account)},
        after={"Until": (now + LASTS).isoformat(timespec="minutes")},
        at=now,
    )
