"""The difference of an edit: the season rated with it, compared with its events.

A replay begins right before the first match that changes, or at the start of the season where its
matches move or everything may differ. Nothing is written.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from league.models.explained import translate
from league.services.core.errors import Refused
from league.services.rating import checkpoints, versions
from league.services.rating.tail import (
    by_appearance,
    codes_among,
    read_tail,
    rows_of_matches,
    same_bits,
)
from league.services.replay.history import with_edit
from league.services.replay.starts import (
    Entry,
    entry_at,
    put_last,
    season_start,
    states_before,
    unrated_among,
)
from ratings import professions
from ratings.replay import without_memory
from ratings.system import UnsupportedMatch

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from league.models import Season
    from league.services.rating.checkpoints import Checkpoint
    from league.services.rating.tail import Tail
    from league.services.replay.edits import Edit
    from league.services.replay.starts import Start
    from ratings.history import History
    from ratings.replay import Progress, Replay
    from ratings.types import Booleans, Integers, States

LEFT_OUT = {"counted"}
"""Columns that say nothing new: ``games`` tells which matches count. Requests that wait during an
upgrade have fingerprints without them."""


@dataclass(frozen=True)
class Diff:
    """A season's rated history before and after an edit, from the first match that differs or
    earlier."""

    season: Season
    edit: Edit
    was: Tail
    now: Tail
    replayed: Replay
    """The replay of ``now``."""
    since: int
    """The place in the order of rating from which anything may differ."""
    last: int
    """The last place that was taken before. Places after it are provisional."""
    rewritten: Booleans
    """``(N,)`` which participations of ``now`` replace earlier events."""
    players: Integers
    """``(n,)`` ids of all players in ``was`` or ``now``."""
    before: States
    """``(n,)`` their current states, without memory."""
    after: States
    """``(n,)`` their states after the edit."""
    gone: Booleans
    """``(n,)`` which newcomers lose their only matches, and with them their rating."""
    entered: Booleans
    """``(n,)`` which players without a match before get a rating."""
    unrated: Booleans
    """``(n,)`` which players have no row for their rating yet."""
    reached: Booleans
    """``(n,)`` which players have a match that gets new events or is voided."""
    notes: list[Checkpoint]
    """Checkpoints of memories, if the system has any."""

    @property
    def moved(self) -> Booleans:
        """``(n,)`` whose state changes, not counting memory, or who enter or lose a rating."""
        return ~same_bits(self.before, self.after) | self.gone | self.entered

    @property
    def fresh(self) -> Booleans:
        """``(N,)`` which participations of ``now`` are of added matches."""
        return np.asarray(self.now["event"] < 0)

    @property
    def changed(self) -> tuple[Booleans, Booleans]:
        """Return masks of the rows of ``was`` and ``now`` whose matches change or are added."""
        matches = [*self.edit.matches, *(one.match for one in self.edit.added)]
        return np.isin(self.was["match"], matches), np.isin(self.now["match"], matches)

    @property
    def first_match(self) -> int | None:
        """The first match that changes or is rated, ``None`` if there is none."""
        if self.edit.changes:
            return self.edit.first.match
        rows = np.flatnonzero(self.fresh | self.rewritten | self.edit.anew)
        return int(self.now["match"][rows[0]]) if len(rows) else None

    @property
    def later_matches(self) -> int:
        """The number of matches that follow in the order of rating, without those that change."""
        later = self.was["rated_order"] >= self.since
        return self.was.only(later & ~self.changed[0]).matches

    @property
    def rated_again(self) -> int:
        """The number of matches that get other events."""
        return len(np.unique(self.now["match"][self.rewritten]))

    @property
    def events(self) -> int:
        """The number of rating events that are replaced or void."""
        kept = np.isin(self.was["event"], self.now["event"])
        again = np.isin(self.now["event"][self.rewritten], self.was["event"])
        return int(np.count_nonzero(again) + np.count_nonzero(~kept))

    @property
    def movers(self) -> int:
        return int(np.count_nonzero(self.moved))

    @property
    def largest_change(self) -> float:
        """The largest absolute change among players who keep a rating."""
        kept = ~(self.gone | self.entered)
        sizes = np.abs(self.after.rating - self.before.rating)[kept]
        return float(sizes.max(initial=0.0))

    def digest(self, horizon: int) -> str:
        """Return the fingerprint of the edit's changes and of the history that determines their
        effect, up to a place in the order of rating.

        The states in its first events cover what came before.
        """
        returning = np.unique(
            self.now["player"][np.isin(self.now["match"], [*self.edit.returning])]
        )
        if not len(returning):
            return digest(self.was, self.edit, horizon)
        states, _unrated = states_before(self.season, self.was, returning, self.since)
        return digest(self.was, self.edit, horizon, states)


def diff(
    season: Season,
    edit: Edit,
    *,
    was: Tail | None = None,
    start: Callable[[Season, list[int]], Start] = season_start,
    progress: Progress | None = None,
) -> Diff:
    """Rate a season with an edit, and return what differs. Nothing is written.

    ``was`` is its history from the start, if that has been read. ``start`` returns how players
    start the season, in their order.

    Raises:
        Refused: the season's system cannot rate a match.
        Conflict: matches cannot be added where they belong.
    """
    remembers = not edit.anew and checkpoints.has_memory(season)
    noted = (
        checkpoints.latest(season, edit.first.rated_order)
        if not edit.is_whole and remembers
        else None
    )
    after = -1 if edit.is_whole else edit.first.rated_order - 1 if noted is None else noted
    if was is None:
        was = read_tail(season, after)
    elif not edit.is_whole:
        was = was.only(was["rated_order"] > after)
    rules = versions.stretches(season)
    edited = with_edit(season, was, edit, rules)
    now = edited.now
    _codes, players = by_appearance(np.concatenate([now["player"], edited.was["player"]]))
    playing = len(np.unique(now["player"]))
    if edit.is_whole:
        entry = Entry(*start(season, players.tolist()), unrated_among(season, players))
    else:
        entry = entry_at(season, edited, players, noted, rules)
    history = now.history()
    try:
        replayed, notes = versions.replay_season(
            rules,
            now.orders,
            history,
            entry.states.take(slice(playing)),
            entry.new[:playing],
            cuts_of(season, edit, now, history, edited.since),
            progress,
        )
    except UnsupportedMatch as error:
        field = "placings" if edit.changes else ""
        raise Refused("unsupported", translate(error.sentence), field=field) from error
    plays = np.arange(len(players)) < playing
    final, before = entry.states.copy(), without_memory(entry.states.copy())
    final.put(np.arange(playing), replayed.states)
    put_last(before, players, edited.was)
    own = own_rows(edit, was, now)
    touched = differing_matches(now, replayed)
    if remembers:
        touched |= reached_matches(now, players_by_order(edit, was, now, own, edited.since))
    touched |= edit.system_changed
    rewritten = (rows_of_matches(now, touched) | own) & (now["event"] >= 0)
    reached = np.full(len(players), edit.anew)
    reached[codes_among(now["player"][rewritten | own], players)] = True
    lost = edited.was["player"][np.isin(edited.was["match"], edit.matches)]
    reached[codes_among(lost, players)] = True
    if edit.joined:
        reached |= players == edit.joined.kept
    return Diff(
        season=season,
        edit=edit,
        was=was,
        now=now,
        replayed=replayed,
        since=edited.since,
        last=edited.last,
        rewritten=rewritten,
        players=players,
        before=before,
        after=final,
        gone=~plays & entry.new & ~entry.unrated,
        entered=plays & entry.unrated & ~np.isin(players, edited.was["player"]),
        unrated=plays & entry.unrated,
        reached=reached,
        notes=notes,
    )


def cuts_of(season: Season, edit: Edit, now: Tail, history: History, since: int) -> list[int]:
    """Return the indices of the matches after which to take checkpoints of memories."""
    if edit.is_whole:
        return checkpoints.regular_cuts(history) if len(now) else []
    noted = checkpoints.orders_since(season, since)
    cuts = [int(np.searchsorted(now.orders, order, side="right")) - 1 for order in noted]
    return [cut for cut in cuts if cut >= 0]


def own_rows(edit: Edit, was: Tail, now: Tail) -> Booleans:
    """Return ``(N,)`` which participations of ``now`` the edit itself concerns."""
    own = (now["event"] < 0) | np.isin(now["match"], edit.matches)
    if edit.joined:
        theirs = was["event"][was["player"] == edit.joined.gone]
        dropped = was["match"][~np.isin(was["event"], now["event"])]
        own |= np.isin(now["event"], theirs) | np.isin(now["match"], dropped)
    return own


def differing_matches(now: Tail, replayed: Replay) -> Booleans:
    """Return ``(M,)`` which matches have an event that differs from the replay."""
    differs = ~same_bits(now.before(), replayed.before) | ~same_bits(now.after(), replayed.after)
    differs |= (now["counted"] == 1) != ((now["played"] == 1) & ~replayed.ignored)
    starts = np.flatnonzero(now.begins("rated_order"))
    return np.logical_or.reduceat(differs, starts) if len(starts) else differs


def players_by_order(
    edit: Edit, was: Tail, now: Tail, own: Booleans, since: int
) -> dict[int, set[int]]:
    """Return the players whom an edit concerns, by their place in the order of rating."""
    found: dict[int, set[int]] = {}
    if edit.joined:
        found[since - 1] = {edit.joined.kept}
    for tail, rows in ((was, np.isin(was["match"], edit.matches)), (now, own)):
        for order, player in zip(
            tail["rated_order"][rows].tolist(), tail["player"][rows].tolist(), strict=True
        ):
            found.setdefault(order, set()).add(player)
    return found


def reached_matches(now: Tail, changed: Mapping[int, set[int]]) -> Booleans:
    """Return ``(M,)`` which matches an edit can affect, from player to player.

    ``changed`` are players whom a place in the order of rating changes: their later matches can
    differ. A memory can differ before it shows in a rating. So with a system that has memory,
    everyone who met an affected player counts as affected.
    """
    reached: set[int] = set()
    waiting = sorted(changed, reverse=True)
    starts = np.flatnonzero(now.begins("rated_order"))
    orders = now["rated_order"][starts].tolist()
    bounds = np.append(starts, len(now)).tolist()
    players = now["player"].tolist()
    touched = np.zeros(len(starts), dtype=np.bool_)
    for match, order in enumerate(orders):
        while waiting and waiting[-1] < order:
            reached |= changed[waiting.pop()]
        playing = players[bounds[match] : bounds[match + 1]]
        if not reached.isdisjoint(playing):
            reached.update(playing)
            touched[match] = True
    return touched


def digest(was: Tail, edit: Edit, horizon: int, returning: States | None = None) -> str:
    """Return a fingerprint of an edit's changes and of the history from the first to ``horizon``.

    ``returning`` has the states of players whose matches return.
    """
    order, first = was["rated_order"], edit.first.rated_order if edit.changes else 0
    covered = was.only((order >= first) & (order <= horizon))
    summary = hashlib.blake2b(digest_size=32)
    for change in edit.changes:
        asked = [change.match, change.placings, *([] if change.mode is None else [change.mode])]
        summary.update(json.dumps(asked).encode())
    # Profession codes differ from tail to tail, their keys do not.
    keys = professions.keys(was.professions)[covered["profession"]]
    for name, values in {**covered.columns, "profession": keys}.items():
        if name not in LEFT_OUT:
            summary.update(np.ascontiguousarray(values).tobytes())
    if returning is not None:
        for values in (returning.rating, returning.deviation, returning.volatility):
            summary.update(np.ascontiguousarray(values).tobytes())
    return summary.hexdigest()
