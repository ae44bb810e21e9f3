"""API tokens, with which programs act for an account."""

from __future__ import annotations

import hashlib
import logging
import secrets
from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import Error as DatabaseError
from django.db import transaction
from django.utils.translation import gettext as _

from league.models import AccessToken, Scope, User
from league.models.access_token import LONGEST_TOKEN_NAME
from league.models.lists import list_of
from league.services.core.errors import Conflict, Forbidden, Refused

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from django.db.models import QuerySet

    from league.models import Arena

MOST_TOKENS = 20
ADD_MATCHES = "league.add_match"
PREFIX = "laurel_"
"""The start of all tokens, so that people and scanners of published code recognise one."""
# 256 bits cannot be guessed, so a plain hash of a token is enough, without a salt.
RANDOM_BYTES = 32
SHOWN = len(PREFIX) + 6
"""Characters of a token that stay readable, to tell one from another."""
LONGEST_TOKEN = 200
# Not at each request: reading would write a row.
NOTED_EVERY = timedelta(minutes=1)
LONGEST_LIFE = timedelta(days=3660)
log = logging.getLogger(__name__)


def tokens_of(user: User) -> QuerySet[AccessToken]:
    """Return an account's tokens, oldest first."""
    return AccessToken.objects.filter(user=user).order_by("made_at", "id")


def make_token(
    user: User,
    name: str,
    scopes: Collection[str],
    *,
    now: datetime,
    expires_at: datetime | None = None,
) -> tuple[AccessToken, str]:
    """Create a token and return it with its text. Only a digest of the text is stored.

    Raises:
        Conflict: the account has the maximum number of tokens.
        Forbidden: its password has changed since the request began.
        Refused: the name is empty, a scope is unknown, or the token would expire at once.
    """
    check_token(name, scopes, expires_at, now)
    with transaction.atomic():
        # A new password revokes all tokens. One made at that moment would survive it.
        locked = User.objects.select_for_update().get(pk=user.pk)
        if locked.password != user.password:
            raise Forbidden("new_password", _("Your password has changed. Log in again."))
        if tokens_of(user).count() >= MOST_TOKENS:
            raise Conflict(
                "too_many_tokens",
                _("You already have %(count)d tokens. Revoke one first.") % {"count": MOST_TOKENS},
            )
        return create(user, name, scopes, now=now, expires_at=expires_at)


def make_server_token(
    user: User,
    name: str,
    arenas: Collection[Arena],
    *,
    now: datetime,
    expires_at: datetime | None = None,
    signs: bool = False,
) -> tuple[AccessToken, str]:
    """Create a token for the game server of some arenas, and return it with its text.

    Raises:
        Refused: its account may not add matches, or what it should be is not possible.
    """
    check_token(name, [Scope.SERVER], expires_at, now)
    if not user.has_perm(ADD_MATCHES):
        text = _("This account may not add matches, which a game server needs.")
        raise Refused("not_a_game_server", text, field="user")
    if not arenas:
        raise Refused("no_arenas", _("Choose the arenas of the game server."), field="arenas")
    with transaction.atomic():
        made, written = create(user, name, [Scope.SERVER], now=now, expires_at=expires_at)
        AccessToken.objects.filter(pk=made.pk).update(is_bound=True, signs=signs)
        made.is_bound, made.signs = True, signs
        made.arenas.set(arenas)
    return made, written


def create(
    user: User,
    name: str,
    scopes: Collection[str],
    *,
    now: datetime,
    expires_at: datetime | None,
) -> tuple[AccessToken, str]:
    text = PREFIX + secrets.token_urlsafe(RANDOM_BYTES)
    made = AccessToken.objects.create(
        user=user,
        name=name.strip(),
        scopes=[scope for scope in Scope.values if scope in {Scope.READ, *scopes}],
        start=text[:SHOWN],
        digest=digest_of(text),
        made_at=now,
        expires_at=expires_at,
    )
    return made, text


def check_token(
    name: str, scopes: Collection[str], expires_at: datetime | None, now: datetime
) -> None:
    """Refuse what no token can have."""
    if not name.strip() or len(name.strip()) > LONGEST_TOKEN_NAME:
        text = _("Give the token a name of 1 to %(most)d characters.")
        raise Refused("invalid_name", text % {"most": LONGEST_TOKEN_NAME}, field="name")
    if unknown := set(scopes) - set(Scope.values):
        text = _("There is no scope %(scope)s. The scopes are %(known)s.")
        known = {"scope": min(unknown), "known": list_of(Scope.values)}
        raise Refused("unknown_scope", text % known, field="scopes")
    if expires_at is not None and not now < expires_at <= now + LONGEST_LIFE:
        text = _("A token expires in the future, in ten years at the latest.")
        raise Refused("invalid_expiry", text, field="expires_at")


def digest_of(text: str) -> str:
    """Return the digest that is stored of a token."""
    made = hashlib.sha256 if text.startswith(PREFIX) else hashlib.sha512
    return made(text.encode()).hexdigest()


def find_token(text: str) -> AccessToken | None:
    """Return the token with this text and its account, expired or not. One query."""
    if not text.isascii() or len(text) > LONGEST_TOKEN:
        return None
    return AccessToken.objects.select_related("user").filter(digest=digest_of(text)).first()


def note_use(token: AccessToken, now: datetime) -> None:
    """Store that a token was used, once a minute at most. Nothing else depends on it."""
    if token.used_at is not None and now - token.used_at < NOTED_EVERY:
        return
    try:
        with transaction.atomic():
            AccessToken.objects.filter(pk=token.pk).update(used_at=now)
    except DatabaseError as error:  # such as a full disk, while everything can still be read
        log.warning("The use of token %d was not noted: %s", token.pk, error)
