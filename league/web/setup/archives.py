"""Move a league into an empty Laurel: the setup code first, then the archive, then its progress."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from shutil import copyfileobj
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING, Any

from django.core.files.uploadedfile import TemporaryUploadedFile
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from league.services.core.errors import Conflict, Refused
from league.services.operations import moving_in, restoring
from league.services.people import first_admin
from league.web.core.fragments import asks_for_part
from league.web.core.uploads import has_setup_code, mark_with_setup_code
from league.web.setup.forms import ArchiveForm, CodeForm

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.http import HttpRequest, HttpResponse

COUNTED = {
    "accounts": gettext_lazy("Accounts"),
    "players": gettext_lazy("Players"),
    "seasons": gettext_lazy("Seasons"),
    "matches": gettext_lazy("Matches"),
    "rating events": gettext_lazy("Rating events"),
    "images": gettext_lazy("Images"),
}
"""The counts of a manifest, in words."""


@never_cache
@sensitive_post_parameters("code", "key")
@require_http_methods(["GET", "HEAD", "POST"])
def archive(request: HttpRequest) -> HttpResponse:
    """Ask for the setup code, on the server itself too: an archive can run any SQL. Then take the
    archive, if it is whole, and let a process move its league in."""
    first_admin.refuse_second()
    moving_in.refuse_inhabited(moving_in.is_inhabited())
    answer = take_archive(request) if has_setup_code(request) else ask_for_code(request)
    if isinstance(answer, ArchiveForm | CodeForm):
        status = 400 if answer.is_bound else 200
        context = {"form": answer, "takes_archive": isinstance(answer, ArchiveForm)}
        return render(request, "setup/archive.html", context, status=status)
    return answer


def ask_for_code(request: HttpRequest) -> HttpResponse | CodeForm:
    """Return the form of the setup code, or the same page for a browser that gave it."""
    form = CodeForm(request.POST if request.method == "POST" else None)
    if not (request.method == "POST" and form.is_valid()):
        return form
    try:
        first_admin.check_code(form.cleaned_data["code"])
    except Refused as refusal:
        form.refuse(refusal)
        return form
    answer = redirect("setup_archive")
    mark_with_setup_code(answer)
    return answer


def take_archive(request: HttpRequest) -> HttpResponse | ArchiveForm:
    """Return the form of the archive, or the page of the attempt to move its league in."""
    if request.method != "POST":
        return ArchiveForm()
    form = ArchiveForm(request.POST, request.FILES)
    if not form.is_valid():
        return form
    upload, key = form.cleaned_data["archive"], form.cleaned_data["key"]
    with path_of(upload) as path:
        try:
            restoring.check_backup(path, key)
        except Refused as refusal:
            if isinstance(refusal, Conflict):
                raise
            field = "key" if refusal.code == "backup_key" else "archive"
            form.add_error(field, refusal.message.replace(str(path), upload.name))
            return form
        attempt = moving_in.begin(path, key)
    return redirect("setup_archive_progress", attempt)


@contextmanager
def path_of(upload: Any) -> Iterator[Path]:
    """Give the path of an uploaded file. Small ones are in memory until then."""
    if isinstance(upload, TemporaryUploadedFile):
        yield Path(upload.temporary_file_path())
        return
    with NamedTemporaryFile() as copy:
        copyfileobj(upload, copy)
        copy.flush()
        yield Path(copy.name)


@never_cache
@require_safe
def progress(request: HttpRequest, attempt: str) -> HttpResponse:
    """Show how far an attempt is. The page polls until it is over.

    Whoever does not know its name learns that no such attempt runs.
    """
    state = moving_in.state_of(attempt)
    counts = (
        [(COUNTED.get(name, name), count) for name, count in state.counts.items()] if state else []
    )
    context = {"state": state, "counts": counts, "is_set_up": not first_admin.is_missing()}
    template = "setup/_archive.html" if asks_for_part(request) else "setup/archive_progress.html"
    return render(request, template, context)
