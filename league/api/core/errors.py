"""Exceptions as the problem details of ``league.problems``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.exceptions import (
    BadRequest,
    PermissionDenied,
    RequestDataTooBig,
    SuspiciousOperation,
)
from django.core.exceptions import ValidationError as ModelError
from django.http import Http404
from django.http.multipartparser import MultiPartParserError
from django.utils.translation import gettext as _
from rest_framework import exceptions, status
from rest_framework.fields import get_error_detail
from rest_framework.response import Response
from rest_framework.settings import api_settings

from league.api.core.parsers import TooLarge
from league.problems import MEDIA_TYPE, problem
from league.services.core.constraints import is_about_nul, refusal_behind
from league.services.core.errors import Conflict, Forbidden, LimitReached, Refused, Unavailable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

LONGEST_LIST = 100
"""One answer lists at most this many errors."""


def explain(exception: Exception, context: Mapping[str, Any]) -> Response | None:
    """Return the response to a failed request, ``None`` for a fault of the server."""
    instance = context["request"].path
    if refused := refusal_behind(exception):
        return refusal(refused, instance)
    if is_about_nul(exception):
        exception = exceptions.ParseError(_("A text contains a NUL character. Remove it."))
    known = as_api_exception(exception)
    if known is None:
        return None
    headers: dict[str, str] = {}
    if challenge := getattr(known, "auth_header", None):
        headers["WWW-Authenticate"] = challenge
    if wait := getattr(known, "wait", None):
        headers["Retry-After"] = str(wait)
    return answer(known.status_code, *explain_exception(known), instance=instance, headers=headers)


def answer(
    http_status: int,
    code: str,
    detail: str,
    errors: list[dict[str, str]],
    *,
    instance: str,
    headers: dict[str, str],
) -> Response:
    body = problem(http_status, code, detail, instance=instance, errors=errors)
    return Response(body, status=http_status, headers=headers, content_type=MEDIA_TYPE)


def as_api_exception(exception: Exception) -> exceptions.APIException | None:
    """Return an exception of the framework or the models as an API exception."""
    match exception:
        case exceptions.APIException():
            return exception
        case Http404():
            return exceptions.NotFound(_("There is nothing at this address."))
        case PermissionDenied():
            return exceptions.PermissionDenied()
        case ModelError():
            return exceptions.ValidationError(get_error_detail(exception))
        case BadRequest() | SuspiciousOperation() | MultiPartParserError():
            too_big = isinstance(exception, RequestDataTooBig)
            unread = exceptions.ParseError(_("This request cannot be read."))
            return TooLarge() if too_big else unread
        case _:
            return None


def refusal(refused: Refused, instance: str) -> Response:
    """Return the response to a service's refusal, with the message that a page would show."""
    detail = printable(refused.message)
    errors = (
        [{"field": refused.field, "code": refused.code, "detail": detail}] if refused.field else []
    )
    headers: dict[str, str] = {}
    if isinstance(refused, LimitReached | Unavailable) and refused.wait:
        headers["Retry-After"] = str(refused.wait)
    return answer(
        refusal_status(refused), refused.code, detail, errors, instance=instance, headers=headers
    )


def refusal_status(refused: Refused) -> int:
    """Return the HTTP status for a kind of refusal."""
    match refused:
        case Forbidden():
            return status.HTTP_403_FORBIDDEN
        case Conflict():
            return status.HTTP_409_CONFLICT
        case LimitReached():
            return status.HTTP_429_TOO_MANY_REQUESTS
        case Unavailable():
            return status.HTTP_503_SERVICE_UNAVAILABLE
        case _:
            return status.HTTP_400_BAD_REQUEST


def explain_exception(exception: exceptions.APIException) -> tuple[str, str, list[dict[str, str]]]:
    """Return the code of an exception, its sentence, and the problem with each input at fault."""
    if not isinstance(exception, exceptions.ValidationError):
        code = exception.get_codes()
        return code if isinstance(code, str) else "error", printable(str(exception.detail)), []
    errors = list(flat(exception.detail))
    sentence = _("Some fields are invalid; see the errors.")
    if len(errors) == 1:
        field, only = errors[0]["field"], errors[0]["detail"]
        sentence = f"{field}: {only}" if field else only
    return "invalid", sentence, errors[:LONGEST_LIST]


def flat(detail: Any, path: str = "") -> Iterator[dict[str, str]]:
    """Yield the errors of nested fields with their paths: ``sides.0.participants.1.player``."""
    if isinstance(detail, dict):
        for name, inner in detail.items():
            here = (api_settings.NON_FIELD_ERRORS_KEY, "__all__")
            yield from flat(inner, path if name in here else join_path(path, str(name)))
    elif isinstance(detail, list | tuple):
        for index, inner in enumerate(detail):
            nested = isinstance(inner, dict | list | tuple)
            yield from flat(inner, join_path(path, str(index)) if nested else path)
    else:
        code = getattr(detail, "code", "invalid")
        yield {"field": printable(path), "code": code, "detail": printable(str(detail))}


def join_path(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def printable(text: str) -> str:
    """Return text that UTF-8 can encode: a quoted lone surrogate would break the response."""
    return text.encode("utf-8", "backslashreplace").decode()
