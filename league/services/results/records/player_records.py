"""A player's records in a season: form, streaks, upsets, rivals, and results by kind."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from league.models import Player
from league.services.core.columns import binary_cursor, to_array_literal
from league.services.core.isolation import gettext as _
from league.services.results.records.profiles import Opponent, Record, meetings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import datetime

    from league.models import Season
    from league.services.results.records.profiles import Meeting

FORM = 10
"""The number of latest matches in a player's form."""
RIVALS = 5
LEAST_MEETINGS = 3
"""The least matches that make two players rivals."""
MOST_READ = 500

OUTCOMES = """
    CROSS JOIN LATERAL (
        SELECT count(*) AS sides, count(*) FILTER (WHERE place = 0) AS winners
        FROM league_side WHERE match_id = m.id
    ) AS counted
"""

LATEST = f"""
    SELECT m.id, m.played_at, own.place + 1, counted.sides, counted.winners
    FROM unnest(%(matches)s::bigint[]) WITH ORDINALITY AS listed(id, nth)
    JOIN league_match AS m ON m.id = listed.id
    JOIN league_participant AS p ON p.match_id = m.id AND p.player_id = %(player)s
    JOIN league_side AS own ON own.id = p.side_id
    {OUTCOMES}
    ORDER BY listed.nth
"""  # noqa: S608 - a literal of this file

PLAYED = f"""
    SELECT m.id, m.played_at, own.place + 1, counted.sides, counted.winners,
        m.mode, p.profession, coalesce(drawn.chosen, ''), own.index,
        e.rating_before, e.rating_after, rated.ours, rated.theirs
    FROM league_ratingevent AS e
    CROSS JOIN LATERAL (
        SELECT id, played_at, rated_order, kind, mode FROM league_match
        WHERE id = e.match_id OFFSET 0
    ) AS m
    JOIN league_participant AS p ON p.match_id = m.id AND p.player_id = e.player_id
    JOIN league_side AS own ON own.id = p.side_id
    LEFT JOIN league_matchmap AS drawn ON drawn.match_id = m.id
    {OUTCOMES}
    LEFT JOIN LATERAL (
        SELECT avg(other.rating_before) FILTER (WHERE seat.side_id = p.side_id) AS ours,
            avg(other.rating_before) FILTER (WHERE seat.side_id <> p.side_id) AS theirs
        FROM league_participant AS seat
        JOIN league_ratingevent AS other ON other.match_id = seat.match_id
            AND other.player_id = seat.player_id AND other.superseded_by_id IS NULL
        WHERE seat.match_id = m.id
    ) AS rated ON counted.sides = 2
    WHERE e.season_id = %(season)s AND e.player_id = %(player)s AND e.superseded_by_id IS NULL
        AND m.kind = 'game'
    ORDER BY e.games, m.rated_order
"""  # noqa: S608 - a literal of this file


class Ended(NamedTuple):
    """The end of a match for a player."""

    match_id: int
    played_at: datetime
    place: int
    """From 1."""
    sides: int
    winners: int

    @property
    def outcome(self) -> str:
        """Return ``win``, ``draw`` (first with others) or ``loss``."""
        if self.place > 1:
            return "loss"
        return "win" if self.winners == 1 else "draw"


class Played(NamedTuple):
    """A rated match as a player's records count it."""

    match_id: int
    played_at: datetime
    place: int
    sides: int
    winners: int
    mode: str
    profession: str
    map: str
    """Empty for matches without one."""
    side: int
    """The index of the player's side."""
    rating_before: float
    rating_after: float
    ours: float | None
    """The mean rating of the player's side before a match of two sides."""
    theirs: float | None

    @property
    def outcome(self) -> str:
        return Ended(*self[:5]).outcome


@dataclass(frozen=True)
class Streak:
    """Consecutive matches with the same kind of outcome."""

    count: int
    first: Played
    last: Played


@dataclass(frozen=True)
class Upset:
    """A win against the strongest opposition."""

    match: Played
    ahead: float
    """The other side's lead in the season's ratings."""

    @property
    def ranks_ahead(self) -> int:
        """The difference on a ladder, which has whole ranks."""
        return round(self.ahead)


@dataclass(frozen=True)
class Part:
    """A player's results in one kind of matches."""

    name: str
    record: Record
    change: float
    """The total change of the rating by these matches."""
    played: Sequence[Played]


