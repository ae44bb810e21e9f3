"""Uploaded files are limited before anything is stored of them."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import FileUploadHandler, StopFutureHandlers
from django.utils.translation import gettext_lazy

if TYPE_CHECKING:
    from typing import IO

    from django.http import HttpRequest, HttpResponse

ARCHIVES = "/setup/archive/"
"""The page that takes the archive of a whole league, without a script's prefix."""
LARGEST_ARCHIVE = 4 * 2**30
ARCHIVE_TOO_LARGE = gettext_lazy(
    "The file has %(size)s. It can have at most %(limit)s here; with “manage.py restore” on the "
    "server it can have any size."
)
COOKIE, SALT = "setup", "league.setup"
SHOWN_FOR = 6 * 3600
"""Seconds for which a browser that has given the setup code may bring an archive."""


def most_bytes(request: HttpRequest | None) -> int:
    """Return the size of the largest file that a request may have."""
    if request and request.path_info == ARCHIVES and has_setup_code(request):
        return LARGEST_ARCHIVE
    return settings.UPLOAD_MOST_BYTES


def has_setup_code(request: HttpRequest) -> bool:
    """Return whether this browser has given the setup code, before anything of a body is read."""
    return request.get_signed_cookie(COOKIE, None, salt=SALT, max_age=SHOWN_FOR) is not None


def mark_with_setup_code(response: HttpResponse) -> None:
    response.set_signed_cookie(
        COOKIE,
        "given",
        salt=SALT,
        max_age=SHOWN_FOR,
        secure=settings.SECURE,
        httponly=True,
        samesite="Strict",
    )


class LimitedUploads(FileUploadHandler):
    """Read files of too large a request without keeping them.

    Such a file arrives empty, with the size of its request, so that its field can name the limit.
    """

    declared = 0
    most = 0
    too_large = False

    def handle_raw_input(
        self,
        input_data: IO[bytes],
        META: dict[str, Any],  # noqa: N803 - Django's signature
        content_length: int,
        boundary: str,
        encoding: str | None = None,
    ) -> None:
        del input_data, META, boundary, encoding
        self.declared = content_length
        texts = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        self.most = most_bytes(self.request)
        self.too_large = content_length > self.most + texts

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        super().new_file(*args, **kwargs)
        if self.too_large:
            raise StopFutureHandlers

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes | None:
        if start + len(raw_data) > self.most:
            self.too_large = True
        return None if self.too_large else raw_data

    def file_complete(self, file_size: int) -> UploadedFile | None:
        del file_size
        if not self.too_large:
            return None
        return UploadedFile(BytesIO(), self.file_name, self.content_type, self.declared)
