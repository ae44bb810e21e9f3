"""Files of results that programs send, and what becomes of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.parsers import MultiPartParser
from rest_framework.permissions import IsAuthenticated
from rest_framework.response import Response

from league.api.arenas.views import ArenaEndpoint
from league.api.core.endpoint import Endpoint
from league.api.core.fields import Choice, Strict, Text, Upload
from league.api.core.throttles import COSTLY
from league.models import FileImport, Job, Scope
from league.services.core.clock import database_now
from league.services.jobs.jobs import progress_of
from league.services.transfer.files import file_imports, sending
from league.services.transfer.files.bulk import check_may_bring
from league.services.transfer.files.repeats import EACH, ONCE
from league.services.transfer.files.result_files import parse_mapping
from ratings.files.dates import DateOrder
from ratings.files.text_rows import Encoding
from ratings.io.csvproblems import CsvError

if TYPE_CHECKING:
    from rest_framework.permissions import BasePermission
    from rest_framework.request import Request

YES, NO = "true", "false"


class ResultFileForm(Strict):
    """A file of results and how to read it, as a multipart form."""

    file = Upload(
        allow_empty_file=True,  # the reader says what is missing
        help_text=gettext_lazy(
            "The file as another program wrote it, of at most 16 MB. Its format is recognised by "
            "its content."
        ),
    )
    dry_run = Choice(
        [YES, NO],
        required=False,
        default=NO,
        help_text=gettext_lazy("Whether to say only what the file would do."),
    )
    columns = Text(
        required=False,
        default="",
        max_length=1_000,
        help_text=gettext_lazy(
            "The columns of a table that are not guessed, by their names in the file, such as "
            "played_at=When,side_1=A,side_2=B."
        ),
    )
    date_order = Choice(
        list(DateOrder),
        required=False,
        help_text=gettext_lazy("What comes first in dates such as 3/4/2023, if not as guessed."),
    )
    day = serializers.DateField(
        required=False,
        help_text=gettext_lazy("The day of results without a date; the first of the season else."),
    )
    encoding = Choice(
        list(Encoding),
        required=False,
        help_text=gettext_lazy("The encoding of the text, if not as guessed."),
    )
    repeats = Choice(
        [ONCE, EACH],
        required=False,
        default=ONCE,
        help_text=gettext_lazy(
            "What lines are that have the same time, sides and result as an earlier one: the same "
            "match, imported once, or each a match of its own."
        ),
    )

    def validate_file(self, upload: Any) -> Any:
        if upload.size > settings.UPLOAD_MOST_BYTES:
            raise serializers.ValidationError(
                _("The file has %(size)s. At most %(limit)s are read: divide it.")
                % {
                    "size": filesizeformat(upload.size),
                    "limit": filesizeformat(settings.UPLOAD_MOST_BYTES),
                }
            )
        return upload

    def validate_columns(self, text: str) -> dict[str, str]:
        try:
            return parse_mapping(text) if text else {}
        except CsvError as error:
            raise serializers.ValidationError(str(error)) from None


class UndoForm(Strict):
    """The reason for undoing an import."""

    reason = Text(max_length=1_000, help_text=gettext_lazy("For the log of staff."))


class ImportJobSerializer(serializers.ModelSerializer[Job]):
    """The last work on a file."""

    step = serializers.SerializerMethodField(
        help_text=gettext_lazy("The step in words; empty before it begins and when it is over.")
    )
    done = serializers.SerializerMethodField(help_text=gettext_lazy("The parts of the step done."))
    total = serializers.SerializerMethodField(help_text=gettext_lazy("All parts of the step."))

    class Meta:
        model = Job
        fields = ("id", "state", "refusal", "step", "done", "total")
        extra_kwargs = {
            "state": {"help_text": gettext_lazy("Whether it waits or is under way, or is over.")},
            "refusal": {"help_text": gettext_lazy("Why it failed; nothing has changed then.")},
        }

    def get_step(self, job: Job) -> str:
        return self.progress(job)[0]

    def get_done(self, job: Job) -> int:
        return self.progress(job)[1]

    def get_total(self, job: Job) -> int:
        return self.progress(job)[2]

    def progress(self, job: Job) -> tuple[str, int, int]:
        waits = job.state == Job.State.WAITING
        return (progress_of(job) if waits else None) or ("", 0, 0)


class LineErrorSerializer(serializers.Serializer[Any]):
    """An error in a line."""

    line = serializers.IntegerField(
        allow_null=True, help_text=gettext_lazy("From 1; null if it is about the whole file.")
    )
    detail = serializers.CharField(help_text=gettext_lazy("What to change."))


class ImportReportSerializer(serializers.Serializer[Any]):
    """The effect that a file has, or would have."""

    lines = serializers.IntegerField(help_text=gettext_lazy("Results in the file."))
    new = serializers.IntegerField(help_text=gettext_lazy("Results that are not here yet."))
    known = serializers.IntegerField(help_text=gettext_lazy("Results that are here already."))
    changed = serializers.IntegerField(help_text=gettext_lazy("Results that it changes."))
    void = serializers.IntegerField(help_text=gettext_lazy("Results that it makes void."))
    new_players = serializers.IntegerField(help_text=gettext_lazy("Players who were not here."))
    remarks = serializers.ListField(
        child=serializers.CharField(), help_text=gettext_lazy("How the file was read.")
    )
    error_count = serializers.IntegerField(help_text=gettext_lazy("How many errors there are."))
    errors = LineErrorSerializer(  # type: ignore[assignment] # the name of a field, as in answers
        many=True, help_text=gettext_lazy("The first 1,000 of them.")
    )


class FileImportSerializer(serializers.ModelSerializer[FileImport]):
    """A file that was sent, and what became of it."""

    arena = serializers.SlugRelatedField[Any](
        slug_field="slug", read_only=True, help_text=gettext_lazy("The arena’s slug.")
    )
    examples = serializers.SerializerMethodField(
        help_text=gettext_lazy("Its first results in words, which show how it was understood.")
    )
    job = serializers.SerializerMethodField(help_text=gettext_lazy("The last work on it."))
    report = serializers.SerializerMethodField(
        help_text=gettext_lazy("What it does, or would do; null before it has been checked.")
    )

    class Meta:
        model = FileImport
        fields = (
            "id", "arena", "file_name", "state", "at", "imported_at", "undone_at", "examples",
            "job", "report",
        )  # fmt: skip
        extra_kwargs = {
            "file_name": {"help_text": gettext_lazy("The name it was sent with.")},
            "state": {
                "help_text": gettext_lazy(
                    "Uploaded, checked without an import, imported, or undone since."
                )
            },
            "at": {"help_text": gettext_lazy("When it was sent.")},
            "imported_at": {"help_text": gettext_lazy("When it was imported, null if it was not.")},
            "undone_at": {"help_text": gettext_lazy("When that was undone, null if it was not.")},
        }

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_examples(self, file: FileImport) -> list[str]:
        return list(file.mapping.get("examples", []))

    @extend_schema_field(ImportJobSerializer(allow_null=True))
    def get_job(self, file: FileImport) -> Any:
        job = sending.job_of(file)
        return ImportJobSerializer(job).data if job else None

    @extend_schema_field(ImportReportSerializer(allow_null=True))
    def get_report(self, file: FileImport) -> Any:
        found = file.report
        if not found or "lines" not in found:
            return None
        errors = [{"line": line, "detail": text} for line, text in found["errors"]]
        return ImportReportSerializer({**found, "errors": errors}).data


class SentResults(ArenaEndpoint):
    """Files of results in any known format."""

    serializer_class: Any = FileImportSerializer
    parser_classes = [MultiPartParser]
    throttle_classes = COSTLY
    scopes: tuple[Scope, ...] = (Scope.STAFF,)

    @extend_schema(
        operation_id="send_results",
        request={"multipart/form-data": ResultFileForm},
        responses={202: FileImportSerializer},
    )
    def post(self, _request: Request, slug: str) -> Response:
        """Import a file of results as another program wrote it, as staff who may import files.

        A worker reads, checks and imports it as a whole: ask for the import until its `job` is no
        longer `waiting`. With an error, or with `dry_run`, nothing is written and its `report` says
        what is wrong and what it would do. Results that are here already change nothing, so a file
        can be sent again.
        """
        arena, by = self.arena(slug), self.account()
        check_may_bring(by, arena, FileImport.What.RESULTS)
        body = self.body(ResultFileForm)
        chosen = {"repeats": body["repeats"]}
        if "date_order" in body:
            chosen["date_order"] = body["date_order"]
        if "day" in body:
            chosen["day"] = body["day"].isoformat()
        file = sending.send(
            arena,
            body["file"].read(),
            name=body["file"].name,
            chosen=chosen,
            columns=body["columns"],
            encoding=body.get("encoding", ""),
            dry_run=body["dry_run"] == YES,
            by=by,
            now=database_now(),
        )
        return Response(self.serialize(file), status=status.HTTP_202_ACCEPTED)


class SentEndpoint(Endpoint):
    """An import, for those who may import such files into its arena."""

    serializer_class: Any = FileImportSerializer
    scopes: tuple[Scope, ...] = (Scope.STAFF,)

    def get_permissions(self) -> list[BasePermission]:
        return [IsAuthenticated()]

    def file(self, pk: int) -> FileImport:
        files = FileImport.objects.select_related("arena")
        file = self.get_or_404(files, _("There is no such import."), pk=pk)
        check_may_bring(self.account(), file.arena, file.what)
        return file

    def arena_at(self, **at: Any) -> int | None:
        return self.file(at["pk"]).arena_id


class FileImportDetail(SentEndpoint):
    @extend_schema(operation_id="file_import", responses=FileImportSerializer)
    def get(self, _request: Request, pk: int) -> Response:
        """Return an import of a file, how far it is, and what it does."""
        return Response(self.serialize(self.file(pk)))


class FileImportUndoing(SentEndpoint):
    @extend_schema(
        operation_id="undo_file_import",
        request=UndoForm,
        responses={202: FileImportSerializer},
    )
    def post(self, _request: Request, pk: int) -> Response:
        """Undo an import: ratings become what they would be without it. A worker does it."""
        file = self.file(pk)
        reason = self.body(UndoForm)["reason"]
        file_imports.ask_undo(file, by=self.account(), reason=reason, now=database_now())
        return Response(self.serialize(file), status=status.HTTP_202_ACCEPTED)
