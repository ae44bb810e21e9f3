"""Cache pages that many visitors ask for at once, for a second."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from hashlib import md5
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING, Concatenate, ParamSpec

from cachetools import LRUCache
from django.conf import settings
from django.http import HttpResponse

if TYPE_CHECKING:
    from django.http import HttpRequest

Args = ParamSpec("Args")

KEPT = 200
"""Pages cached in a process, about 40 kB each."""


@dataclass(frozen=True)
class CachedPage:
    """A page as it was rendered."""

    rendered_at: float
    body: bytes
    etag: str
    is_compressed: bool

    def response(self) -> HttpResponse:
        headers = {"ETag": self.etag, "Vary": "Accept-Encoding"}
        if self.is_compressed:
            headers["Content-Encoding"] = "gzip"
        return HttpResponse(self.body, headers=headers)


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

    Visitors are browsers without a session. They all see the same page, in their time zone.
    """

    @wraps(view)
    def cached(request: HttpRequest, /, *args: Args.args, **kwargs: Args.kwargs) -> HttpResponse:
        if has_session(request) or not settings.PAGES_KEPT_FOR:
            return view(request, *args, **kwargs)
        headers = request.META
        compress = "gzip" in headers.get("HTTP_ACCEPT_ENCODING", "")
        key = (
            request.path,
            headers.get("QUERY_STRING", ""),
            request.COOKIES.get("timezone", ""),
            headers.get("HTTP_HX_REQUEST", ""),
            headers.get("HTTP_HX_BOOSTED", ""),
            compress,
        )
        with _lock:
            page = _cache.get(key)
        if page is not None and monotonic() - page.rendered_at < settings.PAGES_KEPT_FOR:
            return page.response()
        response = view(request, *args, **kwargs)
        if response.status_code != 200 or response.cookies:
            return response
        body = gzip.compress(response.content, 6, mtime=0) if compress else response.content
        etag = f'"{md5(body, usedforsecurity=False).hexdigest()}"'
        page = CachedPage(monotonic(), body, etag, compress)
        with _lock:
            _cache[key] = page
        return page.response()

    return cached


def has_session(request: HttpRequest) -> bool:
    """Whether the browser has a session: it is logged in, or has messages to show."""
    return settings.SESSION_COOKIE_NAME in request.COOKIES
