"""Form fields generated from the declarations of rating parameters."""

from __future__ import annotations

from datetime import timedelta
from functools import cache
from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.functional import lazy
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, gettext_lazy
from django.utils.translation import gettext as _

from league.services.core.declared import declarations as in_language
from league.services.core.declared import translate_declaration, value_in_words
from ratings.tunables import durations
from ratings.tunables.declarations import EXAMPLES, declarations
from ratings.tunables.wording import plain

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ratings.tunables.declarations import Declaration
    from ratings.tunables.kinds import Value
    from ratings.tunables.parameters import Parameters

TYPED = {"numbers": 24, "optional_time": 24, "text": 40}
"""The kinds that people write in their own way, with the characters that their inputs show."""


def field_name(system: str, parameter: str) -> str:
    """Return the name of the form field for one parameter of one system."""
    return f"{system}__{parameter}"


def declared_fields(model: type[Parameters]) -> list[Declaration]:
    """Return what has a field in forms: all declarations but those for experts."""
    return [declaration for declaration in declarations(model) if not declaration.expert]


def parameter_fields(model: type[Parameters], group: str) -> dict[str, forms.Field]:
    """Return a field for each declaration that has one, by their names in a form."""
    return {
        field_name(group, declaration.name): ParameterField(declaration)
        for declaration in declared_fields(model)
    }


