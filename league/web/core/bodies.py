"""Bodies of requests that are too large, have no length, or do not arrive whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.core.exceptions import BadRequest
from django.shortcuts import render
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _

from league.problems import is_for_programs, problem_response
from league.web.core.uploads import ARCHIVE_TOO_LARGE, ARCHIVES, LARGEST_ARCHIVE, most_bytes

if TYPE_CHECKING:
    from collections.abc import Callable
    from wsgiref.types import InputStream, WSGIEnvironment

    from django.http import HttpRequest, HttpResponse
    from django.http.response import HttpResponseBase

LARGEST_BODY = 32 * 2**20
"""Bytes. Pages and API have smaller limits of their own."""
ENDS_EARLY = "The body ends early."


class KnownLengths:
    """Refuse requests whose body is too large, or has no length: Django would not read it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if "Transfer-Encoding" in request.headers:
            return refuse(request, 411, "length_required", _("Send the body with its length."))
        length = request.headers.get("Content-Length", "")
        file = most_bytes(request)
        largest = LARGEST_BODY - settings.UPLOAD_MOST_BYTES + file
        if length.isascii() and length.isdigit() and int(length) > largest:
            message = _(
                "The request is larger than %(most)s. A file can have at most %(file)s: divide "
                "it, or make it smaller."
            ) % {"most": filesizeformat(largest), "file": filesizeformat(file)}
            if file == LARGEST_ARCHIVE:
                sizes = {"size": filesizeformat(length), "limit": filesizeformat(file)}
                message = ARCHIVE_TOO_LARGE % sizes
            elif request.path_info == ARCHIVES:
                message = _("Open this page again and enter the setup code, then bring the file.")
            return refuse(request, 413, "too_large", message)
        return self.get_response(request)


def refuse(request: HttpRequest, status: int, code: str, message: str) -> HttpResponse:
    """Return a page or, for programs, an error document about a body that was not read."""
    if is_for_programs(request):
        return problem_response(request, status, code, message)
    return render(request, "400.html", {"message": message}, status=status)


class WholeBody:
    """The body of a request, as a stream that fails if its sender stops half-way.

    Gunicorn ends it there, so that half of a form would count as a form.
    """

    def __init__(self, environ: WSGIEnvironment) -> None:
        self.stream: InputStream = environ["wsgi.input"]
        self.missing = int(environ.get("CONTENT_LENGTH") or 0)

    def read(self, size: int) -> bytes:
        """Read bytes. Raises ``BadRequest`` if there are fewer, although the body has more."""
        try:
            data = self.stream.read(size)
        except OSError as error:
            raise BadRequest(ENDS_EARLY) from error
        self.missing -= len(data)
        if len(data) < size and self.missing > 0:
            raise BadRequest(ENDS_EARLY)
        return data

    def readline(self, size: int) -> bytes:
        """Refuse to read a line, as Django never does."""
        raise NotImplementedError
