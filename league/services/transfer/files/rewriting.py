"""Rate a season again with other results: more of them, fewer, or changed ones.

The season is replayed from its start, as its verification does, so ratings stay equal to the replay
of its results to the last bit. Only what differs is written. Results are rated in the order of the
time at which they were played: a result comes after all that were played before it or with it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from django.utils.translation import gettext as _

from league.models import Match, Season
from league.models.explained import translate
from league.services.core.errors import Conflict, Refused
from league.services.corrections.effect import (
    Effect,
    differing_matches,
    reached_matches,
    taken_over,
)
from league.services.corrections.rules import check_not_archived
from league.services.corrections.writing import lock_season
from league.services.rating import checkpoints, versions
from league.services.rating.tail import (
    KINDS,
    Tail,
    by_appearance,
    codes_among,
    last_rows,
    read_tail,
    rows_of_matches,
)
from league.services.seasons.starting_ratings import starting_states
from ratings.history import NEITHER
from ratings.system import UnsupportedMatch
from ratings.types import NEVER, States

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from league.services.core.types import Progress
    from league.services.corrections.changes import Change
    from league.services.rating.versions import Stretch
    from ratings.types import Booleans, Integers


class Part(NamedTuple):
    """A player's part in a result to insert."""

    player: int
    """Their id, or a negative number for a player who is not created yet."""
    seconds: float | None = None
    quit: bool = False
    profession: str = ""


@dataclass(frozen=True)
class Played:
    """A result to insert: a new one, or a void one that counts again."""

    match: int
    """Its id, or a negative number while nothing is written."""
    time: int
    """In microseconds since 1970."""
    sides: Sequence[Sequence[Part]]
    places: Sequence[int]
    scores: Sequence[float | None]
    weight: float = 1.0
    ceiling: float = math.inf
    mode: str = ""
    first: int | None = None
    """The first side, ``None`` on neutral ground."""
    after: int | None = None
    """The id of the match after which it is rated, 0 for the first. None for the order of time."""


@dataclass(frozen=True)
class Other:
    """How the results of a season are to change."""

    inserted: Sequence[Played] = ()
    changed: Sequence[Change] = ()
    dropped: Sequence[int] = ()
    """Ids of the matches that become void."""

    @property
    def nothing(self) -> bool:
        return not (self.inserted or self.changed or self.dropped)


@dataclass(frozen=True)
class Rewriting:
    """A season with other results, computed but not written."""

    season: Season
    other: Other
    effect: Effect
    fresh: Booleans
    """``(N,)`` which participations of ``effect.now`` are inserted."""
    since: int
    """The index in ``effect.now`` of the first match with another place in the order of rating."""
    orders: Integers = field(repr=False)
    """``(M,)`` the place of each match of ``effect.now`` in the order, before the change. -1 for
    inserted ones."""

    @property
    def moved(self) -> int:
        """The number of players whose rating changes, or who get or lose one."""
        return int(np.count_nonzero(self.effect.moved | self.effect.gone))

    @property
    def rated_again(self) -> int:
        """The number of earlier results that are rated again and come out different."""
        rows = self.effect.rewritten
        return len(np.unique(self.effect.now["match"][rows]))

    @property
    def largest_change(self) -> float:
        """The largest change of a rating that there was before."""
        effect = self.effect
        both = ~effect.gone & ~np.isnan(effect.before.rating)
        changes = np.abs(effect.after.rating - effect.before.rating)[both]
        return float(changes.max(initial=0.0))


def lock_open_season(season_id: int) -> Season:
    """Lock a season exclusively, so that its results wait.

    Raises:
        Conflict: it takes too long, or the season is archived.
    """
    season = lock_season(season_id)
    check_not_archived(season)
    return season


Start = tuple[States, "Booleans"]
"""``(n,)`` the states in which players start a season, and which of them are newcomers."""


def started(season: Season, players: list[int]) -> Start:
    """Return how players started a season, in their order."""
    return starting_states(season, players), versions.newcomers_among(season, players)


