"""Rate a season again as if two players had been one from its start.

The season is replayed from its start, as its verification does, so ratings stay equal to the replay
of the results whatever the rating system. Only events that differ are written again, as after a
correction.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from django.db import connection

from league.models import Correction, CorrectionKind, Participant, Rating, Side
from league.models.explained import translate
from league.services.core.errors import Conflict
from league.services.corrections.changes import Change
from league.services.corrections.effect import (
    Effect,
    cuts_after,
    differing_matches,
    reached_matches,
)
from league.services.corrections.rules import digest
from league.services.corrections.writing import (
    corrected,
    write_events,
    write_memories,
    write_states,
)
from league.services.rating import checkpoints, versions
from league.services.rating.records import recount
from league.services.rating.tail import (
    Tail,
    by_appearance,
    codes_among,
    last_rows,
    read_tail,
    rows_of_matches,
)
from league.services.seasons.starting_ratings import starting_states
from ratings.system import UnsupportedMatch

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Player, Season, User
    from ratings.types import Booleans, Integers

# Players without a match have the rank that they entered with.
CLOSE_GAP = """
    UPDATE league_rating AS r
    SET opening = ARRAY[r.opening[1] - 1] || r.opening[2:],
        rating = r.rating - CASE WHEN EXISTS (
            SELECT FROM league_ratingevent AS e
            WHERE e.season_id = r.season_id AND e.player_id = r.player_id
                AND e.superseded_by_id IS NULL
        ) THEN 0 ELSE 1 END
    WHERE r.season_id = %(season)s AND r.opening[1] > %(rank)s
