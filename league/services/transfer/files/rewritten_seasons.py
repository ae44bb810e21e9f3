"""Write a season that was rated again with other results, in the caller's transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from django.db import connection
from django.utils.translation import gettext as _

from league.models import (
    CorrectedMatch,
    Correction,
    CorrectionKind,
    Match,
    Participant,
    Rating,
    Settlement,
    Status,
)
from league.services.core.id_lists import any_of
from league.services.corrections.states import MatchState
from league.services.corrections.writing import (
    some_rows,
    write_events,
    write_memories,
    write_states,
)
from league.services.points.whole_seasons import award_again
from league.services.rating import bulk
from league.services.rating.bulk import next_values
from league.services.rating.rate import add_newcomers
from league.services.rating.records import recount
from ratings.points.history import history_odds
from ratings.replay import Replay

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from league.models import Season, User
    from league.services.core.types import Progress
    from league.services.transfer.files.rewriting import Rewriting
    from ratings.history import History
    from ratings.types import Integers

BATCH = 1_000
MOST_PREDICTED = 100
"""The most sides of matches that get a forecast. It takes long for contests of thousands."""

RENUMBER = """
    UPDATE league_match AS m SET rated_order = u.place
    FROM unnest(%s::bigint[], %s::bigint[]) AS u(id, place) WHERE m.id = u.id
"""
COUNT_AGAIN = """
    UPDATE league_match AS m
    SET status = 'rated', rated_order = u.place, settlement = %s, settled_at = %s
    FROM unnest(%s::bigint[], %s::bigint[]) AS u(id, place) WHERE m.id = u.id
"""
PLACE = """
    UPDATE league_side AS s SET place = u.place, score = u.score
    FROM unnest(%s::bigint[], %s::int[], %s::int[], %s::float8[]) AS u(match, index, place, score)
    WHERE s.match_id = u.match AND s.index = u.index
"""
PREDICT = """
    UPDATE league_match AS m SET forecast = u.odds::float8[]
    FROM unnest(%s::bigint[], %s::text[]) AS u(id, odds) WHERE m.id = u.id
"""


def write(
    rewriting: Rewriting,
    *,
    kind: CorrectionKind,
    cause: dict[str, int],
    reason: str,
    by: User,
    now: datetime,
    progress: Progress,
) -> Correction | None:
    """Write a computed season. Inserted matches are there already, as void ones.

    Return the correction that supersedes earlier events, or None if nothing rated before changes.
    """
    season, effect, other = rewriting.season, rewriting.effect, rewriting.other
    touching = [*other.dropped, *(change.match for change in other.changed)]
    orders = number_matches(rewriting, now)
    states = MatchState.of_all(touching)
    players = effect.players[: len(effect.replayed.states)].tolist()
    there = ratings_of(season, players)
    add_newcomers(season.pk, [one for one in players if one not in there], season.system())
    drop(other.dropped, now)
    place(rewriting, now)
    correction = None
    if effect.rewritten.any() or other.dropped:
        correction = correction_of(rewriting, orders, kind, cause, reason, by, now)
        remember(correction, states)
        write_events(correction, effect)
    fresh = np.flatnonzero(rewriting.fresh)
    write_fresh_events(rewriting, fresh, now, progress)
    write_states(season, effect)
    parts = Participant.objects.filter(match__in=any_of(touching)).values_list("player", flat=True)
    recount(season.pk, {*effect.now["player"][fresh].tolist(), *parts})
    write_memories(season, effect, 0)
    award_again(season, effect.now, effect.replayed.before, correction, now)
    return correction


def number_matches(rewriting: Rewriting, now: datetime) -> list[int]:
    """Write the places of matches in the order of rating, from the first that has another."""
    effect = rewriting.effect
    starts = np.flatnonzero(effect.now.begins("rated_order"))
    inserted = np.flatnonzero(rewriting.orders < 0)
    orders = rewriting.orders.copy()
    if len(inserted):
        first = int(inserted[0])
        orders[first:] = next_values("'league_match_rated_order'", len(orders) - first)
        matches = effect.now["match"][starts]
        is_fresh = rewriting.orders < 0
        moved = ~is_fresh & (np.arange(len(orders)) >= first)
        with connection.cursor() as cursor:
            cursor.execute(RENUMBER, [matches[moved].tolist(), orders[moved].tolist()])
            cursor.execute(
                COUNT_AGAIN,
                [
                    settlement_of(rewriting),
                    now,
                    matches[is_fresh].tolist(),
                    orders[is_fresh].tolist(),
                ],
            )
    number = np.cumsum(effect.now.begins("rated_order")) - 1
    effect.now.columns["rated_order"][:] = orders[number] if len(number) else number
    return [int(order) for order in orders]


def silent(step: str, done: int, total: int) -> None:
    """Tell nobody about a step: a job's progress asks the database, which is taking rows."""


