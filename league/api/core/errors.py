"""One format for all errors, after the problem details of RFC 9457.

::

    {"code": "invalid", "message": "…", "errors": [{"field": "sides.0.place", "code": "…",
     "message": "…"}]}

``code`` names the reason for programs, ``message`` is a sentence for people, and ``errors`` lists
each input at fault. ``field`` is the path of the input, empty for the request as a whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.core.exceptions import ValidationError as ModelError
from django.http import Http404
from django.http.multipartparser import MultiPartParserError
from django.utils.translation import gettext as _
from rest_framework import exceptions, status
from rest_framework.fields import get_error_detail
from rest_framework.response import Response
from rest_framework.settings import api_settings

from league.services.core.constraints import is_about_nul, refusal_behind
from league.services.core.errors import Conflict, Forbidden, LimitReached, Refused

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

LONGEST_LIST = 100
"""One answer lists at most this many errors."""


def explain(exception: Exception, context: Mapping[str, Any]) -> Response | None:
    """Return the response to a failed request, ``None`` for a fault of the server."""
    del context
    if refused := refusal_behind(exception):
        return refusal(refused)
    if is_about_nul(exception):
        exception = exceptions.ParseError(_("A text contains a NUL character. Remove it."))
    known = as_api_exception(exception)
    if known is None:
        return None
    headers = {}
    if challenge := getattr(known, "auth_header", None):
        headers["WWW-Authenticate"] = challenge
    if wait := getattr(known, "wait", None):
        headers["Retry-After"] = str(wait)
    return Response(problem(known), status=known.status_code, headers=headers)


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
        case SuspiciousOperation() | MultiPartParserError():
            return exceptions.ParseError(_("This request cannot be read."))
        case _:
            return None


def refusal(refused: Refused) -> Response:
    """Return the response to a service's refusal, with the message that a page would show."""
    message = printable(refused.message)
    errors = (
        [{"field": refused.field, "code": refused.code, "message": message}]
        if refused.field
        else []
    )
    headers = {}
    if isinstance(refused, LimitReached) and refused.wait:
        headers["Retry-After"] = str(refused.wait)
    body = {"code": refused.code, "message": message, "errors": errors}
    return Response(body, status=refusal_status(refused), headers=headers)


def refusal_status(refused: Refused) -> int:
    """Return the HTTP status for a kind of refusal."""
    match refused:
        case Forbidden():
            return status.HTTP_403_FORBIDDEN
        case Conflict():
            return status.HTTP_409_CONFLICT
        case LimitReached():
            return status.HTTP_429_TOO_MANY_REQUESTS
        case _:
            return status.HTTP_400_BAD_REQUEST


def problem(exception: exceptions.APIException) -> dict[str, Any]:
    """Return the response body for an exception."""
    if not isinstance(exception, exceptions.ValidationError):
        code = exception.get_codes()
        return {
            "code": code if isinstance(code, str) else "error",
            "message": printable(str(exception.detail)),
            "errors": [],
        }
    errors = list(flat(exception.detail))
    message = _("Some fields are invalid; see the errors.")
    if len(errors) == 1:
        field, sentence = errors[0]["field"], errors[0]["message"]
        message = f"{field}: {sentence}" if field else sentence
    return {"code": "invalid", "message": message, "errors": errors[:LONGEST_LIST]}


def flat(detail: Any, path: str = "") -> Iterator[dict[str, str]]:
    """Yield the errors of nested fields with their paths: ``sides.0.participants.1.player``."""
    if isinstance(detail, dict):
        for name, inner in detail.items():
            here = (api_settings.NON_FIELD_ERRORS_KEY, "__all__")
            yield from flat(inner, path if name in here else joined(path, str(name)))
    elif isinstance(detail, list | tuple):
        for index, inner in enumerate(detail):
            nested = isinstance(inner, dict | list | tuple)
            yield from flat(inner, joined(path, str(index)) if nested else path)
    else:
        code = getattr(detail, "code", "invalid")
        yield {"field": printable(path), "code": code, "message": printable(str(detail))}


def joined(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def printable(text: str) -> str:
    """Return text that UTF-8 can encode: a quoted lone surrogate would break the response."""
    return text.encode("utf-8", "backslashreplace").decode()
