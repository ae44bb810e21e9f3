"""Rows of players and results, as programs send them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from league.api.core.fields import LARGEST_ID, LONGEST_QUOTE, Choice, Flag, Strict, Text, no_field
from league.models import FileImport
from league.models.player import HIGHEST_LEVEL
from league.services.transfer.files.bulk import MOST_ROWS
from league.services.transfer.files.repeats import EACH, ONCE
from league.services.transfer.files.table_fields import FIELDS

if TYPE_CHECKING:
    from collections.abc import Mapping

LONGEST_TEXT = 1_000
LARGEST_NUMBER = 1e15
DEFAULT_NAME = "API"
NUMBER, WHOLE, FLAG = {"type": "number"}, {"type": "integer"}, {"type": "boolean"}
NOT_TEXT: Mapping[str, dict[str, Any]] = {
    "match": {**WHOLE, "minimum": 1, "maximum": LARGEST_ID},
    "player": {**WHOLE, "minimum": 1, "maximum": LARGEST_ID},
    "level": {**WHOLE, "minimum": 0, "maximum": HIGHEST_LEVEL},
    "score_1": NUMBER,
    "score_2": NUMBER,
    "weight": NUMBER,
    "void": FLAG,
}


def shape_of(what: str) -> dict[str, Any]:
    """Return the schema of a row: the fields that a file can have, all of them optional."""
    text = {"type": "string", "maxLength": LONGEST_TEXT}
    return {
        "type": "object",
        "additionalProperties": False,
        "minProperties": 1,
        "properties": {
            field.name: {
                **NOT_TEXT.get(field.name, text),
                "description": f"{field.label}. {field.help}",
            }
            for field in FIELDS[what]
            if field.name != "time"
        },
    }


class HistoryRow(serializers.Field[Any, Any, Any, Any]):
    """A row, checked by hand: a thousand rows take milliseconds, not a second."""

    what = ""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.shapes: dict[str, dict[str, Any]] = shape_of(self.what)["properties"]

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        if not isinstance(data, dict) or not data:
            raise serializers.ValidationError(_("Must be an object with some of the fields."))
        wrong = {
            name[:LONGEST_QUOTE]: [problem]
            for name, value in data.items()
            if (problem := self.problem(name, value))
        }
        if wrong:
            raise serializers.ValidationError(wrong)
        return data

    def to_representation(self, value: Any) -> Any:
        return value

    def problem(self, name: str, value: Any) -> str:
        """Return what is wrong with a value, empty if nothing is."""
        shape = self.shapes.get(name)
        if shape is None:
            return no_field(name, list(self.shapes))
        kind = shape["type"]
        if kind == "string":
            return text_problem(value)
        if kind == "boolean":
            return "" if isinstance(value, bool) else _("Must be true or false.")
        return number_problem(value, shape)


def number_problem(value: Any, shape: Mapping[str, Any]) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return _("Must be a number.")
    if shape["type"] == "integer":
        fits = isinstance(value, int) and shape["minimum"] <= value <= shape["maximum"]
        return "" if fits else _("Must be a whole number in its range.")
    fits = -LARGEST_NUMBER < value < LARGEST_NUMBER  # which NaN is not
    return "" if fits else _("Must be a finite number, and not so large.")


def text_problem(value: Any) -> str:
    if not isinstance(value, str):
        return _("Must be a text.")
    if len(value) > LONGEST_TEXT:
        return _("Must have at most %(most)d characters.") % {"most": LONGEST_TEXT}
    if "\x00" in value or (not value.isascii() and not is_unicode(value)):
        return _("A text contains a character that is none.")
    return ""


def is_unicode(text: str) -> bool:
    """Return whether UTF-8 can encode a text: half a surrogate pair it cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


@extend_schema_field(shape_of(FileImport.What.RESULTS))
class ResultRow(HistoryRow):
    what = FileImport.What.RESULTS


@extend_schema_field(shape_of(FileImport.What.PLAYERS))
class PlayerRow(HistoryRow):
    what = FileImport.What.PLAYERS


class BulkForm(Strict):
    """Rows, all of which are imported or none."""

    name = Text(
        required=False,
        default=DEFAULT_NAME,
        max_length=100,
        help_text=gettext_lazy("What the import is called in the admin, where it can be undone."),
    )
    dry_run = Flag(
        required=False,
        default=False,
        help_text=gettext_lazy("Whether to say only what the rows would do."),
    )


class BulkResultsForm(BulkForm):
    """Results, as in a file of results."""

    repeats = Choice(
        [ONCE, EACH],
        required=False,
        default=ONCE,
        help_text=gettext_lazy(
            "What rows are that have the same time, sides and result as an earlier row: the same "
            "match, imported once, or each a match of its own. Without a time of day, the day is "
            "compared. Rows with a match number repeat nothing."
        ),
    )
    rows = serializers.ListField(
        child=ResultRow(),
        min_length=1,
        max_length=MOST_ROWS,
        help_text=gettext_lazy("The results, with the names of those who played."),
    )


class BulkPlayersForm(BulkForm):
    """Players, as in a file of players."""

    rows = serializers.ListField(
        child=PlayerRow(),
        min_length=1,
        max_length=MOST_ROWS,
        help_text=gettext_lazy("The players. A name that nobody has makes a new one."),
    )


class BulkErrorSerializer(serializers.Serializer[Any]):
    """An error in a row."""

    row = serializers.IntegerField(
        allow_null=True, help_text=gettext_lazy("From 0; null if it is about all of them.")
    )
    detail = serializers.CharField(help_text=gettext_lazy("What to change."))


class BulkRowSerializer(serializers.Serializer[Any]):
    """The fate of a row."""

    row = serializers.IntegerField(help_text=gettext_lazy("Its number, from 0."))
    outcome = serializers.ChoiceField(
        choices=["new", "changed", "void", "known", "repeated"],
        help_text=gettext_lazy(
            "Known rows are here already and change nothing. Repeated rows say the same as an "
            "earlier one and change nothing, either."
        ),
    )
    id = serializers.IntegerField(
        allow_null=True,
        help_text=gettext_lazy("The match or player; null if it is not made, or known."),
    )
    repeats = serializers.IntegerField(
        allow_null=True,
        help_text=gettext_lazy("The first row with the same time, sides and result; else null."),
    )


class BulkReportSerializer(serializers.Serializer[Any]):
    """The fates of all rows, done or to be done."""

    dry_run = serializers.BooleanField(help_text=gettext_lazy("Whether nothing was written."))
    id = serializers.IntegerField(
        allow_null=True,
        help_text=gettext_lazy("The import, for undoing it; null if nothing was imported."),
    )
    new_players = serializers.IntegerField(help_text=gettext_lazy("Players who were not here."))
    error_count = serializers.IntegerField(help_text=gettext_lazy("How many errors there are."))
    errors = BulkErrorSerializer(  # type: ignore[assignment] # the name of a field, as in answers
        many=True, help_text=gettext_lazy("The first 1,000 of them.")
    )
    rows = BulkRowSerializer(
        many=True, help_text=gettext_lazy("All rows in their order; empty with errors.")
    )
