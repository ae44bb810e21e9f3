"""The HTML of form fields, the same as that of Django's templates, in a tenth of the time.

A long form has hundreds of inputs and options. Django renders a template for each, and another one
for its attributes. Whatever is not here is still rendered by its template.
"""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

from django.forms.renderers import DjangoTemplates
from django.utils.formats import localize
from django.utils.safestring import SafeString

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from django.http import HttpRequest

WIDGETS = "django/forms/widgets"
OPTION = f"{WIDGETS}/select_option.html"


class Renderer(DjangoTemplates):
    def render(
        self, template_name: str, context: dict[str, Any], request: HttpRequest | None = None
    ) -> str:
        write = WRITERS.get(template_name)
        if write is None or not is_plain(context):
            return super().render(template_name, context, request)
        return write(context)


def is_plain(context: Mapping[str, Any]) -> bool:
    """Return whether no widget inside this one has a template of its own."""
    groups = context.get("widget", {}).get("optgroups", ())
    return all(
        option["template_name"] == OPTION for _name, group, _at in groups for option in group
    )


def attributes(attrs: Mapping[str, Any] | None) -> str:
    parts = []
    for name, value in (attrs or {}).items():
        if value is True:
            parts.append(f" {as_text(name)}")
        elif value is not False:
            parts.append(f' {as_text(name)}="{as_text(value)}"')
    return "".join(parts)


def as_text(value: Any) -> str:
    """Return a value escaped, as Django's ``conditional_escape`` does in several times the time."""
    text = value if isinstance(value, str) else str(value)
    return text if isinstance(text, SafeString) else html.escape(text)


def localized(value: Any) -> str:
    """Return a value as templates show it."""
    return as_text(localize(value))


def input_of(context: Mapping[str, Any]) -> str:
    widget = context["widget"]
    value = "" if widget["value"] is None else f' value="{as_text(widget["value"])}"'
    return (
        f'<input type="{localized(widget["type"])}" name="{localized(widget["name"])}"{value}'
        f"{attributes(widget['attrs'])}>"
    )


def textarea(context: Mapping[str, Any]) -> str:
    widget = context["widget"]
    return (
        f'<textarea name="{localized(widget["name"])}"{attributes(widget["attrs"])}>\n'
        f"{localized(widget['value']) if widget['value'] else ''}</textarea>"
    )


def select(context: Mapping[str, Any]) -> str:
    widget = context["widget"]
    parts = [f'<select name="{localized(widget["name"])}"{attributes(widget["attrs"])}>']
    for name, options, _index in widget["optgroups"]:
        parts.append(f'\n  <optgroup label="{localized(name)}">' if name else "")
        parts.extend(
            f'\n  <option value="{as_text(option["value"])}"{attributes(option["attrs"])}>'
            f"{localized(option['label'])}</option>"
            for option in options
        )
        parts.append("\n  </optgroup>" if name else "")
    parts.append("\n</select>")
    return "".join(parts)


def label(context: Mapping[str, Any]) -> str:
    text = localized(context["label"])
    if not context["use_tag"]:
        return text
    tag = localized(context["tag"])
    return f"<{tag}{attributes(context['attrs'])}>{text}</{tag}>"


def errors(context: Mapping[str, Any]) -> str:
    found = context["errors"]
    if not found:
        return ""
    own_id = f' id="{localized(found.field_id)}_error"' if getattr(found, "field_id", None) else ""
    listed = "".join(f"<li>{localized(error)}</li>" for error in found)
    return f'<ul class="{localized(context["error_class"])}"{own_id}>{listed}</ul>'


WRITERS: dict[str, Callable[[Mapping[str, Any]], str]] = {
    **dict.fromkeys(
        (
            f"{WIDGETS}/{kind}.html"
            for kind in ("checkbox", "email", "hidden", "number", "text", "url")
        ),
        input_of,
    ),
    f"{WIDGETS}/textarea.html": textarea,
    f"{WIDGETS}/select.html": select,
    "django/forms/label.html": label,
    "django/forms/errors/list/default.html": errors,
    "django/forms/errors/list/ul.html": errors,
}
