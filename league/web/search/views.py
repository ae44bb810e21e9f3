"""The search of the whole league: a page, and suggestions while somebody types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import render
from django.views.decorators.http import require_safe

from league.rates import limit_gets
from league.services.search.finding import MOST_TYPED, find
from league.web.core.fragments import asks_for_part

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

ON_A_PAGE, SUGGESTED = 20, 4
"""Of each kind."""


@limit_gets("costly", if_asked=("q",))
@require_safe
def search(request: HttpRequest) -> HttpResponse:
    """List players, teams, arenas and competitions whose name contains the search text.

    htmx requests get the first few of each.
    """
    text = request.GET.get("q", "").strip()[:MOST_TYPED]
    is_part = asks_for_part(request)
    found = find(text, count=SUGGESTED if is_part else ON_A_PAGE)
    template = "search/_suggestions.html" if is_part else "search/search.html"
    return render(request, template, {"search": text, "found": found})
