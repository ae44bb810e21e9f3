"""Players and results in bulk."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import status
from rest_framework.exceptions import ValidationError
from rest_framework.response import Response
from rest_framework.settings import api_settings

from league.api.arenas.views import ArenaEndpoint
from league.api.transfer.forms import BulkPlayersForm, BulkReportSerializer, BulkResultsForm
from league.models import FileImport, Scope
from league.services.core.clock import database_now
from league.services.transfer.files import bulk
from league.services.transfer.files.repeats import ONCE

if TYPE_CHECKING:
    from rest_framework.request import Request

    from league.services.transfer.files.bulk import Brought

ANSWERS = {
    201: BulkReportSerializer,
    200: OpenApiResponse(
        BulkReportSerializer,
        description="What the rows would do, or that all of them are here already.",
    ),
}


class Bulk(ArenaEndpoint):
    """Rows that are imported as those of a file."""

    serializer_class: Any = BulkReportSerializer
    scopes: tuple[Scope, ...] = (Scope.STAFF,)
    form: Any = None
    what = ""

    def answer_to(self, slug: str) -> Response:
        """Import the rows of the request. Raises ``ValidationError`` for those at fault."""
        arena, by = self.arena(slug), self.account()
        bulk.check_may_bring(by, arena, self.what)
        body = self.body(self.form)
        brought = bulk.bring(
            arena,
            self.what,
            body["rows"],
            name=body["name"],
            by=by,
            now=database_now(),
            dry_run=body["dry_run"],
            repeats=body.get("repeats", ONCE),
        )
        if brought.has_errors and not body["dry_run"]:
            raise errors_of(brought)
        made = status.HTTP_201_CREATED if brought.file else status.HTTP_200_OK
        report = report_of(brought, len(body["rows"]), dry_run=body["dry_run"])
        return Response(BulkReportSerializer(report).data, status=made)


class BulkResults(Bulk):
    form = BulkResultsForm
    what = FileImport.What.RESULTS

    @extend_schema(operation_id="import_results", request=BulkResultsForm, responses=ANSWERS)
    def post(self, _request: Request, slug: str) -> Response:
        """Import up to 1,000 results at once, as staff who may import files of results.

        All count, or none if a row is wrong. With `dry_run`, nothing is written. Rows that are here
        already change nothing, so the same rows can be sent again. A row that repeats an earlier
        row of the request changes nothing either, unless `repeats` is `each`. The import can be
        undone in the admin.
        """
        return self.answer_to(slug)


class BulkPlayers(Bulk):
    form = BulkPlayersForm
    what = FileImport.What.PLAYERS

    @extend_schema(operation_id="import_players", request=BulkPlayersForm, responses=ANSWERS)
    def post(self, _request: Request, slug: str) -> Response:
        """Import up to 1,000 players at once, as staff who may import files of players.

        All are written, or none if a row is wrong. With `dry_run`, nothing is.
        """
        return self.answer_to(slug)


def errors_of(brought: Brought) -> ValidationError:
    """Return what is wrong with rows, each by its number."""
    found: dict[str, Any] = {}
    for row, text in brought.done.report["errors"]:
        found.setdefault(api_settings.NON_FIELD_ERRORS_KEY if row is None else str(row), []).append(
            text
        )
    return ValidationError({"rows": found})


def report_of(brought: Brought, count: int, *, dry_run: bool) -> dict[str, Any]:
    """Return what rows did or would do, row by row."""
    report, rows = brought.done.report, brought.done.rows
    outcomes = ((row, *rows.get(row, ("known", None))) for row in range(count))
    repeats = dict(report.get("repeats", []))
    return {
        "dry_run": dry_run,
        "id": brought.file.pk if brought.file else None,
        "new_players": report["new_players"],
        "error_count": report["error_count"],
        "errors": [{"row": row, "detail": text} for row, text in report["errors"]],
        "rows": []
        if brought.has_errors
        else [
            {"row": row, "outcome": outcome, "id": pk, "repeats": repeats.get(row)}
            for row, outcome, pk in outcomes
        ],
    }
