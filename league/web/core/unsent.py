"""Forms that arrive after their session or their page has expired are kept, and shown once more.

The sender logs in again, or reads the page alone, and sends the form with one press. Nothing is
sent for them: they see what the form says, and press the button of a page with its own token.

- Only a form from a page of this site is kept, as the browser's headers say, which no other site
  can forge. Otherwise a forged form could bring somebody to send what a stranger wrote.
- It is shown only to the account that filled it in, which each page writes into its forms. Whoever
  logs in after them in the same browser does not see it.
- Passwords, codes and files are never kept, nor forms of logging in or of the first set-up.
- While somebody logs in, the form waits in the cache under a random name that only a cookie of
  their browser knows, for an hour at most. It goes nowhere but to its own address.
"""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.core.cache import cache
from django.core.exceptions import TooManyFieldsSent
from django.http import HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from league import rates
from league.clients import AUTHOR, TOKEN
from league.problems import is_for_programs

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse
    from django.http.response import HttpResponseBase

COOKIE = "unsent"
KEPT_FOR = 3600
"""Seconds for which a form waits for its sender to log in."""
LONGEST = 64 * 1024
"""Characters of all fields, more than any text of a page has, but not than a pasted list."""
NEVER_KEPT = ("/accounts/", "/oauth/", "/setup/")
SECRET = re.compile(r"passw|secret|^(code|otp|pin)$", re.IGNORECASE)
"""Names of fields that are never kept."""
UNREAD = {"zone", "client_token", "revision", "next", "digest", "horizon", "step", "seen"}
"""Names of hidden fields that say nothing to a reader."""
MOST_SHOWN = 40


@dataclass(frozen=True)
class UnsentForm:
    """The fields of a form, with where they go and who filled them in."""

    path: str
    page: str
    """The page with the form."""
    fields: list[tuple[str, str]]
    author: str
    """The id of the account, empty for a visitor."""
    leaves_out: bool
    """Whether a file or a secret is missing."""

    @property
    def readable_fields(self) -> list[tuple[str, str]]:
        """Return the names and values that somebody typed or chose, as far as their names tell."""
        typed = [
            (name_in_words(name), value.strip())
            for name, value in self.fields
            if name not in UNREAD and not name.startswith(("_", "initial-")) and value.strip()
        ]
        return typed[:MOST_SHOWN]

    def may_be_seen_by(self, request: HttpRequest) -> bool:
        """Return whether the reader filled it in, or did so before they logged in."""
        return not self.author or self.author == str(request.user.pk)


def name_in_words(name: str) -> str:
    """Return the name of a field as people write it: ``score-0`` as “Score”."""
    words = re.sub(r"[-_\d]+", " ", name).strip()
    return words[:1].upper() + words[1:] if words else name


def form_in(request: HttpRequest) -> UnsentForm | None:
    """Return the form in a request, ``None`` if it must not or cannot be kept."""
    path = request.get_full_path()
    if (
        request.method != "POST"
        or is_for_programs(request)
        or request.path_info.startswith(NEVER_KEPT)
        or getattr(request, "htmx", False)
        or not url_has_allowed_host_and_scheme(path, None)
    ):
        return None
    try:
        sent = [(name, text) for name, texts in request.POST.lists() for text in texts]
        files = bool(request.FILES)
    except (OSError, TooManyFieldsSent):
        return None
    fields = [
        (name, text)
        for name, text in sent
        if name not in {TOKEN, AUTHOR, COOKIE} and not SECRET.search(name)
    ]
    author = request.POST.get(AUTHOR, "")
    secret = any(SECRET.search(name) and text for name, text in sent)
    return UnsentForm(path, page_of(request), fields, author, files or secret)


def page_of(request: HttpRequest) -> str:
    """Return the page that sent a form, or the form's own address if the browser does not say."""
    came_from = urlsplit(request.headers.get("Referer", ""))
    page = came_from._replace(scheme="", netloc="", fragment="").geturl()
    if came_from.netloc == request.get_host() and url_has_allowed_host_and_scheme(page, None):
        return page
    return request.path


def is_from_here(request: HttpRequest) -> bool:
    """Return whether the browser says that a page of this site sent a request."""
    if site := request.headers.get("Sec-Fetch-Site"):
        return site == "same-origin"
    return request.headers.get("Origin") == f"{request.scheme}://{request.get_host()}"


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Show a form whose page has expired again, to be sent by its author."""
    del reason
    form = form_in(request) if is_from_here(request) else None
    if form is None:
        return render(request, "403_csrf.html", status=403)
    if form.author and not request.user.is_authenticated:
        return keep(request, form) or render(request, "403_csrf.html", status=403)
    if not form.may_be_seen_by(request):
        return render(request, "403_csrf.html", {"is_another": True}, status=403)
    return show(request, form, status=403)


def show(request: HttpRequest, form: UnsentForm, status: int = 200, name: str = "") -> HttpResponse:
    context = {"form": form, "name": name}
    return render(request, "core/unsent.html", context, status=status)


def keep(request: HttpRequest, form: UnsentForm) -> HttpResponseRedirect | None:
    """Keep a form while its sender logs in, and lead them there, unless it is too long."""
    size = sum(len(name) + len(text) for name, text in form.fields)
    if size > LONGEST or rates.seconds_to_wait("kept", request):
        return None
    name = secrets.token_urlsafe(24)
    cache.set(key_of(name), form, KEPT_FOR)
    to_login = redirect_to_login(reverse("unsent"))
    to_login.set_cookie(
        COOKIE, name, KEPT_FOR, httponly=True, samesite="Lax", secure=settings.SECURE
    )
    return to_login


def key_of(name: str) -> str:
    return f"unsent:{name}"


@never_cache
@require_safe
@login_required
def unsent(request: HttpRequest) -> HttpResponse:
    """Show the form that somebody filled in before they had to log in."""
    name = request.COOKIES.get(COOKIE, "")
    form: UnsentForm | None = cache.get(key_of(name)) if name else None
    if form is None or not form.may_be_seen_by(request):
        if form is not None:
            messages.info(request, _("The form was filled in by another account, so it is gone."))
        return redirect("home")
    # Whoever logged in is its author from now on.
    cache.set(key_of(name), replace(form, author=str(request.user.pk)), KEPT_FOR)
    return show(request, form, name=name)


class UnsentForms:
    """Keep forms that are answered by the page to log in, until their senders have."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if request.method != "POST":
            return response
        name = request.COOKIES.get(COOKIE, "")
        if name and request.POST.get(COOKIE) == name:
            cache.delete(key_of(name))
            response.delete_cookie(COOKIE)
        if leads_to_login(response) and is_genuine(request) and not request.user.is_authenticated:
            form = form_in(request)
            return (form and keep(request, form)) or response
        return response


def is_genuine(request: HttpRequest) -> bool:
    """Return whether Django has checked the token of a form."""
    return bool(getattr(request, "csrf_processing_done", False))


def leads_to_login(response: HttpResponseBase) -> bool:
    where = response.headers.get("Location", "")
    return response.status_code == 302 and urlsplit(where).path == reverse(settings.LOGIN_URL)
