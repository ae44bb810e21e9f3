"""Limits on requests a minute, for pages and the API alike.

Each account has its own count, and visitors share that of their address; those whose address is
unknown share one. The limits are in the settings (``REQUESTS_A_MINUTE``), by scope. Each minute is
counted in one cache entry.

While the cache is down, nothing is counted, and the site works on: the limits that protect players,
of reports, challenges, invitations and wrong passwords, are kept in the database.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.cache import cache
from django.utils.translation import ngettext

from league.clients import client_address

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from django.http import HttpRequest, QueryDict
    from rest_framework.request import Request

    View = TypeVar("View", bound=Callable[..., object])

MINUTE = 60
WRITE, COSTLY = "write", "costly"


def limit_gets(scope: str, *, if_asked: tuple[str, ...] = ()) -> Callable[[View], View]:
    """Limit the GET requests of a page, or only those with one of these parameters."""

    def mark(view: View) -> View:
        view.rate, view.rated_if_asked = scope, if_asked  # type: ignore[attr-defined] # ours
        return view

    return mark


def tries_out(saves_nothing: Callable[[QueryDict], bool]) -> Callable[[View], View]:
    """Count the POST requests of a page that only compute among the costly ones, not the forms.

    They are sent while somebody types, and must not use up the limit for saving.
    """

    def mark(view: View) -> View:
        view.saves_nothing = saves_nothing  # type: ignore[attr-defined] # ours
        return view

    return mark


def counts_itself(view: View) -> View:
    """Exempt a page from these limits, because it counts requests by their sender itself."""
    view.counts_itself = True  # type: ignore[attr-defined] # ours
    return view


def scope_of(request: HttpRequest, view: Callable[..., object]) -> str | None:
    """Return the scope in which a request of a page counts, None if it is not limited."""
    if getattr(view, "counts_itself", False):
        return None
    if request.method not in {"GET", "HEAD"}:
        saves_nothing = getattr(view, "saves_nothing", None)
        return COSTLY if saves_nothing and saves_nothing(request.POST) else WRITE
    if_asked = getattr(view, "rated_if_asked", ())
    if if_asked and not any(request.GET.get(name) for name in if_asked):
        return None
    return getattr(view, "rate", None)


@dataclass(frozen=True)
class Allowance:
    """The requests that somebody has left in this minute, once a request is counted."""

    limit: int
    asked: int
    reset: int
    """Seconds until the next minute."""

    @property
    def left(self) -> int:
        return max(0, self.limit - self.asked)

    @property
    def is_used_up(self) -> bool:
        return self.asked > self.limit


def seconds_to_wait(scope: str, request: HttpRequest | Request) -> int:
    """Count a request and return how many seconds it came too early, 0 within the limit."""
    allowance = allowance_after(scope, request)
    return allowance.reset if allowance and allowance.is_used_up else 0


def allowance_after(scope: str, request: HttpRequest | Request) -> Allowance | None:
    """Count a request and return what is left of the minute, ``None`` if nothing is limited."""
    is_account = request.user.is_authenticated
    kind = "account" if is_account else "address"
    who = (
        getattr(request, "impersonator", request.user).pk
        if is_account
        else client_address(request) or "unknown"
    )
    allowed = settings.REQUESTS_A_MINUTE[scope][kind]
    if allowed is None:
        return None
    now = time.time()
    asked = count(f"requests:{scope}:{kind}:{who}:{int(now // MINUTE)}")
    return Allowance(allowed, asked, max(1, math.ceil(MINUTE - now % MINUTE)))


def count(key: str) -> int:
    """Count one more request and return the total."""
    try:
        if cache.add(key, 1, 2 * MINUTE):
            return 1
        return cache.incr(key)
    except ValueError:  # expired between the two
        return 1


def too_many(seconds: int) -> str:
    return ngettext(
        "Too many requests. Try again in %(seconds)d second.",
        "Too many requests. Try again in %(seconds)d seconds.",
        seconds,
    ) % {"seconds": seconds}
