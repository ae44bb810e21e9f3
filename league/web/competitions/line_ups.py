"""The page on which organisers name the line-up of one game, and enter its result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from league.models import Fixture
from league.services.competitions import line_ups
from league.services.competitions.outcomes import games_of
from league.services.core.clock import database_now
from league.services.core.errors import Refused
from league.services.core.isolation import gettext as _
from league.services.transfer.evenings import fixture_results
from league.services.transfer.evenings.fixture_results import Typed, with_result
from league.web.competitions.organising import competition_to_organise
from league.web.core.acting import account_of
from league.web.core.middleware import status_of
from league.web.core.parameters import whole_number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.http import HttpRequest, HttpResponse, QueryDict

    from league.models import User


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def line_up(request: HttpRequest, slug: str, pk: int, number: int) -> HttpResponse:
    """Show who plays for both sides of a game, and take substitutes, with the result or before."""
    one = competition_to_organise(request, slug, pk)
    rows = Fixture.objects.with_sides().select_related("competition__season__arena", "round")
    fixture = get_object_or_404(rows, competition=one, number=number)
    if request.method != "POST":
        return line_up_page(request, fixture)
    sent = request.POST
    substitutes = {pk: name.strip()[:100] for pk, name in fields_with(sent, "for-")}
    away = {pk for pk, _on in fields_with(sent, "away-")}
    away |= {pk for pk, name in substitutes.items() if name}
    changes = tuple(line_ups.Change(pk, substitutes.get(pk, "")) for pk in sorted(away))
    by, add_players = account_of(request), "add_players" in sent
    typed = Typed(
        fixture.pk,
        sent.get("result", ""),
        whole_number(sent.get("after"), default=0),
        changes,
        add_players=add_players,
    )
    try:
        if sent.get("answer") == "plan":
            now = database_now()
            line_ups.plan(fixture, changes, by=by, now=now, add_players=add_players)
        else:
            enter_game(fixture, typed, by=by)
    except Refused as refusal:
        return line_up_page(request, fixture, refusal)
    messages.success(request, _("Saved."))
    return redirect(fixture)


def fields_with(sent: QueryDict, prefix: str) -> Iterator[tuple[int, str]]:
    """Yield the numbers and values of the fields with a prefix."""
    for key in sent:
        number = key.removeprefix(prefix)
        if key.startswith(prefix) and number.isdecimal() and len(number) < 15:
            yield int(number), sent.get(key, "")


def enter_game(fixture: Fixture, typed: Typed, *, by: User) -> None:
    """Enter a game with its line-up. Raises ``Refused`` for what is wrong with either."""
    line_ups.check_substitutes(fixture)
    with transaction.atomic():  # a refusal also takes back new players
        done = fixture_results.enter(fixture.competition_id, [typed], by=by, now=database_now())
        if done.errors:
            raise Refused("result", done.errors[fixture.pk])


def line_up_page(
    request: HttpRequest, fixture: Fixture, refusal: Refused | None = None
) -> HttpResponse:
    sides = []
    sent = request.POST
    try:
        line_ups.check_substitutes(fixture)
    except Refused as why:
        refusal = refusal or why
    else:
        if request.method == "POST":
            away = {pk for pk, _on in fields_with(sent, "away-")}
            substitutes = dict(fields_with(sent, "for-"))
        else:
            planned = line_ups.find_planned(fixture)
            away = set(planned)
            substitutes = {pk: str(player or "") for pk, player in planned.items()}
        sides = [
            (
                side,
                [
                    (one, one.pk in away, substitutes.get(one.pk, ""))
                    for one in line_ups.members_of(side)
                ],
            )
            for side in (fixture.home, fixture.away)
            if side is not None
        ]
    games = games_of([fixture.competition_id]).get(fixture.pk, [])
    context = {
        "arena": fixture.competition.season.arena,
        "competition": fixture.competition,
        "fixture": fixture,
        "sides": sides,
        "typed": sent.get("result", ""),
        "adds_players": "add_players" in sent,
        "after": len(with_result(games)),
        "is_open": fixture.round.opened_at is not None,
        "refusal": refusal,
    }
    # To ask for the page is no mistake: it says why there are no substitutes.
    status = status_of(refusal) if refusal and request.method == "POST" else 200
    return render(request, "competitions/line_up.html", context, status=status)
