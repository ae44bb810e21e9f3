"""Import files in the browser: upload, name the columns, check, import, undo."""

from __future__ import annotations

from datetime import date
from itertools import islice
from typing import TYPE_CHECKING, Any, cast

from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from league.admin.core.base import Explained, ReadOnly
from league.admin.core.exports import FORMAT, Exports, format_of, stream_file
from league.admin.jobs import jobs as job_pages
from league.admin.transfer.forms import ColumnsForm, SeasonForm, UploadForm
from league.admin.transfer.permissions import may_import
from league.models import Arena, FileImport, Job, Player
from league.services.core.clock import database_now
from league.services.core.errors import Refused
from league.services.core.exports import MOST_SHEET_ROWS, too_long
from league.services.transfer.files import (
    file_imports,
    repeats,
    round_trips,
    sending,
    table_fields,
)
from ratings.files.dates import DateOrder
from ratings.files.tables import FirstLine
from ratings.files.text_rows import Encoding

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
    from django.http.response import HttpResponseBase
    from django.urls import URLPattern

    from league.models import User

State = FileImport.State

job_pages.RESULTS.update(
    dict.fromkeys(sending.JOBS, "admin:league_fileimport_of_job"),
)


@admin.register(FileImport)
class FileImportAdmin(Explained, Exports, ReadOnly):
    export_columns = (
        "id",
        "arena__slug",
        "what",
        "state",
        "file_name",
        "matches",
        "players",
        "changed",
        "by__username",
        "at",
        "imported_at",
        "undone_at",
    )
    list_display = ("file_name", "arena", "what", "state", "by", "at")
    list_filter = ("state", "what", "at", "arena")
    list_select_related = ("arena", "by")
    search_fields = ("file_name",)
    search_help_text = gettext_lazy("Part of a file’s name.")
    ordering = ("-id",)
    explanation = gettext_lazy(
        "Import a file from the page of an arena. Everything that was imported can be undone here."
    )

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view
        return [
            path("of-job/<int:job_id>/", view(self.of_job_view), name="league_fileimport_of_job"),
            path("<int:pk>/errors/", view(self.errors_view), name="league_fileimport_errors"),
            *super().get_urls(),
        ]

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).defer("report", "matches", "players", "changed")

    @method_decorator(require_http_methods(["GET", "HEAD", "POST"]))
    def upload_view(self, request: HttpRequest, arena_id: int) -> HttpResponse:
        """Take a file for an arena."""
        arena = get_object_or_404(Arena, pk=arena_id)
        if not may_import(request, arena):
            raise PermissionDenied
        initial = {"what": request.GET.get("what")}
        number = request.GET.get("change", "")
        if number.isdecimal() and len(number) < 18:
            before = get_object_or_404(arena.file_imports.all(), pk=number)
            initial = {"what": before.what, "pasted": file_imports.text_of(before)}
        form = UploadForm(request.POST or None, request.FILES or None, initial=initial)
        if request.method == "POST" and form.is_valid():
            if not may_import(request, arena, form.cleaned_data["what"]):
                form.add_error("what", _("You may not import these."))
            elif file := self.store_file(request, arena, form):
                return after_upload(file)
        context = {
            **self.admin_site.each_context(request),
            "title": _("Import"),
            "subtitle": str(arena),
            "opts": Arena._meta,  # noqa: SLF001 - Django's name for it
            "arena": arena,
            "form": form,
            "earlier": arena.file_imports.select_related("by").defer("report")[:5],
        }
        return TemplateResponse(request, "admin/league/fileimport/upload.html", context)

    def store_file(self, request: HttpRequest, arena: Arena, form: UploadForm) -> FileImport | None:
        """Store a file or a pasted list, or return None after adding the error to the form."""
        name, content = form.named_content()
        try:
            return file_imports.upload(
                arena,
                form.cleaned_data["what"],
                name=name,
                content=content,
                season=None,
                by=cast("User", request.user),
                now=database_now(),
            )
        except Refused as refusal:
            form.add_error("file" if form.cleaned_data["file"] else "pasted", refusal.message)
            return None

    @method_decorator(require_safe)
    def of_job_view(self, request: HttpRequest, job_id: int) -> HttpResponse:
        """Lead from a job to the file that it was about."""
        job = get_object_or_404(Job, pk=job_id, kind__in=sending.JOBS)
        file = get_object_or_404(FileImport, pk=job.given["file"])
        if not self.has_view_permission(request, file):
            raise PermissionDenied
        seen = f"?preview={job.pk}#preview" if job.kind == file_imports.PREVIEW else ""
        return HttpResponseRedirect(f"{page_of(file)}{seen}")

    @method_decorator(require_safe)
    def errors_view(self, request: HttpRequest, pk: int) -> StreamingHttpResponse:
        """Send the errors of a file as a file."""
        file = get_object_or_404(FileImport, pk=pk)
        if not self.has_view_permission(request, file):
            raise PermissionDenied
        rows = (file.report or {}).get("errors", [])
        return stream_file(f"errors-{file.pk}", "csv", ["line", "error"], rows)

    @method_decorator(require_http_methods(["GET", "HEAD", "POST"]))
    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: Any = None,
    ) -> HttpResponse:
        """Show the step that a file is at, and take the next one."""
        del form_url, extra_context
        file = self.get_object(request, unquote(object_id))
        if not self.has_view_permission(request, file):
            raise PermissionDenied
        if file is None:
            raise Http404
        may = may_import(request, file.arena, file.what)
        if request.method == "POST":
            if not may:
                raise PermissionDenied
            for name in file_imports.READ_AGAIN:
                if name in request.POST:
                    return self.read_again(request, file, name)
            return self.next_step(request, file)
        return self.page(request, file)

    def next_step(self, request: HttpRequest, file: FileImport) -> HttpResponse:
        """Take the step of the button that was pressed."""
        by, now = cast("User", request.user), database_now()
        steps = {
            "read": file_imports.ask_read,
            "import": file_imports.ask_import,
            "preview": file_imports.ask_preview,
        }
        try:
            if "undo" in request.POST:
                reason = request.POST.get("reason", "")
                return job_pages.lead_to(file_imports.ask_undo(file, by=by, reason=reason, now=now))
            for name, ask in steps.items():
                if name in request.POST:
                    return job_pages.lead_to(ask(file, by=by, now=now))
            if form := self.choose(request, file, now):
                return self.page(request, file, **form)
            file.save(update_fields=["mapping", "season"])
            return job_pages.lead_to(file_imports.ask_check(file, by=by, now=now))
        except Refused as refusal:
            self.message_user(request, refusal.message, messages.ERROR)
            if "undo" in request.POST:  # the preview stays
                return self.page(request, file)
            return HttpResponseRedirect(page_of(file))

    def read_again(self, request: HttpRequest, file: FileImport, name: str) -> HttpResponse:
        """Read a file again, with another choice."""
        try:
            file_imports.read_again(file, name, request.POST[name])
        except Refused as refusal:
            self.message_user(request, refusal.message, messages.ERROR)
        return HttpResponseRedirect(page_of(file))

    def choose(self, request: HttpRequest, file: FileImport, now: datetime) -> dict[str, Any]:
        """Take over what was chosen for a file, or return the form with what is wrong with it."""
        if "names" in request.POST:
            file.mapping["names"] = chosen_names(request, file)
        elif "repeats" in request.POST:
            file.mapping["repeats"] = repeats.check_choice(request.POST["repeats"])
        elif "leave_out" in request.POST:
            leave_out(file, request.POST["leave_out"])
        elif "order" in request.POST:
            read_dates_as(file, request.POST["order"])
        elif "season" in request.POST:
            season = SeasonForm(request.POST)
            if not season.is_valid():
                return {"season_form": season}
            file_imports.bring_season(file, season.season_of(file.arena), now)
        else:
            columns = ColumnsForm(file, request.POST)
            if not columns.is_valid():
                return {"form": columns}
            columns.choose()
        return {}

    def page(
        self,
        request: HttpRequest,
        file: FileImport,
        form: ColumnsForm | None = None,
        season_form: SeasonForm | None = None,
    ) -> HttpResponse:
        waits = file.state in {State.UPLOADED, State.CHECKED}
        context = {
            **self.admin_site.each_context(request),
            "title": file.file_name,
            "subtitle": str(file.arena),
            "opts": self.opts,
            "arena": file.arena,
            "file": file,
            "report": file.report,
            "form": form or ColumnsForm(file),
            "waits": waits,
            "season_form": season_form or missing_season(file),
            "layout": table_fields.layout_of(file).value,
            "is_headless": file.mapping.get("first_line") == FirstLine.DATA,
            "is_checked": file.state == State.CHECKED,
            "is_imported": file.state == State.IMPORTED,
            "has_news": has_news(file.report),
            "reason": request.POST.get("reason", ""),
            "preview": job_pages.preview_result(request, file_imports.PREVIEW, file=file.pk),
            "repeats": [
                repeats.describe_repeat(*pair) for pair in (file.report or {}).get("repeats", [])
            ],
            "resembles": any(row["near"] for row in (file.report or {}).get("players", [])),
            "names_chosen": file.mapping.get("names", {}),
            "sheets": [
                name for name in file.mapping.get("sheets", []) if name != file.mapping["sheet"]
            ],
            "rows": file.mapping.get("sample", []),
            "examples": file.mapping.get("examples", []),
            **encodings_of(file),
            "before": file_imports.imported_before(file) if waits else None,
            "may_change": may_import(request, file.arena, file.what),
            "has_text": bool(waits and file_imports.text_of(file)),
        }
        return TemplateResponse(request, "admin/league/fileimport/file.html", context)


