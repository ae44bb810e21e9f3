"""The data page, and downloads of its files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import FileResponse, Http404, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import etag, require_safe

from league.rates import limited
from league.services.dumps import files
from league.services.dumps.tables import TABLES

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

LATEST = "latest"
TYPES = {
    "csv.gz": "application/gzip",
    "ndjson.gz": "application/gzip",
    "parquet": "application/vnd.apache.parquet",
}
ABOUT = {table.name: table.about for table in TABLES}
GONE = _("There is no such file. Only the newest two dumps are kept.")


@require_safe
def data(request: HttpRequest) -> HttpResponse:
    """List the files of the newest dump."""
    dump = files.latest()
    rows = dump and [
        (table, ABOUT.get(table.name), [file for file in dump.files if file.table == table.name])
        for table in dump.tables
    ]
    context = {"dump": dump, "rows": rows, "latest": LATEST}
    return render(request, "dumps/data.html", context)


def version(_request: HttpRequest, dump: str, name: str) -> str | None:
    """Return the ETag of a file of a dump. No file ever changes under its name."""
    found = files.read(dump)
    return f'"{dump}-{name}"' if found and found.path_of(name) else None


@limited("export")
@require_safe
@etag(version)
def file(_request: HttpRequest, dump: str, name: str) -> FileResponse | HttpResponseRedirect:
    """Send a file of a dump. ``latest`` redirects to the file of the newest one."""
    found = files.latest() if dump == LATEST else files.read(dump)
    path = found.path_of(name) if found else None
    if found is None or path is None:
        raise Http404(GONE)
    if dump == LATEST:
        return HttpResponseRedirect(reverse("data_file", args=[found.name, name]))
    try:
        content = path.open("rb")
    except FileNotFoundError as error:  # just deleted
        raise Http404(GONE) from error
    return FileResponse(
        content,
        as_attachment=True,
        filename=f"{dump}-{name}",
        content_type=TYPES[name.partition(".")[2]],
        headers={"Cache-Control": "public, max-age=86400, immutable"},
    )
