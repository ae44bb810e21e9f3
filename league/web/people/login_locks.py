"""Locks after wrong passwords, on the counts of django-axes.

Each account has three counts of wrong passwords within an hour: those of one address, those of one
known browser, and those of all unknown browsers together. The first two stop guessing in one place.
The third stops guessing from many, and spares browsers and addresses in which the account has
logged in before. Mails lead past every lock: neither a code nor a new password needs the old one.

A name without an account is counted and locked alike, and each name and address separately, so
that no answer tells which of them belong to an account.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from allauth.account.signals import password_reset
from axes.handlers.database import AxesDatabaseHandler
from axes.helpers import get_client_username, get_cool_off
from axes.models import AccessAttempt, AccessLog
from axes.signals import user_locked_out
from django.conf import settings
from django.contrib.auth.signals import user_logged_in
from django.db.models import Q
from django.dispatch import receiver
from django.shortcuts import render
from django.utils import timezone

from league.clients import client_address
from league.models import User
from league.web.people.known_browsers import browser_of, logins_of

if TYPE_CHECKING:
    from datetime import datetime
    from typing import Any

    from django.http import HttpRequest, HttpResponse

    Credentials = dict[str, Any] | None

LONGEST_LOGIN = 200
"""The characters of a name that are stored. No account has a longer one."""
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Lock:
    """The reason why a password is not looked at."""

    kind: str
    """``address``, ``browser`` or ``account``: what has had too many wrong ones."""
    failures: int
    """The limit that was reached."""
    until: datetime

    @property
    def left(self) -> timedelta:
        """Return the rest of the lock, in whole minutes from one on."""
        minutes = max(1, round((self.until - timezone.now()).total_seconds() / 60))
        return timedelta(minutes=minutes)


class LoginAttempts(AxesDatabaseHandler):
    """Count wrong passwords as this module says."""

    def get_failures(self, request: HttpRequest, credentials: Credentials = None) -> int:
        """Return the limit of failures if the login is locked, otherwise 0."""
        return settings.AXES_FAILURE_LIMIT if lock_on(request, credentials) else 0


def counted_as(request: HttpRequest, credentials: Credentials = None) -> str:
    """Return the name under which axes counts a wrong password."""
    login = str((credentials or {}).get("username") or "")[:LONGEST_LOGIN]
    browser = browser_of(request)
    return f"{login} ({browser.mark})" if browser and login in browser.logins else login


def lock_on(request: HttpRequest, credentials: Credentials) -> Lock | None:
    """Return the lock that stops this attempt to log in, if there is one."""
    name = get_client_username(request, credentials)
    now = request.axes_attempt_time  # type: ignore[attr-defined] # axes's
    recent = AccessAttempt.objects.filter(username=name, attempt_time__gt=now - get_cool_off())
    browser = browser_of(request)
    if browser and name.endswith(f"({browser.mark})"):
        return lock_from(recent, "browser", settings.AXES_FAILURE_LIMIT)
    address = request.axes_ip_address  # type: ignore[attr-defined] # axes's
    here = recent.filter(ip_address=address)
    if lock := lock_from(here, "address", settings.AXES_FAILURE_LIMIT):
        return lock
    lock = lock_from(recent, "account", settings.LOGIN_FAILURES_EVERYWHERE)
    return None if lock is None or has_logged_in_from(address, name) else lock


def lock_from(attempts: Any, kind: str, limit: int) -> Lock | None:
    """Return the lock of a kind if these attempts reach its limit. It ends when they do not."""
    rows = attempts.order_by("-attempt_time").values_list("failures_since_start", "attempt_time")
    failures = 0
    for count, at in rows:
        failures += count
        if failures >= limit:
            return Lock(kind, limit, at + get_cool_off())
    return None


def has_logged_in_from(address: str | None, login: str) -> bool:
    """Return whether the account with this name or email has logged in from an address before."""
    accounts = User.objects.filter(Q(username=login) | Q(emailaddress__email__iexact=login))
    known = AccessLog.objects.filter(ip_address=address, username__in=accounts.values("username"))
    return address is not None and known.exists()


def show_lock(
    request: HttpRequest, _response: HttpResponse | None, credentials: Credentials
) -> HttpResponse:
    """Return the page that says how long a lock lasts, and how its owner gets in."""
    lock = lock_on(request, credentials)
    if lock is None:  # it has just ended
        return render(request, "429.html", status=429)
    page = render(request, "account/locked.html", {"lock": lock}, status=429)
    page.headers["Retry-After"] = str(int(lock.left.total_seconds()))
    return page


@receiver(user_locked_out)
def note(request: HttpRequest, username: str, **_sent: Any) -> None:
    log.warning("Locked after wrong passwords: %a from %s", username, client_address(request))


@receiver(user_logged_in)
def forgive_here(request: HttpRequest | None, user: User, **_sent: Any) -> None:
    """Forget an account's wrong passwords of this address and this browser."""
    if request is None:
        return
    logins = logins_of(user)
    here = Q(username__in=logins, ip_address=client_address(request))
    if browser := browser_of(request):
        here |= Q(username__in=[f"{login} ({browser.mark})" for login in logins])
    AccessAttempt.objects.filter(here).delete()


@receiver(password_reset)
def forgive_everywhere(user: User, **_sent: Any) -> None:
    """Forget all wrong passwords of an account whose owner proved by mail who they are."""
    AccessAttempt.objects.filter(username__in=logins_of(user)).delete()
