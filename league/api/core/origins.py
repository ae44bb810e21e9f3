"""Sites whose scripts may use the API (CORS).

Any site may read what every visitor reads. Those that the league has registered may also send a
token. Nobody's script gets the cookies of a reader's log-in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.http import HttpResponse
from django.utils.cache import patch_vary_headers

from league.problems import allowed_origin, is_for_programs

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

READS = "GET, HEAD"
WRITES = "GET, HEAD, POST, PUT, DELETE"
SENT = "Authorization, Content-Type, Idempotency-Key, If-None-Match"
READABLE = (
    "ETag, Idempotency-Replayed, Location, RateLimit-Limit, RateLimit-Remaining, "
    "RateLimit-Reset, Retry-After, WWW-Authenticate"
)
DAY = 86_400


class Origins:
    """Answer the questions of browsers before a script's request, and allow it the answer."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        origin = request.headers.get("Origin")
        if not is_for_programs(request):
            return self.get_response(request)
        asks = request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers
        is_registered = origin in settings.CORS_ORIGINS
        if origin and asks:
            response: HttpResponseBase = may_send(is_registered=is_registered)
        else:
            response = self.get_response(request)
            response.headers["Access-Control-Expose-Headers"] = READABLE
        response.headers["Access-Control-Allow-Origin"] = allowed_origin(origin)
        patch_vary_headers(response, ["Origin"])
        return response


def may_send(*, is_registered: bool) -> HttpResponse:
    """Return the answer to a browser that asks what a script may send."""
    response = HttpResponse(status=204)
    response.headers["Access-Control-Allow-Methods"] = WRITES if is_registered else READS
    response.headers["Access-Control-Allow-Headers"] = SENT if is_registered else "If-None-Match"
    response.headers["Access-Control-Max-Age"] = str(DAY)
    return response
