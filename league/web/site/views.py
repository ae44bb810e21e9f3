"""The league's logo and colours, and closing an announcement."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from league.models import LeagueLogo
from league.services.site import colours, frame
from league.web.core.context import DISMISSED, LONGEST_COOKIE
from league.web.core.returning import to_next

if TYPE_CHECKING:
    from django.http import HttpRequest

FOR_GOOD = "public, max-age=31536000, immutable"
"""Addresses of these files change with their content."""
DISMISSED_FOR = 60 * 60 * 24 * 90


@require_safe
def logo(_request: HttpRequest, digest: str) -> HttpResponse:
    """Send the logo."""
    found = get_object_or_404(LeagueLogo, pk=digest)
    headers = {"Cache-Control": FOR_GOOD, "X-Content-Type-Options": "nosniff"}
    return HttpResponse(bytes(found.webp), content_type="image/webp", headers=headers)


@require_safe
def colour_sheet(request: HttpRequest) -> HttpResponse:
    """Send the style sheet with the league's colours."""
    shown = frame.current()
    text = colours.sheet(shown.accent, shown.dark_accent)
    is_current = request.META.get("QUERY_STRING") == shown.colours
    headers = {"Cache-Control": FOR_GOOD} if is_current else {}
    return HttpResponse(text, content_type="text/css; charset=utf-8", headers=headers)


@csrf_exempt  # it only hides a banner, and its form has to fit in pages that visitors share
@require_http_methods(["GET", "HEAD", "POST"])
def dismiss(request: HttpRequest, pk: int) -> HttpResponse:
    """Close an announcement for this browser, and return to the page. GET requests change nothing.

    The newest ones are remembered. Those of long ago have ended.
    """
    response = to_next(request)
    if request.method == "POST":
        earlier = request.COOKIES.get(DISMISSED, "")[:LONGEST_COOKIE].split(".")
        numbers = {each for each in earlier if each.isascii() and each.isdigit()} | {str(pk)}
        newest = sorted(numbers, key=int, reverse=True)[:20]
        response.set_cookie(
            DISMISSED, ".".join(newest), max_age=DISMISSED_FOR, httponly=True, samesite="Lax"
        )
    return response
