"""Cache pages that many visitors ask for at once, for a second, and parts until they change."""

from __future__ import annotations

import gzip
from contextlib import suppress
from dataclasses import dataclass
from functools import wraps
from hashlib import md5
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from cachetools import LRUCache
from django.conf import settings
from django.http import HttpResponse
from django.template.response import SimpleTemplateResponse
from django.utils.cache import patch_vary_headers

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from django.http import HttpRequest

Args = ParamSpec("Args")
Text = TypeVar("Text", str, bytes)

KEPT = 200
"""Pages cached in a process, about 40 kB each."""
PARTS_KEPT = 10_000_000
"""Characters of all parts of pages that are cached in a process."""


@dataclass(frozen=True)
class CachedPage:
    """A page as it was rendered."""

    rendered_at: float
    body: bytes
    headers: Mapping[str, str]

    def response(self) -> HttpResponse:
        return HttpResponse(self.body, headers=self.headers)


_cache: LRUCache[tuple[object, ...], CachedPage] = LRUCache(maxsize=KEPT)
_parts: LRUCache[tuple[object, ...], tuple[float, Any]] = LRUCache(
    maxsize=PARTS_KEPT, getsizeof=lambda kept: len(kept[1])
)
_lock = Lock()


def clear() -> None:
    """Empty the caches of pages and parts."""
    with _lock:
        _cache.clear()
        _parts.clear()


def kept_part(key: tuple[object, ...], render: Callable[[], Text]) -> Text:
    """Return the part of a page with this key, rendered at most ``settings.PARTS_KEPT_FOR`` ago.

    The key names the version of everything that decides what the part says. Names of players and
    teams need not be in it: those are allowed to be as old as the setting says.
    """
    if not settings.PARTS_KEPT_FOR:
        return render()
    with _lock:
        found = _parts.get(key)
    if found is not None and monotonic() - found[0] < settings.PARTS_KEPT_FOR:
        part: Text = found[1]
        return part
    began, part = monotonic(), render()
    with _lock, suppress(ValueError):  # it is longer than all that may be kept
        _parts[key] = (began, part)
    return part


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
        request.COOKIES.get("dismissed", ""),
        request.COOKIES.get("theme", ""),
        headers.get("HTTP_HX_REQUEST", ""),
        headers.get("HTTP_HX_BOOSTED", ""),
        accepts_gzip(request),
    )


def is_of_one_reader(header: str) -> bool:
    """Return whether a header says what one reader has left of their requests."""
    return header.startswith("RateLimit-")


def page_of(response: HttpResponse, *, compress: bool) -> CachedPage:
    """Return a rendered response as a page to keep."""
    body = gzip.compress(response.content, 6, mtime=0) if compress else response.content
    patch_vary_headers(response, ["Accept-Encoding"])
    headers = {name: value for name, value in response.items() if not is_of_one_reader(name)}
    headers["ETag"] = f'"{md5(body, usedforsecurity=False).hexdigest()}"'
    if compress:
        headers["Content-Encoding"] = "gzip"
    return CachedPage(monotonic(), body, headers)
