"""The matches of two people against each other, in all arenas and seasons."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from league.models import Season
from league.services.core.columns import binary_cursor
from league.services.results.records.profiles import Record, seasons_played

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from league.models import Player

# Archived seasons keep players who have been merged since, so a person may have several ids.
ENCOUNTERS = """
    SELECT m.id, m.season_id, m.played_at, mine.player_id, mine_on.place, theirs_on.place
    FROM league_player AS me
    JOIN league_participant AS mine ON mine.player_id = me.id
    JOIN league_participant AS theirs
        ON theirs.match_id = mine.match_id AND theirs.side_id <> mine.side_id
    JOIN league_player AS them ON them.id = theirs.player_id
    JOIN league_match AS m ON m.id = mine.match_id AND m.status = 'rated' AND m.kind = 'game'
    JOIN league_side AS mine_on ON mine_on.id = mine.side_id
    JOIN league_side AS theirs_on ON theirs_on.id = theirs.side_id
    WHERE %(me)s IN (me.id, me.merged_into_id) AND %(them)s IN (them.id, them.merged_into_id)
    ORDER BY m.played_at, m.id
"""


class Encounter(NamedTuple):
    """A rated match in which two people played against each other."""

    match_id: int
    season_id: int
    played_at: datetime
    player_id: int
    """The first person, as the player that they were then."""
    place: int
    other_place: int

    @property
    def outcome(self) -> str:
        """Return ``win``, ``draw`` or ``loss`` of the first person."""
        if self.place == self.other_place:
            return "draw"
        return "win" if self.place < self.other_place else "loss"


class SeasonMet(NamedTuple):
    """A season in which two people met."""

    season: Season
    player_id: int
    record: Record


def encounters(me: Player, other: Player) -> list[Encounter]:
    """Return the rated matches of two people against each other, oldest first. One query."""
    with binary_cursor() as cursor:
        cursor.execute(ENCOUNTERS, {"me": me.pk, "them": other.pk})
        return [Encounter(*row) for row in cursor.fetchall()]


def record_of(met: Iterable[Encounter]) -> Record:
    """Return the first person's record. The side with the better place has won."""
    outcomes = [one.outcome for one in met]
    return Record(outcomes.count("win"), outcomes.count("draw"), outcomes.count("loss"))


def seasons_met(met: Iterable[Encounter]) -> list[SeasonMet]:
    """Return the seasons of encounters, most recently played first, each with its record."""
    by_season: dict[int, list[Encounter]] = {}
    for one in met:
        by_season.setdefault(one.season_id, []).append(one)
    seasons = Season.objects.select_related("arena").in_bulk(list(by_season))
    latest = sorted(by_season.values(), key=lambda found: found[-1].played_at, reverse=True)
    return [
        SeasonMet(seasons[found[0].season_id], found[0].player_id, record_of(found))
        for found in latest
    ]


def shared_seasons(one: Player, other: Player) -> list[Season]:
    """Return the seasons that both have played, most recently played by the first person first."""
    theirs = {played.season.pk for played in seasons_played(other)}
    return [
        played.season
        for played in seasons_played(one)
        if played.season.pk in theirs and played.player == one
    ]
