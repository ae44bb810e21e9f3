"""Rate a season again as if two players had been one from its start."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from django.db import connection

from league.models import CorrectionKind, Participant, Rating, Side, StandingChange
from league.services.core.errors import Conflict, Refused
from league.services.replay.apply import Cause, apply
from league.services.replay.diff import diff
from league.services.replay.edits import Edit, Joined

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Correction, Player, Season, User
    from league.services.replay.diff import Diff

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
    """The effect of a merge on a season."""

    season: Season
    before: float | None
    """The rating of the player who stays, None without one."""
    theirs: float | None
    """The rating of the merged player."""
    diff: Diff
    matches: int
    """Rated matches of the merged player."""
    others: int
    """Other players whose rating changes."""
    largest_change: float
    """The largest change among them."""
    after: float | None = None
    """The rating of the player who stays, after the merge."""
    correction: Correction | None = None


def rate_as_one(season: Season, kept: Player, gone: Player) -> RatedAgain | None:
    """Rate a season as if ``kept`` had played for ``gone``, and return what differs.

    None if ``gone`` has no rating there. One rating row becomes of two. The caller holds the
    season, then moves the participants and calls :func:`write`.

    Raises:
        Conflict: the season's system cannot rate a match of one person.
    """
    ratings = {
        row.player_id: row for row in Rating.objects.filter(season=season, player__in=[kept, gone])
    }
    theirs, own = ratings.get(gone.pk), ratings.get(kept.pk)
    if theirs is None:
        return None
    joined = Joined(kept.pk, gone.pk, starts_anew=join_ratings(season, own, theirs, kept))
    try:
        found = diff(season, Edit(joined=joined))
    except Refused as refusal:
        raise Conflict(refusal.code, refusal.message) from refusal
    was = found.was
    drop_participants(found)
    moved = found.moved & (found.players != kept.pk)
    sizes = np.abs(found.after.rating - found.before.rating)[moved]
    return RatedAgain(
        season,
        before=own.rating if own else None,
        theirs=theirs.rating,
        diff=found,
        matches=len(np.unique(was["match"][(was["player"] == gone.pk) & (was["played"] == 1)])),
        others=int(np.count_nonzero(moved)),
        largest_change=float(sizes.max(initial=0.0)),
    )


def write(done: RatedAgain, kept: Player, *, by: User, reason: str, now: datetime) -> None:
    """Write the season as it was rated, once the participants have moved."""
    joined = done.diff.edit.joined
    details = {"kept": kept.pk, "merged": joined.gone if joined else None}
    done.correction = apply(done.diff, Cause(CorrectionKind.MERGE, reason, by, now, details))
    done.after = Rating.objects.values_list("rating", flat=True).get(
        season=done.season, player=kept
    )


def join_ratings(season: Season, own: Rating | None, theirs: Rating, kept: Player) -> bool:
    """Make one rating row of two. Return whether the player's rating at the start changes.

    A rating carried over from the season before stays if the player who stays has one.
    """
    Rating.objects.filter(season=season, pk=theirs.pk).delete()
    if own is None:
        theirs.pk, theirs.player = None, kept
        theirs.save(force_insert=True)
        # The trigger notes new ratings with games alone. Some are ranked before their first one.
        StandingChange.objects.create(season_id=season.pk, player_id=kept.pk)
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


def drop_participants(found: Diff) -> None:
    """Delete the participants whom the history no longer has, and sides without any."""
    dropped = found.was.only(~np.isin(found.was["event"], found.now["event"]))
    for match, player in zip(dropped["match"].tolist(), dropped["player"].tolist(), strict=True):
        part = Participant.objects.get(match=match, player=player)
        part.delete()
        left = Participant.objects.filter(side=part.side_id).order_by("position")
        side = Side.objects.filter(pk=part.side_id)
        if first := left.values_list("player", flat=True).first():
            side.filter(captain=player).update(captain=first)
        else:
            side.delete()
