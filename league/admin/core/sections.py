"""Long forms in sections that open and close, each with its settings in a line of words."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib import admin
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.admin.core.rows import Cell, FieldRow
from league.admin.core.values import as_sent, describe_sent
from ratings.tunables import durations

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from django import forms
    from django.contrib.admin.helpers import AdminField, AdminReadonlyField, Fieldline
    from django.http import HttpRequest, HttpResponse

    from league.admin.core.values import Sent

OPEN_ALL = "sections"
"""The parameter in the address that opens every section."""
WITH = "with"
"""The parameter with the key of a section to show, though it has no effect yet."""
LOOK = "_look"
"""The button that shows the form again as typed, and saves nothing."""
MOST_NAMED = 3
"""The most changed values that a summary names."""


def section(key: str, title: Any, fields: list[Any], **options: Any) -> tuple[Any, dict[str, Any]]:
    """Return a fieldset with a key, by which its words and its conditions are found."""
    classes = [f"section-{key}", *options.pop("classes", [])]
    return title, {"fields": fields, "classes": classes, **options}


@dataclass(frozen=True)
class When:
    """A condition on another field, without which a field has no effect."""

    field: str
    values: tuple[str, ...]
    met: bool = True
    """Whether the other field has to have one of the values, or none of them."""

    def holds(self, form: forms.BaseForm) -> bool:
        sent = as_sent(form.fields[self.field], form[self.field].value())
        return (",".join(sent) in self.values) is self.met

    @property
    def written(self) -> str:
        """Return the condition as the page's script reads it."""
        return f"{self.field}{'=' if self.met else '!'}{','.join(self.values)}"


def only(field: str, *values: str) -> When:
    return When(field, values)


def unless(field: str, *values: str) -> When:
    return When(field, values, met=False)


Conditions = dict[str, tuple[When, ...]]


@dataclass
class Section:
    fieldset: Any
    key: str
    words: str
    rows: list[FieldRow] = field(default_factory=list)
    is_open: bool = False
    conditions: str = ""
    hidden: bool = False
    preview: dict[str, Any] | None = None
    left_out: bool = False
    """Whether the page has only a place for it, which a script fills when it has an effect."""

    @property
    def changed(self) -> list[Cell]:
        shown = (row for row in self.rows if not row.hidden)
        return [cell for row in shown for cell in row.cells if cell.default is not None]

    @property
    def count(self) -> str:
        """Return how many values are not the default, in words."""
        number = len(self.changed)
        if not number:
            return ""
        return ngettext("%(number)d changed", "%(number)d changed", number) % {"number": number}


