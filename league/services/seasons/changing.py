"""Change the rules of a running season, from its next match on.

What was rated stays rated under the rules of its time. Some rules say what the whole season is:
those cannot change between two matches, and :func:`obstacle` says why.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from django.db import transaction
from django.utils.translation import override

from league.models import RulesVersion, Season, StaffAction
from league.models.season import system_from_json
from league.services.core.declared import declarations
from league.services.core.errors import Conflict, Refused
from league.services.core.isolation import gettext as _
from league.services.core.patience import patience
from league.services.core.staff_log import of_arena
from league.services.points import awarding
from league.services.rating.bulk import next_values
from league.services.seasons.differences import differences
from league.services.standings import connections, rebuilding
from ratings.registry import KNOWN_SYSTEMS
from ratings.seasons.rules import read_rules

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from league.models import User
    from league.services.seasons.differences import Difference
    from ratings.seasons.rules import SeasonRules


@dataclass(frozen=True)
class Rules:
    """A rating system, its parameters and the rules of seasons, as JSON data."""

    system: str
    parameters: Mapping[str, Any]
    season: Mapping[str, Any]

    @classmethod
    def of(cls, held: Any) -> Rules:
        """Return the rules of a season, a version or a trial, whatever release wrote them."""
        parameters = json.dumps(held.rating_parameters, sort_keys=True)
        system = system_from_json(held.rating_system, parameters)
        return cls(system.name, system.parameters.model_dump(mode="json"), held.rules)

    def within(self, season: Season) -> Rules:
        """Return these rules with the start of a season that has begun: it is over."""
        start = season.season_rules().start
        return replace(self, season=replace(read_rules(self.season), start=start).to_json())

    def since(self, other: Rules) -> list[Difference]:
        """Return what differs from earlier rules, in words."""
        return differences(
            (other.system, other.parameters, other.season),
            (self.system, self.parameters, self.season),
        )


def obstacle(was: Rules, new: Rules) -> str:
    """Return why these rules cannot apply from a season's next match on; empty if they can."""
    if was.system != new.system:
        return _(
            "Ratings of %(old)s mean something else than those of %(new)s. Another rating system "
            "needs the season to be rated again."
        ) % {"old": _(KNOWN_SYSTEMS[was.system].label), "new": _(KNOWN_SYSTEMS[new.system].label)}
    system = KNOWN_SYSTEMS[new.system]
    labels = {each.name: each.label for each in declarations(system.Parameters)}
    for name in system.kept_in_states:
        if was.parameters.get(name) != new.parameters.get(name):
            return _(
                "“%(label)s” shapes what is stored with every rating, so it cannot change between "
                "two matches. Rate the season again, or plan the change for the next season."
            ) % {"label": labels[name]}
    before, after = read_rules(was.season), read_rules(new.season)
    if before.points.ladder.counts != after.points.ladder.counts:
        return _(
            "Ladder points count for all matches of a season or for none. Plan the change for the "
            "next season."
        )
    return ""


def lock(season_id: int) -> Season:
    """Lock a season against results. Raises ``Conflict`` if that takes too long or it is over."""
    with patience():
        seasons = Season.objects.select_for_update(of=["self"]).select_related("arena")
        season = seasons.get(pk=season_id)
    if season.archived_at is not None:
        raise Conflict(
            "archived",
            _("%(season)s is archived. Its rules no longer change.") % {"season": season},
        )
    return season


def apply_from_next_match(
    season_id: int,
    new: Rules,
    *,
    by: User,
    reason: str,
    now: datetime,
    progress: Callable[[str, int, int], object] = lambda *_: None,
) -> RulesVersion:
    """Change the rules of a season for all matches that are rated from now on.

    Raises:
        Conflict: the season is archived or in use.
        Refused: these rules are in force already, or cannot begin between two matches.
    """
    with transaction.atomic():
        season = lock(season_id)
        was, new = Rules.of(season), new.within(season)
        if why := obstacle(was, new):
            raise Refused("not_between_matches", why)
        # Above the places of all earlier matches, also of void ones that may count again.
        (since,) = next_values("'league_match_rated_order'", 1)
        take(season, new)
        version = note_version(season, was, since=since, by=by, reason=reason, now=now)
        record(season, StaffAction.Kind.RULES, version)
        follow_up(season, read_rules(was.season), read_rules(new.season), now, progress)
    return version


def take(season: Season, new: Rules) -> None:
    """Give a season other rules. The caller has locked it, and notes the version."""
    season.rating_system = new.system
    season.rating_parameters = dict(new.parameters)
    season.rules = dict(new.season)
    season.save(update_fields=["rating_system", "rating_parameters", "rules"])


def note_version(
    season: Season, was: Rules, *, since: int, by: User, reason: str, now: datetime
) -> RulesVersion:
    """Write a version of the rules that a season has just taken, for matches rated after ``since``.

    ``was`` are those before. With ``since`` 0 it covers the whole season, which is rated again.

    Raises:
        Refused: nothing differs, or there is no reason.
    """
    if not reason.strip():
        raise Refused("no_reason", _("Give a reason. Everyone can read it."), field="reason")
    new = Rules.of(season)
    with override("en"):  # readers of any language see them, each in their own
        changes = new.since(was)
    if not changes:
        raise Refused("same_rules", _("These are the rules of the season already."))
    if season.rules_version == 1:
        RulesVersion.objects.create(
            season=season,
            number=1,
            since=0,
            at=season.opened_at or season.starts_at,
            rating_system=was.system,
            rating_parameters=was.parameters,
            rules=was.season,
        )
    season.rules_version += 1
    season.save(update_fields=["rules_version"])
    return RulesVersion.objects.create(
        season=season,
        number=season.rules_version,
        since=since,
        at=now,
        rating_system=new.system,
        rating_parameters=new.parameters,
        rules=new.season,
        changes=changes,
        reason=reason.strip(),
        by=by,
    )


def versions_of(season: Season) -> list[RulesVersion]:
    """Return the versions of a season's rules, latest first; none if they never changed."""
    if season.rules_version == 1:
        return []
    return list(season.versions.select_related("by__player").order_by("-number"))


def record(season: Season, kind: StaffAction.Kind, version: RulesVersion) -> StaffAction:
    """Record a change of rules in the ledger of staff actions."""
    return StaffAction.objects.create(
        actor=cast("User", version.by),
        kind=kind,
        reason=version.reason,
        details={
            **of_arena(season.arena),
            "season": season.pk,
            "season_name": str(season),
            "version": version.number,
        },
        before={one["field"]: one["old"] for one in version.changes},
        after={one["field"]: one["new"] for one in version.changes},
        at=version.at,
    )


def follow_up(
    season: Season,
    was: SeasonRules,
    new: SeasonRules,
    now: datetime,
    progress: Callable[[str, int, int], object] = lambda *_: None,
) -> None:
    """Bring what is stored for the whole season in line with its new rules."""
    if new.points.ladder.counts and was.points.ladder != new.points.ladder:
        progress(_("Adding up ladder points"), 0, 1)
        awarding.add_up(season)
    boards = [(one.ranked, one.decay, one.divisions, one.fair_play) for one in (was, new)]
    if boards[0] != boards[1]:
        progress(_("Ordering the leaderboard"), 0, 1)
        connections.note_changes(season.pk)
        rebuilding.rebuild(season, now)
