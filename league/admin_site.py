"""The admin's index page: open decisions first, then the models in the order of staff's work."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib.admin import AdminSite
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from league.models import Flag, Match, Objection, Status
from league.services.core.clock import database_now
from league.services.operations import keeping

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest
    from django.template.response import TemplateResponse

LEAGUE = [
    "Arena",
    "ArenaQueue",
    "Match",
    "Flag",
    "Player",
    "Roster",
    "Rating",
    "RatingEvent",
    "Challenge",
    "Arrangement",
    "Ticket",
    "Proposal",
    "Tick",
    "DishonorAward",
    "Amnesty",
    "Discipline",
    "StaffAction",
    "Email",
    "BouncingAddress",
]
FIRST_OF_ACCOUNTS = ["User", "Group"]
LIBRARY_MODELS = {"AuthToken": _("API tokens"), "Authenticator": _("Second factors")}
"""Plain names for models of libraries that do not translate their own."""


class LaurelAdminSite(AdminSite):
    site_header = "Laurel"
    site_title = "Laurel"
    index_title = _("Running the league")

    def get_app_list(
        self, request: HttpRequest, app_label: str | None = None
    ) -> list[dict[str, Any]]:
        """Return the league's models in the order of staff's work, then those about accounts."""
        apps: list[dict[str, Any]] = super().get_app_list(request, app_label)
        if app_label:
            return apps
        models = [model for app in apps for model in app["models"]]
        for model in models:
            model["name"] = LIBRARY_MODELS.get(model["object_name"], model["name"])
        league = [model for model in models if model["object_name"] in LEAGUE]
        league.sort(key=place(LEAGUE))
        accounts = [model for model in models if model not in league]
        accounts.sort(key=place(FIRST_OF_ACCOUNTS))
        groups = [
            group(_("League"), "league", reverse("admin:app_list", args=["league"]), league),
            group(_("Accounts and access"), "accounts", reverse("admin:index"), accounts),
        ]
        return [each for each in groups if each["models"]]

    def index(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> TemplateResponse:
        waiting = 0
        if may_look_after_matches := request.user.has_perm("league.view_match"):
            disputed = Match.objects.filter(status=Status.DISPUTED).count()
            waiting = disputed + Objection.objects.open().count()
        flags = 0
        if request.user.has_perm("league.view_flag"):
            flags = Flag.objects.open().count()
        backups = None
        if request.user.has_perm("league.view_backup"):
            backups = keeping.state(database_now())
        return super().index(
            request,
            {
                **(extra_context or {}),
                "may_look_after_matches": may_look_after_matches,
                "waiting": waiting,
                "open_flags": flags,
                "backups": backups,
            },
        )


def place(order: list[str]) -> Callable[[dict[str, Any]], int]:
    """Return a sort key that puts models in ``order``, and all others after them."""
    places = {name: index for index, name in enumerate(order)}
    return lambda model: places.get(model["object_name"], len(order))


def group(name: Any, label: str, url: str, models: list[dict[str, Any]]) -> dict[str, Any]:
    """Return models under one heading, in the form that Django's templates expect."""
    return {
        "name": name,
        "app_label": label,
        "app_url": url,
        "has_module_perms": bool(models),
        "models": models,
    }
