"""Making a correction in one transaction.

Locks follow the same order as rating (``league.services.rating.rate``): the match, its season
exclusively, as imports do, then ratings by id.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from django.db import OperationalError, connection, transaction
from django.dispatch import Signal
from django.utils.translation import gettext as _
from psycopg.errors import LockNotAvailable

from league.models import (
    Correction,
    CorrectionKind,
    Match,
    MemoryCheckpoint,
    NoticeKind,
    Participant,
    Rating,
    Season,
    Settlement,
    Side,
    StaffAction,
    Status,
)
from league.services.core.errors import Conflict, Refused
from league.services.corrections.effect import Change, Effect, compute_effect
from league.services.corrections.previews import (
    events_replaced,
    largest_change,
    later_matches,
)
from league.services.corrections.rules import change_of, details_of, digest
from league.services.dishonor import abandons
from league.services.notices.writing import notify_of_match
from league.services.rating import checkpoints
from league.services.rating.bulk import write_ratings
from league.services.rating.rate import columns, lock_ratings
from league.services.rating.records import recount
from league.services.rating.tail import same_bits
from league.services.results import objections, own_matches
from ratings.replay import Replay
from ratings.system import UnsupportedMatch

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import CorrectionRequest
    from ratings.replay import Progress
    from ratings.types import Booleans, States

PATIENCE = "10s"
"""How long to wait for an import or another correction of the same season."""

corrected = Signal()
"""Sent with ``correction`` inside its transaction, so that receivers update what else depends on
the result, such as ladder points. A receiver that raises undoes the correction."""

STAGE = """
    CREATE TEMPORARY TABLE rated_again (
        event bigint PRIMARY KEY, player bigint, games int,
        rating_before float8, rating_after float8, deviation_before float8, deviation_after float8,
        volatility_before float8, volatility_after float8, why jsonb,
        last_played_before timestamptz, ignored bool
    ) ON COMMIT DROP
"""
STAGED = (
    "games", "rating_before", "rating_after", "deviation_before", "deviation_after",
    "volatility_before", "volatility_after", "why", "last_played_before", "ignored",
)  # fmt: skip

SUPERSEDE = """
    UPDATE league_ratingevent AS e SET superseded_by_id = %s
    FROM rated_again AS a WHERE e.id = a.event
"""

SUPERSEDE_DROPPED = """
    UPDATE league_ratingevent SET superseded_by_id = %s WHERE id = ANY(%s::bigint[])
"""

WRITE_AGAIN = f"""
    INSERT INTO league_ratingevent (season_id, match_id, player_id, rated_at, {", ".join(STAGED)})
    SELECT e.season_id, e.match_id, a.player, e.rated_at,
        {", ".join(f"a.{name}" for name in STAGED)}
    FROM rated_again AS a JOIN league_ratingevent AS e ON e.id = a.event
    ORDER BY e.id
"""  # noqa: S608 - names of this file


def make(request: CorrectionRequest, now: datetime, progress: Progress | None = None) -> Correction:
    """Make a requested correction and return it.

    Raises:
        Conflict: the match is no longer rated, the history has changed since the preview, or the
            season is in use.
        Refused: the result does not fit the match.
    """
    with transaction.atomic():
        match = lock_match_and_season(request.match_id)
        change = change_of(match, request.placings, request.mode)
        effect = effect_with_notes(match.season, change, progress)
        if digest(effect.was, change, request.horizon) != request.digest:
            raise Conflict(
                "history_moved",
                _("The effect has changed since your preview. Check it again."),
            )
        correction = Correction.objects.create(
            season=match.season,
            match=match,
            kind=request.kind,
            details=details_of(effect.was, change),
            reason=request.reason,
            by=request.by,
            at=now,
            rated_order=change.rated_order,
            digest=request.digest,
            matches=later_matches(effect, change),
            events=events_replaced(effect, change),
            players=int(np.count_nonzero(effect.moved | effect.gone)),
            largest_change=largest_change(effect),
        )
        write_match(match, change, now)
        write_events(correction, effect)
        write_states(match.season, effect)
        players = Participant.objects.filter(match=match).values_list("player", flat=True)
        recount(match.season_id, list(players))
        write_memories(match.season, effect, change.rated_order)
        void = correction.kind == CorrectionKind.VOID
        action = record_staff_action(correction)
        abandons.clear(match.pk, action, void=void)
        objections.close_corrected(match.pk, action)
        if match.is_game:
            notify_of_match(match.pk, NoticeKind.DECIDED, now)
        corrected.send(sender=Correction, correction=correction)
    return correction


def lock_match_and_season(match_id: int) -> Match:
    """Lock a match and its season exclusively. Raises ``Conflict`` if that takes too long."""
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL lock_timeout = '{PATIENCE}'")
            match = Match.objects.select_for_update(of=["self"], no_key=True).get(pk=match_id)
            match.season = Season.objects.select_for_update(of=["self"]).get(pk=match.season_id)
            cursor.execute("SET LOCAL lock_timeout TO DEFAULT")
    except OperationalError as error:
        if isinstance(error.__cause__, LockNotAvailable):
            raise Conflict(
                "season_in_use",
                _("An import or another correction of this season is running. Try again soon."),
            ) from error
        raise
    return match


def effect_with_notes(season: Season, change: Change, progress: Progress | None) -> Effect:
    """Compute the effect of a change with new values for the season's checkpoints."""
    orders = checkpoints.orders_since(season, change.rated_order)
    try:
        return compute_effect(season, change, noted_after=orders, progress=progress)
    except UnsupportedMatch as error:
        raise Refused("unsupported", str(error), field="placings") from error