def urls() -> list[URLPattern]:
    """Return the address of the upload, below those of arenas."""
    return [
        path(
            "<int:arena_id>/import/",
            admin.site.admin_view(admin_of_files().upload_view),
            name="league_arena_import",
        ),
        path(
            "<int:arena_id>/export/",
            admin.site.admin_view(export_view),
            name="league_arena_data",
        ),
    ]


@require_safe
def export_view(request: HttpRequest, arena_id: int) -> HttpResponseBase:
    """Send results, players or rosters as a file that can be edited and imported again."""
    arena = get_object_or_404(Arena, pk=arena_id)
    what = request.GET.get("what", FileImport.What.RESULTS)
    if what not in FileImport.What.values:
        raise Http404
    if not may_import(request, arena, what):
        raise PermissionDenied
    form = format_of(request.GET.get(FORMAT, ""))
    header, rows = round_trips.export(arena, what)
    if form == "xlsx":
        kept = list(islice(rows, MOST_SHEET_ROWS + 1))
        rows = iter(kept)
        if len(kept) > MOST_SHEET_ROWS:
            messages.error(request, too_long())
            return HttpResponseRedirect(reverse("admin:league_arena_import", args=[arena.pk]))
    return stream_file(f"{arena.slug}-{what}", form, header, rows)


