"""Sessions in which somebody is logged in, without a login."""

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils.crypto import get_random_string

from league.models import User

BACKEND = "allauth.account.auth_backends.AuthenticationBackend"


def session_of(user: User) -> str:
    """Return the key of a session in which ``user`` is logged in. One statement writes it."""
    store = SessionStore()
    login = {
        SESSION_KEY: str(user.pk),
        BACKEND_SESSION_KEY: BACKEND,
        HASH_SESSION_KEY: user.get_session_auth_hash(),
    }
    session = Session(
        session_key=get_random_string(32),
        session_data=store.encode(login),
        expire_date=store.get_expiry_date(),
    )
    session.save(force_insert=True)
    return session.session_key


def log_in(client: Client, user: User) -> None:
    """Let a client send the session of ``user``.

    ``Client.force_login`` takes twenty statements, as it also notes the login.
    """
    client.cookies[settings.SESSION_COOKIE_NAME] = session_of(user)
