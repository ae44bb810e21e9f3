"""Rows suggested while somebody types their name. Without scripts, the whole name is needed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django.contrib.admin.options import BaseModelAdmin
from django.contrib.admin.widgets import AutocompleteSelect
from django.db.models import Q
from django.forms import TextInput
from django.utils.html import format_html
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.models import Arena, Player, User

if TYPE_CHECKING:
    from django.db.models import ForeignKey, Model, QuerySet
    from django.http import HttpRequest
    from django.utils.safestring import SafeString


class SuggestedOrNamed(AutocompleteSelect):
    """A field that suggests rows. Without scripts, it takes the whole name of one."""

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        given = attrs or {}
        chosen = value if str(value or "").isdecimal() else None
        suggesting = super().render(name, chosen, {**given, "class": "scripted"}, renderer)
        if given.get("disabled"):
            return suggesting
        label = _("%(field)s: the whole name") % {"field": capfirst(self.field.verbose_name)}
        plain = TextInput({"aria-label": label, "class": "vTextField", "autocomplete": "off"})
        shown = self.name_of(chosen) if chosen else str(value or "").strip("“”")
        typed = plain.render(f"{name}-name", shown)
        return format_html("{}<noscript>{}</noscript>", suggesting, typed)

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:
        if f"{name}-name" not in data:
            return super().value_from_datadict(data, files, name)
        text = data[f"{name}-name"].strip()
        if not text:
            return ""
        row = find_by_name(self.field.related_model, text).first()
        return row.pk if row else f"“{text}”"  # also if it is a number, which could be a row's

    def value_omitted_from_data(self, data: Any, files: Any, name: str) -> bool:
        return f"{name}-name" not in data and super().value_omitted_from_data(data, files, name)

    def name_of(self, chosen: Any) -> str:
        row = self.field.related_model.objects.filter(pk=chosen).first()
        return str(row or "")


def find_by_name(model: type[Model], name: str) -> QuerySet[Any]:
    """Return the row of a model with this name. An arena's address will do, too."""
    if model is Player:
        return Player.objects.named(name)
    if model is User:
        return User.objects.filter(username__iexact=name)
    return Arena.objects.filter(Q(name__iexact=name) | Q(slug=name)).order_by("pk")


class Suggests(BaseModelAdmin[Any]):
    """A form whose ``autocomplete_fields`` can be filled in without scripts, too."""

    def formfield_for_foreignkey(
        self, db_field: ForeignKey[Any, Any], request: HttpRequest, **options: Any
    ) -> Any:
        if db_field.name not in self.get_autocomplete_fields(request):
            return super().formfield_for_foreignkey(db_field, request, **options)
        widget = SuggestedOrNamed(cast("Any", db_field), self.admin_site)
        field = super().formfield_for_foreignkey(db_field, request, widget=widget, **options)
        if field is not None:
            field.error_messages["invalid_choice"] = gettext_lazy(
                "%(value)s was not found. Give the whole name."
            )
        return field