@dataclass(frozen=True)
class Breakdown:
    """A player's results, grouped by one property of their matches."""

    kind: str
    parts: Sequence[Part]


@dataclass(frozen=True)
class Rivals:
    most_met: Sequence[Meeting]
    closest: Sequence[Meeting]
    """The rivals with the most even record."""


def form_of(player: Player, matches: Sequence[int]) -> list[Ended]:
    """Return the outcomes of these matches of a player, in their order. One query."""
    with binary_cursor() as cursor:
        cursor.execute(LATEST, {"matches": to_array_literal(matches), "player": player.pk})
        return [Ended(*row) for row in cursor.fetchall()]


def played_by(season: Season, player: Player) -> list[Played]:
    """Return a player's rated matches of a season in the order in which they were rated."""
    with binary_cursor() as cursor:
        cursor.execute(PLAYED, {"season": season.pk, "player": player.pk})
        return [Played(*row) for row in cursor.fetchall()]


def longest(played: Iterable[Played], *outcomes: str) -> Streak | None:
    """Return the longest run of matches with one of these outcomes, the first of several."""
    runs = (list(run) for fits, run in groupby(played, lambda one: one.outcome in outcomes) if fits)
    best = max(runs, key=len, default=None)
    return Streak(len(best), best[0], best[-1]) if best else None


def biggest_upset(played: Iterable[Played], *, lowest_first: bool) -> Upset | None:
    """Return the win against the side that was furthest ahead, ``None`` if none was ahead."""
    sign = -1 if lowest_first else 1
    upsets = [
        Upset(one, sign * (one.theirs - one.ours))
        for one in played
        if one.outcome == "win" and one.theirs is not None and one.ours is not None
    ]
    best = max(upsets, key=lambda upset: upset.ahead, default=None)
    return best if best and best.ahead > 0 else None


def parts(played: Iterable[Played], name: Callable[[Played], str]) -> list[Part]:
    """Return the results grouped by ``name``, most matches first, without empty names."""
    groups: dict[str, list[Played]] = {}
    for one in played:
        if called := name(one):
            groups.setdefault(called, []).append(one)
    return [
        Part(
            called,
            record_in(found),
            sum(one.rating_after - one.rating_before for one in found),
            found,
        )
        for called, found in sorted(groups.items(), key=lambda group: -len(group[1]))
    ]


def breakdowns(sides_max: int, played: Sequence[Played]) -> list[Breakdown]:
    """Return the results by side, mode, map and profession, where matches have them."""
    names = [_("First side"), _("Second side")]
    by_side = parts(played, lambda one: names[one.side]) if sides_max == 2 else []
    found = [
        Breakdown("side", by_side),
        Breakdown("mode", parts(played, lambda one: one.mode)),
        Breakdown("map", parts(played, lambda one: one.map)),
        Breakdown("profession", parts(played, lambda one: one.profession)),
    ]
    return [one for one in found if one.parts]


def unbeaten_run(season: Season, played: Sequence[Played]) -> Streak | None:
    """Return the longest run without a loss, ``None`` where it is the longest run of wins."""
    drawn = season.arena.sides_max == 2 and season.arena.draws_allowed
    return longest(played, "win", "draw") if drawn else None


def with_players(met: Sequence[Meeting]) -> list[Opponent]:
    """Return meetings with the opponents by their present names. One query."""
    players = Player.ever.in_bulk([one.player_id for one in met])
    return [Opponent(players[one.player_id], one.record) for one in met]


def record_in(played: Iterable[Played]) -> Record:
    outcomes = [one.outcome for one in played]
    return Record(outcomes.count("win"), outcomes.count("draw"), outcomes.count("loss"))


def rivals_of(season: Season, player: Player) -> Rivals:
    """Return a player's rivals in a season. One query."""
    met = [
        one
        for one in meetings(season, player, limit=MOST_READ)
        if one.record.total >= LEAST_MEETINGS
    ]
    return Rivals(met[:RIVALS], sorted(met, key=evenness)[:RIVALS])


def evenness(one: Meeting) -> tuple[float, int]:
    """Return a key that sorts the closest rivals first."""
    record = one.record
    return abs(record.wins - record.losses) / record.total, -record.total
