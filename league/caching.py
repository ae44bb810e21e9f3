"""Cache pages that many visitors ask for at once, for a second."""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from functools import wraps
from hashlib import md5
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING, Concatenate, ParamSpec

from cachetools import LRUCache
from django.conf import settings
from django.http import HttpResponse
from django.template.response import SimpleTemplateResponse
from django.utils.cache import patch_vary_headers

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from django.http import HttpRequest

Args = ParamSpec("Args")

KEPT = 200
"""Pages cached in a process, about 40 kB each."""


@dataclass(frozen=True)
class CachedPage:
    """A page as it was rendered."""

    rendered_at: float
    body: bytes
    headers: Mapping[str, str]

    def response(self) -> HttpResponse:
        return HttpResponse(self.body, headers=self.headers)


_cache: LRUCache[tuple[object, ...], CachedPage] = LRUCache(maxsize=KEPT)
_lock = Lock()


def clear() -> None:
    """Empty the cache."""
    with _lock:
        _cache.clear()


def cached_briefly(
    view: Callable[Concatenate[HttpRequest, Args], HttpResponse],
) -> Callable[Concatenate[HttpRequest, Args], HttpResponse]:
    """Cache the pages of ``view`` for visitors, for ``settings.PAGES_KEPT_FOR`` seconds.

    Visitors send neither a session nor a token. They all see the same page, in their time zone. A
    limit of requests counts what the view answers; the cache answers in less time than counting.
    """

    @wraps(view)
    def cached(request: HttpRequest, /, *args: Args.args, **kwargs: Args.kwargs) -> HttpResponse:
        if not (settings.PAGES_KEPT_FOR and is_shared(request)):
            return view(request, *args, **kwargs)
        key = key_of(request)
        with _lock:
            page = _cache.get(key)
        if page is not None and monotonic() - page.rendered_at < settings.PAGES_KEPT_FOR:
            return page.response()
        response = view(request, *args, **kwargs)
        if isinstance(response, SimpleTemplateResponse):
            response.render()
        if response.status_code != 200 or response.cookies:
            return response
        page = page_of(response, compress=accepts_gzip(request))
        with _lock:
            _cache[key] = page
        return page.response()

    return cached


def is_shared(request: HttpRequest) -> bool:
    """Whether the answer to a request is the same for every visitor."""
    is_read = request.method in {"GET", "HEAD"}
    return is_read and "HTTP_AUTHORIZATION" not in request.META and not has_session(request)


def has_session(request: HttpRequest) -> bool:
    """Whether the browser has a session: it is logged in, or has messages to show."""
    return settings.SESSION_COOKIE_NAME in request.COOKIES


def accepts_gzip(request: HttpRequest) -> bool:
    return "gzip" in request.META.get("HTTP_ACCEPT_ENCODING", "")


def key_of(request: HttpRequest) -> tuple[object, ...]:
    """Return everything in a visitor's request that an answer may depend on."""
    headers = request.META
    return (
        request.scheme,
        headers.get("HTTP_HOST", ""),  # links of the API are complete
        request.path,
        headers.get("QUERY_STRING", ""),
        headers.get("HTTP_ACCEPT", ""),
        request.COOKIES.get("timezone", ""),
        headers.get("HTTP_HX_REQUEST", ""),
        headers.get("HTTP_HX_BOOSTED", ""),
        accepts_gzip(request),
    )


def page_of(response: HttpResponse, *, compress: bool) -> CachedPage:
    """Return a rendered response as a page to keep."""
    body = gzip.compress(response.content, 6, mtime=0) if compress else response.content
    patch_vary_headers(response, ["Accept-Encoding"])
    headers = dict(response.items())
    headers["ETag"] = f'"{md5(body, usedforsecurity=False).hexdigest()}"'
    if compress:
        headers["Content-Encoding"] = "gzip"
    return CachedPage(monotonic(), body, headers)