"""


@dataclass
class RatedAgain:
    """What a merge does to a season."""

    season: Season
    before: float | None
    """The rating of the player who stays, None without one."""
    theirs: float | None
    """The rating of the merged player."""
    after: float | None = None
    """The rating of the player who stays, after the merge."""
    matches: int = 0
    """Rated matches of the merged player."""
    others: int = 0
    """Other players whose rating changes."""
    largest_change: float = 0.0
    """The largest change among them."""
    correction: Correction | None = None


def rate_again(
    season: Season, kept: Player, gone: Player, *, by: User, reason: str, now: datetime
) -> RatedAgain | None:
    """Write the ratings and events of a season as if ``kept`` had played for ``gone``.

    None if ``gone`` has no rating there. The caller holds the season, then moves the participants
    and calls :func:`follow_up`.
    """
    ratings = {
        row.player_id: row for row in Rating.objects.filter(season=season, player__in=[kept, gone])
    }
    theirs, own = ratings.get(gone.pk), ratings.get(kept.pk)
    if theirs is None:
        return None
    done = RatedAgain(season, own.rating if own else None, theirs.rating)
    was = read_tail(season, -1)
    anew = join_ratings(season, own, theirs, kept)
    done.matches = len(np.unique(was["match"][(was["player"] == gone.pk) & (was["played"] == 1)]))
    if (was["player"] == gone.pk).any() or (anew and len(was)):
        write_again(done, was, kept, gone, anew=anew, by=by, reason=reason, now=now)
    done.after = Rating.objects.values_list("rating", flat=True).get(season=season, player=kept)
    return done


def join_ratings(season: Season, own: Rating | None, theirs: Rating, kept: Player) -> bool:
    """Make one rating row of two. Return whether the player's rating at the start changes.

    A rating carried over from the season before stays if the player who stays has one.
    """
    Rating.objects.filter(season=season, pk=theirs.pk).delete()
    if own is None:
        theirs.pk, theirs.player = None, kept
        theirs.save(force_insert=True)
        return False
    if theirs.opening is None:
        return False
    if own.opening is None:
        rows = Rating.objects.filter(season=season, pk=own.pk)
        rows.update(opening=theirs.opening, played_before=theirs.played_before)
        return True
    if season.system().ranks_population:
        close_gap(season, theirs.opening[0] or 0.0)
        return True
    return False


def close_gap(season: Season, rank: float) -> None:
    """Move everyone who entered a ladder below ``rank`` up by one."""
    with connection.cursor() as cursor:
        cursor.execute(CLOSE_GAP, {"season": season.pk, "rank": rank})


def write_again(
    done: RatedAgain,
    was: Tail,
    kept: Player,
    gone: Player,
    *,
    anew: bool,
    by: User,
    reason: str,
    now: datetime,
) -> None:
    """Replay the season and write what differs, for the reason of a new correction."""
    season = done.season
    one = as_one(was, kept.pk, gone.pk)
    drop_participants(was, one)
    effect, first = effect_of(season, was, one, kept.pk, gone.pk, anew=anew)
    if first is None:
        write_states(season, effect)
        return
    change = Change(first, order_of(was, first), [])
    moved = effect.moved & (effect.players != kept.pk)
    sizes = np.abs(effect.after.rating - effect.before.rating)[moved]
    done.others, done.largest_change = int(np.count_nonzero(moved)), float(sizes.max(initial=0.0))
    done.correction = Correction.objects.create(
        season=season,
        match_id=first,
        kind=CorrectionKind.MERGE,
        details={"kept": kept.pk, "merged": gone.pk},
        reason=reason,
        by=by,
        at=now,
        rated_order=change.rated_order,
        digest=digest(was, [change], was.horizon),
        matches=one.only(one["rated_order"] > change.rated_order).matches,
        events=int(np.count_nonzero(effect.rewritten)) + len(was) - len(one),
        players=done.others + 1,
        largest_change=done.largest_change,
    )
    write_events(done.correction, effect)
    write_states(season, effect)
    write_memories(season, effect, change.rated_order)


def as_one(was: Tail, kept: int, gone: int) -> Tail:
    """Return the history with ``kept`` in the place of ``gone``.

    A step of decay with both has them once: active if either was.
    """
    rows = np.arange(len(was))
    both = np.intersect1d(was["match"][was["player"] == kept], was["match"][was["player"] == gone])
    dropped: list[int] = []
    for match in both.tolist():
        (own,) = rows[(was["match"] == match) & (was["player"] == kept)]
        (theirs,) = rows[(was["match"] == match) & (was["player"] == gone)]
        dropped.append(int(own if was["place"][theirs] < was["place"][own] else theirs))
    player = np.where(was["player"] == gone, kept, was["player"])
    staying = np.ones(len(was), dtype=np.bool_)
    staying[dropped] = False
    return replace(was, columns={**was.columns, "player": player}).only(staying)


def drop_participants(was: Tail, one: Tail) -> None:
    """Delete the participants whom the history no longer has, and sides without any."""
    dropped = was.only(~np.isin(was["event"], one["event"]))
    for match, player in zip(dropped["match"].tolist(), dropped["player"].tolist(), strict=True):
        part = Participant.objects.get(match=match, player=player)
        part.delete()
        left = Participant.objects.filter(side=part.side_id).order_by("position")
        side = Side.objects.filter(pk=part.side_id)
        if first := left.values_list("player", flat=True).first():
            side.filter(captain=player).update(captain=first)
        else:
            side.delete()


def effect_of(
    season: Season, was: Tail, one: Tail, kept: int, gone: int, *, anew: bool
) -> tuple[Effect, int | None]:
    """Replay the history as one, and return the effect and the first match that it changes."""
    remembers = checkpoints.has_memory(season)
    codes, players = by_appearance(one["player"])
    since = first_order(was, [kept, gone] if anew else [gone])
    history = one.history()
    try:
        replayed, notes = versions.replay_season(
            versions.stretches(season),
            one.orders,
            history,
            starting_states(season, players.tolist()),
            versions.newcomers_among(season, players.tolist()),
            cuts_after(one, checkpoints.orders_since(season, since)),
        )
    except UnsupportedMatch as error:
        raise Conflict("unsupported", translate(error.sentence)) from error
    touched = (
        reached_matches(one, {since - 1: {kept}}) if remembers else differing_matches(one, replayed)
    )
    own = np.isin(one["event"], was["event"][was["player"] == gone])
    changed = own | np.isin(one["match"], was["match"][~np.isin(was["event"], one["event"])])
    rewritten = rows_of_matches(one, touched) | changed
    reached = np.zeros(len(players), dtype=np.bool_)
    reached[codes_among(one["player"][rewritten], players)] = True
    reached[players == kept] = True
    effect = Effect(
        was=was,
        now=one,
        replayed=replayed,
        rewritten=rewritten,
        players=players,
        before=one.after().take(last_rows(codes, len(players))),
        after=replayed.states,
        gone=np.zeros(len(players), dtype=np.bool_),
        entered=np.zeros(len(players), dtype=np.bool_),
        reached=reached,
        notes=notes,
    )
    changes = np.flatnonzero(rewritten)
    return effect, int(one["match"][changes[0]]) if len(changes) else None


def first_order(was: Tail, players: list[int]) -> int:
    """Return the place in the order of rating of the first match of any of these players."""
    orders: Integers = was["rated_order"][np.isin(was["player"], players)]
    return int(orders.min()) if len(orders) else was.horizon + 1


def order_of(was: Tail, match: int) -> int:
    rows: Booleans = was["match"] == match
    return int(was["rated_order"][rows][0])


def follow_up(done: RatedAgain, kept: Player) -> None:
    """Count records and points again, once the participants have moved."""
    recount(done.season.pk, [kept.pk])
    if done.correction is not None:
        corrected.send(sender=Correction, correction=done.correction)
