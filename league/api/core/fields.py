"""Strict fields: no text for a number, no infinite numbers.

The framework's own fields are lenient (``"1"`` and ``1`` are both a number, ``yes`` is true). For
people who write programs against the API, it helps more to report a mistake at once.
"""

from __future__ import annotations

import difflib
import math
from datetime import UTC, datetime
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from league.models.lists import list_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

# What PostgreSQL's bigint holds.
LARGEST_ID = 2**63 - 1
LONGEST_QUOTE = 40


class AttributeSerializer(serializers.Serializer[Any]):
    """An object's attributes, each of which it has.

    The framework's own way also serves dictionaries, callables and what is missing. It took half
    the time of a leaderboard.
    """

    def to_representation(self, instance: Any) -> dict[str, Any]:
        return {
            name: None if (value := read(instance)) is None else represent(value)
            for name, read, represent in self._columns
        }

    @cached_property
    def _columns(self) -> list[tuple[str, Callable[[Any], Any], Callable[[Any], Any]]]:
        return [
            (
                name,
                (lambda row: row) if field.source == "*" else attrgetter(str(field.source)),
                field.to_representation,
            )
            for name, field in self.fields.items()
        ]


class Strict(serializers.Serializer[Any]):
    """A request's body. Undeclared fields are refused by name."""

    def to_internal_value(self, data: Any) -> Any:
        problems = (
            {**self._unknown(data), **repetition_errors(data)} if isinstance(data, dict) else {}
        )
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
        return {
            name[:LONGEST_QUOTE]: [
                serializers.ErrorDetail(no_field(name, self._known), code="unknown")
            ]
            for name in data
            if name not in self._known
        }

    @cached_property
    def _known(self) -> list[str]:
        return [name for name, field in self.fields.items() if not field.read_only]


def repetition_errors(data: dict[str, Any]) -> dict[str, Any]:
    """Return errors for the fields that a form has more than once. JSON is read without these."""
    lists = data.lists() if isinstance(data, QueryDict) else []
    return {
        name[:LONGEST_QUOTE]: [serializers.ErrorDetail(_("Give it only once."), code="repeated")]
        for name, values in lists
        if len(values) > 1
    }


def no_field(name: str, known: Sequence[str]) -> str:
    """Return what to say about a field of a body that is not declared."""
    if near := nearest(name, known):
        return _("There is no such field. Did you mean %(near)s?") % {"near": near}
    if known:
        return _("There is no such field. The fields are %(known)s.") % {"known": list_of(known)}
    return _("There is no such field. Send no fields.")


def no_parameter(name: str, known: Sequence[str]) -> str:
    """Return what to say about a query parameter that is not declared."""
    if near := nearest(name, known):
        return _("There is no such parameter. Did you mean %(near)s?") % {"near": near}
    if known:
        return _("There is no such parameter. The parameters are %(known)s.") % {
            "known": list_of(known)
        }
    return _("There is no such parameter. Send none here.")


def nearest(name: str, known: Sequence[str]) -> str | None:
    """Return the known name that a wrong one most resembles, if any does."""
    near = difflib.get_close_matches(name[:LONGEST_QUOTE], known, n=1)
    return near[0] if near else None


class Text(serializers.CharField):
    """A string, not a number or a boolean."""

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class Choice(serializers.ChoiceField):
    """One of several strings."""

    default_error_messages = {"invalid_choice": gettext_lazy("Must be one of {allowed}.")}

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, str) or data not in self.choices:
            self.fail("invalid_choice", allowed=list_of(self.choices))
        return super().to_internal_value(data)


class Whole(serializers.IntegerField):
    """A whole number; ``1.0`` is one too."""

    def to_internal_value(self, data: Any) -> int:
        if isinstance(data, bool) or not isinstance(data, int | float):
            self.fail("invalid")
        if isinstance(data, float) and not data.is_integer():
            self.fail("invalid")
        return int(data)


class Number(serializers.FloatField):
    """A finite number."""

    default_error_messages = {
        "invalid": gettext_lazy("Must be a number."),
        "finite": gettext_lazy("Must be a finite number."),
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

    default_error_messages = {"invalid": gettext_lazy("Must be true or false.")}

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid")
        return data


class Moment(serializers.DateTimeField):
    """A date and time with a UTC offset: ``2026-03-01T12:00:00Z``."""

    default_error_messages = {
        "invalid": gettext_lazy(
            "Must be a date and time with a zone, such as 2026-03-01T12:00:00Z."
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


@extend_schema_field({"type": "string", "contentMediaType": "application/octet-stream"})
class Upload(serializers.FileField):
    """A file of a multipart form."""


def player_id(**options: Any) -> Whole:
    """Return a field for the id of a player."""
    return Whole(min_value=1, max_value=LARGEST_ID, **options)


class NoFields(Strict):
    """An empty body."""
