"""Pages to print and pin up in the hall: pairings, result slips, standings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.shortcuts import render
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from league.services.competitions import pages
from league.services.competitions.crosstables import sides
from league.web.competitions.views import visible
from league.web.core.parameters import whole_number

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from django.http import HttpRequest, HttpResponse

    from league.services.competitions.pages import FixtureLine

PARTS = {
    "pairings": gettext_lazy("Pairings by board"),
    "names": gettext_lazy("Pairings by name"),
    "slips": gettext_lazy("Result slips"),
    "standings": gettext_lazy("Standings"),
}


@dataclass(frozen=True)
class Seat:
    """An entrant with their board and opponent, for the list by name."""

    name: str
    board: int
    side: str
    opponent: str
    """Empty for a bye."""


@require_safe
def print_page(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show one part of a competition as a page that prints well."""
    one = visible(request, slug, pk)
    page = pages.load(one)
    part = request.GET.get("part", "")
    part = part if part in PARTS else "pairings"
    round_ = page.round_to_show(whole_number(request.GET.get("round"), default=0))
    games = round_.fixtures if round_ else []
    context = {
        "arena": one.season.arena,
        "competition": one,
        "page": page,
        "round": round_,
        "part": part,
        "title": PARTS[part],
        "parts": PARTS,
        "rounds": [each.round.number for each in page.tabled],
        "games": games,
        "seats": seats_of(games, sides(one)),
    }
    return render(request, "competitions/print.html", context)


def seats_of(games: Iterable[FixtureLine], letters: tuple[str, str]) -> Sequence[Seat]:
    """Return everybody of a round by name."""
    seats = []
    for board, line in enumerate(games, start=1):
        home, away = line.fixture.home, line.fixture.away
        for mine, other, side in ((home, away, letters[0]), (away, home, letters[1])):
            if mine is not None:
                seats.append(Seat(mine.name, board, side, other.name if other else ""))
    return sorted(seats, key=lambda seat: seat.name.casefold())