def admin_of_files() -> FileImportAdmin:
    return cast("FileImportAdmin", admin.site.get_model_admin(FileImport))


def page_of(file: FileImport) -> str:
    return reverse("admin:league_fileimport_change", args=[file.pk])


def encodings_of(file: FileImport) -> dict[str, Any]:
    """Return the encoding of a file that was guessed or chosen, and the others that it may have."""
    now = file.mapping.get("encoding") or file.mapping.get("guessed")
    others = [one for one in Encoding if one != now]
    return {"encoding": Encoding(now).label, "encodings": others} if now else {}


def after_upload(file: FileImport) -> HttpResponse:
    """Lead to the page of a file, or to the worker that reads it first."""
    if file.mapping:
        return HttpResponseRedirect(page_of(file))
    return job_pages.lead_to(file_imports.ask_read(file, by=file.by, now=file.at))


def missing_season(file: FileImport) -> SeasonForm | None:
    """Return a form for the season that results of a file need, if they need one."""
    missing = (file.report or {}).get("missing_season")
    if not missing:
        return None
    return SeasonForm(
        initial={
            "season_name": missing["name"],
            "starts": date.fromisoformat(missing["starts"]),
            "ends": date.fromisoformat(missing["ends"]),
        }
    )


def has_news(report: dict[str, Any] | None) -> bool:
    """Return whether importing a checked file would change anything."""
    kinds = ("new", "changed", "void", "new_players")
    return report is not None and not report["error_count"] and any(report[k] for k in kinds)


def leave_out(file: FileImport, number: str) -> None:
    """Leave out the lines with a kind of error, by its place in the report; none for any other."""
    groups = (file.report or {}).get("groups", [])
    if number.isdecimal() and len(number) < 4 and int(number) < len(groups):
        kind = groups[int(number)]["kind"]
        file.mapping["left_out"] = [*file.mapping.get("left_out", []), kind]
    else:
        file.mapping.pop("left_out", None)


def read_dates_as(file: FileImport, order: str) -> None:
    """Read the dates of a file in another order."""
    if order in set(DateOrder):
        file.mapping["date_order"] = order


def chosen_names(request: HttpRequest, file: FileImport) -> dict[str, int]:
    """Return the players whom the reader chose for unknown names, with those chosen before."""
    chosen: dict[str, int] = dict(file.mapping.get("names", {}))
    for number, row in enumerate((file.report or {}).get("players", [])):
        given = request.POST.get(f"name-{number}", "")
        if given.isdecimal() and len(given) < 18 and Player.objects.filter(pk=int(given)).exists():
            chosen[row["folded"]] = int(given)
    return chosen
