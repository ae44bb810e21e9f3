"""``Idempotency-Key``: a request that writes takes effect once, and answers the same each time."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, cast

from django.db import transaction
from django.http import HttpResponse
from django.utils.translation import gettext as _
from rest_framework import status
from rest_framework.exceptions import ValidationError
from rest_framework.renderers import JSONRenderer

from league.models.sent_request import LONGEST_KEY
from league.services.core.clock import database_now
from league.services.people import sent_once

if TYPE_CHECKING:
    from collections.abc import Callable

    from rest_framework.request import Request
    from rest_framework.response import Response

    from league.models import SentRequest, User

HEADER = "Idempotency-Key"
REPLAYED = "Idempotency-Replayed"
SECRETIVE = "x-answers-with-a-secret"
"""Marks the operations in the description that take no key, because answers to these are kept."""
KEY = re.compile(rf"[\x21-\x7e]{{1,{LONGEST_KEY}}}")
NOT_FINAL = {status.HTTP_429_TOO_MANY_REQUESTS, status.HTTP_503_SERVICE_UNAVAILABLE}
"""Responses that ask to try again later, which the same key may."""


def key_of(request: Request) -> str:
    """Return the key of a request, empty if it has none. Raises ``ValidationError``."""
    key = request.headers.get(HEADER)
    if key is None:
        return ""
    if not KEY.fullmatch(key):
        text = _("Must have 1 to %(most)d ASCII characters without spaces, such as a UUID.")
        raise ValidationError({HEADER: [text % {"most": LONGEST_KEY}]})
    if (request.content_type or "").startswith("multipart/"):
        raise ValidationError({HEADER: [_("An upload takes no key.")]})
    return key


def keep_body(request: Request) -> None:
    """Keep the body as it was sent, before the check of a session's CSRF token parses it."""
    if not (request.content_type or "").startswith("multipart/"):
        _ = request._request.body  # noqa: SLF001 - as it was sent


def answered_once(
    request: Request, key: str, answer: Callable[[], Response]
) -> Response | HttpResponse:
    """Return the response to a request, the one from before if it was sent before.

    Raises ``Conflict`` for a key of another request.
    """
    plain: Any = request._request  # noqa: SLF001 - the body as it was sent
    digest = sent_once.digest_of(plain.method, plain.get_full_path(), plain.body)
    with transaction.atomic():
        user = cast("User", request.user)
        sent, is_new = sent_once.begin(user, key, digest, database_now())
        if not is_new:
            return replay(sent)
        response = answer()
        if response.status_code in NOT_FINAL or status.is_redirect(response.status_code):
            transaction.set_rollback(True)
            return response
        sent.status = response.status_code
        sent.media_type = response.content_type or JSONRenderer.media_type
        sent.body = JSONRenderer().render(response.data).decode()
        sent.save(update_fields=["status", "media_type", "body"])
    return response


def replay(sent: SentRequest) -> HttpResponse:
    """Return the response of the first time."""
    response = HttpResponse(sent.body, status=sent.status, content_type=sent.media_type)
    if not sent.body:
        del response.headers["Content-Type"]
    response.headers[REPLAYED] = "true"
    return response
