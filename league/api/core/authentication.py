"""Authentication by a token in the ``Authorization`` header, of an account or of an app."""

from __future__ import annotations

from typing import TYPE_CHECKING

from allauth.idp.oidc.internal.resources import is_resources_subset
from django.conf import settings
from django.utils.translation import gettext as _
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed

from league.services.apps import connecting
from league.services.core.clock import database_now
from league.services.core.errors import Forbidden
from league.services.people import signing, tokens

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import HttpRequest
    from rest_framework.request import Request

    from league.models import AccessToken, User
    from league.services.apps.connecting import AppAccess

SCHEMES = {b"bearer", b"token"}
"""``Bearer`` is the standard; ``Token`` is what programs of earlier releases send."""


class AccessTokens(BaseAuthentication):
    """``Authorization: Bearer …``."""

    def authenticate(self, request: Request) -> tuple[User, AccessToken | AppAccess] | None:
        """Return the account and token of a request, ``None`` without a token.

        Raises:
            AuthenticationFailed: the token is malformed, unknown, revoked or expired.
        """
        sent = get_authorization_header(request).split()
        if not sent or sent[0].lower() not in SCHEMES:
            return None
        if len(sent) != 2:
            raise AuthenticationFailed(_("Send one token, without spaces, after “Bearer”."))
        text = sent[1].decode("latin-1")
        token = tokens.find_token(text) or connecting.find_access(text)
        if token is None:
            raise AuthenticationFailed(_("This token is unknown or was revoked."))
        now = database_now()
        if token.expires_at is not None and token.expires_at <= now:
            raise AuthenticationFailed(_("This token has expired."), code="token_expired")
        if not token.user.is_active:
            raise AuthenticationFailed(_("The account of this token is closed."))
        if isinstance(token, connecting.AppAccess):
            check_resources(request, token)
            connecting.note_use(token.app, now)
            return token.user, token
        if token.signs and request.method not in {"GET", "HEAD"}:
            check_signature(request, token, now)
        tokens.note_use(token, now)
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        del request
        return 'Bearer realm="Laurel"'


def check_resources(request: Request, access: AppAccess) -> None:
    """Refuse a token that is limited to other addresses (RFC 8707)."""
    here = f"{settings.SITE_URL}{request.path}"
    if access.resources and not is_resources_subset([here], list(access.resources)):
        raise AuthenticationFailed(_("This token is limited to other addresses."))


def check_signature(request: Request, token: AccessToken, now: datetime) -> None:
    """Refuse a request that its token did not sign, or that was sent before."""
    plain: HttpRequest = request._request  # noqa: SLF001 - the body as it was sent
    try:
        signing.check_signature(
            token,
            method=plain.method or "",
            address=plain.get_full_path(),
            timestamp=plain.headers.get("Laurel-Timestamp", ""),
            nonce=plain.headers.get("Laurel-Nonce", ""),
            sent=plain.headers.get("Laurel-Signature", ""),
            body=plain.body,
            now=now,
        )
    except Forbidden as refused:
        raise AuthenticationFailed(refused.message, code=refused.code) from refused
