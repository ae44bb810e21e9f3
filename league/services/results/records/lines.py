"""Matches as lists show them, read with one statement.

The models are filled by hand with what a line shows: building five statements and whole rows for
twenty lines took longer than the rest of a player's page.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from django.db import connection

from league.models import Match, Participant, Player, RatingEvent, Roster, Season, Side, Team
from league.models.match_states import OPEN
from league.services.core.columns import binary_cursor, to_array_literal
from league.services.core.statements import make, relate

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from league.models import Arena

SIDES_ON_A_LINE = 4

# Each row is a participant of one of the best sides.
LINES = """
    SELECT m.id, m.played_at, m.status, m.information->>'tournament',
        e.rating_before, e.rating_after,
        counted.sides, counted.winners, own.index, own.place, m.mode,
        m.confirm_deadline, m.revision, m.season_id,
        s.index, s.place, s.score, s.captain_id, s.roster_id, r.name,
        t.id, t.tag, t.picture, t.colour, t.second_colour, p.player_id, player.name
    FROM unnest(%(matches)s::bigint[]) WITH ORDINALITY AS listed(id, nth)
    JOIN league_match AS m ON m.id = listed.id
    LEFT JOIN league_ratingevent AS e
        ON e.match_id = m.id AND e.player_id = %(player)s AND e.superseded_by_id IS NULL
    LEFT JOIN league_participant AS part ON part.match_id = m.id AND part.player_id = %(player)s
    LEFT JOIN league_side AS own ON own.id = part.side_id
    CROSS JOIN LATERAL (
        SELECT count(*) AS sides, count(*) FILTER (WHERE place = 0) AS winners
        FROM league_side WHERE match_id = m.id
    ) AS counted
    CROSS JOIN LATERAL (
        SELECT id, index, place, score, captain_id, roster_id FROM league_side WHERE match_id = m.id
        ORDER BY place NULLS LAST, index LIMIT %(sides)s
    ) AS s
    LEFT JOIN league_roster AS r ON r.id = s.roster_id
    LEFT JOIN league_team AS t ON t.id = r.team_id
    JOIN league_participant AS p ON p.match_id = m.id AND p.side_id = s.id
    JOIN league_player AS player ON player.id = p.player_id
    ORDER BY listed.nth, s.place NULLS LAST, s.index, p.position
"""

OPEN_IDS = f"""
    SELECT m.id FROM league_participant AS p JOIN league_match AS m ON m.id = p.match_id
    WHERE p.player_id = %(player)s AND m.status IN ({", ".join(f"'{one}'" for one in OPEN)})
        AND (%(arena)s::bigint IS NULL OR m.arena_id = %(arena)s::bigint)
    ORDER BY m.played_at DESC, m.id DESC LIMIT 50
"""  # noqa: S608 - names of ours

TEAM = ("id", "tag", "picture", "colour", "second_colour")
"""The values of a team that a line shows, in the order of the columns."""
SEASON, SIDE, OF_SIDE = 13, 14, 11
"""The column with the season of a row, the first about its side, and how many those are."""
PLAYER = SIDE + OF_SIDE
"""The column with the player of a row."""


@dataclass(frozen=True)
class Lines:
    """A player's matches of a season as they were read. Equal ones look the same."""

    season: Season
    player: Player
    rows: tuple[tuple[Any, ...], ...]

    def names(self, player: Player) -> bool:
        """Return whether a player took part in one of these matches."""
        return any(row[PLAYER] == player.pk for row in self.rows)

    def matches(self) -> list[Match]:
        """Return the matches in their order, loaded as by ``profiles.in_lines``."""
        grouped = groupby(self.rows, key=itemgetter(0))
        return [line(self.season, self.player, list(parts)) for _match, parts in grouped]


def read_lines(season: Season, player: Player, ids: Sequence[int]) -> Lines:
    """Return these matches of a player, read with one statement."""
    return Lines(season, player, tuple(rows_of(player, ids)))


def read_matches(viewer: Player | None, seasons: Mapping[int, Season]) -> list[Match]:
    """Return matches as a viewer sees them, given with their seasons. One statement.

    They have their arena, season, ``side_count``, ``winner_count`` and ``best_sides`` (at most
    ``SIDES_ON_A_LINE``) with their participants, and a viewer's ``own_sides`` and ``own_events``.
    """
    grouped = groupby(rows_of(viewer, seasons), key=itemgetter(0))
    return [line(seasons[match], viewer, list(parts)) for match, parts in grouped]


