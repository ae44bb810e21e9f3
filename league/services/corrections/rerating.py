"""Rate a whole season again, under its present rules or under others.

The season is replayed from its start, as its verification does, so its ratings equal the replay of
its results afterwards. Events that differ are superseded, as by a correction.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils.translation import gettext as _

import ratings.registry
from league.models import CorrectionKind, RulesVersion, Season, StaffAction
from league.models.explained import problems_said, translate
from league.services.core.errors import Forbidden, Refused
from league.services.core.staff_log import of_arena
from league.services.corrections.checks import check_not_archived, check_reason
from league.services.replay.apply import Cause, apply, lock_season
from league.services.replay.diff import diff
from league.services.replay.edits import Edit
from league.services.results.rules import own_matches
from league.services.seasons import changing
from league.services.seasons.planning import obstacle_to
from league.services.seasons.starting_lists import start_again
from league.services.standings import connections, rebuilding
from ratings.registry import KNOWN_SYSTEMS
from ratings.seasons.rules import read_rules
from ratings.tunables.reading import ParameterError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from league.models import Job, User
    from league.services.core.types import Progress

JOB = "rerate"


@dataclass(frozen=True)
class Rerated:
    """The changes from rating a season again."""

    matches: int
    """All rated matches of the season."""
    events: int
    """Rating events that were replaced."""
    players: int
    """Players whose rating changed."""
    largest_change: float
    """The largest change of a rating of a player who keeps one."""
    correction: int | None
    """The id of the correction that replaced the events, None without matches."""


def rerate(
    season: Season,
    *,
    system: str | None = None,
    parameters: Mapping[str, Any] | None = None,
    rules: Mapping[str, Any] | None = None,
    by: User,
    reason: str,
    now: datetime,
    progress: Progress = lambda _step, _done, _total: None,
) -> Rerated:
    """Rate a season again in one transaction, and return what has changed.

    Without ``system``, ``parameters`` or ``rules`` it keeps those that it has. With them it counts
    as if it had been played under them from its start. Results wait meanwhile.

    Raises:
        Forbidden: ``by`` may not correct results.
        Conflict: the season is archived, or in use.
        Refused: there is no reason, or the season cannot be rated under these rules.
    """
    if not by.has_perm(own_matches.CORRECT, season.arena):
        raise Forbidden("not_staff", _("Only staff can correct a rated result."))
    reason = check_reason(reason)
    with transaction.atomic():
        season = lock_season(season.pk)
        check_not_archived(season)
        before, rated_by_before = rules_of(season), rated_by(season)
        adopted = take_rules(season, system, parameters, rules)
        version = note_version(season, before, by=by, reason=reason, now=now) if adopted else None
        if adopted and starts_otherwise(before, season):
            start_again(season)
        count = season.matches.rated().count()
        tell = stepping(progress, _("Rating matches"), count)
        edit = Edit(anew=True, system_changed=rated_by(season) != rated_by_before)
        found = diff(season, edit, progress=tell)
        correction = apply(found, Cause(CorrectionKind.RERATED, reason, by, now))
        done = Rerated(
            matches=count,
            events=found.events,
            players=found.movers,
            largest_change=found.largest_change,
            correction=correction.pk if correction else None,
        )
        if adopted:
            connections.note_changes(season.pk)
            rebuilding.rebuild(
                season, now, stepping(progress, _("Ordering the leaderboard"), len(found.players))
            )
        record(season, done, version, by=by, reason=reason, now=now)
    return done


def rules_of(season: Season) -> dict[str, Any]:
    """Return what a season is rated under."""
    return {**rated_by(season), "rules": season.rules}


def rated_by(season: Season) -> dict[str, Any]:
    """Return a season's rating system and its parameters."""
    return {
        "rating_system": season.rating_system,
        "rating_parameters": season.rating_parameters,
    }


def take_rules(
    season: Season,
    system: str | None,
    parameters: Mapping[str, Any] | None,
    rules: Mapping[str, Any] | None,
) -> bool:
    """Give a season other rules. Return whether anything differs.

    Raises:
        Refused: they are no valid rules, or do not fit each other or the season.
    """
    before = rules_of(season)
    try:
        if system is not None or parameters is not None:
            season.rating_system = system or season.rating_system
            known = (
                {} if system not in {None, before["rating_system"]} else season.rating_parameters
            )
            given = known if parameters is None else parameters
            built = ratings.registry.build(season.rating_system, given)
            season.rating_parameters = built.parameters.model_dump(mode="json")
        if rules is not None:
            season.rules = read_rules(rules).to_json()
    except ratings.registry.UnknownSystem as error:
        raise Refused("rules", translate(error.sentence)) from error
    except ParameterError as error:
        raise Refused("rules", "; ".join(problems_said(error))) from error
    if rules_of(season) == before:
        return False
    found = season.season_rules()
    clash = found.clash_with(ratings.registry.find(season.rating_system))
    if obstacle := translate(clash[1]) if clash else obstacle_to(season, found):
        raise Refused("rules", obstacle)
    season.save(update_fields=list(before))
    return True


def starts_otherwise(before: dict[str, Any], season: Season) -> bool:
    """Return whether starting ratings may differ from those under the rules ``before``."""
    start = season.season_rules().start
    if before["rating_system"] != season.rating_system:
        return True
    if read_rules(before["rules"]).start != start:
        return True
    shapes_states = KNOWN_SYSTEMS[season.rating_system].kept_in_states
    if any(
        before["rating_parameters"].get(name) != season.rating_parameters.get(name)
        for name in shapes_states
    ):
        return True
    from_newcomers = start.reset_deviation or start.partial_reset_at or start.day_one
    return bool(from_newcomers) and before["rating_parameters"] != season.rating_parameters


def note_version(
    season: Season, before: dict[str, Any], *, by: User, reason: str, now: datetime
) -> RulesVersion | None:
    """Note a version of the rules for the whole season, if they differ in anything but form."""
    was = changing.Rules(before["rating_system"], before["rating_parameters"], before["rules"])
    if not changing.Rules.of(season).since(was):
        return None
    return changing.note_version(season, was, since=0, by=by, reason=reason, now=now)


def record(
    season: Season,
    done: Rerated,
    version: RulesVersion | None,
    *,
    by: User,
    reason: str,
    now: datetime,
) -> None:
    """Record the decision in the ledger of staff actions, with the rules that it changed."""
    changes = version.changes if version else []
    StaffAction.objects.create(
        actor=by,
        kind=StaffAction.Kind.RERATED,
        reason=reason,
        details={
            "season": season.pk,
            "season_name": str(season),
            "version": season.rules_version,
            "correction": done.correction,
            "moved": done.players,
            "largest_change": done.largest_change,
            **of_arena(season.arena),
        },
        before={one["field"]: one["old"] for one in changes} or None,
        after={one["field"]: one["new"] for one in changes} or None,
        at=now,
    )


def stepping(progress: Progress, step: str, total: int) -> Callable[[int], object]:
    """Return what a replay calls with the number of matches just rated."""
    done = 0

    def tell(more: int) -> None:
        nonlocal done
        done += more
        progress(step, done, total)

    return tell


def work(job: Job, progress: Progress, now: datetime) -> dict[str, Any]:
    """Rate the season of a job again, under the rules given with the job, if any."""
    if job.season is None:
        raise Refused("no_season", _("The season no longer exists."))
    return vars(rerate(job.season, by=job.by, now=now, progress=progress, **job.given))
