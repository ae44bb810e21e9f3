"""The rows of a form in sections, as HTML without Django's templates: a form has dozens of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.forms.utils import flatatt
from django.utils.html import conditional_escape
from django.utils.safestring import mark_safe
from django.utils.text import Truncator
from django.utils.translation import gettext as _

if TYPE_CHECKING:
    from django.contrib.admin.helpers import AdminField, AdminReadonlyField, Fieldline
    from django.utils.safestring import SafeString

LONGEST_DEFAULT = 60
"""The most characters of a default beside a field."""


@dataclass
class Cell:
    """A field, and its default if it has another value."""

    field: AdminField | AdminReadonlyField
    default: str | None = None
    waiting: str = ""
    """HTML that says that the saved value does not count yet."""

    @property
    def name(self) -> str:
        field: Any = self.field.field
        return str(field["name"] if self.field.is_readonly else field.name)

    @property
    def control(self) -> str:
        """Return the label and the input, or the value that cannot be edited."""
        field: Any = self.field
        label = field.label_tag()
        if field.is_checkbox:
            return f"{field.field}{label}"
        if field.is_readonly:
            return f'{label}<div class="readonly">{field.contents()}</div>'
        return f"{label}{field.field}"

    @property
    def mark(self) -> str:
        """Return what says that the value is not the default."""
        if self.default is None:
            return ""
        text = _("Changed from %(default)s") % {
            "default": Truncator(self.default).chars(LONGEST_DEFAULT)
        }
        return f'<span class="changed-mark">{conditional_escape(text)}</span>'

    @property
    def help(self) -> str:
        """Return the help below the field. It may have tags."""
        field: Any = self.field.field
        text = str(field["help_text"] if self.field.is_readonly else field.help_text)
        if not text:
            return ""
        key = "" if self.field.is_readonly else field.id_for_label
        known = flatatt({"class": "help", "id": f"{key}_helptext" if key else False})
        return f"<div{known}><div>{text}</div></div>"

    @property
    def errors(self) -> str:
        field: Any = self.field
        return "" if field.is_readonly else field.errors()


@dataclass
class FieldRow:
    line: Fieldline
    cells: list[Cell]
    conditions: str = ""
    hidden: bool = False
    has_error: bool = False

    @property
    def several(self) -> bool:
        """Return whether there are fields beside each other."""
        return len(self.cells) > 1

    @property
    def html(self) -> SafeString:
        known = flatatt(
            {
                "class": self.classes,
                "data-when": self.conditions or False,
                "hidden": self.hidden,
            }
        )
        cells = "".join(map(self.html_of, self.cells))
        if self.several:
            cells = f'<div class="flex-container form-multiline">{cells}</div>'
        elif self.has_error:
            cells = f"{self.line.errors()}{cells}"
        return mark_safe(f"<div{known}>{cells}</div>")  # noqa: S308 - its parts are escaped

    def html_of(self, cell: Cell) -> str:
        errors = cell.errors if self.several and self.has_error else ""
        return (
            f'<div>{errors}<div class="{self.classes_of(cell)}">{cell.control}{cell.mark}</div>'
            f"{cell.waiting}{cell.help}</div>"
        )

    @property
    def classes(self) -> str:
        return " ".join(
            [
                "form-row",
                *(["errors"] if self.has_error and not self.several else []),
                *([] if self.line.has_visible_field else ["hidden"]),
                *(f"field-{cell.name}" for cell in self.cells if cell.name),
                *(["is-changed"] if any(cell.default is not None for cell in self.cells) else []),
            ]
        )

    def classes_of(self, cell: Cell) -> str:
        beside = [
            "fieldBox",
            *([f"field-{cell.name}"] if cell.name else []),
            *(["errors"] if self.has_error and cell.errors else []),
        ]
        return " ".join(
            [
                "flex-container",
                *(beside if self.several else []),
                *(["checkbox-row"] if cell.field.is_checkbox else []),
            ]
        )
