"""Changes that somebody else saved while a form was open: three versions of each field compared.

``was`` is what the page showed when it was opened, ``now`` what is stored, ``mine`` what was sent.
Fields that only others changed get what is stored, so that saving them reverts nothing. Fields that
both changed keep what was sent, unless the sender takes theirs.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from django import forms
from django.core import signing
from django.utils.text import capfirst

from league.admin.core.values import as_sent, as_typed, describe_sent, widget_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.http import QueryDict

    from league.admin.core.values import Sent

    Values = dict[str, Sent]
    FormSet = forms.BaseInlineFormSet[Any, Any, Any]

SALT = "league.admin.loaded"
LABEL = ""
"""The key of a row's name among its values. No field has an empty name."""


@dataclass(frozen=True)
class Change:
    """One thing that somebody else changed, in words."""

    what: str
    row: str = ""
    was: str = ""
    now: str = ""
    mine: str = ""
    """The sender's text, if they changed the field too."""
    name: str = ""
    """The field's name in the page, if the sender can take the stored value."""
    kind: str = "changed"
    """``changed``, a row was ``added`` or ``removed``, or the field is ``fixed`` by now."""


@dataclass(frozen=True)
class Loaded:
    """The values that a page showed when it was opened."""

    values: Values
    rows: dict[str, dict[str, Values]] = field(default_factory=dict)
    """The rows of each inline by their primary keys."""

    @classmethod
    def of(cls, form: forms.BaseForm, formsets: list[FormSet]) -> Loaded:
        return cls(
            stored_values(form),
            {
                str(each.prefix): {key: row_of(one) for key, one in by_key(each).items()}
                for each in formsets
            },
        )

    def seal(self) -> str:
        return signing.dumps([self.values, self.rows], salt=SALT, compress=True)

    @classmethod
    def unseal(cls, text: str) -> Loaded | None:
        """Return what :meth:`sealed` wrote, or ``None`` for anything else."""
        try:
            values, rows = signing.loads(text, salt=SALT)
        except signing.BadSignature:
            return None
        return cls(values, rows)


def editable(form: forms.BaseForm) -> Iterator[tuple[str, forms.Field]]:
    for name, known in form.fields.items():
        if not (known.disabled or known.widget.is_hidden or name == "DELETE"):
            yield name, known


def stored_values(form: forms.BaseForm) -> Values:
    return {
        name: as_sent(known, form.get_initial_for_field(known, name))
        for name, known in editable(form)
    }


def by_key(formset: FormSet) -> dict[str, Any]:
    """Return the forms of stored rows by their primary keys."""
    return {str(form.instance.pk): form for form in formset.initial_forms}


def row_of(form: Any) -> Values:
    return {LABEL: [str(form.instance)], **stored_values(form)}


def put(data: QueryDict, known: forms.Field, name: str, sent: Sent) -> None:
    """Write a value into what a form was sent."""
    widget = widget_of(known)
    if isinstance(widget, forms.MultiWidget):
        names: list[str] = widget.widgets_names  # type: ignore[attr-defined] # the stubs lack it
        for number, suffix in enumerate(names):
            data[name + suffix] = sent[number] if number < len(sent) else ""
    elif isinstance(widget, forms.CheckboxInput) and not sent:
        data.pop(name, None)
    elif getattr(widget, "allow_multiple_selected", False):
        data.setlist(name, sent)
    else:
        data[name] = sent[0] if sent else ""


