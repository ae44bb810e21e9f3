"""The list of models beside every page of the admin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext as _

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag(takes_context=True)
def sidebar_rows(context: Any, app: dict[str, Any]) -> SafeString:
    """Return the rows of a group's models. Every page has all of them, so no template is used."""
    path, add = context["request"].path, _("Add")

    def rows() -> Iterator[tuple[Any, ...]]:
        for model in app["models"]:
            slug = model["object_name"].lower()
            key = f"{app['app_label']}-{slug}"
            is_current = bool(model["admin_url"]) and path.startswith(model["admin_url"])
            yield (
                slug,
                " current-model" if is_current else "",
                key,
                name(model, is_current),
                (
                    format_html(
                        '<a href="{}" class="addlink" aria-describedby="{}">{}</a>',
                        model["add_url"],
                        key,
                        add,
                    )
                    if model["add_url"]
                    else ""
                ),
            )

    return format_html_join(
        "\n", '<tr class="model-{}{}"><th scope="row" id="{}">{}</th><td>{}</td></tr>', rows()
    )


def name(model: dict[str, Any], is_current: bool) -> SafeString | str:
    """Return the name of a model with a link to its list, if the reader may see that."""
    if not model["admin_url"]:
        return str(model["name"])
    link = '<a href="{}" aria-current="page">{}</a>' if is_current else '<a href="{}">{}</a>'
    return format_html(link, model["admin_url"], model["name"])
