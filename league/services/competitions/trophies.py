"""The places that entrants have won, kept when a competition ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Exists, F, OuterRef, Q

from league.models import Competition, Entrant, Fixture, Round, Side, Status

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from league.models import Player, Team
    from league.services.competitions.pages import CompetitionPage

LAST = 3
"""The last place that is a trophy."""
MOST = 30
PLAYED = {Fixture.DecidedBy.GAMES, Fixture.DecidedBy.STAFF}


def write_places(page: CompetitionPage) -> None:
    """Store the final places of a competition that is over.

    The last of all, those who have withdrawn and those who never played have none.
    """
    found = in_bracket(page) if page.competition.has_bracket else in_table(page)
    drawn = sum(one.seed is not None and not one.annulled for one in page.entrants)
    last = max(found.values(), default=0) if len(found) == drawn else 0
    playing = who_played(page)
    for entrant in page.entrants:
        place = found.get(entrant.pk)
        earned = entrant.pk in playing and (place == 1 or place != last)
        entrant.place = place if earned else None
    Entrant.objects.bulk_update(page.entrants, ["place"])


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
    """Return the places of the finalists, and of those who played for the third.

    In double elimination, the loser of the losers' final is third.
    """
    found = by_last_of(page, Round.Stage.FINAL, 1) | by_last_of(page, Round.Stage.THIRD, 3)
    losers = by_last_of(page, Round.Stage.LOSERS, 2)
    return found | {pk: place for pk, place in losers.items() if place == 3}


def by_last_of(page: CompetitionPage, stage: Round.Stage, first: int) -> dict[int, int]:
    """Return the places of the winner and the loser of the last decided fixture of a stage."""
    rounds = [each for each in page.bracket if each.round.stage == stage]
    lines = [line for each in rounds for line in each.fixtures if line.home_won or line.away_won]
    if not lines:
        return {}
    won = lines[-1]
    sides = [won.fixture.home_id, won.fixture.away_id]
    ordered = sides if won.home_won else sides[::-1]
    return {pk: first + at for at, pk in enumerate(ordered) if pk is not None}


def trophies_of(player: Player) -> QuerySet[Entrant]:
    """Return the entries of a player that won a place, the latest first.

    Those of rosters are theirs if they played in one of its fixtures.
    """
    theirs = Side.objects.filter(participants__player=player, match__status=Status.RATED)
    date, competition = "match__arrangement", "match__arrangement__game__fixture__competition"
    for_roster = Q(
        **{"captain": F(f"{date}__proposer"), f"{date}__proposer_roster": OuterRef("roster")}
    ) | Q(**{"captain": F(f"{date}__opponent"), f"{date}__opponent_roster": OuterRef("roster")})
    here = theirs.filter(for_roster, **{competition: OuterRef("competition")})
    in_roster = Q(competition__in=theirs.values(competition)) & Q(Exists(here))
    return won().filter(Q(player=player, roster=None) | in_roster)[:MOST]


def trophies_of_team(team: Team) -> QuerySet[Entrant]:
    """Return the entries of a team's rosters that won a place, the latest first."""
    return won().filter(roster__team=team)[:MOST]


def won() -> QuerySet[Entrant]:
    entries = Entrant.objects.filter(
        place__lte=LAST,
        competition__state=Competition.State.OVER,
        competition__season__arena__is_draft=False,
    )
    shown = entries.select_related("competition__season__arena").only(
        "place",
        "name",
        "roster",
        "competition__name",
        "competition__over_at",
        "competition__season__arena__slug",
        "competition__season__arena__name",
    )
    return shown.order_by("-competition__over_at", "-pk")
