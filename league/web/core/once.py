"""A form takes effect once, however often the same page sends it.

Each page that is rendered has a CSRF token of its own: the browser's secret under a random mask. A
request with the same token, address and fields as one before it is therefore the same form of the
same page, sent again by a double click, or after the browser's Back. It is led to where the first
one led, and nothing is done again. A page that is opened anew has another token, so what somebody
really wants twice, such as two equal announcements, they can have.

Only forms that ended in a redirect are remembered. One that came back with an error, and one that
only computes a preview, can be sent again. Programs send no form tokens.
"""

from __future__ import annotations

import hashlib
import time
from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.core.cache import cache
from django.http import HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import gettext as _

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse
    from django.http.response import HttpResponseBase

    GetResponse = Callable[[HttpRequest], HttpResponseBase]

REMEMBERED = 3600
"""Seconds for which a form that took effect is remembered."""
LONGEST = 60
"""Seconds after which a form whose process was killed can be sent again."""
PATIENCE = 10.0
"""Seconds for which the second of two requests waits for the first."""
PAUSE = 0.05
DOUBLE_CLICK = 5
"""Seconds within which nobody has read the page that a form answered with."""
MASKED = 64
"""The length of a token with a mask. Programs may send the secret itself, which has 32."""
RUNNING = ""


class SentOnce:
    """Answer a form that was sent before as the first time, without doing anything."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        session = key_of_session(request)
        response = self.get_response(request)
        key = getattr(request, "form_sent", "")
        if not key:
            return response
        if took_effect(request, response) and session == key_of_session(request):
            cache.set(key, response.headers["Location"], REMEMBERED)
        else:
            cache.delete(key)
        return response

    def process_view(
        self, request: HttpRequest, view: Callable[..., object], *_given: object
    ) -> HttpResponse | None:
        if request.method != "POST" or getattr(view, "csrf_exempt", False):
            return None
        token = request.POST.get("csrfmiddlewaretoken", "")
        if len(token) != MASKED:
            return None
        key = fingerprint(request)
        until = time.monotonic() + PATIENCE
        # add() is atomic: of two requests at once, one gets in.
        while not cache.add(key, RUNNING, LONGEST):
            location = cache.get(key)
            if location:
                return sent_before(request, location)
            if time.monotonic() > until:
                return still_running(request)
            time.sleep(PAUSE)
        request.form_sent = key  # type: ignore[attr-defined] # for __call__
        return None


def fingerprint(request: HttpRequest) -> str:
    """Return a cache key for the browser, address, fields and files of a form."""
    digest = hashlib.sha256()
    for part in (key_of_session(request), request.get_full_path()):
        # With lengths: other parts of the same text in a row must not give the same digest.
        digest.update(f"{len(part)}:{part}".encode(errors="surrogatepass"))
    for name, values in sorted(request.POST.lists()):
        for text in (name, str(len(values)), *values):
            digest.update(f"{len(text)}:{text}".encode(errors="surrogatepass"))
    for name, files in sorted(request.FILES.lists()):
        for file in files:
            digest.update(f"{len(name)}:{name}{file.size}:{file.name}".encode())
            for chunk in file.chunks():
                digest.update(chunk)
            # The view reads it from its start.
            file.seek(0)
    return f"form:{digest.hexdigest()}"


def made_a_moment_ago(request: HttpRequest) -> str:
    """Return what this form made when it was sent a moment before, empty if it was not.

    For forms that answer with a page, such as one with a secret that is shown once.
    """
    key = getattr(request, "form_sent", "")
    return (cache.get(f"{key}:made") or "") if key else ""


def note_made(request: HttpRequest, what: str) -> None:
    """Note what the form made, in case that it is sent again by a double click."""
    if key := getattr(request, "form_sent", ""):
        cache.set(f"{key}:made", what, DOUBLE_CLICK)


def key_of_session(request: HttpRequest) -> str:
    return request.session.session_key or ""


def took_effect(request: HttpRequest, response: HttpResponseBase) -> bool:
    """Return whether a form led on to another page, without a message that it was refused."""
    if response.status_code not in {302, 303}:
        return False
    told: Any = messages.get_messages(request)
    queued = told._queued_messages  # noqa: SLF001 - reading would empty them
    return not any(message.level >= messages.ERROR for message in queued)


def sent_before(request: HttpRequest, location: str) -> HttpResponse:
    """Lead to where the form led before, with a note that it counted once."""
    messages.info(request, _("You sent this form more than once. It took effect once."))
    return HttpResponseRedirect(location)


def still_running(request: HttpRequest) -> HttpResponse:
    """Tell somebody that the form they sent before has not been answered yet."""
    text = _("This form was sent before and is still being processed. Wait a moment, then look.")
    return render(request, "400.html", {"message": text}, status=409)
