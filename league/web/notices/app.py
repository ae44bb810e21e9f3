"""The site as an app on a phone: its manifest, icons, service worker, and its page offline."""

from __future__ import annotations

from hashlib import md5
from typing import TYPE_CHECKING

from allauth.account.views import logout
from django.conf import settings
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from league.models import LeagueLogo
from league.services.core.clock import database_now
from league.services.dates.calendars import venue_of
from league.services.dates.lists import to_play
from league.services.site import frame
from league.services.site.colours import LIGHT
from league.web.core.acting import player_of
from league.web.notices import icons
from league.web.notices.devices import forget_this

if TYPE_CHECKING:
    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

KEPT_FOR = 3600
"""Seconds for which browsers keep the manifest."""
FOR_GOOD = "public, max-age=31536000, immutable"
MOST_SHOWN = 20
"""The most matches on the page offline."""


@require_safe
def manifest(request: HttpRequest) -> JsonResponse:
    """Send what a phone needs to install the site: name, colours and icons of the league."""
    del request
    shown = frame.current()
    band = icons.background_of(shown)
    answer = {
        "id": "/",
        "name": shown.name,
        "short_name": shown.name,
        "description": shown.about or _("Results, ratings and leaderboards of a league."),
        "lang": get_language(),
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "theme_color": band,
        "background_color": LIGHT.paper,
        "icons": [
            icon(shown, "192"),
            icon(shown, "512"),
            {**icon(shown, "maskable"), "purpose": "maskable"},
        ],
        "shortcuts": [
            {"name": str(name), "url": reverse(page)}
            for name, page in (
                (_("Play"), "play"),
                (_("Matches"), "schedule"),
                (pgettext("tab", "Inbox"), "inbox"),
            )
        ],
    }
    headers = {"Cache-Control": f"public, max-age={KEPT_FOR}"}
    return JsonResponse(answer, content_type="application/manifest+json", headers=headers)


def icon(shown: frame.Frame, look: str) -> dict[str, str]:
    size = icons.LOOKS[look].size
    return {
        "src": reverse("app_icon", args=[digest_of(shown), look]),
        "sizes": f"{size}x{size}",
        "type": "image/png",
    }


def digest_of(shown: frame.Frame) -> str:
    """Return what changes with the look of the icons."""
    seen = f"{shown.logo.digest if shown.logo else ''} {icons.background_of(shown)}"
    return md5(seen.encode(), usedforsecurity=False).hexdigest()[:12]


@require_safe
def app_icon(request: HttpRequest, digest: str, look: str) -> HttpResponse:
    """Send an icon of the league as it is now. An address of an earlier look is kept shortly."""
    del request
    if look not in icons.LOOKS:
        raise Http404
    shown = frame.current()
    logo = b""
    if shown.logo:
        row = LeagueLogo.objects.filter(pk=shown.logo.digest).first()
        logo = bytes(row.webp) if row else b""
    is_current = digest == digest_of(shown)
    kept = FOR_GOOD if is_current else f"public, max-age={KEPT_FOR}"
    headers = {"Cache-Control": kept, "X-Content-Type-Options": "nosniff"}
    content = icons.png(look, icons.background_of(shown), logo)
    return HttpResponse(content, content_type="image/png", headers=headers)


@require_safe
def apple_icon(request: HttpRequest) -> HttpResponse:
    """Send the icon of a home screen at the address where iPhones look for it."""
    return app_icon(request, digest="", look="apple")


@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """Send the service worker from the root of the site, so that it serves all pages."""
    del request
    content = (settings.BASE_DIR / "static/js/notices/worker.js").read_bytes()
    headers = {"Cache-Control": "no-cache"}
    return HttpResponse(content, content_type="text/javascript; charset=utf-8", headers=headers)


@require_safe
@never_cache
def offline(request: HttpRequest) -> HttpResponse:
    """Show one's next matches as the browser keeps them for times without a network."""
    me = player_of(request)
    rows = to_play(me).in_lines().prefetch_related("game__fixture")[:MOST_SHOWN] if me else []
    context = {"coming": [(one, venue_of(one)) for one in rows], "now": database_now()}
    return render(request, "notices/offline.html", context)


def log_out(request: HttpRequest) -> HttpResponseBase:
    """Log out as allauth does, and let the browser drop what it has kept for this account."""
    if request.method == "POST" and request.user.is_authenticated:
        forget_this(request)
    response: HttpResponseBase = logout(request)
    if not request.user.is_authenticated:
        response.headers["Clear-Site-Data"] = '"storage"'
    return response
