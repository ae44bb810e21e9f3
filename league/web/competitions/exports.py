"""Rounds as files for other programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.views.decorators.http import require_safe

from league.rates import limit_gets
from league.services.competitions import pages
from league.services.competitions.exports import files, pgn, trf
from league.services.competitions.running import bracket_names
from league.services.core.exports import TYPES, WRITERS
from league.web.competitions.views import visible

if TYPE_CHECKING:
    from django.http import HttpRequest

PGN = "application/vnd.chess-pgn; charset=utf-8"


@limit_gets("export")
@require_safe
def file(request: HttpRequest, slug: str, pk: int, what: str, kind: str) -> StreamingHttpResponse:
    """Send the table, the crosstable or the schedule of a competition as a file."""
    one = visible(request, slug, int(pk))
    if what != "schedule" and not one.has_table:
        raise Http404
    header, rows = files.KINDS[what](pages.load(one))
    name = f"{slug}-competition-{pk}-{what}.{kind}"
    return StreamingHttpResponse(
        WRITERS[kind](header, rows),
        content_type=TYPES[kind],
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@limit_gets("costly")
@require_safe
def round_as_pgn(
    request: HttpRequest, slug: str, pk: int, number: int, stage: str = ""
) -> HttpResponse:
    """Send the games of a round: of a table or a Swiss, or of a stage of a bracket."""
    one = visible(request, slug, pk)
    page = pages.load(one)
    rounds = [
        each
        for each in (page.bracket if stage else page.tabled)
        if each.round.number == number and (not stage or each.round.stage == stage)
    ]
    if not rounds or not pgn.is_for(page):
        raise Http404
    name = bracket_names.names_of(one, page.rounds)[rounds[0].round.pk] if stage else ""
    file = pgn.to_pgn(one, rounds[0], request.build_absolute_uri, stage=name)
    part = f"{stage}-{number}" if stage else f"round-{number}"
    return HttpResponse(
        file,
        content_type=PGN,
        headers={
            "Content-Disposition": f'attachment; filename="{slug}-competition-{pk}-{part}.pgn"'
        },
    )


@limit_gets("costly")
@require_safe
def games_as_pgn(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Send the games of all rounds that are drawn."""
    one = visible(request, slug, pk)
    page = pages.load(one)
    if not pgn.is_for(page):
        raise Http404
    names = bracket_names.names_of(one, page.rounds)
    games = [
        pgn.to_pgn(
            one,
            each,
            request.build_absolute_uri,
            stage=names[each.round.pk] if each.round.is_in_bracket else "",
        )
        for each in [*page.tabled, *page.bracket]
        if each.round.opened_at is not None
    ]
    return HttpResponse(
        b"\n".join(filter(None, games)),
        content_type=PGN,
        headers={"Content-Disposition": f'attachment; filename="{slug}-competition-{pk}.pgn"'},
    )


@limit_gets("costly")
@require_safe
def report_as_trf(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Send a table or a Swiss of individuals as a tournament report of FIDE."""
    one = visible(request, slug, pk)
    page = pages.load(one)
    if not trf.is_for(page):
        raise Http404
    return HttpResponse(
        trf.to_trf(page),
        content_type="text/plain; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{slug}-competition-{pk}.trf"'},
    )
