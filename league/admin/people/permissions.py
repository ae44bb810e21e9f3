"""Single permissions as checkboxes, by area and in words, closed until somebody wants them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from django import forms
from django.apps import apps
from django.contrib.admin.options import BaseModelAdmin
from django.contrib.auth.models import Permission
from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from league.admin_site import SECTIONS

if TYPE_CHECKING:
    from django.http import HttpRequest

ACTIONS = {
    "view": gettext_lazy("see"),
    "add": gettext_lazy("add"),
    "change": gettext_lazy("change"),
    "delete": gettext_lazy("delete"),
}
"""The actions on rows that every model has."""
AREA_OF = {
    name.lower(): label for label, (_title, names) in SECTIONS.items() for name in names.split()
}
SPECIAL = "special"
CHECKED = SafeString(" checked")


@dataclass
class Rows:
    """The permissions about the rows of one model."""

    name: str
    permissions: list[tuple[int, str]] = field(default_factory=list)
    """The id of each with its words."""


@dataclass
class Area:
    title: Any
    rows: dict[str, Rows] = field(default_factory=dict)


def areas() -> list[Area]:
    """Return permissions: first what is more than seeing and writing rows, then by area.

    Those for rows that the admin does not show are left out.
    """
    found = {
        SPECIAL: Area(_("Decisions and other actions")),
        **{label: Area(title) for label, (title, _names) in SECTIONS.items()},
    }
    actions = {action: str(words) for action, words in ACTIONS.items()}
    known = Permission.objects.order_by("content_type__model", "id").values_list(
        "pk", "codename", "name", "content_type__app_label", "content_type__model"
    )
    for key, codename, name, app, model in known:
        action = codename.removesuffix(f"_{model}")
        is_special = action not in actions
        if not is_special and model not in AREA_OF:
            continue
        area = found[SPECIAL if is_special else AREA_OF[model]]
        if model not in area.rows:
            area.rows[model] = Rows(name_model(app, model))
        words = _(name.removeprefix("Can ")) if is_special else actions[action]
        area.rows[model].permissions.append((key, words))
    return [area for area in found.values() if area.rows]


def name_model(app: str, model: str) -> str:
    """Return the name of a model's rows, of a model that is gone its own."""
    try:
        return capfirst(str(apps.get_model(app, model)._meta.verbose_name_plural))  # noqa: SLF001 - Django's documented name
    except LookupError:
        return capfirst(model)


class PermissionList(forms.CheckboxSelectMultiple):
    """Checkboxes of permissions. There are hundreds, so that no template writes each.

    Chosen ones that are not listed stay chosen.
    """

    def render(
        self,
        name: str,
        value: Any,
        attrs: dict[str, Any] | None = None,  # noqa: ARG002 - Django's signature
        renderer: Any = None,  # noqa: ARG002 - Django's signature
    ) -> SafeString:
        chosen = {int(key) for key in self.format_value(value) if key.isdecimal()}
        shown = areas()
        listed = {
            key for area in shown for rows in area.rows.values() for key, _words in rows.permissions
        }
        kept = ((name, key) for key in sorted(chosen - listed))
        return format_html(
            '<div class="permissions">{}{}</div>',
            format_html_join("", "{}", ((self.area(name, area, chosen),) for area in shown)),
            format_html_join("", '<input type="hidden" name="{}" value="{}">', kept),
        )

    def area(self, name: str, area: Area, chosen: set[int]) -> SafeString:
        held = sum(key in chosen for rows in area.rows.values() for key, _w in rows.permissions)
        counted = ngettext("%(count)d given", "%(count)d given", held) % {"count": held}
        return format_html(
            "<details><summary>{}{}</summary><dl>{}</dl></details>",
            area.title,
            format_html(' <span class="changed-count">{}</span>', counted) if held else "",
            format_html_join(
                "",
                "<div><dt>{}</dt><dd>{}</dd></div>",
                ((rows.name, self.boxes(name, rows, chosen)) for rows in area.rows.values()),
            ),
        )

    def boxes(self, name: str, rows: Rows, chosen: set[int]) -> SafeString:
        field, about = conditional_escape(name), conditional_escape(rows.name)
        return format_html_join(
            " ",
            '<label><input type="checkbox" name="{}" value="{}"{}>'
            ' <span class="visually-hidden">{}: </span>{}</label>',
            (
                (field, key, CHECKED if key in chosen else "", about, words)
                for key, words in rows.permissions
            ),
        )


class GivesPermissions(BaseModelAdmin[Any]):
    """Forms with a list of single permissions."""

    def formfield_for_manytomany(self, db_field: Any, request: HttpRequest, **options: Any) -> Any:
        if db_field.remote_field.model is Permission:
            options["widget"] = PermissionList()
        return super().formfield_for_manytomany(db_field, request, **options)
