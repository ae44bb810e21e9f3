"""Connected apps: what they may do, their tokens, and revocation."""

from __future__ import annotations

import hashlib
import logging
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from allauth.account.models import EmailAddress
from allauth.idp.oidc.models import Client, Token
from django.db import Error as DatabaseError
from django.db import transaction

from league.models import ConnectedApp, SpentGrant
from league.services.apps.scopes import in_order
from league.services.core.turns import take_turn

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from datetime import datetime

    from django.db.models import QuerySet

    from league.models import User

LONGEST_TOKEN = 200
# Not at each request: reading would write a row.
NOTED_EVERY = timedelta(minutes=1)
REMEMBERED = timedelta(days=30)
"""The time for which spent codes and tokens are stored, to detect reuse."""
LEEWAY = timedelta(seconds=10)
"""A code or token that is sent again within this time is refused, but nothing is revoked."""
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class AppAccess:
    """The permissions of an app's access token."""

    pk: int
    """Of the token."""
    user: User
    scopes: frozenset[str]
    """The scopes that the user has allowed, without those that the app may no longer request."""
    expires_at: datetime | None
    resources: tuple[str, ...]
    """The addresses to which the token is limited, if any (RFC 8707)."""
    app: ConnectedApp

    def allows_any(self, scopes: Iterable[str]) -> bool:
        return not self.scopes.isdisjoint(scopes)


def apps_of(user: User) -> QuerySet[ConnectedApp]:
    """Return the apps that may act for an account, in the order in which they were connected."""
    rows = ConnectedApp.objects.filter(user=user).select_related("client")
    return rows.order_by("made_at", "id")


def connect(user: User, client: Client, scopes: Collection[str], now: datetime) -> ConnectedApp:
    """Connect an app, or add scopes to its connection."""
    with transaction.atomic():
        app, is_new = ConnectedApp.objects.select_for_update().get_or_create(
            user=user, client=client, defaults={"scopes": in_order(scopes), "made_at": now}
        )
        if not is_new:
            app.scopes = in_order({*app.scopes, *scopes})
            app.save(update_fields=["scopes"])
    return app


def has_allowed(user: User, client: Client, scopes: Collection[str]) -> bool:
    """Return whether an account has already allowed an app all of these scopes."""
    app = ConnectedApp.objects.filter(user=user, client=client).first()
    return app is not None and set(scopes) <= set(app.scopes)


def has_several_addresses(user: User) -> bool:
    """Return whether an account chooses which of its email addresses an app sees."""
    return EmailAddress.objects.filter(user=user, verified=True).count() > 1


def disconnect(app: ConnectedApp) -> None:
    """Remove an app's access to an account. Its tokens are revoked at once."""
    with transaction.atomic():
        if ConnectedApp.objects.select_for_update().filter(pk=app.pk).first() is None:
            return
        tokens_of(app).delete()
        ConnectedApp.objects.filter(pk=app.pk).delete()


def tokens_of(app: ConnectedApp) -> QuerySet[Token]:
    tokens: QuerySet[Token] = Token.objects.filter(user=app.user_id, client=app.client_id)
    return tokens


def find_access(text: str) -> AppAccess | None:
    """Return what an access token allows, even if it has expired."""
    if not text.isascii() or len(text) > LONGEST_TOKEN:
        return None
    tokens = Token.objects.by_value(text).filter(type=Token.Type.ACCESS_TOKEN)
    token = tokens.select_related("user", "client").first()
    if token is None or token.user is None or token.client is None:
        return None
    app = ConnectedApp.objects.filter(user=token.user_id, client=token.client_id).first()
    if app is None:
        return None
    return AppAccess(
        pk=token.pk,
        user=token.user,
        scopes=frozenset(token.get_scopes()) & set(token.client.get_scopes()),
        expires_at=token.expires_at,
        resources=tuple(token.get_resources()),
        app=app,
    )


def note_use(app: ConnectedApp, now: datetime) -> None:
    """Record that an app acted for an account, at most once a minute."""
    if app.used_at is not None and now - app.used_at < NOTED_EVERY:
        return
    try:
        with transaction.atomic():
            ConnectedApp.objects.filter(pk=app.pk).update(used_at=now)
    except DatabaseError as error:  # such as a full disk, while everything can still be read
        log.warning("The use of connected app %d was not noted: %s", app.pk, error)


def note_use_of(token: Token, now: datetime) -> None:
    app = ConnectedApp.objects.filter(user=token.user_id, client=token.client_id).first()
    if app is not None:
        note_use(app, now)


def digest_of(grant: str) -> str:
    return hashlib.sha256(grant.encode(errors="surrogatepass")).hexdigest()


def lock_grant(grant: str) -> None:
    """Lock a code or token until the transaction ends."""
    take_turn(digest_of(grant), 1)


def spend(grant: str, access_token: str, now: datetime) -> bool:
    """Record that a code or token was exchanged, in the caller's transaction.

    Return whether the app is still connected.
    """
    token = Token.objects.by_value(access_token).filter(type=Token.Type.ACCESS_TOKEN).first()
    if token is None:
        return False
    # A new password or the account's owner may be ending the connection at this moment.
    rows = ConnectedApp.objects.select_for_update(of=("self",))
    app = rows.filter(user=token.user_id, client=token.client_id).first()
    if app is None:
        return False
    SpentGrant.objects.get_or_create(
        digest=digest_of(grant), defaults={"app": app, "spent_at": now}
    )
    note_use(app, now)
    return True


def end_if_stolen(grant: str, client_id: str, now: datetime) -> bool:
    """Revoke an app's tokens if it has sent a spent code or token again. Return whether it has.

    One of the two senders may have stolen it.
    """
    rows = SpentGrant.objects.select_related("app").filter(digest=digest_of(grant))
    spent = rows.filter(app__client=client_id, spent_at__lt=now - LEEWAY).first()
    if spent is None:
        return False
    log.warning("App %s sent a code or token of account %d again.", client_id, spent.app.user_id)
    tokens_of(spent.app).delete()
    return True


def is_of_another(text: str, client_id: str) -> bool:
    """Return whether a token belongs to another app."""
    return Token.objects.by_value(text).exclude(client=client_id).exists()


def access_beside(refresh_token: str) -> QuerySet[Token]:
    """Return the access tokens of a refresh token's app and account."""
    kept = Token.objects.by_value(refresh_token).filter(type=Token.Type.REFRESH_TOKEN).first()
    if kept is None:
        return Token.objects.none()
    tokens: QuerySet[Token] = Token.objects.filter(
        user=kept.user_id, client=kept.client_id, type=Token.Type.ACCESS_TOKEN
    )
    return tokens


def forget_old(now: datetime) -> int:
    """Delete expired tokens and old spent grants. Return how many."""
    ended, _rows = Token.objects.filter(expires_at__lte=now).delete()
    old = SpentGrant.objects.filter(spent_at__lt=now - REMEMBERED)
    return ended + old.delete()[0]
