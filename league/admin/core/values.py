"""Values of form fields as browsers send them, to compare what was shown, stored and typed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib.admin.widgets import RelatedFieldWidgetWrapper
from django.contrib.postgres.forms import SimpleArrayField
from django.forms.models import ModelChoiceField
from django.utils.dateparse import parse_datetime
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext as _

from league.admin.core.fields import ParameterField, WrittenDurationField
from league.models.explained import translate
from league.models.moments import describe_moment
from league.services.core.declared import length_in_words

if TYPE_CHECKING:
    from datetime import datetime

    from django.forms.boundfield import BoundField
    from django.utils.safestring import SafeString

ISO_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d.*(?:Z|[+-]\d\d:\d\d)$")

Sent = list[str]
"""The parts of a field's value: one for most, several for a date with a time or a list."""


def widget_of(field: forms.Field) -> forms.Widget:
    """Return a field's own widget, without the buttons that the admin puts beside it."""
    widget = field.widget
    return widget.widget if isinstance(widget, RelatedFieldWidgetWrapper) else widget


def as_sent(field: forms.Field, value: Any) -> Sent:
    """Return a stored value as a browser sends it back unchanged."""
    widget, value = widget_of(field), field.prepare_value(value)
    if isinstance(widget, forms.CheckboxInput):
        return ["on"] if widget.check_test(value) else []
    if isinstance(widget, forms.MultiWidget):
        parts: list[Any] = (
            value if isinstance(value, list) else list(widget.decompress(value) or ())
        )
        pairs = zip(widget.widgets, [*parts, None, None], strict=False)
        return plain([part.format_value(one) for part, one in pairs])
    return in_order(widget, plain(widget.format_value(value)))


def as_typed(bound: BoundField) -> Sent | None:
    """Return what a form was sent for a field, ``None`` if the page did not have it."""
    if bound.field.widget.value_omitted_from_data(bound.form.data, {}, bound.html_name):
        return None
    widget = widget_of(bound.field)
    if isinstance(widget, forms.CheckboxInput):
        return ["on"] if bound.data else []
    return in_order(widget, plain(bound.data))


def in_order(widget: forms.Widget, sent: Sent) -> Sent:
    """Return several choices in one order, whatever the order of rows and of the page."""
    return sorted(sent) if getattr(widget, "allow_multiple_selected", False) else sent


def plain(value: Any) -> Sent:
    parts = value if isinstance(value, list | tuple) else [value]
    written = ["" if part is None else str(part).replace("\r\n", "\n").strip() for part in parts]
    return written if any(written) else []


def describe_sent(field: forms.Field, sent: Sent) -> str:
    """Return a sent value for people: the labels of choices, “on” and “off” for checkboxes."""
    if isinstance(widget_of(field), forms.CheckboxInput):
        return _("on") if sent else _("off")
    if not sent:
        return _("empty")
    if isinstance(field, ParameterField):
        return field.in_words(sent[0])
    if isinstance(field, WrittenDurationField):
        return length_in_words(sent[0])
    if isinstance(field, SimpleArrayField):
        return ", ".join(part.strip() for part in sent[0].split(field.delimiter))
    labels = labels_of(field, sent)
    separator = " " if isinstance(widget_of(field), forms.MultiWidget) else ", "
    return separator.join(labels.get(part, part) for part in sent)


def labels_of(field: forms.Field, sent: Sent) -> dict[str, str]:
    """Return the labels of the choices that were sent."""
    if isinstance(field, ModelChoiceField):
        name = field.to_field_name or "pk"
        try:
            rows = field.queryset.filter(**{f"{name}__in": sent})  # type: ignore[union-attr] # always set on a form
            return {str(row.serializable_value(name)): str(row) for row in rows}
        except (ValueError, TypeError):
            return {}
    choices = getattr(widget_of(field), "choices", ())
    return {
        str(value): str(label) for value, label in choices if not isinstance(label, list | tuple)
    }


def json_in_words(value: Any) -> SafeString | str:
    """Return JSON data as people read it: a line for each name, and lists with commas."""
    if isinstance(value, dict):
        lines = (
            (translate(str(name).replace("_", " ")), json_in_words(each))
            for name, each in value.items()
        )
        return format_html_join("", '<div>{}: <b translate="no">{}</b></div>', lines) or "–"
    if isinstance(value, list | tuple):
        return format_html_join(", ", "{}", ((json_in_words(each),) for each in value)) or "–"
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, str) and (moment := moment_in(value)):
        return describe_moment(moment)
    return "–" if value in (None, "") else format_html("{}", value)


def moment_in(text: str) -> datetime | None:
    """Return the time that a text in ISO format has, ``None`` if it has none with an offset."""
    if not ISO_MOMENT.match(text):
        return None
    try:
        return parse_datetime(text)
    except ValueError:
        return None


def percent(share: float) -> str:
    """Return a share from 0 to 1 in percent."""
    return _("%(number)s %%") % {"number": f"{100 * share:.0f}"}
