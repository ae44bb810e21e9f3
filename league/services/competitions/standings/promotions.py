"""Promotion and relegation between the levels of a season, and the field of the next one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from league.models import Competition, Entrant
from league.models.own_words import own_words
from league.services.competitions.locking import check_may_run, check_state, lock
from league.services.competitions.records import record
from league.services.competitions.standings.competition_tables import read_tables
from league.services.core.errors import Refused
from league.services.core.isolation import gettext as _

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from league.models import Season, User
    from league.services.competitions.standings.competition_tables import CompetitionTable

UP, DOWN = -1, 1
"""The change of level, of which 1 is the highest."""


def moves(one: Competition, tables: list[CompetitionTable]) -> dict[int, int]:
    """Return the entrants promoted or relegated as the table stands, by entrant id.

    Groups have none: their tables are not comparable.
    """
    if len(tables) != 1:
        return {}
    rules = one.ruled_by().play
    lines = [line.entrant for line in tables[0].lines]
    up = lines[: rules.promoted] if one.level > 1 else []
    down = lines[max(len(lines) - rules.relegated, 0) :] if rules.relegated else []
    return {
        **{entrant.pk: DOWN for entrant in down},
        **{entrant.pk: UP for entrant in up},
    }


def can_move(one: Competition) -> bool:
    """Return whether entrants can be promoted or relegated: there is one table of all."""
    grouped = one.format in {Competition.Format.GROUPS, Competition.Format.GROUPS_KNOCKOUT}
    return one.has_table and (not grouped or one.ruled_by().play.groups == 1)


def field_of(season: Season, level: int) -> list[Entrant]:
    """Return the players for a level after a season, those from above first.

    Nobody is promoted or relegated to a level that the season did not have.
    """
    over = Competition.objects.filter(season=season, state=Competition.State.OVER)
    found: dict[int, list[Entrant]] = {}
    levels = {one.level for one in over}
    for one in over.select_related("season__arena").order_by("level", "id"):
        tables = read_tables(one)
        change = moves(one, tables)
        for line in (line for table in tables for line in table.lines):
            to = one.level + change.get(line.entrant.pk, 0)
            to = to if to in levels else one.level
            if to == level and line.entrant.state == Entrant.State.PLAYING:
                found.setdefault(one.level, []).append(line.entrant)
    return [entrant for each in sorted(found) for entrant in found[each]]


def take_over(competition_id: int, season: Season, *, by: User, now: datetime) -> list[Entrant]:
    """Enter the players for the level of a competition after an earlier season.

    Those who have already entered or no longer have a roster are left out. Return the new entrants.

    Raises:
        Forbidden: ``by`` may not run competitions of the arena.
        Conflict: the competition has started.
        Refused: there is nobody to enter.
    """
    with transaction.atomic():
        one = lock(competition_id)
        check_may_run(by, one)
        check_state(one, Competition.State.DRAFT, Competition.State.REGISTRATION)
        there = list(one.entrants.with_people())
        room = one.ruled_by().entry.entrants - len(there)
        wanted = new_ones(one, field_of(season, one.level), there)[: max(room, 0)]
        if not wanted:
            raise Refused("nobody", _("There is nobody to enter from that season."), field="season")
        made = Entrant.objects.bulk_create(
            Entrant(
                competition=one,
                player=entrant.captain,
                roster=entrant.roster,
                name=str(entrant.roster or entrant.captain),
                entered_at=now,
            )
            for entrant in wanted
        )
        names = [entrant.name for entrant in made]
        record(one, by, now, own_words("entered after", season=season, names=names))
    return made


def new_ones(one: Competition, found: Sequence[Entrant], there: Sequence[Entrant]) -> list[Entrant]:
    """Return those who can enter: each captain and each roster once."""
    captains = {pk for entrant in there for pk in (entrant.player_id, entrant.captain.pk)}
    rosters = {entrant.roster_id for entrant in there}
    new = []
    for entrant in found:
        again = entrant.roster_id is not None and entrant.roster_id in rosters
        if fits(one, entrant) and not again and entrant.captain.pk not in captains:
            captains.add(entrant.captain.pk)
            rosters.add(entrant.roster_id)
            new.append(entrant)
    return new


def fits(one: Competition, entrant: Entrant) -> bool:
    """Return whether an entrant still has the roster that the arena needs."""
    return entrant.roster_id is not None or one.season.arena.team_size_min == 1
