"""Walk the routes of the site, and find an address for each."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.urls import URLResolver, get_resolver, reverse

from league.models import Correction, CorrectionKind, Job, MergeRequest, Season, StaffAction
from league.services.moderation import bulk
from tests.support.permission_furnish import row_of
from tests.support.permission_matrix import WEB
from tests.support.permission_matrix_accounts import ACCOUNTS
from tests.support.permission_matrix_admin import ADMIN
from tests.support.permission_matrix_api import API
from tests.support.permission_matrix_apps import APPS
from tests.support.permission_matrix_competitions import COMPETITIONS
from tests.support.permission_matrix_dates import DATES
from tests.support.permission_matrix_every_day import EVERY_DAY
from tests.support.permission_matrix_ladder import CHALLENGES
from tests.support.permission_matrix_night import NIGHT
from tests.support.permission_matrix_queue import QUEUE
from tests.support.permission_matrix_sharing import SHARING
from tests.support.permission_matrix_teams import TEAMS
from tests.support.permission_matrix_tokens import TOKENS
from tests.support.permission_matrix_webhooks import WEBHOOKS
from tests.support.permission_roles import Row, World, fields_in

OURS = [
    *WEB,
    *QUEUE,
    *DATES,
    *COMPETITIONS,
    *TEAMS,
    *EVERY_DAY,
    *NIGHT,
    *SHARING,
    *API,
    *CHALLENGES,
    *TOKENS,
    *WEBHOOKS,
    *APPS,
]


ROWS = [*OURS, *ADMIN, *ACCOUNTS]


@dataclass(frozen=True)
class Route:
    """A route: a leaf of the URL tree."""

    name: str
    """The name with its namespace, empty for a route without a name."""
    pattern: str

    @property
    def model(self) -> tuple[str, str] | None:
        """Return the app and model of an admin page, if it belongs to a model."""
        found = re.match(r"admin/(\w+)/(\w+)/", self.pattern)
        return (found[1], found[2]) if found and found[1] not in {"r", "password_change"} else None

    def __str__(self) -> str:
        return f"{self.pattern} ({self.name or 'without a name'})"


def routes(within: Any = None, pattern: str = "", namespace: str = "") -> Iterator[Route]:
    """Yield every route of the site, or below the resolver ``within``."""
    for entry in (within or get_resolver()).url_patterns:
        here = pattern + str(entry.pattern)
        if isinstance(entry, URLResolver):
            inner = f"{entry.namespace}:" if entry.namespace else ""
            yield from routes(entry, here, namespace + inner)
        else:
            yield Route(f"{namespace}{entry.name}" if entry.name else "", here)


PREVIEWED = {"arena": "decay", "arenaqueue": "queue", "discipline": "stacks"}
"""A preview of each form that has some."""
MODEL_ROUTES = [route for route in routes() if route.model]


@dataclass(frozen=True)
class Question:
    """A row of a table, with the objects of the world."""

    row: Row
    address: str
    fields: Any
    """The query of a read, or the data of a write."""

    def __str__(self) -> str:
        return str(self.row)


def address_of(row: Row, world: World) -> str:
    if row.route.startswith("/"):
        return row.route
    return reverse(row.route, kwargs=fields_in(world, row.where))


JOBS = {
    "player/banned": bulk.JOB,
    "player/voided": "void_all",
    "arena/rerated": "rerate",
    "arenaqueue/reruns": "queue-trial",
    "evening/of-job": "evening-undo",
    "fileimport/of-job": "import-check",
}
"""Kinds of jobs, by the page of the admin that shows their results."""


def model_addresses() -> dict[Route, str]:
    """Return the address of each page of a model in the admin, for an existing row."""
    return {route: model_address(route) for route in MODEL_ROUTES}


def model_address(route: Route) -> str:
    assert route.model
    row = row_of(*route.model)
    address = route.pattern
    address = address.replace("<slug:kind>", PREVIEWED.get(route.model[1], ""))
    if "<int:season_id>" in address:
        season = Season.objects.opened().filter(arena=row.pk).first()
        assert season
        address = address.replace("<int:season_id>", str(season.pk))
    if "<int:request_id>" in address:
        request = MergeRequest.objects.first()
        assert request
        address = address.replace("<int:request_id>", str(request.pk))
    if "<int:job_id>" in address:
        [kind] = [kind for part, kind in JOBS.items() if f"{part}/<int:job_id>" in address]
        address = address.replace(
            "<int:job_id>", str(Job.objects.filter(kind=kind).latest("pk").pk)
        )
    if "<int:correction_id>" in address:
        correction = Correction.objects.get(kind=CorrectionKind.VOID_ALL)
        address = address.replace("<int:correction_id>", str(correction.pk))
    if "<int:action_id>" in address:
        evening = StaffAction.objects.get(kind=StaffAction.Kind.EVENING)
        address = address.replace("<int:action_id>", str(evening.pk))
    address = re.sub(r"<[^>]+>", str(row.pk), address)
    if "^([^/]+)/history/([^/]+)/$" in address:
        version: Any = row
        address = address.replace(
            "^([^/]+)/history/([^/]+)/$", f"{row.pk}/history/{version.history.first().pk}/"
        )
    return f"/{address}"
