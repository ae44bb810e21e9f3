"""The page that lists all badges."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import render
from django.views.decorators.http import require_safe

from league.web.results.badge_words import KINDS

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@require_safe
def badges(request: HttpRequest) -> HttpResponse:
    """List all badges with their rules, and which matches count for them."""
    return render(request, "people/badges.html", {"kinds": KINDS.values()})
