"""Write a diff: events, ratings, records, points, and what an undo needs.

Locks follow the same order as rating (``league.services.rating.rate``): matches, their season
exclusively, then ratings by id. Callers lock matches and season before they compute the diff.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from django.db import connection
from django.utils.translation import gettext as _

from league.models import (
    CorrectedMatch,
    Correction,
    CorrectionKind,
    Match,
    MemoryCheckpoint,
    Rating,
    Season,
    Settlement,
    Status,
)
from league.services.core.clock import moment
from league.services.core.id_lists import any_of
from league.services.core.patience import patience
from league.services.points.correcting import revise
from league.services.rating import bulk, checkpoints
from league.services.rating.rate import add_newcomers, lock_ratings
from league.services.rating.records import recount
from league.services.rating.tail import same_bits
from league.services.replay import statements
from league.services.replay.states import BATCH, read_changing, write_changes
from ratings.points.history import history_odds
from ratings.types import widen

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from league.models import User
    from league.services.core.types import Progress
    from league.services.replay.diff import Diff
    from ratings.types import Booleans, States

MOST_PREDICTED = 100
"""The most sides of matches that get a forecast. It takes long for contests of thousands."""


STEPS = 5
"""Steps of writing, of which progress is told."""


@dataclass(frozen=True)
class Cause:
    """The cause of a change of a season's history, for the record."""

    kind: CorrectionKind
    reason: str
    by: User
    at: datetime
    details: dict[str, Any] = field(default_factory=dict)
    digest: str = ""
    """The fingerprint of the preview that staff have seen, if any."""


def lock_season(season_id: int) -> Season:
    """Lock a season exclusively. Raises ``Conflict`` if that takes too long."""
    with patience():
        # FOR UPDATE: whoever settles a result holds the season FOR KEY SHARE, and waits.
        seasons = Season.objects.select_for_update(of=["self"]).select_related("arena")
        return seasons.get(pk=season_id)


def lock_matches_and_season(ids: Collection[int]) -> tuple[dict[int, Match], Season]:
    """Lock matches of one season, and the season exclusively.

    Raises:
        Conflict: it takes too long.
    """
    with patience():
        # Matches first, as settling does: the other way round the two could deadlock.
        rows = Match.objects.select_for_update(of=["self"], no_key=True).order_by("pk")
        matches = {match.pk: match for match in rows.filter(pk__in=ids)}
        season = lock_season(next(iter(matches.values())).season_id)
    for match in matches.values():
        match.season = season
    return matches, season


def apply(diff: Diff, cause: Cause, progress: Progress = bulk.silent) -> Correction | None:
    """Write a diff in the caller's transaction. The caller holds the season.

    Added matches are there already, as void ones. Return the correction that supersedes earlier
    events, or ``None`` if nothing rated before changes or moves.
    """
    season, edit = diff.season, diff.edit
    moves = moves_places(diff)
    if moves:
        cause = replace(cause, details={**cause.details, "moves": True})
    records = moves or edit.changes or diff.rewritten.any() or (edit.anew and len(diff.now))
    progress(_("Writing ratings"), 0, STEPS)
    diff = number_matches(diff, cause.at)
    progress(_("Writing ratings"), 1, STEPS)
    changing = read_changing(edit.changes)
    correction = None
    if records:
        correction = record(diff, cause)
        CorrectedMatch.objects.bulk_create(
            (
                CorrectedMatch(correction=correction, match=one.match, was=one.before.as_json())
                for one in changing
            ),
            batch_size=BATCH,
        )
        # A trigger tells of a corrected match unless it is void at this moment.
        write_changes(changing, cause.at)
        write_events(correction, diff)
    progress(_("Writing ratings"), 2, STEPS)
    write_fresh_events(diff, cause.at)
    progress(_("Writing ratings"), 3, STEPS)
    write_states(diff)
    recount(season.pk, players_recounted(diff))
    progress(_("Writing ratings"), 4, STEPS)
    write_memories(diff)
    revise(
        season,
        diff.now,
        diff.replayed.before,
        since=0 if edit.is_whole else diff.since,
        changed=edit.matches,
        anew=edit.anew,
        correction=correction,
        now=cause.at,
    )
    return correction


def moves_places(diff: Diff) -> bool:
    """Return whether a diff gives matches other places in the order of rating, or added ones come
    before void ones, which so lose theirs."""
    added = diff.edit.added
    if not added:
        return False
    if (~diff.fresh & (diff.now["rated_order"] > diff.last)).any():
        return True
    void = diff.season.matches.filter(status=Status.VOID).exclude(
        pk__in=[one.match for one in added]
    )
    return void.filter(played_at__gt=moment(min(one.time for one in added))).exists()


def number_matches(diff: Diff, at: datetime) -> Diff:
    """Give matches their final places in the order of rating, from the first added one on."""
    orders = diff.now.orders
    moves = orders > diff.last
    if not moves.any():
        return diff
    orders[moves] = bulk.next_values("'league_match_rated_order'", int(np.count_nonzero(moves)))
    begins = diff.now.begins("rated_order")
    matches, is_fresh = diff.now["match"][begins], diff.fresh[begins]
    again = any(one.after is not None for one in diff.edit.added)
    settlement = Settlement.STAFF if again else Settlement.IMPORT
    # Nobody has read a forecast of new matches, so where there are points, they follow from these.
    forecasts = None if again else forecasts_of_fresh(diff)
    with connection.cursor() as cursor:
        rows = moves & ~is_fresh
        cursor.execute(statements.RENUMBER, [matches[rows].tolist(), orders[rows].tolist()])
        cursor.execute(
            statements.COUNT_AGAIN,
            [
                settlement.value,
                at,
                matches[is_fresh].tolist(),
                orders[is_fresh].tolist(),
                forecasts or [None] * np.count_nonzero(is_fresh),
            ],
        )
    places = orders[np.cumsum(begins) - 1]
    return replace(diff, now=replace(diff.now, columns={**diff.now.columns, "rated_order": places}))


