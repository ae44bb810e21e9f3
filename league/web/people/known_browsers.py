"""Browsers in which an account has logged in before.

A signed cookie marks them. Their wrong passwords are counted on their own, so that nobody else's
guesses lock the owner out there. The cookie gives no access, and a new password ends its effect.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from allauth.account.models import EmailAddress
from allauth.account.signals import password_changed, password_reset, password_set
from django.conf import settings
from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver

from league.models import User
from league.models.names import fold

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from django.http import HttpRequest, HttpResponse

COOKIE = "known_browser"
KEPT = timedelta(days=180)
PATH = "/accounts/"


@dataclass(frozen=True)
class KnownBrowser:
    """A browser and the account that logged in with it last."""

    mark: str
    """Distinguishes the browser from others of the account."""
    logins: frozenset[str]
    """The names that the account can log in with, folded."""


def browser_of(request: HttpRequest) -> KnownBrowser | None:
    """Return the browser of a request if it is known, reading the database once a request."""
    if not hasattr(request, "known_browser"):
        request.known_browser = read(request)  # type: ignore[attr-defined] # ours
    return request.known_browser  # type: ignore[attr-defined,no-any-return] # ours


def read(request: HttpRequest) -> KnownBrowser | None:
    owner, _, _rest = request.COOKIES.get(COOKIE, "").partition("-")
    if not (owner.isascii() and owner.isdigit() and len(owner) < 19):
        return None
    user = User.objects.filter(pk=owner).first()
    if user is None:
        return None
    mark = request.get_signed_cookie(COOKIE, None, salt=salt(user), max_age=KEPT)
    return KnownBrowser(mark, logins_of(user)) if mark else None


def salt(user: User) -> str:
    """Return the salt of the signature, which changes with the password."""
    return f"league.known_browser.{user.get_session_auth_hash()}"


def logins_of(user: User) -> frozenset[str]:
    """Return the name and the addresses that an account can log in with, folded."""
    addresses = EmailAddress.objects.filter(user=user).values_list("email", flat=True)
    return frozenset(fold(login) for login in (user.username, user.email, *addresses) if login)


@receiver([user_logged_in, password_changed, password_reset, password_set])
def remember(request: HttpRequest | None, user: User, **_sent: Any) -> None:
    """Have the response mark the browser of somebody who proved who they are."""
    if request is not None:
        request.now_known_to = user  # type: ignore[attr-defined] # ours


class KnownBrowsers:
    """Middleware that marks browsers as known."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        user: User | None = getattr(request, "now_known_to", None)
        if user is not None:
            response.set_signed_cookie(
                COOKIE,
                f"{user.pk}-{secrets.token_hex(4)}",
                salt=salt(user),
                max_age=KEPT,
                path=PATH,
                secure=settings.SECURE,
                httponly=True,
                samesite="Lax",
            )
        return response
