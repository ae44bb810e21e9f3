"""The answer to each request of a program that fails: problem details, as in RFC 9457.

::

    {"type": "about:blank", "title": "Bad Request", "status": 400, "detail": "…",
     "instance": "/api/v1/arenas/duel/reports/", "code": "invalid",
     "errors": [{"field": "sides.0.place", "code": "…", "detail": "…"}]}

``detail`` is a sentence for people. ``code`` names the reason for programs, more closely than the
status. ``errors`` lists each input at fault: ``field`` is its path, empty for the whole request.
"""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from django.conf import settings
from django.http import HttpResponse

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from django.http import HttpRequest

MEDIA_TYPE = "application/problem+json"
IN_PATHS = "/:@!$&'()*+,;=~"
"""Signs that a path may have as they are, apart from letters and digits."""
API = "/api/"
"""Paths to which programs send their requests."""
OF_APPS = (
    "/oauth/token",
    "/oauth/revoke",
    "/oauth/userinfo",
    "/oauth/device/code",
    "/oauth/keys",
    "/.well-known/",
)
"""The endpoints that apps call, and the provider's metadata."""


def is_for_programs(request: HttpRequest) -> bool:
    return request.path_info.startswith((API, *OF_APPS))


def allowed_origin(origin: str | None) -> str:
    """Return which sites' scripts may read an answer to one of ``origin``.

    Any may read what visitors read. A registered site is named, because its scripts send tokens.
    """
    return origin if origin and origin in settings.CORS_ORIGINS else "*"


def problem(
    status: int,
    code: str,
    detail: str,
    *,
    instance: str,
    errors: Sequence[Mapping[str, str]] = (),
) -> dict[str, Any]:
    """Return the document about a failed request to the path ``instance``."""
    return {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "instance": quote(instance, safe=IN_PATHS, errors="surrogatepass"),
        "code": code,
        "errors": list(errors),
    }


def problem_response(
    request: HttpRequest,
    status: int,
    code: str,
    detail: str,
    *,
    errors: Sequence[Mapping[str, str]] = (),
) -> HttpResponse:
    """Return the response to a failed request that no view of the API has answered."""
    body = problem(status, code, detail, instance=request.path, errors=errors)
    return HttpResponse(json.dumps(body), status=status, content_type=MEDIA_TYPE)
