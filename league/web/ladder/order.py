"""The order in which a ladder starts, from a list that organisers have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from league.models import Arena
from league.services.core.clock import database_now
from league.services.core.errors import Forbidden, Refused
from league.services.core.isolation import gettext as _
from league.services.core.isolation import ngettext
from league.services.people.entry_lists import read_list
from league.services.results.rules import own_matches
from league.services.seasons import starting_order
from league.web.core.acting import account_of
from league.web.core.middleware import status_of
from league.web.core.parameters import chosen_players

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from league.models import Season
    from league.services.people.entry_lists import EntryList


class OrderForm(forms.Form):
    """The names of a ladder's players in their order."""

    names = forms.CharField(
        label=gettext_lazy("Names"),
        max_length=100_000,
        widget=forms.Textarea(attrs={"rows": 20}),
        help_text=gettext_lazy("One on each line, the top of the ladder first."),
        error_messages={"required": gettext_lazy("The list has no names.")},
    )


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def order(request: HttpRequest, slug: str) -> HttpResponse:
    """Let organisers set the starting order of a ladder: a list, then what it means, then save."""
    arena = get_object_or_404(Arena.objects.published(), slug=slug)
    if not request.user.has_perm(own_matches.ENTER, arena):
        raise Forbidden("not_staff", _("Only organisers can set the order of a ladder."))
    now = database_now()
    try:
        season = starting_order.ladder_to_order(arena, now)
    except Refused as refusal:
        context = {"arena": arena, "refusal": refusal}
        # To ask for the page is no mistake: it says why the order is fixed.
        status = status_of(refusal) if request.method == "POST" else 200
        return render(request, "ladder/order.html", context, status=status)
    if request.method != "POST" or request.POST.get("answer") == "edit":
        held = season.ratings.order_by("rating").values_list("player__name", flat=True)
        names = request.POST.get("names", "\n".join(held))
        return order_page(request, season, OrderForm(initial={"names": names}))
    form = OrderForm(request.POST)
    if not form.is_valid():
        return order_page(request, season, form)
    try:
        found = read_list(form.cleaned_data["names"])
        if request.POST.get("answer") != "save":
            return preview_page(request, season, found)
        chosen, by = chosen_players(request.POST), account_of(request)
        season = starting_order.set_order(arena, found.complete(), chosen, by=by, now=now)
    except Forbidden:
        raise
    except Refused as refusal:
        return order_page(request, season, form, refusal)
    count = len(season.starting_order)
    text = ngettext(
        "%(count)d player is on the ladder.", "%(count)d players are on the ladder.", count
    )
    messages.success(request, text % {"count": count})
    return redirect("leaderboard", slug)


def order_page(
    request: HttpRequest, season: Season, form: OrderForm, refusal: Refused | None = None
) -> HttpResponse:
    context = {"arena": season.arena, "season": season, "form": form, "refusal": refusal}
    status = status_of(refusal) if refusal else 400 if form.is_bound else 200
    return render(request, "ladder/order.html", context, status=status)


def preview_page(request: HttpRequest, season: Season, found: EntryList) -> HttpResponse:
    """Show the order that a list means. Nothing is written."""
    plan = starting_order.plan_order(season, found.entries, {})
    context = {
        "arena": season.arena,
        "season": season,
        "plan": plan,
        "problems": found.problems,
        "may_save": bool(plan.lines) and not found.problems and plan.problem is None,
        "as_text": request.POST.get("names", ""),
    }
    return render(request, "ladder/order_preview.html", context)
