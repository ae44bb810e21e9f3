"""A season's rated history since a match, as columns."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from django.db import connection

from league.services.core.columns import read_columns
from ratings.history import History, first_sides, offsets, played_mask
from ratings.types import States

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from league.models import Season
    from ratings.types import Booleans, Integers

SPAN = """
    SELECT min(id), max(id), count(*), max(rated_order) FROM league_match
    WHERE season_id = %s AND rated_order > %s
"""

PROFESSIONS_AND_MODES = """
    SELECT coalesce(array_agg(DISTINCT p.profession) FILTER (WHERE p.profession <> ''), '{}'),
        coalesce(array_agg(DISTINCT m.mode) FILTER (WHERE m.mode <> ''), '{}')
    FROM league_match AS m JOIN league_participant AS p ON p.match_id = m.id
    WHERE m.season_id = %s AND m.rated_order > %s AND p.match_id BETWEEN %s AND %s
        AND (p.profession <> '' OR m.mode <> '')
"""

# Void matches that may count again, by the last event that each participant had for them. A merged
# player's events keep the name of the player who left.
UNRATED = """
    SELECT 0 AS rated_order, m.id AS match, s.index AS side, p.position, p.player_id AS player,
        m.played_at AS time,
        m.weight, coalesce(m.perf_ceiling, 'Infinity') AS ceiling,
        coalesce(s.place, 0) AS place, coalesce(s.score, 'NaN') AS score,
        coalesce(p.seconds, 'NaN') AS seconds, p.quit::int AS quit,
        coalesce(array_position(%s::varchar[], p.profession), 0) AS profession,
        e.id AS event, 0 AS games, 'NaN' AS rating_before, 'NaN' AS rating_after,
        'NaN' AS deviation_before, 'NaN' AS deviation_after, 'NaN' AS volatility_before,
        'NaN' AS volatility_after, '-infinity' AS last_played,
        (m.kind = 'game')::int AS played, 0 AS counted,
        coalesce(m.forecast[s.index + 1], 'NaN') AS forecast, coalesce(m.first_side, -1) AS first,
        coalesce(array_position(%s::varchar[], m.mode), 0) AS mode
    FROM league_match AS m
    JOIN league_side AS s ON s.match_id = m.id
    JOIN league_participant AS p ON p.side_id = s.id AND p.match_id = s.match_id
    CROSS JOIN LATERAL (
        SELECT e.id FROM league_ratingevent AS e WHERE e.match_id = m.id
        ORDER BY e.player_id = p.player_id DESC, e.id DESC LIMIT 1
    ) AS e
    WHERE m.id = ANY(%s)
"""
NAMES_OF = """
    SELECT coalesce(array_agg(DISTINCT p.profession) FILTER (WHERE p.profession <> ''), '{}'),
        coalesce(array_agg(DISTINCT m.mode) FILTER (WHERE m.mode <> ''), '{}')
    FROM league_match AS m JOIN league_participant AS p ON p.match_id = m.id
    WHERE m.id = ANY(%s)
"""
EVENTS_OF = """
    SELECT e.match_id AS match, e.number, e.winner, e.loser, e.kind
    FROM league_matchevent AS e WHERE e.match_id = ANY(%s)
"""

# The ranges of match ids are implied by the joins. They let the planner read one range of each
# index; otherwise it would scan tables as long as the season is old.
TAIL = """
    SELECT m.rated_order, m.id AS match, s.index AS side, p.position, p.player_id AS player,
        m.played_at AS time,
        m.weight, coalesce(m.perf_ceiling, 'Infinity') AS ceiling,
        s.place, coalesce(s.score, 'NaN') AS score, coalesce(p.seconds, 'NaN') AS seconds,
        p.quit::int AS quit,
        coalesce(array_position(%s::varchar[], p.profession), 0) AS profession,
        e.id AS event, e.games, e.rating_before, e.rating_after,
        coalesce(e.deviation_before, 'NaN') AS deviation_before,
        coalesce(e.deviation_after, 'NaN') AS deviation_after,
        coalesce(e.volatility_before, 'NaN') AS volatility_before,
        coalesce(e.volatility_after, 'NaN') AS volatility_after,
        coalesce(e.last_played_before, '-infinity') AS last_played,
        (m.kind = 'game')::int AS played, (m.kind = 'game' AND NOT e.ignored)::int AS counted,
        coalesce(m.forecast[s.index + 1], 'NaN') AS forecast, coalesce(m.first_side, -1) AS first,
        coalesce(array_position(%s::varchar[], m.mode), 0) AS mode
    FROM league_match AS m
    JOIN league_side AS s ON s.match_id = m.id
    JOIN league_participant AS p ON p.side_id = s.id AND p.match_id = s.match_id
    JOIN league_ratingevent AS e ON e.match_id = p.match_id AND e.player_id = p.player_id
        AND e.superseded_by_id IS NULL
    WHERE m.season_id = %s AND m.rated_order > %s AND m.id BETWEEN %s AND %s
        AND s.match_id BETWEEN %s AND %s AND p.match_id BETWEEN %s AND %s
        AND e.match_id BETWEEN %s AND %s