class InSections(admin.ModelAdmin[Any]):
    """A change form whose named fieldsets are sections.

    ``conditions`` say when a field, or a section by its key, has an effect. Those without one are
    hidden, unless they have an error.
    """

    change_form_template: ClassVar[Any] = "admin/league/long_form.html"
    conditions: ClassVar[Conditions] = {}
    unmarked: ClassVar[frozenset[str]] = frozenset()
    """Fields without a default worth naming."""
    left_out: ClassVar[tuple[str, ...]] = ()
    """The start of the keys of sections that a page has only if they have an effect."""

    def section_words(self, obj: Any) -> Mapping[str, str]:  # noqa: ARG002 - for those who override it
        """Return the settings of sections in words, by the sections' keys."""
        return {}

    def expert_settings(self, obj: Any) -> Iterable[tuple[str, str]]:  # noqa: ARG002 - for those who override it
        """Return the label and value of settings that have no field and are not the default."""
        return ()

    def waiting_values(self, request: HttpRequest, obj: Any) -> Mapping[str, str]:  # noqa: ARG002 - for those who override it
        """Return HTML for each field whose saved value does not count yet, by the field's name."""
        return {}

    def render_change_form(
        self, request: HttpRequest, context: Any, *args: Any, **options: Any
    ) -> HttpResponse:
        obj = context.get("original")
        context["expert_settings"] = list(self.expert_settings(obj)) if obj else []
        words = self.section_words(obj) if obj else {}
        context["adminform"].form.waiting = self.waiting_values(request, obj) if obj else {}
        open_all, wanted = OPEN_ALL in request.GET, request.GET.get(WITH, "")
        context["sections"] = [
            self.section_of(fieldset, words, open_all=open_all, wanted=wanted)
            for fieldset in context["adminform"]
        ]
        for kind, preview in self.previews_of(request, context).items():
            for found in context["sections"]:
                if found.key == kind:
                    found.preview = preview
        return super().render_change_form(request, context, *args, **options)

    def previews_of(self, request: HttpRequest, context: Any) -> dict[str, dict[str, Any]]:  # noqa: ARG002 - for those who override it
        """Return the previews to show, by section key."""
        return {}

    def get_form(
        self, request: HttpRequest, obj: Any = None, change: bool = False, **options: Any
    ) -> Any:
        form = super().get_form(request, obj, change=change, **options)
        looks = request.method == "POST" and LOOK in request.POST
        text = _("Nothing is saved yet. These are the settings that your choices have.")
        return never_valid(form, text) if looks else form

    def section_of(
        self, fieldset: Any, words: Mapping[str, str], *, open_all: bool, wanted: str
    ) -> Section:
        form: Any = fieldset.form
        key = key_of(fieldset)
        found = Section(fieldset, key, words.get(key, ""))
        found.conditions, found.hidden = self.hides(key, form)
        if key.startswith(self.left_out) and found.hidden and key != wanted:
            found.left_out = True
            return found
        found.rows = [self.row_of(line, form) for line in fieldset]
        has_error = any(name in form.errors for name in names_of(fieldset))
        read_only = not any(name in form.fields for name in names_of(fieldset))
        found.is_open = not fieldset.name or open_all or has_error or read_only
        found.hidden = found.hidden and not has_error
        if not found.words:
            found.words = changed_in_words(found)
        return found

    def row_of(self, line: Fieldline, form: Any) -> FieldRow:
        waiting = getattr(form, "waiting", {})
        cells = [Cell(one, self.default_of(one, form)) for one in line]
        for cell in cells:
            cell.waiting = waiting.get(cell.name, "")
        written, hidden = self.hides(line.fields[0], form)
        has_error = any(name in form.errors for name in line.fields)
        return FieldRow(line, cells, written, hidden and not has_error, has_error)

    def hides(self, key: str, form: Any) -> tuple[str, bool]:
        """Return the conditions of a field or section, and whether one is not met."""
        conditions = [one for one in self.conditions.get(key, ()) if one.field in form.fields]
        written = " ".join(one.written for one in conditions)
        return written, not all(one.holds(form) for one in conditions)

    def default_of(self, one: AdminField | AdminReadonlyField, form: Any) -> str | None:
        """Return a field's default in words if its value is another one."""
        name = getattr(one.field, "name", None)
        if name is None or name not in form.fields or name in self.unmarked:
            return None
        known = form.fields[name]
        default = as_sent(known, known.initial() if callable(known.initial) else known.initial)
        if is_same(as_sent(known, form[name].value()), default):
            return None
        return describe_sent(known, default)


def never_valid(form: type[Any], why: Any) -> type[Any]:
    """Return a form that is never valid, because its sender has to read ``why`` first."""

    def full_clean(self: Any) -> None:
        form.full_clean(self)
        if self.is_bound:
            self.add_error(None, why)

    return type(form.__name__, (form,), {"full_clean": full_clean})


def is_same(sent: Sent, default: Sent) -> bool:
    """Return whether two values are equal, or durations of the same length, as 7d and 1w are."""
    if sent == default or len(sent) != 1 or len(default) != 1:
        return sent == default
    try:
        return durations.parse_duration(sent[0]) == durations.parse_duration(default[0])
    except ValueError:
        return False


def key_of(fieldset: Any) -> str:
    classes = str(fieldset.classes).split()
    return next((one.removeprefix("section-") for one in classes if one.startswith("section-")), "")


def names_of(fieldset: Any) -> Iterator[str]:
    for line in fieldset.fields:
        yield from (line if isinstance(line, list | tuple) else [line])


def changed_in_words(section: Section) -> str:
    """Name the first values that are not the default."""
    changed = section.changed
    if not changed:
        editable = any(
            hasattr(cell.field.field, "name") for row in section.rows for cell in row.cells
        )
        return _("Default settings.") if editable else ""
    bounds: list[Any] = [cell.field.field for cell in changed[:MOST_NAMED]]
    named = [
        f"{one.label}: {describe_sent(one.field, as_sent(one.field, one.value()))}"
        for one in bounds
    ]
    more = len(changed) - len(named)
    return "; ".join([*named, *([_("and %(count)d more") % {"count": more}] if more else [])]) + "."
