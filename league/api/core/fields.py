"""Fields that take exactly what they say: no text for a number, no number beyond the finite.

The framework's own fields are lenient (``"1"`` and ``1`` are both a number, ``yes`` is true); who
writes a program against the API is better served by hearing of a mistake at once.
"""

from __future__ import annotations

import difflib
import math
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import serializers

LARGEST_ID = 2**63 - 1
LONGEST_QUOTE = 40


class Strict(serializers.Serializer[Any]):
    """Fields of a request's body; a field that is not declared is refused by its name."""

    def to_internal_value(self, data: Any) -> Any:
        problems = self._unknown(data) if isinstance(data, dict) else {}
        try:
            values = super().to_internal_value(data)
        except serializers.ValidationError as error:
            if not problems or not isinstance(error.detail, dict):
                raise
            problems = {**error.detail, **problems}
        if problems:
            raise serializers.ValidationError(problems)
        return values

    def _unknown(self, data: dict[str, Any]) -> dict[str, Any]:
        known = [name for name, field in self.fields.items() if not field.read_only]
        return {
            name[:LONGEST_QUOTE]: [
                serializers.ErrorDetail(self._hint(name[:LONGEST_QUOTE], known), code="unknown")
            ]
            for name in data
            if name not in known
        }

    @staticmethod
    def _hint(name: str, known: list[str]) -> str:
        near = difflib.get_close_matches(name, known, n=1)
        if near:
            return _("There is no field of this name; did you mean %(near)s?") % {"near": near[0]}
        if known:
            return _("There is no field of this name; there are %(known)s.") % {
                "known": ", ".join(known)
            }
        return _("There is no field of this name; send none.")


class Text(serializers.CharField):
    """A string; numbers and truth values are none."""

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class Choice(serializers.ChoiceField):
    """One of some strings."""

    default_error_messages = {"invalid_choice": gettext_lazy("Give one of {allowed}.")}

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, str) or data not in self.choices:
            self.fail("invalid_choice", allowed=", ".join(map(str, self.choices)))
        return super().to_internal_value(data)


class Whole(serializers.IntegerField):
    """A whole number, also when written ``1.0``."""

    def to_internal_value(self, data: Any) -> int:
        if isinstance(data, bool) or not isinstance(data, int | float):
            self.fail("invalid")
        if isinstance(data, float) and not data.is_integer():
            self.fail("invalid")
        return int(data)


class Number(serializers.FloatField):
    """A finite number."""

    default_error_messages = {
        "invalid": gettext_lazy("A number is wanted."),
        "finite": gettext_lazy("A finite number is wanted."),
    }

    def to_internal_value(self, data: Any) -> float:
        if isinstance(data, bool) or not isinstance(data, int | float):
            self.fail("invalid")
        try:
            number = float(data)
        except OverflowError:
            number = math.inf
        if not math.isfinite(number):
            self.fail("finite")
        return number


class Flag(serializers.BooleanField):
    """``true`` or ``false``."""

    default_error_messages = {"invalid": gettext_lazy("Give true or false.")}

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid")
        return data


class Moment(serializers.DateTimeField):
    """A date and time with its distance from UTC: ``2026-03-01T12:00:00Z``."""

    default_error_messages = {
        "invalid": gettext_lazy(
            "Give a date and time with its zone, such as 2026-03-01T12:00:00Z."
        ),
    }

    def to_internal_value(self, value: Any) -> datetime:
        if not isinstance(value, str):
            self.fail("invalid")
        try:
            moment = datetime.fromisoformat(value)
            aware = moment.astimezone(UTC) if moment.tzinfo else None
        except (ValueError, OverflowError):
            aware = None
        if aware is None:
            self.fail("invalid")
        return aware


class ClientToken(serializers.UUIDField):
    """A UUID as text."""

    def to_internal_value(self, data: Any) -> UUID:
        if not isinstance(data, str):
            self.fail("invalid", value=type(data).__name__)
        return super().to_internal_value(data)


def player_id(**options: Any) -> Whole:
    """The number of a player."""
    return Whole(min_value=1, max_value=LARGEST_ID, **options)
