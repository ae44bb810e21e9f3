"""JSON request bodies of a limited size."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import status
from rest_framework.exceptions import APIException, ErrorDetail, ParseError, ValidationError
from rest_framework.parsers import BaseParser

from league.api.core.fields import LONGEST_QUOTE

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import IO


class TooLarge(APIException):
    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE
    default_code = "too_large"
    default_detail = gettext_lazy("This request is too large.")


class Json(BaseParser):
    """A JSON parser. It accepts ``NaN`` and ``Infinity``, so that the error can name the field."""

    media_type = "application/json"

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        del media_type, parser_context
        limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        body = stream.read(limit + 1)
        if len(body) > limit:
            raise TooLarge
        try:
            return json.loads(body.decode("utf-8"), object_pairs_hook=each_once)
        except UnicodeDecodeError as error:
            raise ParseError(_("The body is not UTF-8.")) from error
        except RecursionError as error:
            raise ParseError(_("The body is nested too deeply.")) from error
        except ValueError as error:
            raise ParseError(_("The body is not JSON: %(error)s.") % {"error": error}) from error


def each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of a body. Raises ``ValidationError`` for a name that it has twice.

    Programs read such a body differently, so none of its values is the right one.
    """
    read: dict[str, Any] = {}
    repeated: dict[str, Any] = {}
    for name, value in pairs:
        if name in read:
            repeated[name[:LONGEST_QUOTE]] = [ErrorDetail(_("Give it only once."), code="repeated")]
        read[name] = value
    if repeated:
        raise ValidationError(repeated)
    return read
