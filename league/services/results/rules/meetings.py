"""Matches between the same opponents: how many can be reported, and how much each counts.

Reports and settlements of a player take turns before this reads earlier ones, so that concurrent
ones cannot exceed a limit or count as the same repetition. Nothing here applies to contests, in
which the same opponents meet again as a rule.
"""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from django.db import connection

from league.models import Settlement, Status
from league.services.core.clock import moment
from league.services.core.durations import describe_duration
from league.services.core.errors import Refused
from league.services.core.isolation import gettext as _
from league.services.core.isolation import ngettext
from league.services.core.turns import LARGEST, LATEST
from league.services.rating import versions
from league.services.results.rules.one_sided import one_sidedness
from ratings.seasons.fair_play import DAY, WEEK, meetings
from ratings.seasons.one_sided import HALF_YEAR

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from league.models import Match, Season
    from league.services.core.locking import LockedMatch
    from league.services.core.types import ReportedSide
    from league.services.rating.rate import Held


class Earlier(NamedTuple):
    """An earlier match of some of the players."""

    at: datetime
    sides: dict[int, int]
    """The side of each of these players."""


def read(found: Sequence[tuple[int, list[int], list[int]]] | None) -> list[Earlier]:
    """Return the earlier matches that ``MEETINGS`` selects, oldest first."""
    return [
        Earlier(moment(at), dict(zip(players, sides, strict=True)))
        for at, players, sides in found or ()
    ]


Limit = tuple[int, int]
"""The most matches of the same opponents in a number of seconds."""


def check_limits(
    limits: Sequence[Limit],
    sides: Sequence[ReportedSide],
    earlier: Sequence[Earlier],
    now: datetime,
) -> None:
    """Refuse a report of more matches between the same opponents than the rules allow.

    Raises:
        Refused: saying when they can report the next one.
    """
    playing = sides_of(sides)
    if len(playing) > LARGEST or not limits:
        return
    waits = [
        (free_from(playing, earlier, most, timedelta(seconds=seconds), now), most, seconds)
        for most, seconds in limits
    ]
    free, most, seconds = max(waits)
    if free > now:
        raise Refused(
            "same_opponents",
            _("%(played)s You can report the next one in %(time)s.")
            % {"played": played_text(sides, most, seconds), "time": describe_duration(free - now)},
        )


def limits_of(season: Season) -> list[Limit]:
    """Return the limits of a season's rules."""
    rules = season.season_rules().fair_play
    return [
        (most, within) for most, within in ((rules.per_day, DAY), (rules.per_week, WEEK)) if most
    ]


def free_from(
    playing: dict[int, int],
    earlier: Sequence[Earlier],
    most: int,
    window: timedelta,
    now: datetime,
) -> datetime:
    """Return from when opponents have met fewer than ``most`` times within the window."""
    for free in [now, *(one.at + window for one in earlier if one.at + window > now)]:
        within = [one.sides for one in earlier if one.at + window > free]
        if meetings(playing, within) < most:
            return free
    return now


def played_text(sides: Sequence[ReportedSide], most: int, seconds: int) -> str:
    """Return which opponents have played how many matches."""
    period = describe_duration(timedelta(seconds=seconds))
    if len(sides) == 2:
        return ngettext(
            "%(one)s and %(other)s have already played %(count)d rated match within %(period)s.",
            "%(one)s and %(other)s have already played %(count)d rated matches within %(period)s.",
            most,
        ) % {
            "one": sides[0].captain,
            "other": sides[1].captain,
            "count": most,
            "period": period,
        }
    return ngettext(
        "These players have already played %(count)d rated match within %(period)s.",
        "These players have already played %(count)d rated matches within %(period)s.",
        most,
    ) % {"count": most, "period": period}


def sides_of(sides: Sequence[ReportedSide]) -> dict[int, int]:
    """Return the side of each player in a report."""
    return {
        part.player.pk: number for number, side in enumerate(sides) for part in side.participants
    }


def reads_since(locked: LockedMatch, now: datetime) -> datetime | None:
    """Return since when earlier matches can lower the weight of a locked one, ``None`` if never.

    Matches on a ladder count fully.
    """
    rules = locked.fair_play
    full = rules.repeat_factor == 1 and not rules.same_opponents
    if full or locked.system.shows.lowest_first or not locked.match.played:
        return None
    if len(playing_in(locked)) > LARGEST:
        return None
    return now - timedelta(seconds=HALF_YEAR if rules.same_opponents else WEEK)


def with_weight(locked: LockedMatch, held: Held, now: datetime) -> LockedMatch:
    """Return a locked match with its weight after earlier matches of the same opponents."""
    if reads_since(locked, now) is None:
        return locked
    return weighted_after(read(held.meetings), locked, held, now)


def earlier_matches(locked: LockedMatch, now: datetime) -> list[Earlier] | None:
    """Return the matches that can make a match count less, ``None`` if nothing can."""
    since = reads_since(locked, now)
    if since is None:
        return None
    players = list(playing_in(locked))
    if max(players) <= 0:  # those of an example, who are nobody
        return []
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT league_meetings(%s, %s, %s, %s, true)",
            [locked.arena_id, players, since, LATEST],
        )
        return read(cursor.fetchone()[0])


def playing_in(locked: LockedMatch) -> dict[int, int]:
    """Return the side of each player of a locked match."""
    return {
        int(part.player): number
        for number, side in enumerate(locked.match.sides)
        for part in side.participants
    }


def weighted_after(
    earlier: Sequence[Earlier], locked: LockedMatch, held: Held, now: datetime
) -> LockedMatch:
    """Return a match with its weight after these earlier matches."""
    rules, playing = locked.fair_play, playing_in(locked)
    week = now - timedelta(seconds=WEEK)
    met = meetings(playing, (one.sides for one in earlier if one.at > week))
    if met:
        weight = locked.match.weight * rules.weight(met)
        locked = replace(locked, match=replace(locked.match, weight=weight))
    share = one_sidedness(locked, held, playing, bool(earlier), now)
    if share == 1:
        return locked
    match = replace(locked.match, weight=locked.match.weight * share)
    return replace(locked, match=match, one_sided=share)


NEARLY_FULL = 1 - 1e-9
"""A weight divided by its factor may be a little less than 1."""


class Repetition(NamedTuple):
    """A match that counts less, as its opponents had met before."""

    percent: int
    number: int
    """1 for the first match of these opponents within a week, and so on."""


def repetition_of(match: Match) -> Repetition | None:
    """Return how a rated match is repeated; None if it counts fully or its weight was imported."""
    factor = versions.rules_of(match.season, match.rated_order).fair_play.repeat_factor
    settled = match.status == Status.RATED and match.settlement != Settlement.IMPORT
    weight = match.weight / match.contest_weight / (match.one_sided or 1)
    if not settled or not match.is_game or weight > NEARLY_FULL or factor == 1:
        return None
    earlier = round(math.log(weight) / math.log(factor))
    return Repetition(round(100 * weight), earlier + 1)
