"""Pages that are read from the replica, but never by somebody who has just changed something.

Boards, profiles and histories may be two seconds old. Whoever has written, in this browser or with
this token, reads from the primary until the replica has caught up for sure. So does everybody while
the replica is down or late, and a read that fails on it is repeated on the primary.
"""

from __future__ import annotations

import hashlib
from contextlib import contextmanager
from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from django.conf import settings
from django.core.cache import cache
from django.db import Error as DatabaseError
from django.db import connection, connections
from django.http import Http404
from django.template.response import SimpleTemplateResponse

from league import database, replica
from league.replica import watch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

Args = ParamSpec("Args")
Response = TypeVar("Response", bound="HttpResponseBase")
READS = {"GET", "HEAD", "OPTIONS"}
COOKIE = "laurel-wrote"
REMEMBERED = 5
"""Seconds for which somebody's write is remembered: longer than ``replica.OLDEST`` and a page."""


def from_replica(
    view: Callable[Concatenate[HttpRequest, Args], Response],
) -> Callable[Concatenate[HttpRequest, Args], Response]:
    """Let a view that only reads do so from the replica, if there is one and the reader may."""

    @wraps(view)
    def read(request: HttpRequest, /, *args: Args.args, **kwargs: Args.kwargs) -> Response:
        if not may_read(request):
            return view(request, *args, **kwargs)
        _ = request.user.is_authenticated  # from the primary, who they are
        try:
            with reading():
                response = view(request, *args, **kwargs)
                if isinstance(response, SimpleTemplateResponse) and response.template_name:
                    response.render()
                return response
        except DatabaseError:
            watch.distrust()
        except Http404:  # perhaps what was asked for is newer than the replica
            pass
        return view(request, *args, **kwargs)

    return read


def may_read(request: HttpRequest) -> bool:
    """Return whether a request may be answered from the replica."""
    return (
        replica.is_configured()
        and request.method in READS
        and not connection.in_atomic_block
        and watch.is_close()
        and not has_just_written(request)
    )


@contextmanager
def reading() -> Iterator[None]:
    """Let this thread read from the replica for a while."""
    usual = database.use(connections[replica.ALIAS])
    try:
        yield
    finally:
        database.use(usual)


def has_just_written(request: HttpRequest) -> bool:
    """Return whether somebody has written in this browser or with this token."""
    if token := request.META.get("HTTP_AUTHORIZATION"):
        return bool(cache.get(key_of(token)))
    return COOKIE in request.COOKIES  # which the browser forgets in time


def key_of(token: str) -> str:
    return f"wrote:{hashlib.sha256(token.encode()).hexdigest()}"


class RecentWrites:
    """Remember for a few seconds who sent a request that may have written."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if not replica.is_configured() or request.method in READS:
            return response
        if token := request.META.get("HTTP_AUTHORIZATION"):
            cache.set(key_of(token), 1, REMEMBERED)
        else:
            response.set_cookie(
                COOKIE,
                "1",
                max_age=REMEMBERED,
                httponly=True,
                secure=settings.SECURE,
                samesite="Lax",
            )
        return response
