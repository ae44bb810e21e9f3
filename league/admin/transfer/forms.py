"""Forms of the pages that import files."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from django import forms
from django.conf import settings
from django.contrib.admin.widgets import AdminDateWidget
from django.template.defaultfilters import filesizeformat
from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.models import FileImport
from league.services.transfer.files import table_fields
from ratings.files import dates
from ratings.files.dates import DateOrder

if TYPE_CHECKING:
    from datetime import date
    from zoneinfo import ZoneInfo

    from django.forms.boundfield import BoundField

    from league.models import Arena


DECISIVE = ("columns", "date_order", "day")
"""Choices about a file after which its errors are others."""
KINDS = [(kind.value, capfirst(kind.label)) for kind in FileImport.What]


class UploadForm(forms.Form):
    """A file to import, or a list that is pasted."""

    what = forms.ChoiceField(label=gettext_lazy("What it has"), choices=KINDS)
    file = forms.FileField(
        label=gettext_lazy("File"),
        required=False,
        allow_empty_file=True,  # the reader says what is missing
        help_text=gettext_lazy(
            "CSV, XLSX, ODS, XLS or a web page, with or without the names of its columns above. "
            "Results also as another program writes them: chess as PGN or TRF; JSON of Challonge, "
            "start.gg, Toornament, lichess, Codeforces or Tabbycat."
        ),
    )

    pasted = forms.CharField(
        label=gettext_lazy("Or paste a list"),
        required=False,
        max_length=200_000,
        widget=forms.Textarea(attrs={"rows": 8}),
        help_text=gettext_lazy(
            "Columns from a spreadsheet, their names in the first line. Teams and rosters also as "
            "“Owls: Ann, Bob” on each line, the captain first. Nobody needs an account."
        ),
    )

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if given.get("file") is not None and given.get("pasted"):
            self.add_error("pasted", _("Choose a file or paste a list, not both."))
        if given.get("file", False) is None and not given.get("pasted", " "):
            self.add_error("file", _("Choose a file or paste a list."))
        return given

    def named_content(self) -> tuple[str, bytes]:
        """Return the name and the content of what was given."""
        upload = self.cleaned_data["file"]
        if upload is None:
            return _("Pasted list"), self.cleaned_data["pasted"].encode()
        return upload.name, upload.read()

    def clean_file(self) -> Any:
        upload = self.cleaned_data["file"]
        if upload is not None and upload.size > settings.UPLOAD_MOST_BYTES:
            raise forms.ValidationError(
                _("The file has %(size)s. At most %(limit)s are read: divide it.")
                % {
                    "size": filesizeformat(upload.size),
                    "limit": filesizeformat(settings.UPLOAD_MOST_BYTES),
                }
            )
        return upload


class SeasonForm(forms.Form):
    """A past season to create for results of a time without one."""

    season_name = forms.CharField(label=gettext_lazy("Name of the season"), max_length=60)
    starts = forms.DateField(label=gettext_lazy("First day"), widget=AdminDateWidget)
    ends = forms.DateField(label=gettext_lazy("Last day"), widget=AdminDateWidget)

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        starts, ends = given.get("starts"), given.get("ends")
        if starts and ends and ends < starts:
            self.add_error("ends", _("The last day is before the first."))
        return given

    def season_of(self, arena: Arena) -> dict[str, str]:
        """Return the season to create. Its days are those of the arena."""
        given = self.cleaned_data
        starts = midnight(given["starts"], arena.zone)
        ends = midnight(given["ends"] + timedelta(days=1), arena.zone)
        # Where a season ends on the first day or begins on the last, this one takes the rest.
        others = arena.seasons.filter(ends_at__gt=starts, ends_at__lt=starts + timedelta(days=1))
        starts = others.values_list("ends_at", flat=True).first() or starts
        last = midnight(given["ends"], arena.zone)
        others = arena.seasons.filter(starts_at__gt=max(last, starts), starts_at__lt=ends)
        ends = others.order_by("starts_at").values_list("starts_at", flat=True).first() or ends
        return {
            "name": given["season_name"].strip(),
            "starts_at": starts.astimezone(UTC).isoformat(),
            "ends_at": ends.astimezone(UTC).isoformat(),
        }


def midnight(day: date, zone: ZoneInfo) -> datetime:
    """Return the start of a day in a time zone."""
    return datetime(day.year, day.month, day.day, tzinfo=zone)


class ColumnsForm(forms.Form):
    """The meaning of each column of a file, and how its dates are read."""

    def __init__(self, file: FileImport, data: Any = None) -> None:
        chosen = file.mapping.get("columns", {})
        super().__init__(data, initial={name: str(at) for name, at in chosen.items()})
        self.file = file
        columns = [("", "–"), *((str(at), name or "?") for at, name in enumerate(file.header))]
        self.meanings = table_fields.fields_of(file) if file.header else []
        if file.what == FileImport.What.RESULTS:
            self.add_dates(file)
        for field in self.meanings:
            self.fields[field.name] = forms.ChoiceField(
                label=field.label, help_text=field.help, choices=columns, required=False
            )
        dates_first = ("match", "group", "played_at", "date_order", "time", "day")
        self.order_fields([name for name in dates_first if name in self.fields])

    @property
    def used(self) -> list[BoundField]:
        """The fields to look at: all of them in a file whose results cannot be read yet."""
        unused = {field.name for field in self.unused}
        return [field for field in self if field.name not in unused]

    @property
    def unused(self) -> list[BoundField]:
        """The fields without a column in a file whose results can be read without them."""
        if self.errors or not self.file.mapping.get("examples"):
            return []
        names = {one.name for one in self.meanings}
        return [field for field in self if field.name in names and not field.value()]

    def add_dates(self, file: FileImport) -> None:
        """Add the order of dates of a table, and the day of results without a date."""
        if self.meanings:
            self.fields["date_order"] = forms.ChoiceField(
                label=_("What comes first in dates"),
                help_text=_("In those of numbers, such as 3/4/2023."),
                choices=orders_of(file),
                required=False,
                initial=file.mapping.get("date_order", ""),
            )
        if file.header or file.mapping.get("day"):
            self.fields["day"] = forms.DateField(
                label=_("Day of results without a date"),
                help_text=_("They are rated in the order of the file."),
                widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
                required=not self.meanings,
                initial=file.mapping.get("day", ""),
            )

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if not self.file.header:
            return given
        mapping, what = self.mapping, self.file.what
        problem = table_fields.missing(
            what, mapping, given.get("day"), table_fields.layout_of(self.file)
        ) or table_fields.twice(mapping, self.file.header)
        if problem and not self.errors:
            raise forms.ValidationError(problem)
        return given

    @property
    def mapping(self) -> dict[str, int]:
        """Return the number of the column of each field that has one."""
        given = self.cleaned_data
        return {one.name: int(given[one.name]) for one in self.meanings if given.get(one.name)}

    def choose(self) -> None:
        """Note the choices for the file. Others than before leave out no lines with errors."""
        before = {"date_order": "", "day": "", **self.file.mapping}
        if self.file.header:
            self.file.mapping["columns"] = self.mapping
            self.file.mapping["date_order"] = self.cleaned_data.get("date_order", "")
        if "day" in self.fields:
            day = self.cleaned_data["day"]
            self.file.mapping["day"] = day.isoformat() if day else ""
        if any(before.get(name) != self.file.mapping.get(name) for name in DECISIVE):
            self.file.mapping.pop("left_out", None)


def orders_of(file: FileImport) -> list[tuple[str, str]]:
    """Return the orders of day and month, each with what it makes of a date of the file."""
    at = file.mapping.get("columns", {}).get("played_at")
    texts = [row[at] for row in file.mapping.get("sample", []) if at is not None and at < len(row)]
    read = {text: [day_in_words(text, order) for order in DateOrder] for text in texts}
    text = next((text for text, (one, other) in read.items() if one != other), "")
    labels = {DateOrder.DAY: _("the day"), DateOrder.MONTH: _("the month")}
    choices = [("", _("as the whole file shows"))]
    for order, day in zip(DateOrder, read.get(text, ["", ""]), strict=True):
        words = {"order": labels[order], "text": text, "day": day}
        label = _("%(order)s: %(text)s is %(day)s") % words if day else labels[order]
        choices.append((order.value, label))
    return choices


def day_in_words(text: str, order: DateOrder) -> str:
    """Return the day that a text says in an order of day and month, or an empty text."""
    try:
        return date_format(dates.read(text, order).at, "DATE_FORMAT")
    except ValueError:
        return ""
