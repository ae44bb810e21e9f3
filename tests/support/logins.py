"""Sessions in which somebody is logged in, without a login."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore

if TYPE_CHECKING:
    from django.test import Client

    from league.models import User

BACKEND = "allauth.account.auth_backends.AuthenticationBackend"


def session_of(user: User) -> str:
    """Return the key of a session in which ``user`` is logged in."""
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = BACKEND
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    return cast("str", session.session_key)


def log_in(client: Client, user: User) -> None:
    """Let a client send the session of ``user``.

    ``Client.force_login`` takes twenty statements, as it also notes the login.
    """
    client.cookies[settings.SESSION_COOKIE_NAME] = session_of(user)
