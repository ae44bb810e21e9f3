"""The matches of two opponents against each other, in all arenas and seasons."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from django.db.models import F

from league.models import Match, Participant, Player, Season, Status
from league.services.results.records.profiles import Record, seasons_played

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime


class Encounter(NamedTuple):
    """A rated match in which two people, or two teams, played against each other.

    Archived seasons keep players who have been merged since, so a person may have several ids.
    """

    match_id: int
    season_id: int
    played_at: datetime
    player_id: int
    """The first person, as the player that they were then, or the first team."""
    place: int
    other_place: int

    @property
    def outcome(self) -> str:
        """Return ``win``, ``draw`` or ``loss`` of the first opponent."""
        if self.place == self.other_place:
            return "draw"
        return "win" if self.place < self.other_place else "loss"


class SeasonMet(NamedTuple):
    """A season in which two opponents met."""

    season: Season
    player_id: int
    record: Record


def encounters(me: Player, other: Player) -> list[Encounter]:
    """Return the rated matches of two people against each other, oldest first. One query."""
    mine = Participant.objects.filter(
        player__in=Player.ever.of_person(me),
        match__status=Status.RATED,
        match__kind=Match.Kind.GAME,
    )
    met = mine.filter(match__participants__player__in=Player.ever.of_person(other)).annotate(
        other_side=F("match__participants__side"),
        other_place=F("match__participants__side__place"),
    )
    rows = met.exclude(side=F("other_side")).order_by("match__played_at", "match")
    columns = "match", "match__season", "match__played_at", "player", "side__place", "other_place"
    return [Encounter(*row) for row in rows.values_list(*columns)]


def record_of(met: Iterable[Encounter]) -> Record:
    """Return the first opponent's record. The side with the better place has won."""
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
