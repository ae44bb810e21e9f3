"""JSON request bodies of a limited size."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import status
from rest_framework.exceptions import APIException, ParseError
from rest_framework.parsers import BaseParser

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
            return json.loads(body.decode("utf-8"))
        except UnicodeDecodeError as error:
            raise ParseError(_("The body is not UTF-8.")) from error
        except RecursionError as error:
            raise ParseError(_("The body is nested too deeply.")) from error
        except ValueError as error:
            raise ParseError(_("The body is not JSON: %(error)s.") % {"error": error}) from error
