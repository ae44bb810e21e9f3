"""Forms of the pages that import files."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from django import forms
from django.conf import settings
from django.contrib.admin.widgets import AdminDateWidget
from django.template.defaultfilters import filesizeformat
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.models import FileImport
from league.services.transfer.files import table_fields

if TYPE_CHECKING:
    from league.models import Arena


KINDS = [(kind.value, capfirst(kind.label)) for kind in FileImport.What]


class UploadForm(forms.Form):
    """A file, and the season that it may bring along."""

    what = forms.ChoiceField(label=gettext_lazy("What it has"), choices=KINDS)
    file = forms.FileField(
        label=gettext_lazy("File"),
        allow_empty_file=True,  # the reader says what is missing
        help_text=gettext_lazy(
            "CSV or XLSX, with the names of its columns in the first line, or chess games "
            "as PGN. Results also as JSON of Challonge, start.gg, lichess or the Elo-MMR program."
        ),
    )
    season_name = forms.CharField(
        label=gettext_lazy("New season"),
        max_length=60,
        required=False,
        help_text=gettext_lazy(
            "Only for results of a time without a season: the name of a past season to create."
        ),
    )
    starts = forms.DateField(
        label=gettext_lazy("First day"), required=False, widget=AdminDateWidget
    )
    ends = forms.DateField(label=gettext_lazy("Last day"), required=False, widget=AdminDateWidget)

    def clean_file(self) -> Any:
        upload = self.cleaned_data["file"]
        if upload.size > settings.UPLOAD_MOST_BYTES:
            raise forms.ValidationError(
                _("The file has %(size)s. At most %(limit)s are read: divide it.")
                % {
                    "size": filesizeformat(upload.size),
                    "limit": filesizeformat(settings.UPLOAD_MOST_BYTES),
                }
            )
        return upload

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        dates = [given.get("starts"), given.get("ends")]
        if given.get("season_name") and not all(dates):
            self.add_error("starts", _("Give the first and the last day of the new season."))
        elif any(dates) and not given.get("season_name"):
            self.add_error("season_name", _("Give the new season a name."))
        elif dates[0] and dates[1] and dates[1] < dates[0]:
            self.add_error("ends", _("The last day is before the first."))
        return given

    def season_of(self, arena: Arena) -> dict[str, str] | None:
        """Return the season to create, if there is one. Its days are those of the arena."""
        given = self.cleaned_data
        if not given.get("season_name") or given["what"] != FileImport.What.RESULTS:
            return None
        starts, after = given["starts"], given["ends"] + timedelta(days=1)
        return {
            "name": given["season_name"].strip(),
            **{
                name: datetime(day.year, day.month, day.day, tzinfo=arena.zone)
                .astimezone(UTC)
                .isoformat()
                for name, day in (("starts_at", starts), ("ends_at", after))
            },
        }


class ColumnsForm(forms.Form):
    """The meaning of each column of a file."""

    def __init__(self, file: FileImport, data: Any = None) -> None:
        chosen = file.mapping.get("columns", {})
        super().__init__(data, initial={name: str(at) for name, at in chosen.items()})
        self.file = file
        columns = [("", "–"), *((str(at), name or "?") for at, name in enumerate(file.header))]
        for field in table_fields.FIELDS[file.what]:
            self.fields[field.name] = forms.ChoiceField(
                label=field.label, help_text=field.help, choices=columns, required=False
            )

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        mapping = self.mapping
        problem = table_fields.missing(self.file.what, mapping) or table_fields.twice(
            mapping, self.file.header
        )
        if problem and not self.errors:
            raise forms.ValidationError(problem)
        return given

    @property
    def mapping(self) -> dict[str, int]:
        """Return the number of the column of each field that has one."""
        return {name: int(at) for name, at in self.cleaned_data.items() if at}