def record(diff: Diff, cause: Cause) -> Correction:
    """Record the correction for which earlier events are superseded."""
    match = cast("int", diff.first_match)
    if diff.edit.changes:
        order = diff.edit.first.rated_order
    else:
        order = int(diff.now["rated_order"][diff.now["match"] == match][0])
    return Correction.objects.create(
        season=diff.season,
        match_id=match,
        kind=cause.kind,
        details=cause.details,
        reason=cause.reason,
        by=cause.by,
        at=cause.at,
        rated_order=order,
        digest=cause.digest,
        matches=diff.later_matches,
        events=diff.events,
        players=diff.movers,
        largest_change=diff.largest_change,
    )


def write_events(correction: Correction, diff: Diff) -> None:
    """Supersede the events that differ and write their replacements."""
    dropped = np.setdiff1d(diff.was["event"], diff.now["event"])
    with connection.cursor() as cursor:
        cursor.execute(statements.SUPERSEDE_DROPPED, [correction.pk, dropped.tolist()])
        if not diff.rewritten.any():
            return
        cursor.execute(statements.STAGE)
        rows = zip(
            diff.now["event"][diff.rewritten].tolist(),
            diff.now["player"][diff.rewritten].tolist(),
            bulk.ledger_rows(bulk.some_rows(diff.replayed, np.flatnonzero(diff.rewritten))),
            strict=True,
        )
        with cursor.copy(statements.COPY_STAGED) as into:
            for event, player, values in rows:
                into.write_row((event, player, *values))
        cursor.execute("ANALYZE rated_again")
        cursor.execute(statements.SUPERSEDE, [correction.pk])
        cursor.execute(statements.WRITE_AGAIN)
        cursor.execute("DROP TABLE rated_again")


def write_fresh_events(diff: Diff, at: datetime) -> None:
    """Write the rating events of added matches."""
    rows = np.flatnonzero(diff.fresh)
    if not len(rows):
        return
    season, history = diff.season, diff.now.only(rows).history()
    outcome = bulk.some_rows(diff.replayed, rows)
    ids = [int(name) for name in history.players]
    matches = [int(name) for name in history.match_ids]
    bulk.write_events(season, history, ids, matches, outcome, at, bulk.silent)


def forecasts_of_fresh(diff: Diff) -> list[str] | None:
    """Return the chances of the sides of each added match as PostgreSQL arrays, or None where
    points follow from the ratings or a match has too many sides."""
    rows = np.flatnonzero(diff.fresh)
    history = diff.now.only(rows).history()
    too_many = np.diff(history.side_offsets).max(initial=0) > MOST_PREDICTED
    if diff.season.season_rules().points.ladder.counts or too_many:
        return None
    before = diff.replayed.before.take(rows)
    odds = history_odds(diff.season.system(), history, before)
    chances = odds[history.participant_offsets[:-1]].tolist()
    bounds = history.side_offsets.tolist()
    return ["{" + ",".join(map(repr, chances[a:b])) + "}" for a, b in pairwise(bounds)]


def write_states(diff: Diff) -> None:
    """Write the ratings that differ in any bit, add those of new players, and delete those of
    players without a match."""
    season, gone = diff.season, diff.players[diff.gone].tolist()
    Rating.objects.filter(season=season, player__in=any_of(gone)).delete()
    add_newcomers(season.pk, diff.players[diff.unrated].tolist(), season.system())
    at = np.flatnonzero((diff.reached | diff.moved) & ~diff.gone)
    if len(at):
        ids, held = lock_ratings(season.pk, diff.players[at].tolist())
        after = diff.after.take(at)
        differs = np.flatnonzero(~(same_bits(held, after) & same_memory(held, after)))
        if len(differs):
            bulk.write_ratings(season, [ids[row] for row in differs.tolist()], after.take(differs))
    if diff.edit.anew:
        with connection.cursor() as cursor:
            for statement in statements.RESET_UNPLAYED:
                cursor.execute(statement, {"season": season.pk})


def same_memory(some: States, others: States) -> Booleans:
    """Return ``(n,)`` where two memories are equal, ignoring padding."""
    width = max(some.memory.shape[-1], others.memory.shape[-1])
    one, other = widen(some.memory, width), widen(others.memory, width)
    equal = (one == other) & (np.signbit(one) == np.signbit(other))
    return np.asarray((equal | (np.isnan(one) & np.isnan(other))).all(axis=-1))


def players_recounted(diff: Diff) -> list[int]:
    """Return the players whose record may change."""
    if diff.edit.anew:
        return list(Rating.objects.filter(season=diff.season).values_list("player", flat=True))
    was, now = diff.changed
    joined = [diff.edit.joined.kept] if diff.edit.joined else []
    return [*{*diff.was["player"][was].tolist(), *diff.now["player"][now].tolist(), *joined}]


def write_memories(diff: Diff) -> None:
    """Replace the checkpoints of memories from the first match that may differ."""
    since = 0 if diff.edit.is_whole else diff.since
    MemoryCheckpoint.objects.filter(season=diff.season, rated_order__gte=since).delete()
    names = [int(name) for name in diff.now.history().players] if diff.notes else []
    checkpoints.write_checkpoints(diff.season, diff.notes, names, diff.now.orders.tolist())
