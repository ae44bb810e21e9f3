"""Answers that many ask for at once, kept for a second."""

from __future__ import annotations

import gzip
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from hashlib import md5
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING, Concatenate, ParamSpec

from django.conf import settings
from django.http import HttpResponse

from league.web.core.frames import is_known

if TYPE_CHECKING:
    from django.http import HttpRequest

Args = ParamSpec("Args")

KEPT = 200
"""Answers that a process keeps, of about 40 kB each."""

_kept: OrderedDict[tuple[object, ...], Answer] = OrderedDict()
_keeping = Lock()


@dataclass(frozen=True)
class Answer:
    """A page as it was made."""

    made_at: float
    body: bytes
    tag: str
    squeezed: bool

    def response(self) -> HttpResponse:
        headers = {"ETag": self.tag, "Vary": "Accept-Encoding"}
        if self.squeezed:
            headers["Content-Encoding"] = "gzip"
        return HttpResponse(self.body, headers=headers)


def forget() -> None:
    """Make every answer anew."""
    with _keeping:
        _kept.clear()


def kept_briefly(
    view: Callable[Concatenate[HttpRequest, Args], HttpResponse],
) -> Callable[Concatenate[HttpRequest, Args], HttpResponse]:
    """Keep what ``view`` answers to visitors for ``settings.PAGES_KEPT_FOR`` seconds.

    Visitors are those without a session: all of them see the same, in their time zone.
    """

    @wraps(view)
    def kept(request: HttpRequest, /, *args: Args.args, **kwargs: Args.kwargs) -> HttpResponse:
        if is_known(request) or not settings.PAGES_KEPT_FOR:
            return view(request, *args, **kwargs)
        asked = request.META
        squeezed = "gzip" in asked.get("HTTP_ACCEPT_ENCODING", "")
        key = (
            request.path,
            asked.get("QUERY_STRING", ""),
            request.COOKIES.get("timezone", ""),
            asked.get("HTTP_HX_REQUEST", ""),
            asked.get("HTTP_HX_BOOSTED", ""),
            squeezed,
        )
        answer = _kept.get(key)
        if answer is not None and monotonic() - answer.made_at < settings.PAGES_KEPT_FOR:
            return answer.response()
        response = view(request, *args, **kwargs)
        if response.status_code != 200 or response.cookies:
            return response
        body = gzip.compress(response.content, 6, mtime=0) if squeezed else response.content
        tag = f'"{md5(body, usedforsecurity=False).hexdigest()}"'
        answer = Answer(monotonic(), body, tag, squeezed)
        with _keeping:
            _kept[key] = answer
            while len(_kept) > KEPT:
                _kept.popitem(last=False)
        return answer.response()

    return kept
