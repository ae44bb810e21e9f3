"""Files that browsers and crawlers ask for by a fixed name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import redirect
from django.templatetags.static import static
from django.views.decorators.http import require_safe

if TYPE_CHECKING:
    from django.http import HttpRequest

ROBOTS = """User-agent: *
Disallow: /accounts/
Disallow: /admin/
Disallow: /api/
Disallow: /oauth/
Disallow: /settings/

Sitemap: {site}/sitemap.xml
"""


@require_safe
def favicon(request: HttpRequest) -> HttpResponse:
    """Lead browsers to the icon when they open something that is no page, such as an image."""
    del request
    return redirect(static("img/favicon.svg"))


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    del request
    return HttpResponse(ROBOTS.format(site=settings.SITE_URL), content_type="text/plain")
