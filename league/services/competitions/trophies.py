"""The places that entrants have won, kept when a competition ends."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import connection

from league.models import Arena, Competition, Entrant, Fixture, Season
from league.services.core.statements import compact

if TYPE_CHECKING:
    from collections.abc import Sequence

    from league.models import Player, Team
    from league.services.competitions.pages import CompetitionPage, RoundLines

LAST = 3
"""The last place that is a trophy."""
MOST = 30
PLAYED = {Fixture.DecidedBy.GAMES, Fixture.DecidedBy.STAFF}

# Building these as querysets took longer than anything else on a player's page.
WON = """
    SELECT e.id, e.place, e.name, e.roster_id, c.id, c.name, c.over_at, a.slug, a.name
    FROM league_entrant AS e
    JOIN league_competition AS c ON c.id = e.competition_id AND c.state = 'over'
    JOIN league_season AS s ON s.id = c.season_id
    JOIN league_arena AS a ON a.id = s.arena_id AND NOT a.is_draft
    WHERE e.place <= %(last)s AND e.trophy AND e.id IN ({entries})
    ORDER BY c.over_at DESC, e.id DESC LIMIT %(most)s
"""
OF_TEAM = """
    SELECT e.id FROM league_roster AS r JOIN league_entrant AS e ON e.roster_id = r.id
    WHERE r.team_id = %(whose)s
"""
OF_PLAYER = """
    SELECT id FROM league_entrant WHERE player_id = %(whose)s AND roster_id IS NULL
    UNION
    SELECT e.id FROM league_participant AS p
    JOIN league_match AS m ON m.id = p.match_id AND m.status = 'rated'
    JOIN league_side AS s ON s.match_id = p.match_id AND s.id = p.side_id
    JOIN league_arrangement AS d ON d.match_id = m.id
    JOIN league_fixturegame AS g ON g.arrangement_id = d.id
    JOIN league_fixture AS f ON f.id = g.fixture_id
    JOIN league_entrant AS e ON e.competition_id = f.competition_id AND (
        (e.roster_id = d.proposer_roster_id AND s.captain_id = d.proposer_id)
        OR (e.roster_id = d.opponent_roster_id AND s.captain_id = d.opponent_id)
    )
    WHERE p.player_id = %(whose)s
"""


def write_places(page: CompetitionPage) -> None:
    """Store the final places of a competition that is over, and which may be trophies.

    The last of all, those who have withdrawn and those who never played get no trophy.
    """
    found = in_bracket(page) if page.competition.has_bracket else in_table(page)
    drawn = sum(one.seed is not None and not one.annulled for one in page.entrants)
    last = max(found.values(), default=0) if len(found) == drawn else 0
    playing = who_played(page)
    for entrant in page.entrants:
        entrant.place = found.get(entrant.pk)
        entrant.trophy = entrant.pk in playing and (entrant.place == 1 or entrant.place != last)
    Entrant.objects.bulk_update(page.entrants, ["place", "trophy"])


def who_played(page: CompetitionPage) -> set[int]:
    """Return the ids of those who did not withdraw and had a fixture that was played."""
    played = {
        side
        for fixture in page.fixtures
        if page.ended[fixture.pk].by in PLAYED
        for side in (fixture.home_id, fixture.away_id)
    }
    return {
        one.pk for one in page.entrants if one.pk in played and one.state != Entrant.State.WITHDRAWN
    }


def in_table(page: CompetitionPage) -> dict[int, int]:
    """Return the places of a table by entrant id, none if there are several."""
    if len(page.boards) != 1:
        return {}
    return {line.entrant.pk: line.row.place for line in page.boards[0].lines}


def in_bracket(page: CompetitionPage) -> dict[int, int]:
    """Return the places of everybody in a bracket, by entrant id.

    The last fixture of each counts, and whether they won it. Those who lost in the same round share
    a place. Nobody is first without a winner of the final.
    """
    rounds = sorted(page.bracket, key=lambda each: min(_numbers(each), default=0))
    ends: dict[int, tuple[int, bool]] = {}
    for at, each in enumerate(rounds):
        for line in each.fixtures:
            for side, won in (
                (line.fixture.home_id, line.home_won),
                (line.fixture.away_id, line.away_won),
            ):
                if side is not None:
                    ends[side] = at, won
    champions = sum(won and rounds[at].round.is_final for at, won in ends.values())
    missing = 0 if champions else 1
    order = sorted(ends.values(), reverse=True)
    return {pk: 1 + missing + order.index(end) for pk, end in ends.items()}


def _numbers(round_: RoundLines) -> list[int]:
    return [line.fixture.number for line in round_.fixtures]


def trophies_of(player: Player) -> list[Entrant]:
    """Return the entries of a player that won a place, the latest first.

    Those of rosters are theirs if they played in one of its fixtures.
    """
    return winning_entrants(OF_PLAYER, player.pk)


def trophies_of_team(team: Team) -> list[Entrant]:
    """Return the entries of a team's rosters that won a place, the latest first."""
    return winning_entrants(OF_TEAM, team.pk)


def winning_entrants(entries: str, whose: int) -> list[Entrant]:
    """Return those of these entries that won a place, the latest first."""
    statement = compact(WON.format(entries=entries))
    with connection.cursor() as cursor:
        cursor.execute(statement, {"whose": whose, "last": LAST, "most": MOST})
        return [trophy(row) for row in cursor.fetchall()]


def trophy(row: Sequence[Any]) -> Entrant:
    """Return a row of ``WON`` as an entry, with what pages show of it."""
    pk, place, name, roster, competition_pk, competition_name, over_at, slug, arena = row
    season = Season(arena=Arena(slug=slug, name=arena))
    competition = Competition(
        pk=competition_pk, name=competition_name, over_at=over_at, season=season
    )
    return Entrant(pk=pk, place=place, name=name, roster_id=roster, competition=competition)
