"""Whole lists as ``application/x-ndjson``: a line of JSON for each row, read batch by batch."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING, Any

from django.http import StreamingHttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError
from rest_framework.renderers import JSONRenderer

from league.services.core.ordered import part_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from django.db.models import QuerySet
    from rest_framework.request import Request

MEDIA_TYPE = "application/x-ndjson"
BATCH = 500
"""Rows that are in memory together."""
OF_PARTS = ("cursor", "page", "page_size")


class Lines(JSONRenderer):
    """The media types of a client that wants a stream. Refusals stay documents."""

    media_type = MEDIA_TYPE
    format = "ndjson"


def stream(
    request: Request, rows: QuerySet[Any], serialize: Callable[[Sequence[Any]], Any]
) -> StreamingHttpResponse:
    """Return all rows as lines, in a constant amount of memory. Raises ``ValidationError``."""
    sent = [name for name in OF_PARTS if name in request.query_params]
    if sent:
        raise ValidationError({name: [_("A stream has all results.")] for name in sent})
    return StreamingHttpResponse(lines(rows, serialize), content_type=MEDIA_TYPE)


def lines(rows: QuerySet[Any], serialize: Callable[[Sequence[Any]], Any]) -> Iterator[bytes]:
    """Yield the lines. Each batch begins at the place where the one before ended."""
    renderer, place = JSONRenderer(), None
    while True:
        part = part_of(rows, BATCH, place)
        with timezone.override(UTC):
            shown = serialize(part.rows)
            batch = b"".join(renderer.render(row) + b"\n" for row in shown)
        yield batch
        place = part.after
        if place is None:
            return
