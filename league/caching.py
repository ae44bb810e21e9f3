"""Cache pages that many visitors ask for at once, for a second, and parts until they change."""

from __future__ import annotations

from functools import wraps
from hashlib import md5
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar, cast

from django.conf import settings
from django.core.cache import caches
from django.template.response import SimpleTemplateResponse
from django.utils.translation import get_language

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse

Args = ParamSpec("Args")
Text = TypeVar("Text", str, bytes)
ALIAS = "pages"
"""The cache of this process."""
VARYING = ("HTTP_ACCEPT", "HTTP_COOKIE", "HTTP_HX_REQUEST", "HTTP_HX_BOOSTED")
"""The headers that an answer may depend on."""


def kept_part(key: tuple[object, ...], render: Callable[[], Text]) -> Text:
    """Return the part of a page with this key, rendered at most ``settings.PARTS_KEPT_FOR`` ago.

    The key names the version of everything that decides what the part says. Names of players and
    teams need not be in it: those are allowed to be as old as the setting says.
    """
    if not settings.PARTS_KEPT_FOR:
        return render()
    name = md5(repr(key).encode(), usedforsecurity=False).hexdigest()
    part: Any = caches[ALIAS].get_or_set(name, render, settings.PARTS_KEPT_FOR)
    return cast("Text", part)


def cached_briefly(
    view: Callable[Concatenate[HttpRequest, Args], HttpResponse],
) -> Callable[Concatenate[HttpRequest, Args], HttpResponse]:
    """Cache the pages of ``view`` for visitors, for ``settings.PAGES_KEPT_FOR`` seconds.

    Visitors send neither a session nor a token. They all see the same page, in their time zone.
    Django's ``cache_page`` would have browsers keep it, too.
    """

    @wraps(view)
    def read_or_render(
        request: HttpRequest, /, *args: Args.args, **kwargs: Args.kwargs
    ) -> HttpResponse:
        if not (settings.PAGES_KEPT_FOR and is_shared(request)):
            return view(request, *args, **kwargs)
        varying = [request.META.get(name) for name in VARYING]
        key = repr((request.build_absolute_uri(), get_language(), varying))
        name = md5(key.encode(), usedforsecurity=False).hexdigest()
        kept: HttpResponse | None = caches[ALIAS].get(name)
        if kept is not None:
            return kept
        response = view(request, *args, **kwargs)
        if isinstance(response, SimpleTemplateResponse):
            response.render()
        for header in [name for name in response.headers if name.startswith("RateLimit-")]:
            del response.headers[header]  # what one reader has left of their requests
        # A cookie is for one reader, and an error may be over in a moment.
        if response.status_code == 200 and not response.cookies:
            caches[ALIAS].set(name, response, settings.PAGES_KEPT_FOR)
        return response

    return read_or_render


def is_shared(request: HttpRequest) -> bool:
    """Whether the answer to a request is the same for every visitor."""
    is_read = request.method in {"GET", "HEAD"}
    return is_read and "HTTP_AUTHORIZATION" not in request.META and not has_session(request)


def has_session(request: HttpRequest) -> bool:
    """Whether the browser has a session: it is logged in, or has messages to show."""
    return settings.SESSION_COOKIE_NAME in request.COOKIES
