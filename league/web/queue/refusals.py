"""Refusals of the queue's forms: shown on the queue's page, with a way on."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any, Protocol

from django.contrib import messages
from django.shortcuts import redirect
from django.urls import reverse

from league.models import Ticket
from league.services.core.errors import Forbidden, Refused
from league.services.queue.presence import match_of
from league.web.core.acting import player_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse

    View = Callable[..., HttpResponse]

ELSEWHERE = {"no_player"}
"""Codes of refusals that have a page of their own."""


class Page(Protocol):
    """The page of a queue, after a refusal."""

    def __call__(self, request: HttpRequest, slug: str, refusal: Refused) -> HttpResponse: ...


def shown_on(page: Page) -> Callable[[View], View]:
    """Show a view's refusals on the page of its queue, where its reader can try again.

    Those who are already in a queue or a match, perhaps by another tab, are led there instead.
    """

    def decorator(view: View) -> View:
        @wraps(view)
        def wrapper(request: HttpRequest, slug: str, **rest: Any) -> HttpResponse:
            try:
                return view(request, slug, **rest)
            except Forbidden:
                raise
            except Refused as refusal:
                if refusal.code in ELSEWHERE:
                    raise
                place = where_i_am(request) if refusal.code == "busy" else None
                if place is None:
                    return page(request, slug, refusal)
                messages.info(request, refusal.message)
                return redirect(place)

        return wrapper

    return decorator


def where_i_am(request: HttpRequest) -> Any:
    """Return the queue or the live match that the reader is in, as ``redirect`` takes it."""
    me = player_of(request)
    if me is None:
        return None
    live = match_of(me)
    ticket = Ticket.objects.of(me).select_related("arena").first()
    return live or (ticket and reverse("queue", args=[ticket.arena.slug]))
