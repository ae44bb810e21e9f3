"""The button “Try these rules” of the arena form, which saves nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from django.utils.translation import gettext as _

from league.admin.core.trying import TriesForm
from league.admin.jobs.jobs import lead_to
from league.services.core.clock import database_now
from league.services.core.errors import Refused
from league.services.seasons.changing import Rules
from league.services.trials import asking

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from league.models import Arena, Season, User


class TriesRules(TriesForm):
    """Replay the season under the rules in the form of an arena."""

    def try_typed(self, request: HttpRequest, typed: Arena) -> HttpResponse:
        season = season_to_replay(typed)
        if season is None:
            raise Refused(
                "no_season", _("No season is running here, so there is nothing to replay.")
            )
        rules = Rules(typed.rating_system, typed.rating_parameters, typed.season_rules)
        by = cast("User", request.user)
        return lead_to(asking.ask(season, rules, by=by, now=database_now()))


def season_to_replay(arena: Arena) -> Season | None:
    """Return the latest season of an arena that has begun and is not archived."""
    return arena.seasons.opened().filter(archived_at=None).order_by("-starts_at").first()