def rewritten(
    season: Season,
    was: Tail,
    other: Other,
    progress: Progress,
    start: Callable[[Season, list[int]], Start] = started,
) -> Rewriting:
    """Compute a season with other results. ``was`` is its history from the start.

    ``start`` returns how players start the season, in their order.

    Raises:
        Conflict: ratings decayed by results that change.
        Refused: the season's system cannot rate a result.
    """
    now, orders = with_other(was, other)
    fresh = now["event"] < 0
    starts = np.flatnonzero(now.begins("rated_order"))
    since = first_difference(now, starts, orders, was, other)
    refuse_decayed(now, starts, since)
    rules = versions.stretches(season)
    refuse_earlier_rules(was, rules, since)
    history = now.history()
    total, done = len(history), 0

    def advance(matches: int) -> None:
        nonlocal done
        done += matches
        progress(_("Rating"), done, total)

    _codes, players = by_appearance(now["player"])
    ids = players.tolist()
    try:
        replayed, notes = versions.replay_season(
            rules,
            in_order(orders, since, rules),
            history,
            *start(season, ids),
            checkpoints.regular_cuts(history),
            advance,
        )
    except UnsupportedMatch as error:
        raise Refused("unsupported", translate(error.sentence)) from error

    lost = np.setdiff1d(np.unique(was["player"]), players)
    everyone = np.concatenate([players, lost])
    after = replayed.states
    if len(lost):
        after = after.joined_by(starting_states(season, lost.tolist()))
    gone = np.zeros(len(everyone), dtype=np.bool_)
    gone[len(players) :] = codes_among(lost, taken_over(season, lost)) < 0

    changing = [*(change.match for change in other.changed), *other.dropped]
    if replayed.states.memory.shape[-1] or checkpoints.has_memory(season):
        met = set(now["player"][fresh].tolist())
        met.update(was["player"][np.isin(was["match"], changing)].tolist())
        order = int(now["rated_order"][starts[since]]) if since < len(starts) else 0
        touched = reached_matches(now, {order - 1: met})
        reached = np.ones(len(everyone), dtype=np.bool_)
    else:
        touched = differing_matches(now, replayed)
        reached = np.zeros(len(everyone), dtype=np.bool_)
    again = rows_of_matches(now, touched) | np.isin(
        now["match"], [change.match for change in other.changed]
    )
    again &= ~fresh
    reached[codes_among(now["player"][again | fresh], everyone)] = True
    reached[codes_among(was["player"][np.isin(was["match"], changing)], everyone)] = True
    effect = Effect(
        was=was,
        now=now,
        replayed=replayed,
        rewritten=again,
        players=everyone,
        before=before_of(was, everyone),
        after=after,
        gone=gone,
        entered=np.zeros(len(everyone), dtype=np.bool_),
        reached=reached,
        notes=notes,
    )
    return Rewriting(season, other, effect, fresh, since, orders)


def refuse_earlier_rules(was: Tail, rules: Sequence[Stretch], since: int) -> None:
    """Refuse other results before the rules of a season last changed. All later ones move in the
    order of rating, which tells under which rules a match was rated."""
    if since < int(np.searchsorted(was.orders, rules[-1].since, side="right")):
        raise Conflict(
            "earlier_rules",
            _(
                "The rules of this season have changed since these results were played. Rate the "
                "season again under its present rules first."
            ),
        )


def in_order(former: Integers, since: int, rules: Sequence[Stretch]) -> Integers:
    """Return ``(M,)`` places in an order of rating: the former ones up to ``since``, then later."""
    orders = former.copy()
    orders[since:] = max(int(former.max(initial=0)), rules[-1].since) + 1
    return orders


def before_of(was: Tail, players: Integers) -> States:
    """Return the ``(n,)`` states of players now, NaN for those without a match."""
    empty = np.full(len(players), np.nan)
    states = States(
        rating=empty.copy(),
        deviation=empty.copy(),
        volatility=empty.copy(),
        games=np.full(len(players), -1, dtype=np.int64),
        last_played=np.full(len(players), NEVER, dtype=np.int64),
        memory=np.empty((len(players), 0)),
    )
    if len(was):
        codes, theirs = by_appearance(was["player"])
        states.put(codes_among(theirs, players), was.after().take(last_rows(codes, len(theirs))))
    return states


