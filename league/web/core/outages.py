"""Answers to visitors while the database, the broker or the disk is out of order."""

from __future__ import annotations

import logging
import sys
from typing import TYPE_CHECKING

from django.http import HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views import defaults

from league.outages import Outage, outage_behind
from league.problems import is_for_programs, problem_response

if TYPE_CHECKING:
    from django.http import HttpRequest

READS = ("GET", "HEAD")
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
    # Django would log each 503 as an error of ours once more.
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