"""

EVENTS = """
    SELECT e.match_id AS match, e.number, e.winner, e.loser, e.kind
    FROM league_match AS m JOIN league_matchevent AS e ON e.match_id = m.id
    WHERE m.season_id = %s AND m.rated_order > %s AND m.event_count > 0
"""
EVENT_KINDS = {"match": "i8", "number": "i8", "winner": "i8", "loser": "i8", "kind": "i8"}

KINDS = {
    "rated_order": "i8", "match": "i8", "side": "i8", "position": "i8", "player": "i8",
    "time": "time", "weight": "f8", "ceiling": "f8", "place": "i8", "score": "f8", "seconds": "f8",
    "quit": "i8", "profession": "i8", "event": "i8", "games": "i8",
    "rating_before": "f8", "rating_after": "f8", "deviation_before": "f8",
    "deviation_after": "f8", "volatility_before": "f8", "volatility_after": "f8",
    "last_played": "time", "played": "i8", "counted": "i8", "forecast": "f8", "first": "i8",
    "mode": "i8",
}  # fmt: skip

Placings = list[tuple[int, float | None]]
"""The place and score of each side of a match, in the order of sides."""


@dataclass(frozen=True)
class Tail:
    """Rated history since a match: ``N`` participations, by order of rating, side and position."""

    columns: Mapping[str, NDArray[Any]]
    """``(N,)`` each, by the names of ``KINDS``: matches, sides, participants and rating events."""
    professions: list[str]
    """By code; code 0 is no profession."""
    modes: list[str]
    """Game modes by code; code 0 is none."""
    events: Mapping[int, Integers] = field(default_factory=dict)
    """The events of matches by id, ``(e, 2)`` sides, where the season rates them."""

    def __len__(self) -> int:
        return len(self.columns["match"])

    def __getitem__(self, name: str) -> NDArray[Any]:
        return self.columns[name]

    @property
    def matches(self) -> int:
        """The number of matches."""
        return int(np.count_nonzero(self.begins("rated_order")))

    @property
    def orders(self) -> Integers:
        """``(M,)`` places of its matches in the order of rating."""
        orders: Integers = self["rated_order"][self.begins("rated_order")]
        return orders

    @property
    def horizon(self) -> int:
        """The last place in the order of rating, 0 without any match."""
        return int(self["rated_order"][-1]) if len(self) else 0

    def begins(self, *names: str) -> Booleans:
        """Return ``(N,)`` whether any of these columns differs from the row before."""
        changes = np.zeros(len(self), dtype=np.bool_)
        changes[:1] = True
        for name in names:
            changes[1:] |= np.diff(self[name]) != 0
        return changes

    def only(self, rows: Booleans | Integers) -> Tail:
        """Return these rows only."""
        columns = {name: values[rows] for name, values in self.columns.items()}
        return replace(self, columns=columns)

    def with_more(self, more: Tail) -> Tail:
        """Return the history with further matches, each at its place in the order of rating."""
        professions = list(dict.fromkeys([*self.professions, *more.professions]))
        modes = list(dict.fromkeys([*self.modes, *more.modes]))
        codes = {
            "profession": np.array([professions.index(name) for name in more.professions]),
            "mode": np.array([modes.index(name) for name in more.modes]),
        }
        coded = {name: new[more[name]] for name, new in codes.items()}
        return replace(
            self,
            columns=in_order(self.columns, {**more.columns, **coded}),
            professions=professions,
            modes=modes,
            events={**self.events, **more.events},
        )

    def with_result(
        self, match: int, placings: Placings, weight: float | None = None, mode: str | None = None
    ) -> Tail:
        """Return the history with other places and scores for one match.

        ``weight`` and ``mode`` change too, if they are given.
        """
        place, score = self["place"].copy(), self["score"].copy()
        weights = self["weight"].copy()
        if weight is not None:
            weights[self["match"] == match] = weight
        for side, (at, points) in enumerate(placings):
            rows = (self["match"] == match) & (self["side"] == side)
            place[rows] = at
            score[rows] = np.nan if points is None else points
        modes, codes = list(dict.fromkeys([*self.modes, mode or ""])), self["mode"].copy()
        if mode is not None:
            codes[self["match"] == match] = modes.index(mode)
        changed = {"place": place, "score": score, "weight": weights, "mode": codes}
        return replace(self, columns={**self.columns, **changed}, modes=modes)

    def before(self) -> States:
        """Return ``(N,)`` states before each match, from the rating events, without memory."""
        return States(
            rating=self["rating_before"],
            deviation=self["deviation_before"],
            volatility=self["volatility_before"],
            games=self["games"] - self["counted"],
            last_played=self["last_played"],
            memory=np.empty((len(self), 0)),
        )

    def after(self) -> States:
        """Return ``(N,)`` states after each match, from the rating events, without memory."""
        return States(
            rating=self["rating_after"],
            deviation=self["deviation_after"],
            volatility=self["volatility_after"],
            games=self["games"],
            last_played=np.where(
                self["counted"], np.maximum(self["last_played"], self["time"]), self["last_played"]
            ),
            memory=np.empty((len(self), 0)),
        )

    def history(self) -> History:
        """Return the matches as a history to rate, with ids as names of players."""
        if not len(self):
            return History.build([])
        match = self.begins("rated_order")
        side = match | self.begins("side")
        codes, players = by_appearance(self["player"])
        first_rows, side_rows = np.flatnonzero(match), np.flatnonzero(side)
        return History(
            players=[str(player) for player in players.tolist()],
            professions=self.professions,
            match_ids=[str(pk) for pk in self["match"][first_rows].tolist()],
            times=self["time"][first_rows],
            weights=self["weight"][first_rows],
            perf_ceilings=self["ceiling"][first_rows],
            side_offsets=offsets(np.add.reduceat(side.astype(np.int64), first_rows)),
            places=self["place"][side_rows],
            scores=self["score"][side_rows],
            participant_offsets=np.append(side_rows, len(self)),
            player=codes,
            seconds=self["seconds"],
            quits=self["quit"].astype(np.bool_),
            profession=self["profession"],
            played=played_mask(np.flatnonzero(self["played"][first_rows] == 0), len(first_rows)),
            modes=self.modes_of(first_rows),
            first=first_sides(self["first"][first_rows]),
            events=self.events_of(first_rows),
        )

    def events_of(self, rows: Integers) -> dict[int, Integers] | None:
        """Return the events of the matches in these rows by index, ``None`` if none has any."""
        if not self.events:
            return None
        matches = enumerate(self["match"][rows].tolist())
        return {at: self.events[match] for at, match in matches if match in self.events} or None

    def modes_of(self, rows: Integers) -> list[str] | None:
        """Return the game modes of the matches in these rows, ``None`` if none has one."""
        codes = self["mode"][rows]
        return [self.modes[code] for code in codes.tolist()] if codes.any() else None


def by_appearance(players: Integers) -> tuple[Integers, Integers]:
    """Return codes ``(N,)`` for ids, in order of first appearance, and the ids by code."""
    known, first, which = np.unique(players, return_index=True, return_inverse=True)
    order = np.argsort(first)
    code = np.empty(len(known), dtype=np.int64)
    code[order] = np.arange(len(known))
    return code[which], known[order]


def read_tail(season: Season, after: int) -> Tail:
    """Read the history of a season after a value of ``Match.rated_order``."""
    with connection.cursor() as cursor:
        cursor.execute(SPAN, [season.pk, after])
        first, last, _count, _horizon = cursor.fetchone()
        span = [first, last]
        cursor.execute(PROFESSIONS_AND_MODES, [season.pk, after, *span])
        professions, modes = cursor.fetchone()
    columns = read_columns(TAIL, [professions, modes, season.pk, after, *span * 4], KINDS)
    rates_events = season.rules_version > 1 or season.system().rates_events
    events = read_events(season, after) if rates_events else {}
    return Tail(in_order(columns), ["", *professions], ["", *modes], events)


def read_unrated(season: Season, orders: Mapping[int, int]) -> Tail:
    """Read void matches as they would be rated, each at the place in the order given by its id."""
    matches = list(orders)
    with connection.cursor() as cursor:
        cursor.execute(NAMES_OF, [matches])
        professions, modes = cursor.fetchone()
    columns = read_columns(UNRATED, [professions, modes, matches], KINDS)
    places = [orders[match] for match in columns["match"].tolist()]
    columns["rated_order"] = np.array(places, dtype=np.int64)
    events: dict[int, Integers] = {}
    if season.rules_version > 1 or season.system().rates_events:
        events = events_by_match(read_columns(EVENTS_OF, [matches], EVENT_KINDS))
    return Tail(in_order(columns), ["", *professions], ["", *modes], events)


def in_order(*parts: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """Return participations of all parts by order of rating, side and position."""

    def join(name: str) -> NDArray[Any]:
        return np.concatenate([part[name] for part in parts])

    order = np.lexsort([join(name) for name in ("position", "side", "rated_order")])
    return {name: join(name)[order] for name in parts[0]}


def read_events(season: Season, after: int) -> dict[int, Integers]:
    """Return the events of a season's matches after a value of ``Match.rated_order``, by match."""
    return events_by_match(read_columns(EVENTS, [season.pk, after], EVENT_KINDS))