def settlement_of(rewriting: Rewriting) -> str:
    again = any(one.after is not None for one in rewriting.other.inserted)
    return (Settlement.STAFF if again else Settlement.IMPORT).value


def drop(matches: Sequence[int], now: datetime) -> None:
    """Make matches void."""
    Match.objects.filter(pk__in=any_of(matches)).update(
        status=Status.VOID, rated_order=None, settlement=Settlement.STAFF, settled_at=now
    )


def place(rewriting: Rewriting, now: datetime) -> None:
    """Write changed results."""
    changed = rewriting.other.changed
    rows = [
        (change.match, index, at, score)
        for change in changed
        for index, (at, score) in enumerate(change.placings or [])
    ]
    if not rows:
        return
    with connection.cursor() as cursor:
        cursor.execute(PLACE, [list(column) for column in zip(*rows, strict=True)])
    matches = Match.objects.filter(pk__in=any_of(change.match for change in changed))
    matches.update(settlement=Settlement.STAFF, settled_at=now)
    for change in changed:
        if change.weight is not None:
            Match.objects.filter(pk=change.match).update(weight=change.weight, one_sided=None)


def correction_of(
    rewriting: Rewriting,
    orders: list[int],
    kind: CorrectionKind,
    cause: dict[str, int],
    reason: str,
    by: User,
    now: datetime,
) -> Correction:
    """Record the correction for which earlier events are superseded."""
    effect, other = rewriting.effect, rewriting.other
    starts = np.flatnonzero(effect.now.begins("rated_order"))
    since = min(rewriting.since, len(starts) - 1)
    order = orders[since] if len(starts) else 0
    if other.dropped:
        first = np.flatnonzero(np.isin(effect.was["match"], list(other.dropped)))[0]
        match, order = int(effect.was["match"][first]), int(effect.was["rated_order"][first])
    else:
        match = int(effect.now["match"][starts[since]])
    return Correction.objects.create(
        season=rewriting.season,
        match_id=match,
        kind=kind,
        details=cause,
        reason=reason,
        by=by,
        at=now,
        rated_order=order,
        digest="",
        matches=rewriting.rated_again,
        events=int(np.count_nonzero(effect.rewritten))
        + int(np.count_nonzero(np.isin(effect.was["match"], list(other.dropped)))),
        players=rewriting.moved,
        largest_change=rewriting.largest_change,
    )


def remember(correction: Correction, states: dict[int, MatchState]) -> None:
    """Note what matches were before, so that no earlier correction of them is undone over this."""
    CorrectedMatch.objects.bulk_create(
        (
            CorrectedMatch(correction=correction, match_id=match, was=state.as_json())
            for match, state in sorted(states.items())
        ),
        batch_size=BATCH,
    )


def write_fresh_events(
    rewriting: Rewriting, fresh: Integers, now: datetime, progress: Progress
) -> None:
    """Write the rating events of inserted matches, and forecasts of those that are new."""
    if not len(fresh):
        return
    effect, season = rewriting.effect, rewriting.season
    theirs = effect.now.only(fresh)
    history = theirs.history()
    outcome = some_rows(effect.replayed, fresh)
    ids = [int(name) for name in history.players]
    matches = [int(name) for name in history.match_ids]
    bulk.write_events(season, history, ids, matches, outcome, now, silent)
    progress(_("Writing"), len(matches), len(matches))
    predict(season, rewriting, history, outcome, matches)


def predict(
    season: Season, rewriting: Rewriting, history: History, outcome: Replay, matches: list[int]
) -> None:
    """Store forecasts. Nobody has read them, so where there are points, they follow from these."""
    if any(one.after is not None for one in rewriting.other.inserted):
        return
    counts = season.season_rules().points.ladder.counts
    if counts or np.diff(history.side_offsets).max(initial=0) > MOST_PREDICTED:
        return
    odds = history_odds(season.system(), history, outcome.before)
    chances = odds[history.participant_offsets[:-1]].tolist()
    bounds = history.side_offsets.tolist()
    texts = [
        "{" + ",".join(map(repr, chances[bounds[at] : bounds[at + 1]])) + "}"
        for at in range(len(matches))
    ]
    with connection.cursor() as cursor:
        cursor.execute(PREDICT, [matches, texts])


def ratings_of(season: Season, players: Sequence[int]) -> set[int]:
    """Return which of these players have a rating in the season."""
    rows = Rating.objects.filter(season=season, player__in=any_of(players))
    return set(rows.values_list("player", flat=True))
