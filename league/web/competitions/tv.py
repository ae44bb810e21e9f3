"""A screen in the hall: it is started with a code, and turns through a competition by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from league.rates import limit_gets
from league.services.competitions import pages, screens
from league.services.competitions.slides import slides_of
from league.services.core.clock import database_now
from league.web.competitions.views import clock_of
from league.web.core.parameters import whole_number

if TYPE_CHECKING:
    from uuid import UUID

    from django.http import HttpRequest, HttpResponse

ENDED = "ended"


@limit_gets("codes", if_asked=("code",))
@require_safe
@never_cache
def tv(request: HttpRequest) -> HttpResponse:
    """Ask for the code, and lead to the screen that it starts."""
    typed = request.GET.get("code", "")
    if typed and (key := screens.key_of(typed)):
        return redirect("tv_screen", key)
    context = {"typed": typed[:20], "has_ended": ENDED in request.GET}
    return render(request, "competitions/tv_code.html", context, status=404 if typed else 200)


@limit_gets("costly")
@require_safe
@never_cache
def screen(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show a slide in the time zone of the arena, and say which one is next."""
    one = screens.competition_of(key)
    if one is None:
        return redirect(f"{reverse('tv')}?{ENDED}")
    now = database_now()
    clock = clock_of(one, now)
    with timezone.override(one.season.arena.zone):
        page = pages.load(one)
        slides = slides_of(page, has_clock=clock["clock"] is not None)
        number = whole_number(request.GET.get("slide"), default=0) % len(slides)
        context = {
            "arena": one.season.arena,
            "competition": one,
            "page": page,
            "slide": slides[number],
            "number": number + 1,
            "count": len(slides),
            "next": f"{reverse('tv_screen', args=[key])}?slide={(number + 1) % len(slides)}",
            "today": timezone.localdate(now),
            "now": now,
            **clock,
        }
        return render(request, "competitions/tv.html", context)