def events_by_match(columns: Mapping[str, NDArray[Any]]) -> dict[int, Integers]:
    order = np.lexsort((columns["number"], columns["match"]))
    match = columns["match"][order]
    events = np.stack([columns[name][order] for name in ("winner", "loser", "kind")], axis=-1)
    starts = np.flatnonzero(np.diff(match, prepend=-1))
    parts = np.split(events, starts[1:])
    return dict(zip(match[starts].tolist(), parts, strict=True)) if len(match) else {}


def same_bits(some: States, others: States) -> Booleans:
    """Return ``(n,)`` whether two states are equal to the last bit, memory aside."""
    same = (some.games == others.games) & (some.last_played == others.last_played)
    for name in ("rating", "deviation", "volatility"):
        one, other = getattr(some, name), getattr(others, name)
        same &= (bits_of(one) == bits_of(other)) | (np.isnan(one) & np.isnan(other))
    return np.asarray(same)


def bits_of(numbers: NDArray[np.float64]) -> NDArray[np.int64]:
    return np.ascontiguousarray(numbers).view(np.int64)


def last_rows(codes: Integers, count: int) -> Integers:
    """Return the last row of each code, ``(count,)``."""
    rows = np.zeros(count, dtype=np.int64)
    rows[codes] = np.arange(len(codes))
    return rows


