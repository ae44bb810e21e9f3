"""A season's rated history with an edit."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from django.utils.translation import gettext as _

from league.services.core.errors import Conflict
from league.services.rating.tail import KINDS, in_order, read_unrated
from ratings.history import NEITHER
from ratings.types import NEVER

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from league.models import Season
    from league.services.rating.tail import Tail
    from league.services.rating.versions import Stretch
    from league.services.replay.edits import Added, Edit, Joined
    from ratings.types import Integers


@dataclass(frozen=True)
class Edited:
    """A history before and with an edit."""

    was: Tail
    """With joined players as one, otherwise as it is stored."""
    now: Tail
    """Participations of added matches have negative events."""
    since: int
    """The place in the order of rating from which anything may differ."""
    last: int
    """The last place that is taken. Matches from the first added one on have later places, which
    are provisional: they get their final ones when they are written."""


def with_edit(season: Season, was: Tail, edit: Edit, rules: Sequence[Stretch]) -> Edited:
    """Return a season's history ``was`` with an edit.

    Raises:
        Conflict: a match to add belongs after one that no longer counts, or before the rules of
            the season changed.
    """
    since = [change.rated_order for change in edit.changes]
    if edit.joined:
        since.append(first_place(was, edit.joined))
        was = with_joined(was, edit.joined)
    now = was.only(~np.isin(was["match"], edit.voided))
    if edit.returning:
        now = now.with_more(read_unrated(season, edit.returning))
    for change in edit.changes:
        if change.placings is not None:
            now = now.with_result(change.match, change.placings, change.weight, change.mode)
    last = max(was.horizon, now.horizon, rules[-1].since)
    if edit.added:
        now, place = with_added(now, edit.added, last, rules)
        since.append(place)
    return Edited(was, now, min(since, default=0), last)


def first_place(was: Tail, joined: Joined) -> int:
    """Return the first place in the order of rating that joining two players can change."""
    concerned = [joined.kept, joined.gone] if joined.starts_anew else [joined.gone]
    orders: Integers = was["rated_order"][np.isin(was["player"], concerned)]
    return int(orders.min(initial=was.horizon + 1))


def with_joined(was: Tail, joined: Joined) -> Tail:
    """Return the history with ``kept`` in the place of ``gone``.

    A step of decay with both has them once: active if either was.
    """
    kept, gone = joined.kept, joined.gone
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


def with_added(
    now: Tail, added: Sequence[Added], last: int, rules: Sequence[Stretch]
) -> tuple[Tail, int]:
    """Return the history with added matches, and the place of the first match that moves."""
    orders = now.orders
    base, within = places_among(now, added)
    first, count = int(base.min()), len(orders) + len(added)
    if first < int(np.searchsorted(orders, rules[-1].since, side="right")):
        # All later matches get new places, which tell under which rules a match was rated.
        raise Conflict(
            "earlier_rules",
            _(
                "The rules of this season have changed since these results were played. Rate the "
                "season again under its present rules first."
            ),
        )
    there = np.arange(len(orders))
    is_there = np.arange(count) < len(orders)
    sequence = np.lexsort((np.append(0 * there, within), is_there, np.append(there, base)))
    rank = np.empty(count, dtype=np.int64)
    rank[sequence] = np.arange(count)
    place = np.where(rank < first, np.append(orders, 0 * base), last + 1 + rank - first)
    modes = list(dict.fromkeys([*now.modes, *(one.mode for one in added)]))
    named = (part.profession for one in added for side in one.sides for part in side)
    professions = list(dict.fromkeys([*now.professions, *named]))
    rows = rows_of(added, place[len(orders) :], modes, professions)
    moved = {**now.columns, "rated_order": place[np.cumsum(now.begins("rated_order")) - 1]}
    since = int(orders[first]) if first < len(orders) else last + 1
    edited = replace(now, columns=in_order(moved, rows), modes=modes, professions=professions)
    return edited, since


def places_among(now: Tail, added: Sequence[Added]) -> tuple[Integers, Integers]:
    """Return ``(n,)`` indices of the matches before which each added one is rated.

    Also return ``(n,)`` their order among those with the same index.

    Raises:
        Conflict: it was rated after a match that no longer counts.
    """
    starts = np.flatnonzero(now.begins("rated_order"))
    times = np.array([one.time for one in added], dtype=np.int64)
    latest = np.maximum.accumulate(now["time"][starts]) if len(starts) else starts
    base = np.searchsorted(latest, times, side="right")
    within = np.empty(len(times), dtype=np.int64)
    within[np.argsort(times, kind="stable")] = np.arange(len(times))
    if all(one.after is None for one in added):
        return base, within
    following = {match: at + 1 for at, match in enumerate(now["match"][starts].tolist())}
    following[0] = 0
    for number, one in enumerate(added):
        if one.after is None:
            continue
        if one.after not in following:
            raise Conflict(
                "order",
                _("A result before one that should count again has been changed since."),
            )
        base[number] = following[one.match] = following[one.after]
        within[number] = number
    return base, within


def rows_of(
    added: Sequence[Added],
    orders: Integers,
    modes: Sequence[str],
    professions: Sequence[str],
) -> Mapping[str, Any]:
    """Return added matches as columns of participations."""
    sides = [side for one in added for side in one.sides]
    parts = [part for side in sides for part in side]
    counts, sizes = [len(one.sides) for one in added], [len(side) for side in sides]
    mode_codes = {mode: code for code, mode in enumerate(modes)}
    codes = {profession: code for code, profession in enumerate(professions)}
    of_match = {
        "rated_order": orders,
        "match": [one.match for one in added],
        "time": [one.time for one in added],
        "weight": [one.weight for one in added],
        "ceiling": [one.ceiling for one in added],
        "first": [NEITHER if one.first is None else one.first for one in added],
        "mode": [mode_codes[one.mode] for one in added],
    }
    of_side = {
        "side": numbered_within(counts),
        "place": [place for one in added for place in one.places],
        "score": [math.nan if score is None else score for one in added for score in one.scores],
    }
    of_part = {
        "position": numbered_within(sizes),
        "player": [part.player for part in parts],
        "seconds": [math.nan if part.seconds is None else part.seconds for part in parts],
        "quit": [part.quit for part in parts],
        "profession": [codes[part.profession] for part in parts],
        "event": -1 - np.arange(len(parts)),
    }
    known = {"games": 1, "played": 1, "counted": 1, "last_played": NEVER}
    side_of = np.repeat(np.arange(len(sides)), sizes)
    match_of = np.repeat(np.arange(len(added)), counts)[side_of]

    def column(name: str, kind: str) -> Any:
        dtype = np.float64 if kind == "f8" else np.int64
        for values, rows in ((of_match, match_of), (of_side, side_of)):
            if name in values:
                return np.asarray(values[name], dtype=dtype)[rows]
        if name in of_part:
            return np.asarray(of_part[name], dtype=dtype)
        return np.broadcast_to(np.asarray(known.get(name, math.nan), dtype=dtype), len(parts))

    return {name: column(name, kind) for name, kind in KINDS.items()}


def numbered_within(counts: Sequence[int]) -> Integers:
    """Return the numbers from 0 of the members of each group, for groups of so many members."""
    ends = np.cumsum(counts)
    numbers: Integers = np.arange(sum(counts)) - np.repeat(ends - counts, counts)
    return numbers