def with_other(was: Tail, other: Other) -> tuple[Tail, Integers]:
    """Return the history with other results, and the former order of each of its matches.

    Its ``rated_order`` are numbers from 0. Inserted participations have negative events.
    """
    now = was
    if other.dropped:
        now = now.only(~np.isin(now["match"], list(other.dropped)))
    for change in other.changed:
        if change.placings is not None:
            now = now.with_result(change.match, change.placings, change.weight, change.mode)
    starts = np.flatnonzero(now.begins("rated_order"))
    base, within = places_among(now, starts, other.inserted)
    there, count = np.arange(len(starts)), len(starts) + len(base)
    is_there = np.arange(count) < len(starts)
    rank = np.empty(count, dtype=np.int64)
    in_order = np.lexsort(
        (np.append(0 * there, within), is_there, np.append(there, base)),
    )
    rank[in_order] = np.arange(count)
    modes = list(dict.fromkeys([*now.modes, *(one.mode for one in other.inserted)]))
    named = (part.profession for one in other.inserted for side in one.sides for part in side)
    professions = list(dict.fromkeys([*now.professions, *named]))
    added = rows_of(other.inserted, rank[len(starts) :].tolist(), modes, professions)
    columns = dict(now.columns)
    columns["rated_order"] = rank[np.cumsum(now.begins("rated_order")) - 1]
    joined = {name: np.concatenate([columns[name], added[name]]) for name in KINDS}
    order = np.lexsort((joined["position"], joined["side"], joined["rated_order"]))
    former = np.full(count, -1, dtype=np.int64)
    former[rank[: len(starts)]] = now["rated_order"][starts]
    every = {name: values[order] for name, values in joined.items()}
    return replace(now, columns=every, modes=modes, professions=professions), former


def places_among(
    now: Tail, starts: Integers, inserted: Sequence[Played]
) -> tuple[Integers, Integers]:
    """Return ``(n,)`` indices of the matches before which each inserted one is rated.

    Also return ``(n,)`` their order among those with the same index.

    Raises:
        Conflict: it was rated after a match that no longer counts.
    """
    times = np.array([one.time for one in inserted], dtype=np.int64)
    latest = np.maximum.accumulate(now["time"][starts]) if len(starts) else starts
    base = np.searchsorted(latest, times, side="right")
    within = np.empty(len(times), dtype=np.int64)
    within[np.argsort(times, kind="stable")] = np.arange(len(times))
    if all(one.after is None for one in inserted):
        return base, within
    following = {match: at + 1 for at, match in enumerate(now["match"][starts].tolist())}
    following[0] = 0
    for number, one in enumerate(inserted):
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
    inserted: Iterable[Played],
    orders: Sequence[int],
    modes: Sequence[str],
    professions: Sequence[str],
) -> dict[str, Any]:
    """Return inserted results as columns of participations."""
    rows: list[tuple[Any, ...]] = []
    mode_codes = {mode: code for code, mode in enumerate(modes)}
    codes = {profession: code for code, profession in enumerate(professions)}
    unknown = (math.nan,) * 6
    for one, order in zip(inserted, orders, strict=True):
        outcomes = zip(one.sides, one.places, one.scores, strict=True)
        for side, (parts, place, score) in enumerate(outcomes):
            for position, part in enumerate(parts):
                rows.append((
                    order, one.match, side, position, part.player, one.time, one.weight,
                    one.ceiling, place, math.nan if score is None else score,
                    math.nan if part.seconds is None else part.seconds, int(part.quit),
                    codes[part.profession], -1 - len(rows), 1, *unknown, NEVER, 1, 1, math.nan,
                    NEITHER if one.first is None else one.first, mode_codes[one.mode],
                ))  # fmt: skip
    values = zip(*rows, strict=True) if rows else [()] * len(KINDS)
    return {
        name: np.array(column, dtype=np.float64 if kind == "f8" else np.int64)
        for (name, kind), column in zip(KINDS.items(), values, strict=True)
    }


def first_difference(now: Tail, starts: Integers, orders: Integers, was: Tail, other: Other) -> int:
    """Return the index of the first match that is inserted, changed, or follows a dropped one."""
    differs = orders < 0
    changed = [change.match for change in other.changed]
    differs |= np.isin(now["match"][starts], changed)
    if other.dropped:
        dropped = was["rated_order"][np.isin(was["match"], list(other.dropped))]
        differs |= orders > dropped.min(initial=2**62)
    return int(np.argmax(differs)) if differs.any() else len(starts)


def refuse_decayed(now: Tail, starts: Integers, since: int) -> None:
    """Refuse what changes the results from which a later step of decay was computed."""
    later = starts[since:]
    steps = later[now["played"][later] == 0] if len(later) else later
    matches = now["match"][steps].tolist()
    decay = Match.objects.filter(pk__in=matches, kind=Match.Kind.DECAY).order_by("rated_order")
    if step := decay.first():
        raise Conflict(
            "decayed",
            _(
                "Ratings decayed on %(day)s, by who had played until then. Earlier results cannot "
                "come or go now. Void that step first."
            )
            % {"day": f"{step.played_at:%Y-%m-%d}"},
        )


def history_of(season: Season) -> Tail:
    """Read the results of a season from its start."""
    return read_tail(season, -1)
