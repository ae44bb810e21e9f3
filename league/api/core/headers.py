"""The headers of every answer: who may keep it, how many requests are left."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.cache import patch_cache_control, patch_vary_headers

from league.caching import is_shared

if TYPE_CHECKING:
    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

    from league.rates import Allowance

SHARED_SECONDS = 1
"""Seconds for which anybody's cache may keep what every visitor reads."""


def say_who_keeps(response: HttpResponseBase, request: HttpRequest) -> None:
    """Let caches keep what every visitor reads for a second, and no refusal at all.

    A program may keep what its account reads, and asks with its ``ETag`` whether it has changed.
    """
    patch_vary_headers(response, ["Authorization", "Cookie"])
    if response.has_header("Cache-Control"):
        return
    is_read = request.method in {"GET", "HEAD"} and response.status_code == 200
    if is_read and is_shared(request):
        patch_cache_control(response, public=True, max_age=SHARED_SECONDS)
    elif is_read:
        patch_cache_control(response, private=True, no_cache=True)
    else:
        patch_cache_control(response, private=True, no_store=True)


def say_what_is_left(response: HttpResponseBase, allowance: Allowance | None) -> None:
    """Tell how many requests a minute are allowed and left, and when the next minute begins."""
    if allowance is None:
        return
    response.headers["RateLimit-Limit"] = str(allowance.limit)
    response.headers["RateLimit-Remaining"] = str(allowance.left)
    response.headers["RateLimit-Reset"] = str(allowance.reset)
