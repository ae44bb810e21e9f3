"""What visitors get while the database, the broker or the disk is out of order."""

from __future__ import annotations

import logging
import re
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from django.db import connection
from django.http import HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views import defaults
from psycopg_pool import PoolTimeout

from league import database
from league.outages import Outage, outage_behind
from league.problems import is_for_programs, problem_response

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

    GetResponse = Callable[[HttpRequest], HttpResponseBase]

READS = ("GET", "HEAD")
RETRIED_WITHIN = 2.0
"""Seconds after which a failed read is not repeated, so that nobody waits for two failures."""
READING = re.compile(r"\s*(SELECT|SET|SAVEPOINT|RELEASE|ROLLBACK)\b", re.IGNORECASE)
READING_ONLY = re.compile(
    r"\s*WITH\b(?!.*\b(INSERT INTO|UPDATE|DELETE FROM|MERGE INTO)\b)", re.IGNORECASE | re.DOTALL
)
log = logging.getLogger(__name__)


def server_error(request: HttpRequest) -> HttpResponse:
    """Return the response to an exception that nothing has handled."""
    error = sys.exc_info()[1]
    if outage := outage_behind(error):
        return unavailable(request, outage, error)
    if is_for_programs(request):
        message = _("Something broke on our side. The error has been logged.")
        return problem_response(request, 500, "error", message)
    return HttpResponse(render_to_string("500.html"), status=500)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return the response to a request that Django itself refuses, such as for an unknown host."""
    if is_for_programs(request):
        return problem_response(request, 400, "parse_error", _("This request cannot be read."))
    return defaults.bad_request(request, exception)


def unavailable(
    request: HttpRequest, outage: Outage, error: BaseException | None = None
) -> HttpResponse:
    """Return a page or, for programs, an error document that needs nothing to be shown."""
    if error:
        if isinstance(error.__cause__, PoolTimeout):
            database.outage.begin()
        log.warning("503 %s: %s", request.path, error, exc_info=error)
    message = explanation(outage)
    response: HttpResponse
    if is_for_programs(request):
        response = problem_response(request, 503, outage.code, message)
    else:
        context = {"message": message, "is_read": request.method in READS}
        response = HttpResponse(render_to_string("503.html", context), status=503)
    response.headers["Retry-After"] = str(outage.wait)
    response.headers["Cache-Control"] = "no-store"
    response.outage = outage  # type: ignore[attr-defined] # for the middleware below
    response._has_been_logged = True  # type: ignore[attr-defined] # noqa: SLF001 - above
    return response


def explanation(outage: Outage) -> str:
    match outage:
        case Outage.FULL:
            return _(
                "The site's disk is full, so nothing can be saved. You can still read everything. "
                "Saving works again as soon as there is room."
            )
        case Outage.BUSY:
            return _("The site is busy. Try again in a few seconds.")
        case _:
            return _("The site's database does not respond. Try again in a few seconds.")


class Outages:
    """Answer at once while there is no database, and repeat a read whose connection was lost."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        database.begin_request()
        if database.outage.lasts():
            return unavailable(request, Outage.UNAVAILABLE)
        if request.method not in READS:
            return self.get_response(request)
        began = time.monotonic()
        with writes() as written:
            response = self.get_response(request)
        lost = getattr(response, "outage", None) is Outage.UNAVAILABLE
        if lost and not written and time.monotonic() - began < RETRIED_WITHIN:
            connection.close_if_unusable_or_obsolete()
            # A new one, without what the first try has left on it.
            again = type(request)(request.environ)  # type: ignore[attr-defined,call-arg] # WSGI
            return self.get_response(again)
        return response

    def process_view(self, request: HttpRequest, view: Callable[..., Any], *_given: object) -> None:
        if takes_long(request, view):
            database.allow_long_work()


@contextmanager
def writes() -> Iterator[list[str]]:
    """Collect the statements that may write."""
    written: list[str] = []

    def watch(execute: Callable[..., Any], sql: Any, *rest: Any) -> Any:
        if not (READING.match(sql) or READING_ONLY.match(sql)):
            written.append(sql)
        return execute(sql, *rest)

    with connection.execute_wrapper(watch):
        yield written


def long_work(view: Callable[..., Any]) -> Callable[..., Any]:
    """Give a page the longer limits of ``league.database``."""
    view.takes_long = True  # type: ignore[attr-defined] # ours
    return view


def takes_long(request: HttpRequest, view: Callable[..., Any]) -> bool:
    """Return whether a page may take long. The admin is for few, who import, merge and archive."""
    views = (view, getattr(view, "cls", None))
    return request.path_info.startswith("/admin/") or any(
        getattr(each, "takes_long", False) for each in views
    )
