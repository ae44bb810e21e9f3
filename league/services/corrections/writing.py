"""Making a correction in one transaction.

Locks follow the same order as rating (``league.services.rating.rate``): the match, its season
exclusively, as imports do, then ratings by id.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from django.db import connection, transaction
from django.db.models import Q
from django.dispatch import Signal
from django.utils.translation import gettext as _

from league.models import (
    CorrectedMatch,
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
    Undoing,
)
from league.models.explained import translate
from league.services.core.errors import Conflict, Refused
from league.services.core.id_lists import any_of
from league.services.core.patience import patience
from league.services.corrections.changes import first_order
from league.services.corrections.effect import Effect, compute_effect
from league.services.corrections.previews import (
    digest_of,
    events_replaced,
    largest_change,
    later_matches,
)
from league.services.corrections.rules import change_of, details_of
from league.services.corrections.states import FIELDS, MatchState
from league.services.dishonor import abandons, discipline
from league.services.notices.writing import notify_of_match
from league.services.rating import checkpoints
from league.services.rating.bulk import write_ratings
from league.services.rating.rate import add_newcomers, columns, lock_ratings
from league.services.rating.records import recount
from league.services.rating.tail import same_bits
from league.services.results.rules import own_matches
from league.services.results.staff import changes, objections
from ratings.system import UnsupportedMatch

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from league.models import CorrectionRequest, User
    from league.services.corrections.changes import Change
    from ratings.replay import Progress, Replay
    from ratings.types import Booleans, Integers, States

corrected = Signal()
"""Sent with ``correction`` inside its transaction, so that receivers update what else depends on
the result, such as ladder points. A receiver that raises undoes the correction."""

STAGE = """
    CREATE TEMPORARY TABLE rated_again (
        event bigint, player bigint, games int,
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
    FROM rated_again AS a WHERE e.id = a.event AND e.superseded_by_id IS NULL
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


@dataclass(frozen=True)
class Decision:
    """What staff decided about matches of one season, whose effect they have seen."""

    season: Season
    matches: dict[int, Match]
    """The matches that change, by id, locked."""
    changes: list[Change]
    kind: CorrectionKind
    reason: str
    by: User
    digest: str
    horizon: int
    states: dict[int, MatchState] = field(default_factory=dict)
    """The states that matches get back, by id."""
    undoes: Correction | None = None
    details: dict[str, Any] = field(default_factory=dict)
    """Of a decision about several matches: whom it is about."""


def make(request: CorrectionRequest, now: datetime, progress: Progress | None = None) -> Correction:
    """Make a requested correction and return it.

    Raises:
        Conflict: the match is no longer rated, the history has changed since the preview, or the
            season is in use.
        Refused: the result does not fit the match.
    """
    with transaction.atomic():
        matches, season = lock_matches_and_season([request.match_id])
        (match,) = matches.values()
        decision = Decision(
            season=season,
            matches=matches,
            changes=[change_of(match, request.placings, request.mode)],
            kind=CorrectionKind(request.kind),
            reason=request.reason,
            by=request.by,
            digest=request.digest,
            horizon=request.horizon,
        )
        return carry_through(decision, now, progress)


def carry_through(
    decision: Decision, now: datetime, progress: Progress | None = None
) -> Correction:
    """Rate the season again as decided, and record it. The caller holds the locks.

    Raises:
        Conflict: the history has changed since the preview.
        Refused: a new result cannot be rated.
    """
    season, changes = decision.season, decision.changes
    effect = effect_with_notes(season, changes, progress)
    if digest_of(season, effect, changes, decision.horizon) != decision.digest:
        raise Conflict(
            "history_moved",
            _("The effect has changed since your preview. Check it again."),
        )
    order = first_order(changes)
    first = next(change for change in changes if change.rated_order == order)
    details = decision.details or details_of(effect.was, first)
    correction = Correction.objects.create(
        season=season,
        match_id=first.match,
        kind=decision.kind,
        details=details,
        reason=decision.reason,
        by=decision.by,
        at=now,
        rated_order=order,
        digest=decision.digest,
        matches=later_matches(effect, changes),
        events=events_replaced(effect),
        players=int(np.count_nonzero(effect.moved | effect.gone)),
        largest_change=largest_change(effect),
    )
    CorrectedMatch.objects.bulk_create(
        CorrectedMatch(
            correction=correction,
            match_id=change.match,
            was=MatchState.of(decision.matches[change.match], change.rated_order).as_json(),
        )
        for change in changes
    )
    if decision.undoes is not None:
        Undoing.objects.create(correction=correction, undone=decision.undoes)
    for change in changes:
        match, state = decision.matches[change.match], decision.states.get(change.match)
        if state is None:
            write_match(match, change, now)
        else:
            state.write(match)
    write_events(correction, effect)
    write_states(season, effect)
    playing = Participant.objects.filter(match__in=decision.matches).values_list("player")
    recount(season.pk, [player for (player,) in playing.distinct()])
    write_memories(season, effect, order)
    follow_up(correction, decision, now)
    corrected.send(sender=Correction, correction=correction)
    return correction


def follow_up(correction: Correction, decision: Decision, now: datetime) -> None:
    """Record the decision, change what else depends on it, and tell the players."""
    action = record_staff_action(correction, decision)
    undone = actions_of(decision.undoes) if decision.undoes else None
    for match in decision.matches.values():
        if undone is None:
            abandons.clear(match.pk, action, void=match.status == Status.VOID)
        objections.close_corrected(match.pk, action)
    for each in undone or ():
        discipline.undo(each, action)
        objections.reopen(each)
    games = [match.pk for match in decision.matches.values() if match.is_game]
    for match_id in games:
        notify_of_match(match_id, NoticeKind.DECIDED, now)


def actions_of(correction: Correction) -> list[StaffAction]:
    """Return the staff actions that recorded a correction: one, or one for each match."""
    matches = correction.corrected_matches.values("match")
    about = Q(match__in=matches) | Q(match=None, at=correction.at)
    return list(StaffAction.objects.filter(about, details__correction=correction.pk))


def lock_matches_and_season(ids: Collection[int]) -> tuple[dict[int, Match], Season]:
    """Lock matches of one season, and the season exclusively.

    Raises:
        Conflict: it takes too long.
    """
    with patience():
        rows = Match.objects.select_for_update(of=["self"], no_key=True).order_by("pk")
        matches = {match.pk: match for match in rows.filter(pk__in=ids)}
        season = lock_season(next(iter(matches.values())).season_id)
    for match in matches.values():
        match.season = season
    return matches, season


def lock_season(season_id: int) -> Season:
    """Lock a season exclusively. Raises ``Conflict`` if that takes too long."""
    with patience():
        seasons = Season.objects.select_for_update(of=["self"]).select_related("arena")
        return seasons.get(pk=season_id)


def effect_with_notes(
    season: Season, changes: Sequence[Change], progress: Progress | None
) -> Effect:
    """Compute the effect of changes with new values for the season's checkpoints."""
    orders = checkpoints.orders_since(season, first_order(changes))
    try:
        return compute_effect(season, changes, noted_after=orders, progress=progress)
    except UnsupportedMatch as error:
        raise Refused("unsupported", translate(error.sentence), field="placings") from error


def write_match(match: Match, change: Change, now: datetime) -> None:
    """Write the match as void or with its new result, at the same place in the order of rating."""
    match.settlement = Settlement.STAFF
    match.settled_at = now
    if change.placings is None:
        match.status = Status.VOID
        match.rated_order = None
    if change.weight is not None:
        match.weight, match.one_sided = change.weight, None
    match.mode = match.mode if change.mode is None else change.mode
    match.save(update_fields=FIELDS)
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
        ledger = columns(some_rows(effect.replayed, np.flatnonzero(effect.rewritten)))
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


def some_rows(replayed: Replay, rows: Integers) -> Replay:
    """Return some participations of a replay."""
    return replace(
        replayed,
        before=replayed.before.take(rows),
        after=replayed.after.take(rows),
        terms={name: values[rows] for name, values in replayed.terms.items()},
        ignored=replayed.ignored[rows],
    )


def write_states(season: Season, effect: Effect) -> None:
    """Write the ratings that differ in any bit, add those of new players, and delete those of
    players without a match."""
    gone = effect.players[effect.gone].tolist()
    Rating.objects.filter(season=season, player__in=any_of(gone)).delete()
    add_newcomers(season.pk, effect.players[effect.entered].tolist(), season.system())
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


KINDS = {
    CorrectionKind.VOID: StaffAction.Kind.VOIDED,
    CorrectionKind.RESULT: StaffAction.Kind.CORRECTED,
    CorrectionKind.VOID_ALL: StaffAction.Kind.VOIDED_ALL,
    CorrectionKind.UNDO: StaffAction.Kind.UNDONE,
}


def record_staff_action(correction: Correction, decision: Decision) -> StaffAction:
    """Record the correction in the ledger of staff actions."""
    matches, kind = decision.matches.values(), KINDS[decision.kind]
    own = any(own_matches.is_own(match, decision.by) for match in matches)
    undone = {"undoes": decision.undoes.pk} if decision.undoes else {}
    before, after = changes.of_decision(kind, Status.RATED, correction.details)
    return StaffAction.objects.create(
        actor=correction.by,
        kind=kind,
        match=None if decision.kind == CorrectionKind.VOID_ALL else correction.match,
        reason=correction.reason,
        details={
            "correction": correction.pk,
            "arena_id": correction.season.arena_id,
            **undone,
            **correction.details,
            **({"own_match": True} if own else {}),
        },
        before=before,
        after=after,
        at=correction.at,
    )
