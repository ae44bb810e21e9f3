"""The page around a table, kept for those who are not logged in: to them it is always the same."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.http import HttpResponse
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import mark_safe

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from django.http import HttpRequest
    from django.utils.safestring import SafeString

KEPT_FOR = 10.0
"""Seconds after which a frame is made anew, whatever it depends on."""
KEPT = 500
"""Frames that a process keeps, of a few kB each."""
GAP = "\0"
"""Where the table goes: no page has this character."""

_kept: OrderedDict[Hashable, tuple[float, str, str]] = OrderedDict()
_keeping = Lock()


def framed(
    request: HttpRequest,
    template: str,
    context: Mapping[str, Any],
    table: SafeString,
    depends_on: Hashable | None,
) -> HttpResponse:
    """A page with ``table`` at its ``{{ table }}``.

    ``depends_on`` is all that the page around it is made of, for a visitor: the frame is made anew
    when that changes. None: it is made for this answer.
    """
    if depends_on is None or is_known(request):
        return HttpResponse(render_to_string(template, {**context, "table": table}, request))
    key = (template, timezone.get_current_timezone_name(), depends_on)
    now = monotonic()
    made_at, before, after = _kept.get(key, (-KEPT_FOR, "", ""))
    if now - made_at >= KEPT_FOR:
        text = render_to_string(template, {**context, "table": mark_safe(GAP)}, request)  # noqa: S308 - a literal
        before, _gap, after = text.partition(GAP)
        with _keeping:
            _kept[key] = now, before, after
            while len(_kept) > KEPT:
                _kept.popitem(last=False)
    return HttpResponse("".join((before, table, after)))


def is_known(request: HttpRequest) -> bool:
    """Whether the browser has a session: somebody who is logged in, or is being told something."""
    return settings.SESSION_COOKIE_NAME in request.COOKIES
