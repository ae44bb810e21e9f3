"""One shape for everything that can go wrong, after RFC 9457's problem details.

::

    {"code": "invalid", "message": "…", "errors": [{"field": "sides.0.place", "code": "…",
     "message": "…"}]}

``code`` names the reason for programs, ``message`` is a sentence for people, ``errors`` says it for
each input at fault: ``field`` is its path in what was sent, empty for the request as a whole.
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

from league.services.core.errors import Conflict, Forbidden, Refused

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

LONGEST_LIST = 100
"""Errors that one answer lists at most: who sends a thousand wrong fields has seen enough."""


def explain(exception: Exception, context: Mapping[str, Any]) -> Response | None:
    """The answer to a request that could not be granted; none for a fault of our own."""
    del context
    if isinstance(exception, Refused):
        return refusal(exception)
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
    """What the framework and the models raise, as the API's own exceptions."""
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
    """A service's refusal: the same words that a page would show."""
    answered = (
        status.HTTP_403_FORBIDDEN
        if isinstance(refused, Forbidden)
        else status.HTTP_409_CONFLICT
        if isinstance(refused, Conflict)
        else status.HTTP_400_BAD_REQUEST
    )
    message = printable(refused.message)
    errors = (
        [{"field": refused.field, "code": refused.code, "message": message}]
        if refused.field
        else []
    )
    return Response({"code": refused.code, "message": message, "errors": errors}, status=answered)


def problem(exception: exceptions.APIException) -> dict[str, Any]:
    """The body that explains an exception."""
    if not isinstance(exception, exceptions.ValidationError):
        code = exception.get_codes()
        return {
            "code": code if isinstance(code, str) else "error",
            "message": printable(str(exception.detail)),
            "errors": [],
        }
    errors = list(flat(exception.detail))
    message = _("Some of what was sent cannot be used: see the errors.")
    if len(errors) == 1:
        field, sentence = errors[0]["field"], errors[0]["message"]
        message = f"{field}: {sentence}" if field else sentence
    return {"code": "invalid", "message": message, "errors": errors[:LONGEST_LIST]}


def flat(detail: Any, path: str = "") -> Iterator[dict[str, str]]:
    """The errors of nested fields, each with its path: ``sides.0.participants.1.player``."""
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
    """Text that UTF-8 can carry: half of a surrogate pair, quoted back, would break the answer."""
    return text.encode("utf-8", "backslashreplace").decode()