def first_rows(codes: Integers, count: int) -> Integers:
    """Return the first row of each code, ``(count,)``."""
    rows = np.zeros(count, dtype=np.int64)
    rows[codes[::-1]] = np.arange(len(codes))[::-1]
    return rows


def placings_of(tail: Tail, match: int) -> Placings:
    """Return the places and scores of one match."""
    of_match = tail.only(tail["match"] == match)
    sides = of_match.only(of_match.begins("side"))
    return [
        (place, None if np.isnan(score) else score)
        for place, score in zip(sides["place"].tolist(), sides["score"].tolist(), strict=True)
    ]


def rows_of_matches(tail: Tail, matches: Booleans) -> Booleans:
    """Return ``(N,)`` whether each participation is in one of the chosen ``(M,)`` matches."""
    numbers: Integers = np.cumsum(tail.begins("rated_order")) - 1
    return np.asarray(matches[numbers])


def codes_among(players: Integers, ids: Sequence[int] | Integers) -> Integers:
    """Return ``(N,)`` the index of each of ``players`` in ``ids``, -1 if missing."""
    order = np.argsort(ids)
    ordered = np.asarray(ids)[order]
    at = np.minimum(np.searchsorted(ordered, players), max(len(ordered) - 1, 0))
    if not len(ordered):
        return np.full(len(players), -1)
    return np.where(ordered[at] == players, order[at], -1)
