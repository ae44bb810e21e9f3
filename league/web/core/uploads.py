"""Uploaded files are limited before anything is stored of them."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import FileUploadHandler, StopFutureHandlers

if TYPE_CHECKING:
    from typing import IO


class LimitedUploads(FileUploadHandler):
    """Read files of too large a request without keeping them.

    Such a file arrives empty, with the size of its request, so that its field can name the limit.
    """

    declared = 0
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
        self.too_large = content_length > settings.UPLOAD_MOST_BYTES + texts

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        super().new_file(*args, **kwargs)
        if self.too_large:
            raise StopFutureHandlers

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes | None:
        if start + len(raw_data) > settings.UPLOAD_MOST_BYTES:
            self.too_large = True
        return None if self.too_large else raw_data

    def file_complete(self, file_size: int) -> UploadedFile | None:
        del file_size
        if not self.too_large:
            return None
        return UploadedFile(BytesIO(), self.file_name, self.content_type, self.declared)