def write_match(match: Match, change: Change, now: datetime) -> None:
    """Write the match as void or with its new result, at the same place in the order of rating."""
    match.settlement = Settlement.STAFF
    match.settled_at = now
    if change.placings is None:
        match.status = Status.VOID
        match.rated_order = None
    if change.weight is not None:
        match.weight, match.one_sided = change.weight, None
    match.mode = change.mode or match.mode
    fields = ["status", "rated_order", "settlement", "settled_at", "weight", "one_sided", "mode"]
    match.save(update_fields=fields)
    for index, (place, score) in enumerate(change.placings or []):
        Side.objects.filter(match=match, index=index).update(place=place, score=score)


def write_events(correction: Correction, effect: Effect) -> None:
    """Supersede the events that differ and write their replacements."""
    dropped = np.setdiff1d(effect.was["event"], effect.now["event"])
    with connection.cursor() as cursor:
        cursor.execute(SUPERSEDE_DROPPED, [correction.pk, dropped.tolist()])
        if not effect.rewritten.any():
            return
        cursor.execute(STAGE)
        ledger = columns(some_rows(effect.replayed, effect.rewritten))
        rows = zip(
            effect.now["event"][effect.rewritten].tolist(),
            effect.now["player"][effect.rewritten].tolist(),
            *(ledger[name] for name in STAGED),
            strict=True,
        )
        names = f"event, player, {', '.join(STAGED)}"
        with cursor.copy(f"COPY rated_again ({names}) FROM STDIN") as into:
            for row in rows:
                into.write_row(row)
        cursor.execute("ANALYZE rated_again")
        cursor.execute(SUPERSEDE, [correction.pk])
        cursor.execute(WRITE_AGAIN)
        cursor.execute("DROP TABLE rated_again")


def some_rows(replayed: Replay, rows: Booleans) -> Replay:
    """Return some participations of a replay."""
    at = np.flatnonzero(rows)
    return Replay(
        replayed.states,
        replayed.before.take(at),
        replayed.after.take(at),
        {name: values[at] for name, values in replayed.terms.items()},
        replayed.ignored[at],
    )


def write_states(season: Season, effect: Effect) -> None:
    """Write the ratings that differ in any bit, and delete those of players without a match."""
    gone = effect.players[effect.gone].tolist()
    Rating.objects.filter(season=season, player__in=gone).delete()
    at = np.flatnonzero((effect.reached | effect.moved) & ~effect.gone)
    if not len(at):
        return
    ids, held = lock_ratings(season.pk, effect.players[at].tolist())
    after = effect.after.take(at)
    differs = np.flatnonzero(~(same_bits(held, after) & same_memory(held, after)))
    if len(differs):
        write_ratings(season, [ids[row] for row in differs.tolist()], after.take(differs))


def same_memory(some: States, others: States) -> Booleans:
    """Return ``(n,)`` where two memories are equal, ignoring padding."""
    same = np.ones(len(some), dtype=np.bool_)
    width = min(some.memory.shape[-1], others.memory.shape[-1])
    one, other = some.memory[:, :width], others.memory[:, :width]
    equal = (one == other) & (np.signbit(one) == np.signbit(other))
    same &= (equal | (np.isnan(one) & np.isnan(other))).all(axis=-1)
    for states in (some, others):
        same &= np.isnan(states.memory[:, width:]).all(axis=-1)
    return same


def write_memories(season: Season, effect: Effect, since: int) -> None:
    """Replace the checkpoints of memories taken after a place in the order of rating."""
    MemoryCheckpoint.objects.filter(season=season, rated_order__gte=since).delete()
    orders = effect.now["rated_order"][effect.now.begins("rated_order")]
    names = [int(name) for name in effect.now.history().players] if effect.notes else []
    checkpoints.write_checkpoints(season, effect.notes, names, orders.tolist())


def record_staff_action(correction: Correction) -> StaffAction:
    """Record the correction in the ledger of staff actions."""
    void = correction.kind == CorrectionKind.VOID
    own = {"own_match": True} if own_matches.is_own(correction.match, correction.by) else {}
    return StaffAction.objects.create(
        actor=correction.by,
        kind=StaffAction.Kind.VOIDED if void else StaffAction.Kind.CORRECTED,
        match=correction.match,
        reason=correction.reason,
        details={"correction": correction.pk, **correction.details, **own},
        at=correction.at,
    )
