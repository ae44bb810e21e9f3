"""Rate a whole season again, under its present rules or under others.

The season is replayed from its start, as its verification does, so its ratings equal the replay of
its results afterwards. Events that differ are superseded, as by a correction.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from django.db import connection, transaction
from django.utils.translation import gettext as _

import ratings.registry
from league.models import (
    Correction,
    CorrectionKind,
    Rating,
    RulesVersion,
    Season,
    StaffAction,
)
from league.models.explained import problems_said, translate
from league.services.core.errors import Forbidden, Refused
from league.services.core.staff_log import of_arena
from league.services.corrections.effect import Effect, matches_of
from league.services.corrections.previews import events_replaced, largest_change
from league.services.corrections.rules import check_not_archived, check_reason
from league.services.corrections.writing import (
    corrected,
    lock_season,
    write_events,
    write_memories,
    write_states,
)
from league.services.rating import checkpoints, versions
from league.services.rating.records import recount
from league.services.rating.tail import (
    by_appearance,
    codes_among,
    last_rows,
    read_tail,
    rows_of_matches,
    same_bits,
)
from league.services.results.rules import own_matches
from league.services.seasons import anchors, changing
from league.services.seasons.planning import obstacle_to
from league.services.seasons.starting_ratings import fill, starting_states
from league.services.standings import connections, rebuilding
from ratings.registry import SYSTEMS
from ratings.replay import without_memory
from ratings.seasons.rules import read_rules
from ratings.system import UnsupportedMatch
from ratings.tunables.reading import ParameterError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping
    from datetime import datetime

    from league.models import Job, User
    from league.services.core.types import Progress
    from league.services.rating.tail import Tail
    from ratings.replay import Replay
    from ratings.types import Booleans

JOB = "rerate"

# Players without a match have the rating that they entered with, or none.
REST = (
    """
    DELETE FROM league_rating AS r
    WHERE r.season_id = %(season)s AND r.opening IS NULL AND {unplayed}
    """,
    """
    UPDATE league_rating AS r
    SET rating = r.opening[1], deviation = r.opening[2], volatility = r.opening[3],
        memory = r.opening[4:], last_played_at = r.played_before, games = 0
    WHERE r.season_id = %(season)s AND r.opening IS NOT NULL AND {unplayed} AND (
        r.rating, r.deviation, r.volatility, r.memory, r.last_played_at, r.games
    ) IS DISTINCT FROM (
        r.opening[1], r.opening[2], r.opening[3], r.opening[4:], r.played_before, 0
    )
    """,
)
UNPLAYED = """
    NOT EXISTS (
        SELECT FROM league_ratingevent AS e
        WHERE e.season_id = r.season_id AND e.player_id = r.player_id AND e.superseded_by_id IS NULL
    )
"""


@dataclass(frozen=True)
class Rerated:
    """What rating a season again has changed."""

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
        before = rules_of(season)
        adopted = take_rules(season, system, parameters, rules)
        was = read_tail(season, -1)
        version = noted(season, before, by=by, reason=reason, now=now) if adopted else None
        if adopted and starts_otherwise(before, season):
            start_again(season)
        effect = effect_of(season, was, progress)
        done = write(season, effect, by=by, reason=reason, now=now)
        if adopted:
            connections.note_changes(season.pk)
            rebuilding.rebuild(
                season, now, stepping(progress, _("Ordering the leaderboard"), len(effect.players))
            )
        record(season, done, version, by=by, reason=reason, now=now)
    return done


def rules_of(season: Season) -> dict[str, Any]:
    """Return what a season is rated under."""
    return {
        "rating_system": season.rating_system,
        "rating_parameters": season.rating_parameters,
        "rules": season.rules,
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
    shapes_states = SYSTEMS[season.rating_system].kept_in_states
    if any(
        before["rating_parameters"].get(name) != season.rating_parameters.get(name)
        for name in shapes_states
    ):
        return True
    from_newcomers = start.reset_deviation or start.partial_reset_at or start.day_one
    return bool(from_newcomers) and before["rating_parameters"] != season.rating_parameters


def start_again(season: Season) -> None:
    """Write the season's starting ratings anew. All others follow from its results."""
    season.ratings.all().delete()
    season.checkpoints.all().delete()
    fill(season)
    anchors.place(season)


def effect_of(season: Season, was: Tail, progress: Progress) -> Effect:
    """Replay the season from its start and return what differs from its events.

    Raises:
        Refused: the season's system cannot rate one of its matches.
    """
    codes, players = by_appearance(was["player"])
    ids = players.tolist()
    history = was.history()
    try:
        replayed, notes = versions.replay_season(
            versions.stretches(season),
            was.orders,
            history,
            starting_states(season, ids),
            versions.newcomers_among(season, ids),
            checkpoints.regular_cuts(history) if len(was) else [],
            stepping(progress, _("Rating matches"), len(history)),
        )
    except UnsupportedMatch as error:
        raise Refused("unsupported", translate(error.sentence)) from error
    rated = Rating.objects.filter(season=season).values_list("player", flat=True)
    entered = codes_among(players, np.array(rated, dtype=np.int64)) < 0
    return Effect(
        was=was,
        now=was,
        replayed=replayed,
        rewritten=rows_of_matches(was, matches_to_write(was, replayed)),
        players=players,
        before=without_memory(was.after().take(last_rows(codes, len(players)))),
        after=replayed.states,
        gone=np.zeros(len(players), dtype=np.bool_),
        entered=entered,
        reached=np.ones(len(players), dtype=np.bool_),
        notes=notes,
    )


def matches_to_write(was: Tail, replayed: Replay) -> Booleans:
    """Return ``(M,)`` which matches have an event that differs from the replay."""
    differs = ~same_bits(was.before(), replayed.before) | ~same_bits(was.after(), replayed.after)
    differs |= (was["counted"] == 1) != ((was["played"] == 1) & ~replayed.ignored)
    return matches_of(was, differs)


def write(season: Season, effect: Effect, *, by: User, reason: str, now: datetime) -> Rerated:
    """Write the ratings, events, records and points that differ, for a new correction."""
    was, correction = effect.was, None
    if len(was):
        correction = Correction.objects.create(
            season=season,
            match_id=int(was["match"][0]),
            kind=CorrectionKind.RERATED,
            reason=reason,
            by=by,
            at=now,
            rated_order=int(was["rated_order"][0]),
            digest="",
            matches=was.matches,
            events=events_replaced(effect),
            players=int(np.count_nonzero(effect.moved)),
            largest_change=largest_change(effect),
        )
        write_events(correction, effect)
        write_states(season, effect)
    with connection.cursor() as cursor:
        for statement in REST:
            cursor.execute(statement.format(unplayed=UNPLAYED), {"season": season.pk})
    recount(season.pk, everybody(season))
    write_memories(season, effect, 0)
    if correction is None:
        return Rerated(0, 0, 0, 0.0, None)
    corrected.send(sender=Correction, correction=correction)
    return Rerated(
        matches=correction.matches,
        events=correction.events,
        players=correction.players,
        largest_change=correction.largest_change,
        correction=correction.pk,
    )


def everybody(season: Season) -> Collection[int]:
    return list(Rating.objects.filter(season=season).values_list("player", flat=True))


def noted(
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
