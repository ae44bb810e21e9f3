"""Everything that needs the attention of staff today, for the admin's first page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, cast

from django.conf import settings

from league.admin.core.reach import limit_to_arenas
from league.admin.frontpage import rows
from league.admin.frontpage.arenas import arena_cards
from league.admin.frontpage.charts import calibration, charts
from league.models import StaffAction
from league.services.core.clock import database_now
from league.services.frontpage.days import read_last_days
from league.services.frontpage.first_steps import first_steps
from league.services.frontpage.late_tasks import late_tasks
from league.services.frontpage.waiting import waiting
from league.services.moderation.files import without_own_cases
from league.services.operations import keeping, readiness

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import HttpRequest

    from league.models import User


ACTIONS_SHOWN = 10
BACKUP = "backup"
"""The check that ``backups`` says more about."""


class Health(NamedTuple):
    """A part of the site: whether it works, and why not."""

    name: str
    ok: bool
    reason: str


def contents(request: HttpRequest) -> dict[str, Any]:
    """Return what this account's first page shows besides the models."""
    now = database_now()
    return {
        **arena_cards(request, now),
        **what_waits(request, now),
        **steps(request, now),
        **league_figures(request, now),
        **health(request, now),
        "staff_actions": staff_actions(request),
    }


def what_waits(request: HttpRequest, now: datetime) -> dict[str, Any]:
    """Return the work that waits, each kind as far as this account's arenas reach."""
    user = cast("User", request.user)
    kinds, reader = rows.visible(user), getattr(user, "player", None)
    found = {arenas: waiting(now, arenas, reader) for arenas in set(kinds.values())}
    seen = {
        kind.name: found[arenas][kind.name]
        for kind, arenas in kinds.items()
        if kind.name in found[arenas]
    }
    return {"waiting": rows.rows(seen, kinds), "may_see_waiting": bool(kinds)}


def steps(request: HttpRequest, now: datetime) -> dict[str, Any]:
    """Return the first steps of a new league, for those who may take them."""
    if not request.user.has_perm("league.add_arena"):
        return {}
    done = first_steps(now)
    return {"steps": rows.steps(done)} if done else {}


def league_figures(request: HttpRequest, now: datetime) -> dict[str, Any]:
    arenas = cast("User", request.user).arenas_with("league.view_match")
    if arenas is not None and not arenas:
        return {}
    last = read_last_days(now, arenas)
    return {"charts": charts(last), "calibration": calibration(last.calibration)}


def health(request: HttpRequest, now: datetime) -> dict[str, Any]:
    if not request.user.has_perm("league.view_backup"):
        return {}
    return {
        "health": [
            Health(rows.check_name(name), check.ok, check.reason)
            for name, check in readiness.checks().items()
            if name != BACKUP
        ],
        "late_tasks": late_tasks(),
        "may_run_tasks": request.user.has_perm("league.change_job"),
        "backups": keeping.state(now),
        "backup_hours": settings.BACKUP_HOURS,
    }


def staff_actions(request: HttpRequest) -> list[StaffAction]:
    """Return the last decisions of staff, for those who may see them."""
    arenas = cast("User", request.user).arenas_with("league.view_staffaction")
    if arenas is not None and not arenas:
        return []
    found = StaffAction.objects.select_related("actor", "match__arena")
    found = without_own_cases(found, getattr(request.user, "player", None))
    return list(limit_to_arenas(found, arenas)[:ACTIONS_SHOWN])
