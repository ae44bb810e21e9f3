"""Names of fields and models that do not declare one, as people read them in the admin."""

from __future__ import annotations

from django.apps import apps
from django.utils.translation import gettext_lazy as _

FIELDS = {
    "actor": _("account"),
    "arena": _("arena"),
    "award": _("penalty"),
    "captain": _("captain"),
    "confirmed_by": _("confirmed by"),
    "disputed_by": _("disputed by"),
    "match": _("match"),
    "memory": _("memory"),
    "player": _("player"),
    "rated_order": _("place in the order of rating"),
    "reported_by": _("reported by"),
    "season": _("season"),
}
MODELS = {
    "Role": (_("role"), _("roles")),
}


def name_fields() -> None:
    """Give the fields and models of the league their names.

    The names are no part of migrations, so that translating one takes none.
    """
    for model in apps.get_app_config("league").get_models():
        for field in model._meta.local_fields:  # noqa: SLF001 - Django's documented name
            if field.name in FIELDS and field.verbose_name == field.name.replace("_", " "):
                field.verbose_name = FIELDS[field.name]
        if model.__name__ in MODELS:
            one, many = MODELS[model.__name__]
            model._meta.verbose_name, model._meta.verbose_name_plural = one, many  # noqa: SLF001 - as above
