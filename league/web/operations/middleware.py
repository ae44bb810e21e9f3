"""Middleware: answers to monitors, and the time, statements and log line of each request."""

from __future__ import annotations

import logging
import re
import time
from typing import TYPE_CHECKING
from uuid import uuid4

from django.conf import settings
from django.urls import Resolver404, resolve

from league import measuring
from league.logs import Work, working

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

    GetResponse = Callable[[HttpRequest], HttpResponseBase]

PROBES = re.compile(r"/(healthz|readyz|readyz/[\w-]+|metrics)")
METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
REQUEST_ID = re.compile(r"[\w-]{1,64}", re.ASCII)
log = logging.getLogger("league.access")


class Probes:
    """Answer monitors before anything else.

    They ask by IP address or ``localhost``, without TLS, and also while sessions cannot be read.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if not PROBES.fullmatch(request.path_info):
            return self.get_response(request)
        try:
            view, args, kwargs = resolve(request.path_info)
        except Resolver404:
            return self.get_response(request)
        answer: HttpResponseBase = view(request, *args, **kwargs)
        # Django would log each answer that is not 200 as an error of its own.
        vars(answer)["_has_been_logged"] = True
        return answer


class MeasuredRequests:
    """Measure each request: a log line, metrics, an id, and for staff a ``Server-Timing`` header.

    The line names the route and not the address, which may have a name or a secret in it.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        began = time.perf_counter()
        request_id = id_of(request)
        with working(request_id=request_id) as work:
            vars(request)["log_ids"] = work.ids
            response = self.get_response(request)
            seconds = time.perf_counter() - began
            note(request, response, work, seconds)
        response.headers["X-Request-ID"] = request_id
        if is_staff(request):
            response.headers["Server-Timing"] = (
                f'db;dur={work.seconds * 1000:.1f};desc="{work.statements} statements", '
                f"total;dur={seconds * 1000:.1f}"
            )
        return response


def id_of(request: HttpRequest) -> str:
    """Return the id that the proxy has given a request, or a new one."""
    given = request.headers.get("X-Request-ID", "") if settings.PROXY_HOPS else ""
    return given if REQUEST_ID.fullmatch(given) else uuid4().hex


def note(request: HttpRequest, response: HttpResponseBase, work: Work, seconds: float) -> None:
    """Log and count a request."""
    route, status = route_of(request), response.status_code
    method = request.method if request.method in METHODS else "other"
    measuring.requests.labels(route, method, str(status)).inc()
    measuring.request_seconds.labels(route).observe(seconds)
    figures = {
        "method": method,
        "route": route,
        "status": status,
        "ms": round(seconds * 1000, 1),
        "statements": work.statements,
        "database_ms": round(work.seconds * 1000, 1),
    }
    log.info(
        "%(method)s %(route)s %(status)d %(ms).1f ms, %(statements)d statements in "
        "%(database_ms).1f ms",
        figures,
        extra=figures,
    )


def route_of(request: HttpRequest) -> str:
    """Return the pattern that a request's address matched, such as ``matches/<int:pk>/``."""
    match = request.resolver_match
    return f"/{match.route}" if match else "unknown"


def is_staff(request: HttpRequest) -> bool:
    """Return whether staff made a request. Nobody is looked up for this."""
    user = getattr(request, "_cached_user", None)  # where Django keeps the user once looked up
    return bool(user and user.is_active and user.is_staff)
