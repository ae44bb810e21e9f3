"""The ways on from a comparison: use a system in the next season, or try it on this one first."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.translation import gettext as _

from league.models import Arena
from league.services.core.errors import Conflict, Refused
from league.services.seasons.changing import Rules
from league.services.seasons.planning import lock_planners
from league.services.trials import asking
from league.services.trials.outcomes import plan_rules, rules_of

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Job, User
    from league.services.laboratory.comparisons import Comparison


def seen(arena: Arena) -> str:
    """Return a digest of the rating rules of an arena, for pages to send back."""
    held = json.dumps([arena.rating_system, arena.rating_parameters], sort_keys=True)
    return hashlib.sha256(held.encode()).hexdigest()[:16]


def rated_by(comparison: Comparison, entry: str) -> tuple[str, dict[str, object]]:
    """Return the system of an entry and its parameters, fitted if they were.

    Raises ``Refused`` if it is none, or not done.
    """
    found = comparison.done.get(entry)
    if found is None:
        raise Refused("no_entry", _("Choose one of the systems that are done."), field="entry")
    return found["trial"]["system"], found["trial"]["parameters"]


def plan(
    comparison: Comparison, entry: str, *, digest: str, by: User, reason: str, now: datetime
) -> Arena:
    """Save a system as that of the arena's next season. Other rules stay as they are.

    ``digest`` is of the rules that the person has seen.

    Raises:
        Conflict: the arena's rules have changed since.
        Refused: the arena has these rules already, they do not fit it, or there is no reason.
    """
    system, parameters = rated_by(comparison, entry)
    with transaction.atomic():
        lock_planners(comparison.arena)
        arena = Arena.objects.get(pk=comparison.arena.pk)
        if seen(arena) != digest:
            raise Conflict(
                "rules_changed",
                _("The rules of the arena have changed since you saw this page. Check it again."),
            )
        rules = replace(rules_of(arena), system=system, parameters=parameters)
        return plan_rules(arena.pk, rules, by=by, reason=reason, now=now)


def try_out(comparison: Comparison, entry: str, *, by: User, now: datetime) -> Job:
    """Start a trial of a system on the season. Raises ``Refused`` as ``trials.asking.ask``."""
    system, parameters = rated_by(comparison, entry)
    season = comparison.season
    rules = Rules(system, parameters, Rules.of(season).season)
    return asking.ask(season, rules, by=by, now=now)