@dataclass
class Merge:
    """Put into ``data`` what others stored since ``loaded``, and collect what they changed."""

    data: QueryDict
    loaded: Loaded
    taken: set[str]
    """Names of fields for which the sender takes what is stored."""
    changes: list[Change] = field(default_factory=list)

    def form(self, current: Any, typed: Any, was: Values, row: str = "") -> None:
        """Merge the fields of one form. ``current`` is about what is stored."""
        now = stored_values(current)
        self.report_fixed(current, typed, was, row)
        for name, known in editable(current):
            if name not in typed.fields:  # it belongs to another choice than the sender's
                continue
            page_name = typed.add_prefix(name)
            if page_name in self.taken:
                put(self.data, known, page_name, now[name])
                continue
            mine = as_typed(typed[name])
            if name not in was or now[name] in (was[name], mine):
                continue
            clash = mine is not None and mine != was[name]
            if not clash:
                put(self.data, known, page_name, now[name])
            self.changes.append(
                Change(
                    capfirst(str(known.label or typed[name].label)),
                    row,
                    describe_sent(known, was[name]),
                    describe_sent(known, now[name]),
                    describe_sent(known, mine or []) if clash else "",
                    page_name if clash else "",
                )
            )

    def report_fixed(self, current: Any, typed: Any, was: Values, row: str) -> None:
        """Tell of fields that the sender changed and that nobody can change any more."""
        for name, known in current.fields.items():
            mine = as_typed(typed[name]) if name in was and known.disabled else None
            if mine is None or mine == was[name]:
                continue
            now = as_sent(known, current.get_initial_for_field(known, name))
            old, new, wrote = (describe_sent(known, sent) for sent in (was[name], now, mine))
            label = capfirst(str(known.label or typed[name].label))
            self.changes.append(Change(label, row, old, new, wrote, kind="fixed"))

    def rows(self, current: FormSet) -> None:
        """Merge the rows of an inline. ``current`` is about what is stored."""
        prefix = str(current.prefix)
        loaded = self.loaded.rows.get(prefix)
        try:
            initial = int(self.data.get(f"{prefix}-INITIAL_FORMS", ""))
            total = int(self.data.get(f"{prefix}-TOTAL_FORMS", ""))
        except ValueError:
            return  # the formset says what is missing
        if loaded is None or not 0 <= initial <= total <= current.absolute_max:
            return
        stored_now = by_key(current)
        key_name = current.model._meta.pk.name  # noqa: SLF001 - Django's documented name
        keys = [self.data.get(f"{prefix}-{at}-{key_name}", "") for at in range(initial)]
        kept: dict[str, int] = {}
        for at, key in enumerate(keys):
            typed = current.form(self.data, prefix=f"{prefix}-{at}", **current.form_kwargs)
            if key in stored_now:
                kept[key] = at
                row = str(stored_now[key].instance)
                current_form = stored_now[key]
                self.form(current_form, typed, loaded.get(key, {}), row)
            elif key in loaded:
                self.changes.append(removed_row(typed, loaded[key]))
        added = [key for key in stored_now if key not in keys]
        for key in added:
            instance = stored_now[key].instance
            self.changes.append(
                Change(capfirst(str(name_rows(current))), str(instance), kind="added")
            )
        if added or len(kept) < initial:
            self.renumber(current, [kept.get(key, key) for key in stored_now], initial, total)

    def renumber(self, current: FormSet, order: list[int | str], initial: int, total: int) -> None:
        """Write the rows that are stored, from what was sent or by their key, then new ones."""
        prefix, data = current.prefix, self.data
        sent = {at: taken_out(data, f"{prefix}-{at}-") for at in range(total)}
        stored_now = by_key(current)
        for at, source in enumerate([*order, *range(initial, total)]):
            if isinstance(source, int):
                for name, values in sent[source].items():
                    data.setlist(f"{prefix}-{at}-{name}", values)
            else:
                form = stored_now[source]
                for name, known in form.fields.items():
                    value = as_sent(known, form.get_initial_for_field(known, name))
                    put(data, known, f"{prefix}-{at}-{name}", value)
        data[f"{prefix}-INITIAL_FORMS"] = str(len(order))
        data[f"{prefix}-TOTAL_FORMS"] = str(len(order) + total - initial)


def name_rows(formset: FormSet) -> Any:
    return formset.model._meta.verbose_name  # noqa: SLF001 - Django's documented name


def removed_row(typed: Any, was: Values) -> Change:
    """Return a row that others removed, with what the sender wrote in it."""
    mine = [f"{label}: {text}" for label, text in list_changed_fields(typed, was)]
    return Change("", was[LABEL][0], mine="; ".join(mine), kind="removed")


def list_changed_fields(typed: Any, was: Values) -> list[tuple[str, str]]:
    """Return the label and text of each field that the sender changed."""
    return [
        (capfirst(str(typed[name].label)), describe_sent(known, sent))
        for name, known in editable(typed)
        if name in was and (sent := as_typed(typed[name])) is not None and sent != was[name]
    ]


def taken_out(data: QueryDict, prefix: str) -> dict[str, list[str]]:
    """Remove the values whose names begin with ``prefix``, and return them without it."""
    names = [name for name in data if name.startswith(prefix)]
    return {name.removeprefix(prefix): data.pop(name) for name in names}
