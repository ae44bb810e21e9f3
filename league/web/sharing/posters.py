"""Short addresses to join the league or a competition, and pages to print with their QR codes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from league.models import Competition
from league.services.site.qr_codes import draw_qr_code
from league.web.competitions.views import visible

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@require_safe
def join(request: HttpRequest) -> HttpResponse:
    """Lead visitors to the sign-up, and everybody else to the first steps in the league."""
    return redirect("welcome" if request.user.is_authenticated else "account_signup")


@require_safe
def join_competition(request: HttpRequest, pk: int) -> HttpResponse:
    """Lead to the page of a competition, where its readers enter."""
    one = get_object_or_404(Competition.objects.select_related("season__arena"), pk=pk)
    return redirect(visible(request, one.season.arena.slug, one.pk))


@require_safe
def poster(request: HttpRequest) -> HttpResponse:
    """Show a page to print with the way into the league."""
    return poster_page(request, reverse("join"), None)


@require_safe
def competition_poster(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show a page to print with the way into a competition."""
    one = visible(request, slug, pk)
    return poster_page(request, reverse("join_competition", args=[one.pk]), one)


def poster_page(request: HttpRequest, path: str, competition: Competition | None) -> HttpResponse:
    address = f"{settings.SITE_URL}{path}"
    context = {
        "competition": competition,
        "address": address.partition("://")[2],
        "qr_code": draw_qr_code(address),
    }
    return render(request, "sharing/poster.html", context)
