"""Pages to print and pin up in the hall: pairings, slips, standings, brackets, certificates."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from django.shortcuts import render
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from league.models.competition_rules import MOST_ENTRANTS
from league.services.competitions import pages, wall_charts
from league.services.competitions.crosstables import side_names
from league.services.competitions.running import bracket_names
from league.web.competitions.views import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from django.http import HttpRequest, HttpResponse
    from django.utils.functional import _StrPromise

    from league.services.competitions.pages import CompetitionPage, FixtureLine, RoundLines

PARTS = {
    "pairings": gettext_lazy("Pairings by game"),
    "names": gettext_lazy("Pairings by name"),
    "slips": gettext_lazy("Result slips"),
    "standings": gettext_lazy("Standings"),
    "crosstable": gettext_lazy("Crosstable"),
    "chart": gettext_lazy("Wall chart"),
    "certificates": gettext_lazy("Certificates"),
}
OF_A_ROUND = {"pairings", "names", "slips"}
BEST = 3
"""The places that get a certificate, unless everybody does."""


@dataclass(frozen=True)
class Certificate:
    """The name and the final place of an entrant."""

    name: str
    club: str
    place: int | None
    """``None`` for those who took part without a place."""
    group: str
    """Empty without groups."""


@dataclass(frozen=True)
class Seat:
    """An entrant with the number of their game and their opponent, for the list by name."""

    name: str
    board: int | None
    """``None`` for a bye."""
    side: str
    opponent: str
    """Empty for a bye, or if it is not known yet."""
    is_bye: bool


@require_safe
def print_page(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show one part of a competition as a page that prints well."""
    one = visible(request, slug, pk)
    page = pages.load(one)
    parts = parts_of(page)
    part = request.GET.get("part", "")
    part = part if part in parts else next(iter(parts))
    rounds = rounds_of(page)
    key = request.GET.get("round", "")
    round_ = rounds.get(key) or shown_first(page, rounds)
    games = [line for line in round_.fixtures if not line.is_needless] if round_ else []
    everybody = "all" in request.GET
    context = {
        "arena": one.season.arena,
        "competition": one,
        "page": page,
        "round": round_,
        "key": next((key for key, each in rounds.items() if each is round_), ""),
        "part": part,
        "title": parts[part],
        "parts": parts,
        "of_a_round": part in OF_A_ROUND,
        "rounds": rounds,
        "games": games,
        "side_names": side_names(page),
        "seats": seats_of(games, side_names(page)) if part == "names" else (),
        "charts": wall_charts.charts_of(page) if part == "chart" else (),
        "certificates": certificates_of(page, everybody=everybody),
        "everybody": everybody,
    }
    return render(request, "competitions/print.html", context)


def parts_of(page: CompetitionPage) -> dict[str, _StrPromise]:
    """Return the parts that a competition has, with their names."""
    without = set()
    if not page.competition.has_table:
        without |= {"standings", "crosstable"}
    if not page.bracket_parts:
        without.add("chart")
    found = {part: label for part, label in PARTS.items() if part not in without}
    # Only chess is played on boards.
    return found | {"pairings": gettext_lazy("Pairings by board")} if page.is_like_chess else found


def rounds_of(page: CompetitionPage) -> dict[str, RoundLines]:
    """Return the rounds by what stands for them in the address, those of a bracket last."""
    names = bracket_names.names_of(page.competition, page.rounds)
    found = {str(each.round.number): each for each in page.tabled}
    return found | {
        f"{each.round.stage}-{each.round.number}": replace(each, name=names[each.round.pk])
        for each in page.bracket
    }


def shown_first(page: CompetitionPage, rounds: dict[str, RoundLines]) -> RoundLines | None:
    """Return the first round with an open game, else the last that is drawn."""
    current = page.round_to_show(None)
    if not page.bracket or (current and current.has_open_game):
        return next(
            (one for one in rounds.values() if current and one.round == current.round), None
        )
    in_bracket = [each for each in rounds.values() if each.round.is_in_bracket]
    return next((each for each in in_bracket if each.has_open_game), in_bracket[-1])


def certificates_of(page: CompetitionPage, *, everybody: bool) -> Sequence[Certificate]:
    """Return the certificates of a competition that is over, the best first."""
    one = page.competition
    if one.state != one.State.OVER:
        return []
    if one.has_bracket:
        rows = [Certificate(row.name, row.club, row.place, "") for row in page.entrants]
    else:
        rows = [
            Certificate(line.entrant.name, line.entrant.club, line.row.place, table.name)
            for table in page.tables
            for line in table.lines
        ]
    rows = [row for row in rows if everybody or (row.place and row.place <= BEST)]
    return sorted(rows, key=lambda row: (row.group, row.place or MOST_ENTRANTS))


def seats_of(games: Iterable[FixtureLine], names: tuple[str, str]) -> Sequence[Seat]:
    """Return everybody of a round by name."""
    seats = []
    for line in games:
        home, away = line.fixture.home, line.fixture.away
        for mine, other, side in ((home, away, names[0]), (away, home, names[1])):
            if mine is not None:
                seats.append(
                    Seat(mine.name, line.board, side, other.name if other else "", line.is_bye)
                )
    return sorted(seats, key=lambda seat: seat.name.casefold())