def lines_of(
    ids: Collection[int], viewer: Player | None = None, known: Iterable[Season] = ()
) -> dict[int, Match]:
    """Return matches of any seasons by id, as a viewer sees them. Two statements at most.

    They also have the deadline and the revision of their report. An id may be there twice. Seasons
    that are ``known`` with their arenas are not read again.
    """
    if not ids:  # mostly
        return {}
    rows = rows_of(viewer, set(ids))
    seasons = {season.pk: season for season in known}
    if missing := {row[SEASON] for row in rows} - seasons.keys():
        seasons |= Season.objects.select_related("arena").in_bulk(missing)
    return {
        match: line(seasons[same[0][SEASON]], viewer, same)
        for match, parts in groupby(rows, key=itemgetter(0))
        for same in [list(parts)]
    }


def open_matches(
    player: Player, arena: Arena | None = None, known: Iterable[Season] = ()
) -> list[Match]:
    """Return a player's live, reported and disputed matches, latest first.

    Seasons that are ``known`` with their arenas are not read again.
    """
    ids = open_ids(player, arena)
    lines = lines_of(ids, player, known)
    return [lines[pk] for pk in ids if pk in lines]


def open_ids(player: Player, arena: Arena | None = None) -> list[int]:
    """Return the ids of a player's live, reported and disputed matches, latest first."""
    asked: dict[str, Any] = {"player": player.pk, "arena": arena and arena.pk}
    with connection.cursor() as cursor:
        cursor.execute(OPEN_IDS, asked)
        return [row[0] for row in cursor.fetchall()]


def rows_of(viewer: Player | None, ids: Iterable[int]) -> list[tuple[Any, ...]]:
    asked: dict[str, Any] = {
        "matches": to_array_literal(ids),
        "player": viewer and viewer.pk,
        "sides": SIDES_ON_A_LINE,
    }
    with binary_cursor() as cursor:
        cursor.execute(LINES, asked)
        found: list[tuple[Any, ...]] = cursor.fetchall()
    return found


def line(season: Season, viewer: Player | None, rows: Sequence[tuple[Any, ...]]) -> Match:
    """Return the match of these rows."""
    pk, played_at, status, tournament, before, after, *counts, index, place, mode = rows[0][:11]
    deadline, revision = rows[0][11:SEASON]
    match: Any = make(
        Match,
        id=pk,
        played_at=played_at,
        status=status,
        information={"tournament": tournament} if tournament else {},
        season_id=season.pk,
        arena_id=season.arena_id,
        mode=mode,
        confirm_deadline=deadline,
        revision=revision,
    )
    relate(match, "season", season)
    relate(match, "arena", season.arena)
    match.side_count, match.winner_count = counts
    match.best_sides = list(best_sides(row[SIDE:] for row in rows))
    match.own_sides = [] if index is None else [make(Side, index=index, place=place)]
    match.own_events = []
    if viewer and after is not None:
        match.own_events = [RatingEvent(player=viewer, rating_before=before, rating_after=after)]
    return match  # type: ignore[no-any-return] # a match with more on it


def best_sides(rows: Iterable[tuple[Any, ...]]) -> Iterator[Side]:
    """Yield the sides of these rows with their participants."""
    for known, parts in groupby(rows, key=itemgetter(*range(OF_SIDE))):
        index, place, score, captain_id, roster_id, roster, *club = known
        side: Any = make(
            Side,
            index=index,
            place=place,
            score=score,
            roster_id=roster_id,
            captain_id=captain_id,
        )
        relate(side, "roster", roster_of(roster_id, roster, club) if roster_id else None)
        side.known_parts = [part_of(*row[-2:]) for row in parts]
        yield side


def roster_of(pk: int, name: str, club: Sequence[Any]) -> Roster:
    """Return a roster, and the team that it plays for, if it does."""
    roster = make(Roster, id=pk, name=name, team_id=club[0])
    relate(roster, "team", make(Team, **dict(zip(TEAM, club, strict=True))) if club[0] else None)
    return roster


def part_of(player_id: int, name: str) -> Participant:
    part = make(Participant, player_id=player_id)
    relate(part, "player", make(Player, id=player_id, name=name))
    return part
