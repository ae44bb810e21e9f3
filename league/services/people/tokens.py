"""Personal API tokens, with which programs act for an account."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.translation import gettext as _
from knox.models import AuthToken

from league.models import User
from league.services.core.errors import Conflict, Forbidden

if TYPE_CHECKING:
    from django.db.models import QuerySet

MOST_TOKENS = 20


def tokens_of(user: User) -> QuerySet[AuthToken]:
    """Return an account's tokens, oldest first."""
    tokens: QuerySet[AuthToken] = AuthToken.objects.filter(user=user)
    return tokens.order_by("created", "digest")


def make_token(user: User) -> tuple[AuthToken, str]:
    """Create a token and return it with its text. Only a digest of the text is stored.

    Raises:
        Conflict: the account has the maximum number of tokens.
        Forbidden: its password has changed since the request began.
    """
    with transaction.atomic():
        locked = User.objects.select_for_update().get(pk=user.pk)
        if locked.password != user.password:
            raise Forbidden("new_password", _("Your password has changed. Log in again."))
        if tokens_of(user).count() >= MOST_TOKENS:
            raise Conflict(
                "too_many_tokens",
                _("You already have %(count)d tokens. Revoke one first.") % {"count": MOST_TOKENS},
            )
        created: tuple[AuthToken, str] = AuthToken.objects.create(user=user)  # type: ignore[no-untyped-call] # untyped there
    return created