def typed_values(
    form: forms.BaseForm, model: type[Parameters], group: str, stored: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the stored values, with those that the form was sent if it showed the group."""
    typed = dict(stored)
    if not any(name.startswith(form.add_prefix(field_name(group, ""))) for name in form.data):
        return typed
    for declaration in declared_fields(model):
        name = field_name(group, declaration.name)
        if name not in form.fields:
            continue
        value = form.cleaned_data.get(name)
        typed[declaration.name] = form[name].initial if value is None else value
    return typed


def add_problem(
    form: forms.BaseForm, model: type[Parameters], group: str, name: str, problem: str
) -> None:
    """Add what is wrong with a value to its field, or to the form if it is for experts."""
    field = field_name(group, name)
    if field in form.fields:
        form.add_error(field, problem)
        return
    text = _("%(setting)s, which is set in a file: %(problem)s")
    setting = gettext(str(model.model_fields[name].title))
    form.add_error(None, text % {"setting": setting, "problem": problem})


def expert_values(model: type[Parameters], values: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the label and value of settings without a field that are not the default."""
    return [
        (one.label, value_in_words(one, values[one.name]))
        for one in in_language(model)
        if one.expert and one.name in values and values[one.name] != one.default
    ]


def form_values(values: Mapping[str, Any]) -> dict[str, str | bool]:
    """Return parameters as their fields show them. Parsing them gives the same bits again."""
    return {name: form_value(value) for name, value in values.items()}


def form_value(value: Value) -> str | bool:
    if isinstance(value, bool | str):
        return value
    return plain(value) if isinstance(value, int | float) else ", ".join(map(plain, value))


class ParameterField(forms.Field):
    """A field for one parameter. Its value is the typed text; the rating system parses it."""

    def __init__(self, declaration: Declaration) -> None:
        super().__init__(
            required=False,
            label=gettext_lazy(declaration.label),
            initial=form_value(declaration.default),
            help_text=in_each_language(explanation, declaration),
            widget=widget(declaration),
        )
        self.declaration = declaration

    def in_words(self, typed: str) -> str:
        """Return a typed or stored value as people read it."""
        return value_in_words(translate_declaration(self.declaration), typed)

    def bound_data(self, data: Any, initial: Any) -> Any:
        """Show the initial value where the page that was sent did not have the field yet."""
        return initial if data is None else data

    def to_python(self, value: Any) -> Any:
        return value.strip() if isinstance(value, str) else value


def in_each_language(explain: Callable[[Declaration], SafeString], declaration: Declaration) -> Any:
    """Return the explanation of a declaration in the language of whoever reads it."""

    @cache
    def render(_language: str | None) -> SafeString:
        return explain(translate_declaration(declaration))

    return lazy(lambda: render(get_language()), SafeString)()


class WithUnit(forms.TextInput):
    """An input with its unit after it."""

    def __init__(self, unit: Any, input_type: str = "text", attrs: dict[str, Any] | None = None):
        super().__init__(attrs)
        self.input_type = input_type
        self.unit = unit

    def render(
        self,
        name: str,
        value: Any,
        attrs: dict[str, Any] | None = None,
        renderer: Any = None,
    ) -> SafeString:
        entry = super().render(name, value, attrs, renderer)
        return format_html('{} <span class="parameter-unit">{}</span>', entry, self.unit)


def widget(declaration: Declaration) -> forms.Widget:
    """Return the input for a parameter's kind, with its range where browsers support one."""
    if declaration.kind == "boolean":
        return forms.CheckboxInput()
    if declaration.kind == "choice":
        return forms.Select(choices=choices(declaration))
    if declaration.kind in EXAMPLES:
        return WithUnit("", attrs={"size": 12, "placeholder": declaration.default})
    if declaration.kind in TYPED:
        return forms.TextInput(attrs={"size": TYPED[declaration.kind]})
    unit = gettext_lazy(declaration.unit) if declaration.unit else ""
    if declaration.infinite:
        return WithUnit(unit, "text", {"size": 12})
    attrs: dict[str, Any] = {"step": "1" if declaration.kind == "integer" else "any"}
    if declaration.minimum is not None:
        attrs["min"] = plain(declaration.minimum)
    if declaration.maximum is not None:
        attrs["max"] = plain(declaration.maximum)
    return WithUnit(unit, "number", attrs)


def choices(declaration: Declaration) -> list[tuple[str, Any]]:
    return [(each.value, gettext_lazy(each.label)) for each in declaration.choices]


def explanation(declaration: Declaration) -> SafeString:
    """Return a parameter's help, range and default, then its source and name in files."""
    return with_facts(
        declaration,
        [(_("Allowed"), describe_range(declaration)), (_("Default"), default(declaration))],
        [(_("Source"), declaration.source), (_("Name in files"), declaration.name)],
    )


def with_facts(
    declaration: Declaration, shown: list[tuple[str, str]], more: list[tuple[str, str]]
) -> SafeString:
    """Return a declaration's help and facts about it, with ``more`` of them behind a button."""
    return format_html(
        '{}<span class="parameter-facts">{}<details><summary><span aria-hidden="true">?</span>'
        '<span class="visually-hidden">{}</span></summary>{}</details></span>',
        declaration.help,
        list_facts(shown),
        _("More about %(label)s") % {"label": declaration.label},
        quote_facts(more),
    )


def list_facts(facts: list[tuple[str, str]]) -> SafeString:
    return format_html_join(
        " ", "<span>{}: <b>{}</b></span>", ((name, fact) for name, fact in facts if fact)
    )


def quoted_value(value: str) -> SafeString | str:
    return format_html('<span translate="no">{}</span>', value) if value else ""


def quote_facts(facts: list[tuple[str, str]]) -> SafeString:
    """Return facts that are the same in every language: what people type, and sources."""
    return format_html_join(
        " ",
        '<span>{}: <b translate="no">{}</b></span>',
        ((name, fact) for name, fact in facts if fact),
    )


def describe_range(declaration: Declaration) -> str:
    """Return the range in words, empty for an input that lists its choices."""
    if declaration.kind in {"choice", "boolean"}:
        return ""
    if declaration.kind in EXAMPLES:
        return _("%(range)s, written like %(examples)s") % {
            "range": declaration.allowed,
            "examples": EXAMPLES[declaration.kind],
        }
    return declaration.allowed if declaration.kind == "number" else declaration.expected


def default(declaration: Declaration) -> str:
    if declaration.kind in {"boolean", "choice"}:
        return value_in_words(declaration, declaration.default)
    return quoted_value(str(form_value(declaration.default))) or _("none")


class WrittenDurationField(forms.Field):
    """A field for durations such as ``3d``, ``1w`` or ``30s``. Its value is a ``timedelta``."""

    widget = forms.TextInput(attrs={"size": 12})

    def __init__(self, *, minimum: timedelta, maximum: timedelta, **options: Any) -> None:
        super().__init__(**options)
        self.minimum, self.maximum = minimum, maximum

    @property
    def allowed(self) -> str:
        low, high = self.minimum.total_seconds(), self.maximum.total_seconds()
        return _("from %(low)s to %(high)s") % {
            "low": durations.format_duration(low),
            "high": durations.format_duration(high),
        }

    def prepare_value(self, value: Any) -> Any:
        if isinstance(value, timedelta):
            return durations.format_duration(value.total_seconds())
        return value

    def to_python(self, value: Any) -> timedelta | None:
        if value in self.empty_values:
            return None
        try:
            seconds = durations.parse_duration(value)
            length = timedelta(seconds=seconds)
        except (ValueError, OverflowError) as error:
            raise self.refusal(value) from error
        if not self.minimum <= length <= self.maximum:
            raise self.refusal(value)
        return length

    def refusal(self, value: object) -> ValidationError:
        return ValidationError(
            _("Must be a duration %(allowed)s, written like %(examples)s; you gave “%(value)s”.")
            % {
                "allowed": self.allowed,
                "examples": durations.EXAMPLES,
                "value": str(value)[:40],
            },
            code="duration",
        )

    def has_changed(self, initial: Any, data: Any) -> bool:
        return bool(super().has_changed(self.prepare_value(initial), data))
