"""The admin's index page: open decisions first, then the models in the order of staff's work."""

from __future__ import annotations

from functools import cache, partial
from inspect import isclass
from typing import TYPE_CHECKING, Any, NamedTuple

from django.contrib.admin import AdminSite, ModelAdmin
from django.urls import get_script_prefix, path, reverse
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from league.models.reach import is_of_arenas

if TYPE_CHECKING:
    from django.db.models import Model
    from django.http import HttpRequest
    from django.template.response import TemplateResponse
    from django.urls import URLPattern, URLResolver

SECTIONS = {
    "play": (_("Play"), "Arena ArenaQueue Match Challenge ArenaText"),
    "competitions": (_("Competitions"), "Competition Entrant Fixture Arrangement"),
    "people": (_("People"), "Player Team Roster PlayerClaim User Group ReservedWord"),
    "conduct": (
        _("Fair play"),
        "Flag PlayerReport Case Appeal DishonorAward Amnesty Discipline",
    ),
    "messages": (_("Messages"), "Announcement Email BouncingAddress DiscordBoard"),
    "league": (
        _("The league"),
        "LeagueSettings Maintenance FileImport Trial Job StaffAction",
    ),
    "advanced": (
        _("Advanced"),
        (
            "Rating RatingEvent PointEntry Ticket Proposal Tick Webhook WebhookDelivery App "
            "EmailAddress Authenticator AccessToken SocialAccount SocialApp SocialToken "
            "AccessAttempt AccessFailureLog AccessLog"
        ),
    ),
}
"""The models in groups, in the order of an organiser's work. The last group is for programmers."""
LIBRARY_MODELS = {"Authenticator": _("Second factors")}
"""Plain names for models of libraries that do not translate their own."""


def complete_admin(model: type[Model], admin_class: type[ModelAdmin[Any]]) -> type[ModelAdmin[Any]]:
    """Return the class with what all pages of the admin have, nearest to Django's own class."""
    from league.admin.core.audit import Audited  # noqa: PLC0415 - its package registers pages
    from league.admin.core.deleting import Deletes  # noqa: PLC0415 - as above
    from league.admin.core.guard import OfAccounts, is_of_accounts  # noqa: PLC0415 - as above
    from league.admin.core.lists import ListsRows  # noqa: PLC0415 - as above
    from league.admin.core.moments import NamesTimes  # noqa: PLC0415 - as above
    from league.admin.core.reach import InArenas  # noqa: PLC0415 - as above

    wanted: list[Any] = [
        Audited,
        Deletes,
        ListsRows,
        NamesTimes,
        *([InArenas] if is_of_arenas(model) else []),
        *([OfAccounts] if is_of_accounts(model) else []),
    ]
    bases: tuple[Any, ...] = (
        admin_class,
        *(one for one in wanted if not issubclass(admin_class, one)),
    )
    named = {"__module__": admin_class.__module__, "__doc__": admin_class.__doc__}
    return type(admin_class.__name__, bases, named)


class LaurelAdminSite(AdminSite):
    site_header = "Laurel"
    site_title = "Laurel"
    index_title = _("Running the league")

    def register(self, model_or_iterable: Any, admin_class: Any = None, **options: Any) -> None:
        """Register models: all pages record what is changed, and keep to the reader's arenas."""
        models: Any = [model_or_iterable] if isclass(model_or_iterable) else model_or_iterable
        for model in models:
            super().register(model, complete_admin(model, admin_class or ModelAdmin), **options)

    def get_app_list(
        self, request: HttpRequest, app_label: str | None = None
    ) -> list[dict[str, Any]]:
        """Return the models in groups, in the order of staff's work."""
        if app_label:
            return super().get_app_list(request, app_label)
        admins = {model.__name__: admin for model, admin in self._registry.items()}
        groups = [
            group(title, label, self.list_models(request, admins, names.split()))
            for label, (title, names) in SECTIONS.items()
        ]
        return [each for each in groups if each["models"]]

    def list_models(
        self, request: HttpRequest, admins: dict[str, ModelAdmin[Any]], names: list[str]
    ) -> list[dict[str, Any]]:
        """Return the models that the reader may see or add to, as Django's templates expect them.

        Every page lists all models, so their names are looked up once, and their addresses rarely.
        """
        found = []
        for name in (one for one in names if one in admins):
            permissions = admins[name].get_model_perms(request)
            seen = permissions["view"] or permissions["change"]
            if not seen and not permissions["add"]:
                continue
            model = admins[name].model
            options = model._meta  # noqa: SLF001 - Django's documented name
            pages = addresses(options.app_label, options.model_name or "", get_script_prefix())
            found.append(
                {
                    "model": model,
                    "name": str(LIBRARY_MODELS.get(name) or capfirst(options.verbose_name_plural)),
                    "object_name": name,
                    "perms": permissions,
                    "admin_url": pages.rows if seen else None,
                    "add_url": pages.add if permissions["add"] else None,
                    "view_only": not permissions["change"],
                }
            )
        return found

    def get_urls(self) -> list[URLPattern | URLResolver]:
        from league.admin.frontpage import pages  # noqa: PLC0415 - it registers models here

        view = self.admin_view
        own = [
            path("test-mail/", view(partial(pages.test_mail, site=self)), name="test_mail"),
            path("invite/", view(partial(pages.invite, site=self)), name="invite"),
            path("backups/", view(partial(pages.backups, site=self)), name="backups"),
            path("archive/", view(pages.download), name="archive"),
            path("tasks/<slug:name>/run/", view(pages.run_task), name="run_task"),
            path("filters/", view(partial(pages.save_filter, site=self)), name="save_filter"),
        ]
        return [*own, *super().get_urls()]

    def index(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> TemplateResponse:
        from league.admin.frontpage.contents import contents  # noqa: PLC0415 - as above

        return super().index(request, {**(extra_context or {}), **contents(request)})


class Addresses(NamedTuple):
    rows: str
    add: str


@cache
def addresses(app: str, model: str, prefix: str) -> Addresses:  # noqa: ARG001 - it is in the addresses
    """Return the addresses of a model's list and of its form to add a row."""
    add = "admin:league_arena_start" if model == "arena" else f"admin:{app}_{model}_add"
    return Addresses(reverse(f"admin:{app}_{model}_changelist"), reverse(add))


def group(name: Any, label: str, models: list[dict[str, Any]]) -> dict[str, Any]:
    """Return models under one heading, in the form that Django's templates expect."""
    return {
        "name": name,
        "app_label": label,
        "app_url": reverse("admin:index"),
        "has_module_perms": bool(models),
        "models": models,
    }
